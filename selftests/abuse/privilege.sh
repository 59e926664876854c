#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who may do what: root without CAP_NET_ADMIN, another user, another user who is
# root in a user and a network namespace of his own. Each operation of the netlink
# family, each of tc, and what the tools need besides; beside each refusal, the
# control with the right. And what one may do in a namespace of one's own, nobody
# else sees.
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

# Nothing of what is here is seen there, and the other way round.
own_ok()
{
	local here

	here=$(rdmafault --json port show)
	ok "elsewhere: a port and a rule of one's own" elsewhere sh -c '
		ip link add t1 type veth peer name t2 &&
		tc qdisc add dev t1 root rdmafault &&
		rdmafault rule add t1 tx qp 5 drop &&
		[ "$(rdmafault --json rule show t1 | jq length)" = 1 ] &&
		rdmafault reset &&
		[ "$(rdmafault --json rule show t1 | jq length)" = 0 ]'
	is "elsewhere: no port of ours is seen" \
		"$(elsewhere rdmafault --json port show | jq length)" 0
	is "here: no port of his was" "$(rdmafault --json port show)" "$here"
}

# Interrupts of timers are nobody's time.
pace_ok()
{
	local port="ip link add t1 type veth peer name t2 &&
		tc qdisc add dev t1 root rdmafault &&
		rdmafault pause t1 prio 3 storm for 10ms duty"

	ok "elsewhere: a storm of one's own" elsewhere sh -c "$port 1ms/1ms"
	refused "elsewhere: none that turns every 20 us" \
		'shorter than 1 ms, in a user namespace' elsewhere sh -c "$port 20us/1ms"
	ok "here: one that does" rdmafault pause t1 prio 3 storm for 10ms duty 20us/1ms
}

# with_rules NUMBER: words of the shell that make a port with so many
with_rules()
{
	echo "ip link add t1 type veth peer name t2 &&
		tc qdisc add dev t1 root rdmafault &&
		seq -f 'qp %.0f watch' $1 | rdmafault rule replace t1 tx -"
}

# Nor is what they take of each packet's time.
number_ok()
{
	ok "elsewhere: 128 rules" elsewhere sh -c "$(with_rules 128)"
	refused "elsewhere: no more" 'too many for the port, in a user namespace' \
		elsewhere sh -c "$(with_rules 129)"
}

python_test "$selftests/abuse/privilege.py" t1
tc_ok
rdmafault rule add t1 tx qp 5 watch >/dev/null
tc_refused "root without CAP_NET_ADMIN" "$denied" no_right
tc_refused "another user" "$denied" nobody
tc_refused "elsewhere" 'Cannot find device "?t1' elsewhere
tools_refused "another user" nobody
tools_refused "elsewhere" elsewhere
is "the rule is still there" "$(rdmafault --json rule show t1 | jq length)" 1
own_ok
pace_ok
number_ok
