#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What can't be meant is refused with one line that names the object and the value
# given; the exit status is not 0, and nothing has changed. Only these two are
# matched here: the wording is in selftests/golden, of unit/usage_test.sh,
# unit/rulewords_test.c and others.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

# bad WORDS REGEX ARGUMENT...
bad()
{
	local words=$1 regex=$2

	shift 2
	refused "$words" "^rdmafault: .*$regex" rdmafault "$@"
}

# status WORDS WANTED ARGUMENT...
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
bad "no shortened command" '"po"' po add v1
bad "object without verb" "\<add\>" port
bad "unknown verb" start fabric start

bad "unknown device, port add" v99 port add v99
bad "unknown device, port del" rxe99 port del rxe99
bad "unknown device, drop" v99 drop v99 tx qp 17
bad "unknown device, stat" v99 stat v99
bad "unknown device with a name too long" "v{40}" \
	port add "$(printf 'v%.0s' {1..40})"
bad "a word too many" "port add" port add v1 v2

bad "netdev that is no port, drop" "lo: .*port add lo" drop lo tx qp 17
bad "netdev that is no port, rule show" "lo: " rule show lo
bad "netdev that is no port, rule flush" "lo: " rule flush lo
bad "netdev that is no port, rule del" "lo: " rule del lo 1
bad "netdev that is no port, stat" "lo: " stat lo

bad "direction" "direction: .*out" drop v1 out qp 17
bad "direction of flush" "direction: .*out" rule flush v1 out
bad "unknown word" qpn drop v1 tx qpn 17
bad "word without value" "qp: " drop v1 tx qp
bad "unknown opcode by name" "opcode: .*rc-foo" \
	drop v1 tx opcode rc-foo
bad "PSN beyond 24 bits" "psn: .*0x1000000" \
	drop v1 tx psn 0x1000000
bad "a count that nth can't reach" "v1: count: " \
	drop v1 tx qp 17 nth 3 count 2
bad "a word twice" "qp: " drop v1 tx qp 1 qp 2
bad "no action" "action" rule add v1 tx qp 17
bad "empty match with drop" "match.*\<all\>" rule add v1 tx drop
bad "a word of an action elsewhere" "at: .*corrupt" \
	drop v1 tx qp 17 at 5
bad "nine actions" "8 actions" rule add v1 tx all observe observe observe \
	observe observe observe observe observe observe
bad "short form without its value" "delay: .*qp" \
	delay v1 tx qp 17

# Values one beyond their range, of each kind; unit/rulewords_test.c has all.
# The text is REGEX: WORDS.
while IFS=: read -r regex words; do
	# shellcheck disable=SC2086
	bad "out of range:$words" "$regex: " rule add v1 tx $words
done <<-'END'
	psn: psn +0-+0x1000000 drop
	message: message 4294967296 drop
	src: src 10.0.0.1/33 drop
	probability: all probability 100.0000000001% drop
	seed: all seed 18446744073709551616 drop
	delay: all delay 20.000000001s
	rkey: all rewrite rkey 0x100000000
END

# Each field by itself is good, but not together.
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
	probability, gemodel: all probability 1% gemodel 1% drop
	step: step 3 from step 4 drop
	v1. delay: all delay 4s jitter 2s
	delay: delay 1ms
END
bad "two kinds of addresses" "v1: daddr: " \
	drop v1 tx src 10.0.0.1 dst fe80::1
bad "a prefix longer than its address" "dst: .*fe80::1/129" \
	drop v1 tx dst fe80::1/129
bad "-- without a command" "--: " \
	drop v1 tx qp 17 --
bad "too few words before --" "rdmafault drop" drop v1 -- true
bad "rule number" "rule: .*x" rule del v1 x
bad "rule that isn't there" "v1: id: " rule del v1 4711

bad "fabric of one" 'nodes: .*"1"' fabric up 1
bad "fabric of too many" 'nodes: .*"65"' fabric up 65
bad "fabric of words" 'nodes: .*"four"' fabric up four
bad "a fabric of no shape" "shape: .*ring" fabric up 4 shape ring
bad "a word of no fabric" "speed" fabric up 4 speed 9
bad "a chain without a number" "switches: " fabric up shape chain switches
bad "a chain of none" 'switches: .*"0"' fabric up shape chain switches 0
bad "more switches than nodes" 'switches: .*"5"' \
	fabric up 4 shape chain switches 5
bad "a chain of spines" "spines: .*chain" fabric up 4 shape chain spines 2
bad "too many spines" 'spines: .*"5"' \
	fabric up 4 shape leaf-spine spines 5
bad "switches of one bridge" "switches: .*bridge" fabric up 4 switches 2
bad "a second fabric" "fabric of 2 nodes" fabric up 4
bad "reset with two words" "rdmafault reset" reset v1 v2

is "nothing of this changed the port" "$before" \
	"$(rdmafault --json stat v1 | jq -c '.[0] | [.generation, .tx.rules, .rx.rules]')"

status "what isn't understood exits with 2" 2 drop v1 tx qp x
status "what is refused exits with 1" 1 port add v99
status "what is done exits with 0" 0 port show

for words in "port show" "--json port show" help "stat v1"; do
	refused "no room for what $words prints" '(rdmafault: |^\{"error":").*stdout' \
		sh -c "rdmafault $words >/dev/full"
done
refused "errors are JSON under --json" '^\{"error":"nodes: .*65.*"\}$' \
	rdmafault --json fabric up 65
is "and leave nothing on standard output" \
	"$(rdmafault --json stat v99 2>/dev/null)" ""
