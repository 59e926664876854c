#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who may do what: root without CAP_NET_ADMIN, another user, another user who is
# root in a user and a network namespace of his own. Each operation of the netlink
# family, each of tc, and what the tools need besides; beside each refusal, the
# control with the right. The root of another user namespace makes no port there,
# and changes none.
#
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
veth_pair t1 t2
veth_port t1
denied='Operation not permitted|Permission denied'

no_right()
{
	setpriv --bounding-set -net_admin "$@"
}

nobody()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

elsewhere()
{
	nobody unshare -Urn "$@"
}

settings()
{
	tc qdisc show dev t1
	rdmafault --json rule show t1
	rdmafault --json link show t1 | jq '.[0].rate'
}

# tc_refused WHO WHY COMMAND...: all that tc can do to a port
tc_refused()
{
	local who=$1 why=$2 before verb

	shift 2
	before=$(settings)
	for verb in add replace change; do
		refused "$who: tc qdisc $verb" "$why" \
			"$@" tc qdisc $verb dev t1 root rdmafault rate 2gbit
	done
	refused "$who: tc qdisc del" "$why" "$@" tc qdisc del dev t1 root
	is "$who: tc has changed nothing" "$(settings)" "$before"
}

tc_ok()
{
	ok "with the right: tc qdisc change" \
		tc qdisc change dev t1 root rdmafault rate 2gbit
	ok "with the right: tc qdisc del" tc qdisc del dev t1 root
	ok "with the right: tc qdisc add" \
		tc qdisc add dev t1 root rdmafault rate 2gbit
	ok "with the right: tc qdisc replace" \
		tc qdisc replace dev t1 root rdmafault rate 1gbit
}

# What the tools want of the kernel beside the family
tools_refused()
{
	local who=$1

	shift
	refused "$who: no event is recorded" "$denied|needs root" \
		"$@" timeout 10 rdmafault monitor
	refused "$who: no port is made" "$denied|needs CAP_NET_ADMIN|t2" \
		"$@" rdmafault port add t2
	refused "$who: no fabric is made" "$denied|needs CAP_NET_ADMIN|needs root|not loaded" \
		"$@" rdmafault fabric up 2
}

veth="ip link add t1 type veth peer name t2"
reason="needs CAP_NET_ADMIN in the initial user namespace"

# The owner of a user and a network namespace, whom rtnetlink would allow it
no_port_of_ones_own()
{
	local here

	here=$(rdmafault --json port show)
	refused "elsewhere: tc makes no port" "$reason" \
		elsewhere sh -c "$veth && tc qdisc add dev t1 root rdmafault"
	refused "elsewhere: port add makes none" "^rdmafault: t1: $reason$" \
		elsewhere sh -c "$veth && rdmafault port add t1 --force"
	ok "control: another qdisc may be added there" \
		elsewhere sh -c "$veth && tc qdisc add dev t1 root pfifo"
	is "elsewhere: no port of ours is seen" \
		"$(elsewhere rdmafault --json port show | jq length)" 0
	is "here: nothing has changed" "$(rdmafault --json port show)" "$here"
}

there()
{
	nsenter -t "$child" -U -n "$@"
}

# A port that the machine's root made in such a namespace
port_of_root()
{
	local before

	(exec setpriv --reuid 65534 --regid 65534 --clear-groups \
		unshare -Urn sleep 600 >/dev/null 2>&1) &
	child=$!
	defer kill "$child"
	ok "a namespace of another user's" wait_until "$soon" \
		nsenter -t "$child" -n sh -c "$veth"
	ok "root makes a port there" nsenter -t "$child" -n \
		tc qdisc add dev t1 root rdmafault
	before=$(there rdmafault --json link show t1)
	refused "its owner: tc qdisc change" "$reason" \
		there tc qdisc change dev t1 root rdmafault rate 2gbit
	refused "its owner: rule add" "^rdmafault: t1: $reason$" \
		there rdmafault rule add t1 tx qp 5 observe
	refused "its owner: stat --flows" "$reason|needs CAP_NET_ADMIN" \
		there rdmafault stat --flows t1
	ok "its owner: stat" there rdmafault stat t1
	is "its owner has changed nothing" \
		"$(there rdmafault --json link show t1)" "$before"
	ok "control: root adds a rule there" nsenter -t "$child" -n \
		rdmafault rule add t1 tx qp 5 observe
}

python_test "$selftests/abuse/privilege.py" t1
tc_ok
rdmafault rule add t1 tx qp 5 observe >/dev/null
tc_refused "root without CAP_NET_ADMIN" "$denied" no_right
tc_refused "another user" "$denied" nobody
tc_refused "elsewhere" 'Cannot find device "?t1' elsewhere
tools_refused "another user" nobody
tools_refused "elsewhere" elsewhere
is "the rule is still there" "$(rdmafault --json rule show t1 | jq length)" 1
no_port_of_ones_own
port_of_root
refused "another user: stat --flows" \
	"^rdmafault: list of flows: needs CAP_NET_ADMIN$" \
	nobody rdmafault stat --flows
