#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a command fails if the module is missing or the user has no privilege: it
# prints one line with the reason and changes nothing. Also test that a command loads the
# module, and that commands that only show something need no privilege.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2

# unprivileged COMMAND...: run the command without any capability
unprivileged()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all "$@"
}

# missing TITLE COMMAND...: run the test TITLE: COMMAND must be refused with exit status 2
# because the module is missing
missing()
{
	local words=$1

	shift
	refused_with=2 refused "$words" \
		"^rdmafault: module rdmafault is not loaded; run modprobe rdmafault$" "$@"
}

module_is_loaded()
{
	[ -e /sys/module/rdmafault ]
}

# Without the kernel's module loader, no command can load the module.
modprobe -r rdmafault
loader=$(cat /proc/sys/kernel/modprobe)
defer sh -c "echo $loader >/proc/sys/kernel/modprobe"
echo /bin/false >/proc/sys/kernel/modprobe
# The module ib_uverbs reports which driver an RDMA device has. From Linux 7.x on, ib_uverbs can
# be unloaded, because rxe does not need it.
if modprobe -r ib_uverbs 2>/dev/null; then
	refused "port add without ib_uverbs is refused, the error names ib_uverbs" \
		"^rdmafault: rxe1: cannot find the driver of this RDMA device: .*modprobe ib_uverbs" \
		rdmafault port add v1
fi
modprobe ib_uverbs
missing "port show without the module is refused" rdmafault port show
missing "port add without the module is refused" rdmafault port add v1
missing "drop without the module is refused" rdmafault drop v1 tx qp 17
missing "rule show without the module is refused" rdmafault rule show
missing "stat without the module is refused" rdmafault stat
missing "stat --reset without the module is refused" rdmafault stat --reset v1
missing "rule flush without the module is refused" rdmafault rule flush v1
missing "rule replace without the module is refused" rdmafault rule replace v1 tx -
missing "link set without the module is refused" rdmafault link set v1 rate 1gbit
missing "link show without the module is refused" rdmafault link show
missing "pause xon without the module is refused" rdmafault pause v1 prio 3 xon
missing "pause storm without the module is refused" rdmafault pause v1 prio 3 storm for 1s
missing "reset without the module is refused" rdmafault reset
missing "monitor without the module is refused" rdmafault monitor
missing "record without the module is refused" rdmafault record -- echo never
ok "fabric show succeeds without the module" rdmafault fabric show
echo "$loader" >/proc/sys/kernel/modprobe

ok "port show succeeds with the module loader" rdmafault port show
ok "port show loads the module" module_is_loaded
modprobe -r rdmafault
ok "port add succeeds with the module loader" rdmafault port add v1
ok "port add loads the module" module_is_loaded
modprobe -r rdmafault 2>/dev/null
ok "the module cannot be unloaded while a port exists" module_is_loaded

denied="needs CAP_NET_ADMIN$"
refused_with=1
refused "port add without privilege is refused" "v2: $denied" unprivileged rdmafault port add v2
refused "port del without privilege is refused" "v1: $denied" unprivileged rdmafault port del v1
refused "drop without privilege is refused" "v1: $denied" unprivileged rdmafault drop v1 tx qp 17
refused "drop -- COMMAND without privilege is refused" "v1: $denied" \
	unprivileged rdmafault drop v1 tx qp 17 -- echo never
refused "rule del without privilege is refused" "v1: $denied" unprivileged rdmafault rule del v1 1
refused "rule flush without privilege is refused" "v1: $denied" unprivileged rdmafault rule flush v1
refused "reset without privilege is refused" "reset: $denied" unprivileged rdmafault reset
refused "fabric down without privilege is refused" "$denied" unprivileged rdmafault fabric down
refused "monitor without privilege is refused" "^rdmafault: recording events: needs root$" \
	unprivileged rdmafault monitor
refused "record without privilege is refused" "^rdmafault: record: needs CAP_NET_ADMIN$" \
	unprivileged rdmafault record -o /tmp/unprivileged.pcapng -- echo never
ok "port show succeeds without privilege" unprivileged rdmafault port show
ok "rule show succeeds without privilege" unprivileged rdmafault rule show v1
ok "stat succeeds without privilege" unprivileged rdmafault stat v1
ok "fabric show succeeds without privilege" unprivileged rdmafault fabric show
is "refused commands leave the fabric" "$(rdmafault --json fabric show | jq .nodes)" 2
is "refused commands leave the port" "$(rdmafault --json port show | jq -r '.[].netdev')" v1
ok "fabric down succeeds with privilege" rdmafault fabric down
refused "fabric up without privilege is refused" "$denied" unprivileged rdmafault fabric up 2
is "a refused fabric up leaves no netdev" "$(ip -o link | grep -c -e rfbr0 -e ': v1')" 0
