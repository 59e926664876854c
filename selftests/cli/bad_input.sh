#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that invalid commands are refused: the exit status is not 0, nothing changes, and
# one error line names the object and the value. This test checks only the object and
# the value. Other tests, such as unit/usage_test.sh and unit/rulewords_test.c, compare
# the whole messages with selftests/golden.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

# bad TITLE REGEX ARGUMENT...: run the test TITLE: rdmafault must refuse the arguments with
# one line that matches REGEX
bad()
{
	local words=$1 regex=$2

	shift 2
	refused "$words: refused with one line that names it" "^rdmafault: .*$regex" rdmafault "$@"
}

# status TITLE WANTED ARGUMENT...: run the test TITLE: rdmafault with these arguments must
# exit with the status WANTED
status()
{
	local words=$1 wanted=$2

	shift 2
	rdmafault "$@" >/dev/null 2>&1
	is "$words" $? "$wanted"
}

fabric 2
ports v1
before=$(rdmafault --json stat v1 | jq -c '.[0] | [.generation, .tx.rules, .rx.rules]')

bad "no command" ""
bad "unknown command" prot prot add v1
bad "shortened command" '"po"' po add v1
bad "port without a verb" "\<add\>" port
bad "unknown verb of fabric" start fabric start

bad "port add of an unknown device" v99 port add v99
bad "port del of an unknown device" rxe99 port del rxe99
bad "drop on an unknown device" v99 drop v99 tx qp 17
bad "stat of an unknown device" v99 stat v99
bad "port add of a device with a name too long" "v{40}" \
	port add "$(printf 'v%.0s' {1..40})"
bad "port add of two devices" "port add" port add v1 v2

bad "drop on a netdev that is not Ethernet" "lo: .*Ethernet" drop lo tx qp 17
bad "rule show of a netdev that is no port" "lo: " rule show lo
bad "rule flush of a netdev that is no port" "lo: " rule flush lo
bad "rule del of a netdev that is no port" "lo: " rule del lo 1
bad "stat of a netdev that is no port" "lo: " stat lo

bad "drop with an unknown direction" "direction out: " drop v1 out qp 17
bad "rule flush with an unknown direction" "direction out: " rule flush v1 out
bad "drop with an unknown word" qpn drop v1 tx qpn 17
bad "qp without a value" "qp: " drop v1 tx qp
bad "unknown opcode by name" "opcode rc-foo: " \
	drop v1 tx opcode rc-foo
bad "PSN beyond 24 bits" "psn 0x1000000: " \
	drop v1 tx psn 0x1000000
bad "count 2 with nth 3, which hits once" "v1: count: " \
	drop v1 tx qp 17 nth 3 count 2
bad "qp given twice" "qp: " drop v1 tx qp 1 qp 2
bad "rule add without an action" "action" rule add v1 tx qp 17
bad "drop without a match" "match.*\<all\>" rule add v1 tx drop
bad "at, a word of corrupt, with drop" "at: .*corrupt" \
	drop v1 tx qp 17 at 5
bad "rule with nine actions" "at most 8" rule add v1 tx all observe observe observe \
	observe observe observe observe observe observe
bad "delay without a time" "delay qp: " \
	delay v1 tx qp 17

# The rules of this table have one value beyond its range for each kind of value;
# unit/rulewords_test.c tests all words. Each line has the expected error, as a regular
# expression, and the words of a rule.
while IFS=: read -r regex words; do
	# shellcheck disable=SC2086
	bad "out of range:$words" "$regex [^ ]+: " rule add v1 tx $words
done <<-'END'
	psn: psn +0-+0x1000000 drop
	message: message 4294967296 drop
	src: src 10.0.0.1/33 drop
	probability: all probability 100.0000000001% drop
	seed: all seed 18446744073709551616 drop
	delay: all delay 20.000000001s
	rkey: all rewrite rkey 0x100000000
END

