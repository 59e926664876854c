# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Make pause storms, capture them at the far side, and compare the module's report with
# the capture. The test sets $RATE, the rate of the link in bits per second.
#
#   storm - t1 (port) ======= t2 (port) - tcpdump
#
#   storm_link [BITS]       make t1 and t2, with links of BITS bits per second; on a slow
#                           machine such a link delivers frames late
#   listen NETDEV FILTER    capture the frames that arrive at NETDEV, until heard is called
#   heard                   end the capture when all frames of the storm have arrived
#   storm WORD...           run "rdmafault pause WORD...", and store its report
#   seen PRIO               prints the data of the storm in the capture
#   proof PRIO KEY          prints a value of the report
. "$selftests/lib/rdma.sh"
. "$selftests/lib/victims.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"

storm_link()
{
	local dev

	veth_pair t1 t2
	veth_port t1 t2
	for dev in t1 t2; do
		[ $# -eq 0 ] || rdmafault link set $dev rate "$1"bit
		rdmafault prio set $dev prio-pfc all:on
	done
	stamp_early
}

# The capture needs the time at which a packet is delivered to the netdev. The kernel records
# this time only while a socket has SO_TIMESTAMP. Otherwise a packet gets the time at which
# tcpdump processes it, which is late on a slow machine.
stamp_early()
{
	python3 -c '
import signal, socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
SO_TIMESTAMP = 29
s.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMP, 1)
print("ready", flush=True)
signal.pause()' >"$tmp/stamps" &
	defer kill $!
	wait_until "$soon" grep -q ready "$tmp/stamps"
}

storm()
{
	rdmafault --json pause "$@" >"$tmp/storm"
}

listen()
{
	capture_begin "$tmp/seen.log" --immediate-mode -U -i "$1" -Q in -s 64 \
		-w "$tmp/seen" "$2"
}

# all_seen: succeeds if the capture has all XOFFs that the report counts, and the last captured
# frame of each priority is an XON
all_seen()
{
	local prio count

	while read -r prio count; do
		xoffs "$prio" | awk -v "count=$count" '
			$2 { n++ }
			{ last = $2 }
			END { exit (n < count || last) }' || return
	done < <(jq -r '.[] | select(.xoffs > 0) | "\(.prio) \(.xoffs)"' "$tmp/storm")
}

heard()
{
	wait_until "$soon" all_seen
	capture_end
}

# xoffs PRIO: prints one line "NANOSECONDS TIMER" per captured pause frame for PRIO: the time
# of the frame, and the timer of PRIO in the frame
xoffs()
{
	tcpdump --time-stamp-precision=nano -r "$tmp/seen" -tt -n -xx 2>/dev/null |
		python3 -c '
import re, sys
prio = int(sys.argv[1])
for record in re.split(r"\n(?=\d)", sys.stdin.read()):
    head, *rows = record.splitlines() or [""]
    if not rows:
        continue
    data = bytes.fromhex("".join("".join(r.split()[1:]) for r in rows))
    if data[12:16] == bytes.fromhex("88080101") and data[17] >> prio & 1:
        s, ns = head.split()[0].split(".")
        at = 18 + 2 * prio
        print(int(s) * 10**9 + int(ns), int.from_bytes(data[at:at + 2], "big"))
' "$1"
}

# seen PRIO: prints three durations in nanoseconds as JSON: the time from the first XOFF to the
# last XON, the time during which XOFF was in effect, and the longest time between two
# consecutive XOFFs (without an XON between them)
seen()
{
	xoffs "$1" | awk -v quantum="$((512 * 10000000000 / RATE))" '
		function held_to(now) {
			if (until > last)
				held += (now < until ? now : until) - last
		}
		{
			# awk computes with doubles. The 53 bits of a double are too few for
			# the nanoseconds since 1970, so subtract the seconds of the first
			# frame.
			if (NR == 1) {
				secs = substr($1, 1, 10)
			}
			now = (substr($1, 1, 10) - secs) * 1e9 + substr($1, 11)
			if (NR == 1)
				first = now
			else
				held_to(now)
			if ($2) {
				if (on && now - last > longest)
					longest = now - last
				until = now + $2 * quantum / 10
				frames++
			} else {
				until = now
				xons++
			}
			on = $2 > 0
			last = now
		}
		END {
			printf "{\"ns\":%.0f,\"held\":%.0f,\"longest\":%.0f,\"xoffs\":%d,\"xons\":%d}\n",
				last - first, held, longest, frames, xons
		}'
}

proof()
{
	jq --argjson prio "$1" --arg key "$2" \
		'.[] | select(.prio == $prio)[$key]' "$tmp/storm"
}
