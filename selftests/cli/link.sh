#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that rdmafault link shows the settings that were set, in text and JSON, keeps
# the settings that a command does not name, and refuses invalid ones with an error
# that names the wrong word.
#
#   l1 (port) ======= l2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/queues.sh"
. "$selftests/lib/frames.sh"

queue_ports l1 l2

# link FILTER: prints the link settings of l1 as JSON, filtered by jq
link()
{
	rdmafault --json link show l1 | jq -c ".[0] | $1"
}

everything='[.rate, .delay_ns, .jitter_ns, .overhead, .seed, .buffer]'
is "a new port has no rate, delay or buffer" "$(link "$everything")" \
	'[null,0,0,24,0,null]'
ok "link set accepts all words at once" rdmafault link set l1 rate 10gbit delay 5us jitter 1us \
	overhead 20 seed 18446744073709551615 buffer 1m
is "link show --json returns all values that were set" \
	"$(link '[.rate, .delay_ns, .jitter_ns, .overhead, .buffer]')" \
	'[10000000000,5000,1000,20,1048576]'
is "link show --json returns a seed of 64 bits exactly" 18446744073709551615 \
	"$(rdmafault --json link show l1 | grep -o 'seed":[0-9]*' | cut -d: -f2)"
is "link show prints the settings in the words of link set" "$(rdmafault link show l1)" \
	"l1 rate 10gbit delay 5us jitter 1us overhead 20 seed 18446744073709551615 buffer 1MiB"
ok "link set accepts one word" rdmafault link set l1 delay 7ms
is "link set of one word leaves the other settings" \
	"$(link "$everything" | sed 's/1844[0-9]*/S/')" \
	'[10000000000,7000000,1000,20,S,1048576]'
ok "link set accepts rate none and buffer none" rdmafault link set l1 rate none buffer none
is "rate none and buffer none remove these settings alone" \
	"$(link '[.rate, .buffer, .delay_ns]')" '[null,null,7000000]'
is "link show without a device shows all ports" "l1 l2" \
	"$(rdmafault --json link show | jq -r '[.[].netdev] | sort | join(" ")')"
is "link set leaves the settings of another port" 0 \
	"$(rdmafault --json link show l2 | jq '.[0].delay_ns')"
for words in "1mbit 1000000" "10tbit 10000000000000" "1.5Gbit 1500000000"; do
	read -r rate bits <<<"$words"
	rdmafault link set l1 rate "$rate"
	is "link set rate $rate is $bits bit/s" "$(link .rate)" "$bits"
done

# With a delay of 20 s the packets are still on the link when they are counted.
rdmafault link set l1 delay 20s
sendframe l1 < <(roce4 4 3 1; roce4 4 3 2)
is "link show --json counts packets and bytes in flight" \
	"$(link '[.in_flight, .in_flight_bytes]')" '[2,124]'
ok "link show prints the packets and bytes in flight" grep -qx '  on the wire: 2 packets, 124 B' \
	<(rdmafault link show l1)
is "tc -s qdisc show prints the packets and bytes in flight" \
	"$(tc -s -j qdisc show dev l1 root | jq -c '.[0] | [.in_flight, .in_flight_bytes]')" \
	'[2,124]'

# all_settings: prints the settings of every port, without the number of packets in flight,
# which changes by itself
all_settings()
{
	rdmafault --json link show | jq -c "map([.netdev, $everything])"
}

before=$(all_settings)
refused_all "link set l1" <<-'END'
	rate 0|rate 0: unit missing; 
	rate 0bit|rate 0bit: invalid; 
	rate 999kbit|rate 999kbit: invalid; 
	rate 11tbit|rate 11tbit: invalid; 
	rate 10|rate 10: unit missing; 
	rate 10mbps|rate 10mbps: invalid; 
	rate -1gbit|rate -1gbit: invalid; 
	rate|rate: value missing; 
	delay 5|delay 5: unit missing; 
	delay 20.1s|delay 20.1s: invalid; 
	jitter -1us|jitter -1us: invalid; 
	overhead 257|overhead 257: out of range; 
	seed 18446744073709551616|seed 18446744073709551616: out of range; 
	buffer 0|buffer 0: out of range; 
	buffer 2000g|buffer 2000g: invalid; 
	buffer 1mbit|buffer 1mbit: invalid; 
	delay 1us delay 2us|delay: given twice$
	bandwidth 1gbit|unknown word "bandwidth"; 
END
refused "link set without a setting is refused" "^rdmafault: .*link set" \
	rdmafault link set l1
refused "link set of a netdev that does not exist is refused" "l9" \
	rdmafault link set l9 delay 1us
refused "link set of a netdev that is no port is refused" \
	"^rdmafault: lo: .*rdmafault port add lo" \
	rdmafault link set lo delay 1us
refused "link show of a netdev that is no port is refused" "^rdmafault: lo: " \
	rdmafault link show lo
refused "link add is refused: there is no such command" "add" \
	rdmafault link add l1
refused "link set without privilege is refused" "^rdmafault: l1: .*CAP_NET_ADMIN" \
	setpriv --reuid 65534 --clear-groups rdmafault link set l1 delay 1us
is "refused link commands change no setting" "$(all_settings)" "$before"
