#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that each word of a trigger selects exactly the packets that it names. Twenty packets are
# sent: sixteen of one flow, then four of another flow. All of them match the rule, and its
# trigger selects which ones are dropped. A capture at the other end of the link shows which
# packets arrive. The name of a test is the rule, followed by the labels of the packets that the
# rule must drop.
#
#   sendframe - t1 (port) ======= t2 - tcpdump
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/farside.sh"

frames()
{
	local i

	for i in {1..16}; do
		label "$(printf %02x "$i")" "$(roce4 7 16 $((100 + i)))"
	done
	for i in {17..20}; do
		label "$(printf %02x "$i")" "$(roce4 7 17 $((500 + i)))"
	done
}

order_ok()
{
	drops "all nth 3" 03
	drops "all nth 21"
	drops "all every 6" 06 0c 12
	drops "all after 17" 12 13 14
	drops "all after 4 every 6" 0a 10
	drops "all count 2" 01 02
	drops "all every 5 count 3" 05 0a 0f
	drops "qp 17 nth 2" 12
}

bursts_ok()
{
	drops "all nth 3 burst 4" 03 04 05 06
	drops "all every 9 burst 2" 09 0a 12 13
	drops "all nth 15 burst 4" 0f 10
	drops "qp 16 probability 100% burst-max 3" \
		01 02 03 05 06 07 09 0a 0b 0d 0e 0f
}

once_ok()
{
	drops "all once flow" 01 11
	drops "all once qp" 01 11
	drops "all after 3 once flow" 04 11
	drops "all once step" 01
}

certain_chances_ok()
{
	drops "qp 17 probability 100%" 11 12 13 14
	drops "all probability 0%"
	drops "qp 17 gemodel 100% 0%" 11 12 13 14
	drops "all gemodel 0%"
	drops "all gemodel 0% 100% 0% 0%"
	drops "qp 17 gemodel 0% 100% 0% 100%" 11 12 13 14
	drops "qp 17 state 100% 0%" 11 12 13 14
	drops "all state 0%"
}

# The random decision for a packet depends on the seed, the rule and the packet. With the same
# seed, another run makes the same decision, and so does a run with one more rule. Another seed
# gives other decisions.
seeded_ok()
{
	local one two other

	rdmafault rule add t1 tx all probability 50% seed 1 drop >/dev/null
	one=$(arrived)
	rdmafault rule flush t1
	rdmafault rule add t1 tx all key 0 probability 50% seed 1 drop >/dev/null
	rdmafault rule add t1 tx all probability 50% seed 2 observe >/dev/null
	two=$(arrived)
	rdmafault rule flush t1
	rdmafault rule add t1 tx all probability 50% seed 2 drop >/dev/null
	other=$(arrived)
	rdmafault rule flush t1
	is "probability 50% seed 1: the same packets are dropped with another rule present" \
		"$two" "$one"
	ok "probability 50% seed 2: other packets are dropped than with seed 1" \
		[ "$other" != "$one" ]
	ok "probability 50% seed 1: 3 to 17 of 20 packets arrive" \
		between 3 17 "$(wc -w <<<"$one")"
	ok "probability 50% seed 2: 1 to 19 of 20 packets arrive" \
		between 1 19 "$(wc -w <<<"$other")"
}

between()
{
	echo "$3"
	[ "$3" -ge "$1" ] && [ "$3" -le "$2" ]
}

steps_ok()
{
	announce t1 3
	drops "qp 17 from step 3" 11 12 13 14
	drops "qp 17 from step 4"
	drops "qp 17 from step 2 for 2 steps" 11 12 13 14
	drops "qp 17 from step 1 for 2 steps"
	announce t1 0
}

misses()
{
	rdmafault --json rule show t1 | jq -r "[.[0].missed.$1, .[0].hits] | @tsv"
}

has_begun()
{
	arrived >/dev/null
	[ "$(misses window | cut -f 2)" -gt 0 ]
}

has_ended()
{
	arrived >/dev/null
	[ "$(misses window | cut -f 1)" -gt 0 ]
}

windows_ok()
{
	drops "qp 17 from 3600s"
	drops "qp 17 for 3600s" 11 12 13 14
	rdmafault rule add t1 tx all from 6s drop >/dev/null
	is "from 6s: at first all packets arrive" "$(arrived)" "$far_labels"
	ok "from 6s: the rule hits later" wait_until 30 has_begun
	rdmafault rule flush t1
	rdmafault rule add t1 tx all for 6s drop >/dev/null
	is "for 6s: at first all packets are dropped" "$(arrived)" ""
	ok "for 6s: later packets miss the window" wait_until 30 has_ended
	is "for 6s: after the window all packets arrive" "$(arrived)" "$far_labels"
	rdmafault rule flush t1
}

# A rule with "after 4 count 2" gets 20 packets. The rule counts the first 4 as missed because of
# "after" (counter missed.order), hits the next 2, and counts the other 14 as missed because of
# "count".
misses_ok()
{
	rdmafault rule add t1 tx all after 4 count 2 drop >/dev/null
	arrived >/dev/null
	is "after 4 count 2: 4 packets miss the order, 2 are hit" "$(misses order)" $'4\t2'
	is "after 4 count 2: 14 packets miss the count, 2 are hit" "$(misses count)" $'14\t2'
	rdmafault rule flush t1
	rdmafault rule add t1 tx all once flow drop >/dev/null
	arrived >/dev/null
	is "once flow: 18 packets are counted as missed by once, 2 are hit" \
		"$(misses once)" $'18\t2'
	rdmafault rule flush t1
	rdmafault rule add t1 tx all probability 0% drop >/dev/null
	arrived >/dev/null
	is "probability 0%: 20 packets are counted as missed by chance, none is hit" \
		"$(misses chance)" $'20\t0'
	rdmafault rule flush t1
}

far_side frames
control_ok
order_ok
bursts_ok
once_ok
certain_chances_ok
seeded_ok
steps_ok
windows_ok
misses_ok