# Each line has the expected error, as a regular expression, and the words of a rule. Each of
# the two fields in a rule is valid alone, but not both together.
while IFS=: read -r regex words; do
	# shellcheck disable=SC2086
	bad "contradiction:$words" "$regex" rule add v1 tx $words
done <<-'END'
	v1. class: opcode rc-write-only class send drop
	v1. class: qp 17 class cm drop
	v1. syndrome: class write syndrome 1 drop
	v1. message: class ack message 3 drop
	v1. every: all nth 3 every 2 drop
	v1. state-p32: all state 1% 60% 50% drop
	v1. burst: all burst 3 drop
	probability, gemodel and state: all probability 1% gemodel 1% drop
	step: step 3 from step 4 drop
	v1. delay: all delay 4s jitter 2s
	delay: delay 1ms
END
bad "IPv4 source with IPv6 destination" "v1: daddr: " \
	drop v1 tx src 10.0.0.1 dst fe80::1
bad "a prefix longer than its address" "dst fe80::1/129: " \
	drop v1 tx dst fe80::1/129
bad "-- without a command" '"--"' \
	drop v1 tx qp 17 --
bad "drop without a direction before --" "drop: direction missing" drop v1 -- true
bad "rule del of a word instead of a number" "rule x: " rule del v1 x
bad "rule del of an unknown number" "v1: rule 4711: " rule del v1 4711

bad "fabric of one node" 'nodes 1: ' fabric up 1
bad "fabric of 129 nodes" 'nodes 129: ' fabric up 129
bad "fabric with a word for the number of nodes" 'nodes four: ' fabric up four
bad "fabric of an unknown shape" "shape circle: " fabric up 4 shape circle
bad "fabric of the shape bridge" "shape bridge: invalid; it is called star now$" \
	fabric up 4 shape bridge
bad "fabric with an unknown word" "speed" fabric up 4 speed 9
bad "switches without a number" "switches: " fabric up shape chain switches
bad "chain of 0 switches" 'switches 0: ' fabric up shape chain switches 0
bad "chain with more switches than nodes" 'switches 5: ' \
	fabric up 4 shape chain switches 5
bad "chain with spines" "spines: .*chain" fabric up 4 shape chain spines 2
bad "leaf-spine with 17 spines" 'spines 17: ' \
	fabric up 4 shape leaf-spine spines 17
bad "ring of 2 switches" 'switches 2: out of range; 3 to 4 ' \
	fabric up 4 shape ring switches 2
bad "torus with one dimension" "dims 4: invalid; two or three numbers" \
	fabric up 4 shape torus dims 4
bad "torus with more switches than nodes" "dims 2x3: 6 switches; at most 4 " \
	fabric up 4 shape torus dims 2x3
bad "torus without dims" "shape torus: also needs dims" fabric up 4 shape torus
bad "switches for a star" "switches: .*star" fabric up 4 switches 2
bad "fabric up while a fabric is up" "fabric of 2 nodes" fabric up 4
bad "reset of two ports" "rdmafault reset" reset v1 v2

is "refused commands do not change the port" "$before" \
	"$(rdmafault --json stat v1 | jq -c '.[0] | [.generation, .tx.rules, .rx.rules]')"

status "a command with an invalid word exits with 2" 2 drop v1 tx qp x
status "a command that fails exits with 1" 1 port add v99
status "a command that succeeds exits with 0" 0 port show

for words in "port show" "--json port show" help "stat v1"; do
	refused "$words fails if standard output is full, the error names it" \
		'(rdmafault: |^\{"error":")standard output cannot be written' \
		sh -c "rdmafault $words >/dev/full"
done
refused "an error is a JSON object with --json" '^\{"error":"nodes 129: .*"\}$' \
	rdmafault --json fabric up 129
is "a command that fails with --json prints nothing on standard output" \
	"$(rdmafault --json stat v99 2>/dev/null)" ""
