#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rdmafault link: what is told comes back, in text and in JSON; what isn't told
# stays; and what can't be meant is refused by the word that is wrong.
#
#   l1 (port) ======= l2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/queues.sh"
. "$selftests/lib/frames.sh"

queue_ports l1 l2

# link FILTER: of what l1 has been told
link()
{
	rdmafault --json link show l1 | jq -c ".[0] | $1"
}

everything='[.rate, .delay_ns, .jitter_ns, .overhead, .seed, .buffer]'
is "a new port has neither rate nor delay nor buffer" "$(link "$everything")" \
	'[null,0,0,24,0,null]'
ok "everything at once" rdmafault link set l1 rate 10gbit delay 5us jitter 1us \
	overhead 20 seed 18446744073709551615 buffer 1m
is "comes back" "$(link '[.rate, .delay_ns, .jitter_ns, .overhead, .buffer]')" \
	'[10000000000,5000,1000,20,1048576]'
is "the seed to the last digit" 18446744073709551615 \
	"$(rdmafault --json link show l1 | grep -o 'seed":[0-9]*' | cut -d: -f2)"
is "and in the words that tell it" "$(rdmafault link show l1)" \
	"l1 rate 10gbit delay 5us jitter 1us overhead 20 seed 18446744073709551615 buffer 1MiB"
ok "one word" rdmafault link set l1 delay 7ms
is "leaves the others alone" "$(link "$everything" | sed 's/1844[0-9]*/S/')" \
	'[10000000000,7000000,1000,20,S,1048576]'
ok "none takes rate and buffer back" rdmafault link set l1 rate none buffer none
is "and nothing else" "$(link '[.rate, .buffer, .delay_ns]')" '[null,null,7000000]'
is "without a name, all ports" "l1 l2" \
	"$(rdmafault --json link show | jq -r '[.[].netdev] | sort | join(" ")')"
is "the other port has been told nothing" 0 \
	"$(rdmafault --json link show l2 | jq '.[0].delay_ns')"
for words in "1mbit 1000000" "10tbit 10000000000000" "1.5Gbit 1500000000"; do
	read -r rate bits <<<"$words"
	rdmafault link set l1 rate "$rate"
	is "a rate of $rate" "$(link .rate)" "$bits"
done

# What is on a wire that is 20 s long stays there while it is looked at
rdmafault link set l1 delay 20s
sendframe l1 < <(roce4 4 3 1; roce4 4 3 2)
is "what is on the wire is told" "$(link '[.in_flight, .in_flight_bytes]')" '[2,124]'
ok "in the text, too" grep -qx '  on the wire: 2 packets, 124 B' \
	<(rdmafault link show l1)
is "and in the statistics of tc" \
	"$(tc -s -j qdisc show dev l1 root | jq -c '.[0] | [.in_flight, .in_flight_bytes]')" \
	'[2,124]'

# all_told: of every port, but what is on its wire, which goes by itself
all_told()
{
	rdmafault --json link show | jq -c "map([.netdev, $everything])"
}

before=$(all_told)
refused_all "link set l1" <<-'END'
	rate 0|rate: .*"0"
	rate 0bit|rate: .*"0bit"
	rate 999kbit|rate: .*"999kbit"
	rate 11tbit|rate: .*"11tbit"
	rate 10|rate: .*"10"
	rate 10mbps|rate: .*"10mbps"
	rate -1gbit|rate: .*"-1gbit"
	rate|rate:
	delay 5|delay: .*"5"
	delay 20.1s|delay: .*"20.1s"
	jitter -1us|jitter: .*"-1us"
	overhead 257|overhead: .*"257"
	seed 18446744073709551616|seed:
	buffer 0|buffer: .*"0"
	buffer 2000g|buffer: .*"2000g"
	buffer 1mbit|buffer: .*"1mbit"
	delay 1us delay 2us|delay:
	bandwidth 1gbit|.*"bandwidth"
END
refused "nothing told" "^rdmafault: .*link set" \
	rdmafault link set l1
refused "no such device" "l9" \
	rdmafault link set l9 delay 1us
refused "no port" "^rdmafault: lo: .*rdmafault port add lo" \
	rdmafault link set lo delay 1us
refused "nothing of it to show" "^rdmafault: lo: " \
	rdmafault link show lo
refused "an unknown verb" "add" \
	rdmafault link add l1
refused "without privilege" "^rdmafault: l1: .*CAP_NET_ADMIN" \
	setpriv --reuid 65534 --clear-groups rdmafault link set l1 delay 1us
is "nothing of this changed anything" "$(all_told)" "$before"
