#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test storms on several ports at the same time. All storms share a budget, so storms that are
# renewed as often as possible do not occupy a CPU, however many ports have one. They take
# turns, and do not delay storms with usual quanta.
#
#   a0 (port) ======= b0 (port)  ...  a4 (port) ======= b4 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/queues.sh"

virtual_only

# storms [WORDS...]: run storms for 500 ms on the ports a0, a1, ..., each with the next WORDS, and
# store their reports in $reports. One process starts them, because virtual time jumps while a
# program is loaded.
storms()
{
	local i

	for ((i = 0; i < $#; i++)); do
		echo "pause a$i prio 3 storm for 500ms persist ${*:i + 1:1}"
	done | rdmafault -batch - >/dev/null
	wait_until "$soon" ended $#
}

ended()
{
	reports=$(rdmafault --json pause show |
		jq -c "[.[] | select(.netdev[0:1] == \"a\") | .prio[] | .storm | select(.)][0:$1]")
	jq -e 'all(.[]; .running | not)' <<<"$reports"
}

xoffs()
{
	jq 'map(.xoffs) | add' <<<"$reports"
}

# bounded TITLE WORDS: storms on four ports send about as many XOFFs as one
bounded()
{
	local title=$1 alone

	shift
	storms "$*"
	alone=$(xoffs)
	storms "$*" "$*" "$*" "$*"
	ok "$title: storms on four ports send at most 1.5 times as many XOFFs as one ($(xoffs), $alone)" \
		[ $(($(xoffs) * 2)) -le $((alone * 3)) ]
	ok "$title: each port sends at least an eighth of them" jq -e "all(.[]; .xoffs * 8 >= $(xoffs))" <<<"$reports"
}

for n in 0 1 2 3 4; do
	queue_ports a$n b$n
	rdmafault link set a$n rate 10gbit
	rdmafault prio set b$n prio-pfc all:on
done
bounded "frames" frames quanta 1
bounded "without frames" quanta 1
storms frames frames "frames quanta 16384" "" "frames quanta 1"
is "beside a storm with quanta 1, storms with usual quanta have no lapse" \
	"$(jq -c 'map(.lapses)[0:4]' <<<"$reports")" "[0,0,0,0]"
ok "beside a storm with quanta 1, storms with usual quanta cover at least 99.9 % ($(jq -c 'map(.coverage)' <<<"$reports"))" \
	jq -e 'all(.[0:4][]; .covered_ns >= 0.999 * .requested_ns)' <<<"$reports"
