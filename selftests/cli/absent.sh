#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Without the module, and without privilege.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2

# as_nobody COMMAND...: without any capability
as_nobody()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all "$@"
}

module_is_loaded()
{
	[ -e /sys/module/rdmafault ]
}

# The kernel's own loader is put out of action.
modprobe -r rdmafault
loader=$(cat /proc/sys/kernel/modprobe)
defer sh -c "echo $loader >/proc/sys/kernel/modprobe"
echo /bin/false >/proc/sys/kernel/modprobe
gone="^rdmafault: module rdmafault is not loaded: modprobe rdmafault$"
# From 7.x on, rxe goes without ib_uverbs, which knows what drives a device
if modprobe -r ib_uverbs 2>/dev/null; then
	refused "without ib_uverbs, port add says so" \
		"^rdmafault: rxe1: want to know its driver, which ib_uverbs tells: " \
		rdmafault port add v1
fi
modprobe ib_uverbs
refused "without the module, port show says so" "$gone" rdmafault port show
refused "port add does" "$gone" rdmafault port add v1
refused "rule add does" "$gone" rdmafault drop v1 tx qp 17
refused "rule show does" "$gone" rdmafault rule show
refused "stat does" "$gone" rdmafault stat
refused "reset does" "$gone" rdmafault reset
refused "monitor does" "$gone" rdmafault monitor
refused "record does" "$gone" rdmafault record -- echo never
ok "the fabric needs no module" rdmafault fabric show
echo "$loader" >/proc/sys/kernel/modprobe

ok "asking loads the module" rdmafault port show
ok "it is loaded" module_is_loaded
modprobe -r rdmafault
ok "a port loads the module" rdmafault port add v1
ok "it is loaded" module_is_loaded
modprobe -r rdmafault 2>/dev/null
ok "and a port keeps it" module_is_loaded

denied="needs CAP_NET_ADMIN$"
refused "port add needs privilege" "v2: $denied" as_nobody rdmafault port add v2
refused "port del does" "v1: $denied" as_nobody rdmafault port del v1
refused "rule add does" "v1: $denied" as_nobody rdmafault drop v1 tx qp 17
refused "a leased rule does" "v1: $denied" \
	as_nobody rdmafault drop v1 tx qp 17 -- echo never
refused "rule del does" "v1: $denied" as_nobody rdmafault rule del v1 1
refused "rule flush does" "v1: $denied" as_nobody rdmafault rule flush v1
refused "reset does" "reset: $denied" as_nobody rdmafault reset
refused "fabric down does" "$denied" as_nobody rdmafault fabric down
refused "monitor does" "^rdmafault: recording events: needs root$" \
	as_nobody rdmafault monitor
refused "record does" "^rdmafault: record: needs CAP_NET_ADMIN$" \
	as_nobody rdmafault record -o /tmp/nobody.pcapng -- echo never
ok "looking doesn't: port show" as_nobody rdmafault port show
ok "nor rule show" as_nobody rdmafault rule show v1
ok "nor stat" as_nobody rdmafault stat v1
ok "nor fabric show" as_nobody rdmafault fabric show
is "the fabric is whole" "$(rdmafault --json fabric show | jq .nodes)" 2
is "and so is the port" "$(rdmafault --json port show | jq -r '.[].netdev')" v1
ok "the fabric goes" rdmafault fabric down
refused "fabric up needs privilege" "$denied" as_nobody rdmafault fabric up 2
is "and leaves nothing" "$(ip -o link | grep -c -e rfbr0 -e ': v1')" 0
