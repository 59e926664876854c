# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Fill the queues of a port to known lengths: a neighbour pauses all priorities while
# packets are sent.
#
#   sendroce - t1 (port) ======= t2 - sendframe, tcpdump
#
#   pausable_link       make t1 and t2
#   pause_all [WORD...] pause all priorities for up to half a minute; WORDs are passed to
#                       "rdmafault link set"
#   resume_all          resume all priorities, and wait until the queues are empty
. "$selftests/lib/rdma.sh"
. "$selftests/lib/victims.sh"
. "$selftests/lib/pfc.sh"

export NEAR=t1

# pausable_link: make the veth pair t1 and t2, and make t1 a port that can be paused. The socket
# buffers are large enough for all queued packets, so that no sender blocks.
pausable_link()
{
	local before

	before=$(sysctl -n net.core.wmem_default)
	defer sysctl -q -w "net.core.wmem_default=$before"
	sysctl -q -w net.core.wmem_default=$((64 << 20))
	veth_pair t1 t2 4200
	veth_port t1
	rdmafault port set t1 max-hold 20s
	rdmafault prio set t1 prio-pfc all:on
}

is_shut()
{
	[ "$(prio_sum t1 paused)" = "$1" ]
}

# prio_sum NETDEV KEY: prints the sum of the counter KEY over all priorities of NETDEV
prio_sum()
{
	rdmafault --json prio show "$1" | jq --arg key "$2" '[.[0].prio[][$key] |
		if type == "boolean" then if . then 1 else 0 end else . end] | add'
}

drained()
{
	[ "$(prio_sum t1 backlog)" = 0 ]
}

# A quantum is 512 bit times: at 1 Mbit/s, 65535 quanta are 33.5 s.
pause_all()
{
	rdmafault link set t1 rate 1mbit "$@"
	pfc 0xff 65535 65535 65535 65535 65535 65535 65535 65535 | sendframe t2
	wait_until 20 is_shut 8
}

resume_all()
{
	rdmafault link set t1 rate "${1:-none}"
	pfc 0xff 0 0 0 0 0 0 0 0 | sendframe t2
	wait_until 20 is_shut 0
	wait_until 20 drained
}
