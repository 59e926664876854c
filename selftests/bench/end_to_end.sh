# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The measurements of scripts/bench --end-to-end, sourced by guest.sh in the VM: RDMA WRITEs of
# 4 KiB, one packet each, from node 1 through two veth pairs and a bridge to node 2. The
# machine has virtual time and one CPU that is always busy, because ib_write_bw polls. So the
# time per packet in nanoseconds is the number of instructions that all parts of the system
# need for it: the program, rdma_rxe, the ports, the fabric and the ACKs.

# write_cost: prints the time per packet in ns. perftest prints 2^20 bytes per second.
write_cost() {
	write_bw 1 2 -s 4096 -n 5000 2>/dev/null |
		awk 'NF == 5 && $1 == 4096 { print 4096 / 1048576 / $4 * 1e9 }'
}

# rules TEXT...: add the rule TEXT in both directions of both ports
rules() {
	local port direction

	for port in v1 v2; do
		for direction in tx rx; do
			rdmafault rule add "$port" "$direction" "$@" >/dev/null || return
		done
	done
}

# added CASE WORDS ROUND [RULE...]: measure without ports, and with ports that have RULE
added() {
	local case=$1 words=$2 round=$3 ours peer

	shift 3
	peer=$(write_cost)
	ports add || return
	[ $# = 0 ] || rules "$@" || return
	ours=$(write_cost)
	ports del || return
	pair "$case" "$words, instructions a packet" "$round" "$ours" "$peer"
}

# end_to_end ROUNDS
end_to_end() {
	local round

	modprobe rdmafault
	rdmafault fabric up 2 >/dev/null || return
	for ((round = 1; round <= $1; round++)); do
		added added_idle "ports without rules" "$round" &&
			added added_no_match "a rule for another QP" "$round" qp 0x800000 drop &&
			added added_tracked "a rule for all QPs that hits nothing" "$round" \
				attempt 200 drop || return
	done
	rdmafault fabric down >/dev/null
}
