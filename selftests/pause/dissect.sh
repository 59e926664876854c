#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the pause frames that a neighbour receives: the frames have the bytes that 802.1Qbb
# specifies, and tshark decodes the requested classes and timers from them, also for class 7.
#
#   t1 (port) ======= t2 - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"

# The requested frames, one per line: the class-enable vector, and the timers of all classes
asked=$(mktemp)
defer rm -f "$asked" "$asked.pcap"

# ask PRIOS VECTOR TIMERS WORD...: run "rdmafault pause t1 prio PRIOS WORD...". The frame must
# have the class-enable vector VECTOR and the timers TIMERS.
ask()
{
	local prios=$1

	echo "$2 $3" >>"$asked"
	shift 3
	ok "\"rdmafault pause t1 prio $prios $*\" succeeds" rdmafault pause t1 prio "$prios" "$@"
}

# timers PRIO QUANTA: prints the timers of all eight priorities: QUANTA for PRIO, 0 for the
# other priorities
timers()
{
	local p list=

	for p in 0 1 2 3 4 5 6 7; do
		list+=,$((p == $1 ? $2 : 0))
	done
	echo "${list#,}"
}

ask_all()
{
	local p

	for p in 0 1 2 3 4 5 6 7; do
		ask $p $((1 << p)) "$(timers $p $((1000 + p)))" \
			xoff quanta $((1000 + p))
	done
	ask 7 128 "$(timers 7 65535)" xoff
	ask 7 128 "$(timers 7 0)" xon
	ask 0,3,7 137 7,0,0,7,0,0,0,7 xoff quanta 7
	ask all 255 65535,65535,65535,65535,65535,65535,65535,65535 xoff
	ask all 255 0,0,0,0,0,0,0,0 xon
}

count()
{
	wc -l <"$asked"
}

all_seen()
{
	[ "$(moments | wc -l)" = "$(count)" ]
}

# frames: prints the captured frames in hexadecimal
frames()
{
	tcpdump -r "$neighbour_log" -n -t -xx 2>/dev/null | awk '
		$1 == "0x0000:" && NR > 1 { print "" }
		$1 ~ /^0x/ { for (i = 2; i <= NF; i++) printf "%s", $i }
		END { print "" }' | grep .
}

# wanted_frames: prints the expected frames, with the MAC address of the port as source
wanted_frames()
{
	local vector timers mac

	mac=$(tr -d : </sys/class/net/t1/address)
	while read -r vector timers; do
		# shellcheck disable=SC2086 # eight words
		pfc "$vector" ${timers//,/ } |
			sed "s/^\(.\{12\}\).\{12\}/\1$mac/"
	done <"$asked"
}

# Options with which tshark prints the timers of all classes
fields=()
for c in 0 1 2 3 4 5 6 7; do
	fields+=(-e "macc.cbfc.pause_time.c$c")
done

dissected()
{
	tshark -r "$neighbour_log" -T fields -E separator=' ' -e eth.dst \
		-e macc.opcode -e macc.cbfc.enbv "${fields[@]}" \
		-e _ws.malformed -e macc.cbfc.enbv.not_zero \
		-e macc.dst_address_invalid 2>/dev/null |
		while read -r dst opcode vector rest; do
			echo "$dst $((opcode)) $((vector)) $rest"
		done | sed 's/ *$//'
}

wanted_dissected()
{
	sed 's/,/ /g; s/^/01:80:c2:00:00:01 257 /' "$asked"
}

neighbour
ask_all
ok "all requested pause frames are captured" wait_until "$soon" all_seen
is "pause frames have the bytes of 802.1Qbb" "$(frames)" "$(wanted_frames)"
is "tshark reads the requested classes and timers of pause frames" "$(dissected)" "$(wanted_dissected)"
