#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the privileges that each operation of the netlink family, of tc and of the tools
# needs. Three users without the privilege are refused: root without CAP_NET_ADMIN,
# another user, and the root of another user namespace (with a network namespace). With
# the privilege, the same operation must succeed. The root of another user namespace
# can neither add nor change a port in its network namespace.
#
#   t1 (port) ======= t2
#    | bridge
#   t3 (link of a path) ======= t4
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_pair t3 t4
veth_bridge t0 t1 t3
veth_port t1
denied='Operation not permitted|Permission denied'

no_right()
{
	setpriv --bounding-set -net_admin "$@"
}

other_user()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

namespace_root()
{
	other_user unshare -Urn "$@"
}

settings()
{
	tc qdisc show dev t1
	rdmafault --json rule show t1
	rdmafault --json link show t1 | jq '.[0].rate'
}

# tc_refused USER REGEX COMMAND...: test that every change of a port by tc is refused when
# COMMAND runs tc as USER. The errors must match REGEX.
tc_refused()
{
	local user=$1 why=$2 before verb

	shift 2
	before=$(settings)
	for verb in add replace change; do
		refused "$user: tc qdisc $verb is refused" "$why" \
			"$@" tc qdisc $verb dev t1 root rdmafault rate 2gbit
	done
	refused "$user: tc qdisc del is refused" "$why" "$@" tc qdisc del dev t1 root
	is "$user: refused tc commands change nothing" "$(settings)" "$before"
}

tc_ok()
{
	ok "with CAP_NET_ADMIN: tc qdisc change succeeds" \
		tc qdisc change dev t1 root rdmafault rate 2gbit
	ok "with CAP_NET_ADMIN: tc qdisc del succeeds" tc qdisc del dev t1 root
	ok "with CAP_NET_ADMIN: tc qdisc add succeeds" \
		tc qdisc add dev t1 root rdmafault rate 2gbit
	ok "with CAP_NET_ADMIN: tc qdisc replace succeeds" \
		tc qdisc replace dev t1 root rdmafault rate 1gbit
}

# Test commands that need privileges not only for the netlink family, but also for tracing, tc
# or a fabric
tools_refused()
{
	local user=$1

	shift
	refused "$user: rdmafault monitor is refused" "$denied|needs root" \
		"$@" timeout 10 rdmafault monitor
	refused "$user: rdmafault port add is refused" "$denied|needs CAP_NET_ADMIN|t2" \
		"$@" rdmafault port add t2
	refused "$user: rdmafault fabric up is refused" \
		"$denied|needs CAP_NET_ADMIN|needs root|not loaded" \
		"$@" rdmafault fabric up 2
}

veth="ip link add t1 type veth peer name t2"
reason="needs CAP_NET_ADMIN in the initial user namespace"

# rtnetlink alone would allow the owner of a namespace to add our qdisc.
namespace_root_fails()
{
	local here

	here=$(rdmafault --json port show)
	refused "root of another user namespace: tc qdisc add rdmafault is refused" "$reason" \
		namespace_root sh -c "$veth && tc qdisc add dev t1 root rdmafault"
	refused "root of another user namespace: port add is refused" "^rdmafault: t1: $reason$" \
		namespace_root sh -c "$veth && rdmafault port add t1 --force"
	ok "control: root of another user namespace can add another qdisc" \
		namespace_root sh -c "$veth && tc qdisc add dev t1 root pfifo"
	is "root of another user namespace: port show lists no port of the first namespace" \
		"$(namespace_root rdmafault --json port show | jq length)" 0
	is "root of another user namespace: the ports of the first namespace are unchanged" \
		"$(rdmafault --json port show)" "$here"
}

there()
{
	nsenter -t "$child" -U -n "$@"
}

# The initial root adds a port in a namespace of another user.
port_of_root()
{
	local before

	(exec setpriv --reuid 65534 --regid 65534 --clear-groups \
		unshare -Urn sleep 600 >/dev/null 2>&1) &
	child=$!
	defer kill "$child"
	ok "another user makes a user and a network namespace" wait_until "$soon" \
		nsenter -t "$child" -n sh -c "$veth"
	ok "the initial root can add a port in the user's namespace" nsenter -t "$child" -n \
		tc qdisc add dev t1 root rdmafault
	before=$(there rdmafault --json link show t1)
	refused "owner of the namespace: tc qdisc change of that port is refused" "$reason" \
		there tc qdisc change dev t1 root rdmafault rate 2gbit
	refused "owner of the namespace: rule add on that port is refused" \
		"^rdmafault: t1: $reason$" \
		there rdmafault rule add t1 tx qp 5 observe
	refused "owner of the namespace: stat --flows of that port is refused" \
		"$reason|needs CAP_NET_ADMIN" \
		there rdmafault stat --flows t1
	ok "owner of the namespace: stat of that port succeeds" there rdmafault stat t1
	is "owner of the namespace: refused commands leave that port unchanged" \
		"$(there rdmafault --json link show t1)" "$before"
	ok "control: the initial root can add a rule to that port" nsenter -t "$child" -n \
		rdmafault rule add t1 tx qp 5 observe
}

python_test "$selftests/abuse/privilege.py" t1 t2 t3
tc_ok
rdmafault rule add t1 tx qp 5 observe >/dev/null
tc_refused "root without CAP_NET_ADMIN" "$denied" no_right
tc_refused "another user" "$denied" other_user
tc_refused "root of another user namespace" 'Cannot find device "?t1' namespace_root
tools_refused "another user" other_user
tools_refused "root of another user namespace" namespace_root
is "the rule of the port is still there after all refused commands" \
	"$(rdmafault --json rule show t1 | jq length)" 1
namespace_root_fails
port_of_root
refused "another user: stat --flows is refused" \
	"^rdmafault: list of flows: needs CAP_NET_ADMIN$" \
	other_user rdmafault stat --flows
