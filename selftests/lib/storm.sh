# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Storms, as they are seen at the far side, and as the module says that they were.
# For quanta of a link of $RATE bits per second.
#
#   storm - t1 (port) ======= t2 (port) - tcpdump
#
#   storm_link [BITS]       set it up; with a wire of so many bits per second, which
#                           hands frames over later than they leave by what the
#                           machine is late
#   listen NETDEV FILTER    capture what arrives there, until heard
#   heard                   end that, when all of the storm's frames have come
#   storm WORDS...          rdmafault pause WORDS..., and keep what it reports
#   seen PRIO               what the capture says of a storm
#   proof PRIO KEY          what the report says
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

# Packets get their time when they are handed over, not when a late machine comes
# to look at them, as long as any socket wants to have it.
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
	capture_begin "$tmp/seen.log" --immediate-mode -U -i "$1" -Q in \
		-w "$tmp/seen" "$2"
}

# all_seen: of each priority as many XOFFs as the report has, and an XON behind them
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

# xoffs PRIO: "nanoseconds timer" of each frame for that class
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

# In JSON, the times in nanoseconds: from the first XOFF to the last XON, how much
# of it was held, and the longest between two XOFFs of one turn
seen()
{
	xoffs "$1" | awk -v quantum="$((512 * 10000000000 / RATE))" '
		function held_to(now) {
			if (until > last)
				held += (now < until ? now : until) - last
		}
		{
			# Doubles hold 53 bits: count from the first
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
