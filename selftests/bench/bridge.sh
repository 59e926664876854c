# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The measurements of scripts/bench --bridge, sourced by guest.sh in the first of three VMs: the
# bandwidth of ib_write_bw from vm2 to vm3 over the bridge of this VM, with ports and, in the same
# round, without. lib/bump.sh shows the machines, which end with the measurement.
defer() { :; }
selftests=$top/selftests
. "$selftests/lib/bump.sh"

# over_bridge: prints the bandwidth in MB/s
over_bridge() {
	local all="timeout 100 ib_write_bw -d rxe1 -x 1 -F -s 65536 -n 500"

	on vm3 "$all >/dev/null 2>&1 </dev/null &
		until ss -ltn | grep -q ':18515 '; do sleep 0.1; done" &&
		on vm2 "$all 10.78.0.3" | awk 'NF == 5 && $1 == 65536 { print $4 }'
}

# over_ports [RULE...]: the same with both ports, and RULE in both directions of each
over_ports() {
	local port dir

	for port in eth2 eth3; do
		rdmafault port add $port >/dev/null || return
		for dir in tx rx; do
			[ $# -eq 0 ] || rdmafault rule add $port $dir "$@" >/dev/null || return
		done
	done
	over_bridge
	for port in eth2 eth3; do
		rdmafault port del $port >/dev/null || return
	done
}

# compared WHAT ROUND [RULE...]: measure with and without ports; which of them comes first changes
# in every round
compared() {
	local what=$1 round=$2 ours peer

	shift 2
	[ $((round % 2)) = 0 ] || ours=$(over_ports "$@") || return
	peer=$(over_bridge)
	[ $((round % 2)) = 1 ] || ours=$(over_ports "$@") || return
	pair bridge "$what" "$round" "$ours" "$peer"
}

bridge() {
	local rounds=$1 round

	bump >/dev/null || return
	rdmafault port del eth2 >/dev/null && rdmafault port del eth3 >/dev/null || return
	over_bridge >/dev/null	# fills caches
	for ((round = 1; round <= rounds; round++)); do
		compared "ports without rules" "$round" &&
			compared "a rule for another QP" "$round" qp 0x800000 drop &&
			compared "a rule for all QPs that hits nothing" "$round" attempt 200 drop || return
	done
}
