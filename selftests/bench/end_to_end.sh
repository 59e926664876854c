# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The measurements of scripts/bench --end-to-end, sourced by guest.sh in the VM: RDMA WRITEs of
# 4 KiB, one packet each, from node 1 through two veth pairs and a bridge to node 2, which
# answers each with an ACK. A plugin of QEMU counts the instructions of each function while
# ib_write_bw runs. The program polls, so the number of all instructions varies from run to
# run; account.py uses those functions that packets pass because of the ports.
packets=2000

# measured CASE WORDS: send packets, and print the number of the series of the plugin
measured() {
	series=$((${series:-0} + 1))
	"$top/build/bench/mark" begin
	write_bw 1 2 -s 4096 -n $packets >/dev/null 2>&1 || return
	"$top/build/bench/mark" end
	jq -n -c --arg case "$1" --arg words "$2" --argjson series $series \
		--argjson packets $packets '$ARGS.named'
}

# with_rules CASE WORDS DIRECTIONS RULE...: measure with RULE in the DIRECTIONS of both ports
with_rules() {
	local case=$1 words=$2 directions=$3 port direction

	shift 3
	ports add || return
	for port in v1 v2; do
		for direction in $directions; do
			rdmafault rule add "$port" "$direction" "$@" >/dev/null || return
		done
	done
	measured "$case" "$words" || return
	ports del
}

# with_rings CASE WORDS [OPTION...]: measure while "rdmafault watch" has rings in both directions of
# both ports
with_rings() {
	local case=$1 words=$2 watcher

	shift 2
	ports add || return
	coproc rdmafault watch "$@" -- sh -c 'echo; read -r _'
	watcher=$!
	read -r _ <&"${COPROC[0]}" || return
	measured "$case" "$words" || return
	echo >&"${COPROC[1]}"
	wait "$watcher"
	ports del
}

end_to_end() {
	modprobe rdmafault
	rdmafault fabric up 2 >/dev/null || return
	# The first run fills caches and is not used.
	measured warm "the first run" && measured none "no port" || return
	with_rules added_idle "ports without rules" "" &&
		with_rules added_no_match "a rule for another QP on tx" tx qp 0x800000 drop &&
		with_rules added_tracked "a rule for all QPs on tx that hits nothing" tx attempt 200 drop &&
		with_rules both_no_match "a rule for another QP on tx and on rx" "tx rx" qp 0x800000 drop &&
		with_rules both_tracked "a rule for all QPs on tx and on rx that hits nothing" "tx rx" \
			attempt 200 drop &&
		with_rings both_ring "rdmafault watch" &&
		with_rings both_ring_bytes "rdmafault watch --bytes" --bytes || return
	rdmafault fabric down >/dev/null
}
