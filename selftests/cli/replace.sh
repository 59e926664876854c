#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test rule replace and rule save: rules with every word are saved as they were given,
# the rules of a direction are replaced in one change or not at all, and ten thousand
# rules take less than 10 s.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

scratch=$(mktemp -d)
defer rm -r "$scratch"
fabric 2
ports v1 v2

# These rules have all words that rules can have: first the words of matches, then of
# triggers, then all actions. "expires" is missing, because rule save writes the remaining
# time.
cat >"$scratch/words" <<-'END'
	qp 17,18,19 drop
	psn 100-200 drop
	psn 16777200-15 drop
	psn +100-+200 drop
	opcode rc-write-middle drop
	class send,nak position first,only drop
	cm req,rep drop
	class write attempt 2-4 drop
	syndrome 0x60/0x60 drop
	flow 3 drop
	message 5-7 drop
	message -1 drop
	step-message 2+ drop
	step-message -2 drop
	packet 3-9 drop
	priority 0,3 drop
	dscp 46 ecn ect0,ce drop
	src 10.0.0.1 dst 10.0.0.0/8 drop
	src fe80::1 dst 2001:db8::/32 drop
	sport 49152 payload 1-255 drop
	step 5-9 drop
	step 5+ drop
	qp 1 nth 3 drop
	qp 1 every 4 after 5 count 2 drop
	qp 1 once flow drop
	qp 1 once qp drop
	qp 1 once step drop
	qp 1 probability 1e-9 seed 5 key 100 drop
	qp 1 probability 12.3456789% correlation 25% seed 5 key 101 drop
	qp 1 probability 1% burst 3 burst-max 7 seed 5 key 102 drop
	qp 1 gemodel 1% 10% 70% 0.1% seed 5 key 103 drop
	qp 1 state 1% 10% 20% 30% 0.5% seed 5 key 104 drop
	qp 1 from 1.5s for 10ms drop
	all observe
	qp 2 delay 10ms
	qp 2 seed 5 key 105 delay 10ms jitter 2ms correlation 25% distribution pareto keep-order
	qp 2 reorder 3
	qp 2 reorder behind psn 17 within 50ms
	qp 2 psn +5 reorder behind psn +9
	qp 2 duplicate 16 after 1ms
	qp 2 seed 5 key 106 corrupt bit
	qp 2 corrupt byte at 12 value 255 valid-icrc
	qp 2 corrupt icrc at 31
	qp 2 seed 5 key 107 corrupt payload valid-icrc
	qp 2 truncate 100 valid-icrc
	qp 2 dscp 9 trim 100 dscp 46
	qp 2 mark ce unless-ect drop
	qp 2 mark not-ect
	qp 2 rewrite opcode rc-write-last qp 17 psn 0 pkey 0xffff
	class write position first rewrite rkey 0xffffffff length 4096
	class ack rewrite syndrome 0x1f msn 5
	qp 2 nak psn-sequence
	qp 2 nak remote-access to-qp 33
	qp 2 rnr 31 to-qp 33
	qp 2 blackhole 5ms both
	qp 2 delay 1ms mark duplicate 2
END
words=$(wc -l <"$scratch/words")
is "rule replace accepts a file with every word of a rule" \
	"$(rdmafault rule replace v1 tx "$scratch/words" 2>&1)" \
	"v1 tx: $words rules"
rdmafault rule save v1 tx >"$scratch/saved"
is "rule save prints the rules of the file unchanged" "$(diff "$scratch/words" "$scratch/saved")" ""
is "rule replace accepts the output of rule save on standard input" \
	"$(rdmafault rule save v1 tx | rdmafault rule replace v2 rx - 2>&1)" \
	"v2 rx: $words rules"
is "rule save --json prints the rules unchanged" \
	"$(rdmafault --json rule save v2 rx | jq -r ".[]")" \
	"$(cat "$scratch/words")"

rdmafault drop v1 rx qp 5 >/dev/null
before=$(rdmafault --json port show v1 | jq '.[0].generation')
printf 'qp 1 drop\n\n# two\nqp 2 dorp\n' >"$scratch/wrong"
refused "rule replace of a file with an unknown word is refused, the error has the line" \
	"^rdmafault: $scratch/wrong:4: unknown word \"dorp\"; did you mean \"drop\"\?\$" \
	rdmafault rule replace v1 tx "$scratch/wrong"
printf 'qp 1 drop\nqp 2 delay 6s\nqp 3 drop\n' >"$scratch/long"
refused "rule replace of a rule that the module refuses: the error has the line" \
	"^rdmafault: $scratch/long:2: .*delay: " \
	rdmafault rule replace v1 tx "$scratch/long"
refused_with=2 refused "rule replace of a file that does not exist is refused" \
	"^rdmafault: $scratch/none: No such file" \
	rdmafault rule replace v1 tx "$scratch/none"
refused "rule replace of a directory is refused" "^rdmafault: $scratch: cannot be read\$" \
	rdmafault rule replace v1 tx "$scratch"
is "a refused rule replace changes no rule" "$(rdmafault --json port show v1 |
	jq -r '.[0] | "\(.generation) \(.tx_rules)"')" "$before $words"

is "rule replace replaces all rules by one" \
	"$(echo "qp 3 drop" | rdmafault rule replace v1 tx -)" "v1 tx: 1 rule"
is "rule replace of tx leaves the rules of rx" "$(rdmafault rule save v1 rx)" "qp 5 drop"
is "rule replace is one change" \
	"$(rdmafault --json port show v1 | jq '.[0].generation')" $((before + 1))
is "rule replace accepts an empty file" \
	"$(rdmafault rule replace v1 tx /dev/null)" "v1 tx: 0 rules"
is "rule replace with an empty file leaves no rule" "$(rdmafault rule save v1 tx)" ""

# Ten thousand rules; the limit of 10 s is long enough for an emulated processor.
seq 10000 | sed 's/.*/qp & psn +& attempt 1 count 1 drop/' >"$scratch/many"
begin=$(date +%s%N)
is "rule replace accepts ten thousand rules" \
	"$(rdmafault rule replace v1 tx "$scratch/many")" "v1 tx: 10000 rules"
took=$((($(date +%s%N) - begin) / 1000000))
ok "rule replace of ten thousand rules takes less than 10 s ($took ms)" test "$took" -lt 10000
rdmafault rule save v1 tx >"$scratch/saved"
is "rule save prints ten thousand rules unchanged" "$(diff -q "$scratch/many" "$scratch/saved")" ""
is "rule replace accepts the saved ten thousand rules" \
	"$(rdmafault rule replace v1 tx "$scratch/saved")" \
	"v1 tx: 10000 rules"
# While another process replaces the rules, rule save must print one of the two sets or
# fail, but never a mixture.
head -n 1000 "$scratch/many" >"$scratch/one"
sed s/drop/observe/ "$scratch/one" >"$scratch/two"
until [ -e "$scratch/stop" ]; do
	rdmafault rule replace v1 tx "$scratch/one"
	rdmafault rule replace v1 tx "$scratch/two"
done >/dev/null &
whole=0 other=0
for _ in $(seq 20); do
	rdmafault rule save v1 tx >"$scratch/saved" 2>"$scratch/said"
	case $? in
	0) cmp -s "$scratch/saved" "$scratch/one" ||
		cmp -s "$scratch/saved" "$scratch/two" || other=$((other + 1))
	   whole=$((whole + 1)) ;;
	*) grep -q "the rules changed during each" "$scratch/said" || other=$((other + 1)) ;;
	esac
done
touch "$scratch/stop"
wait
is "rule save during replacements never prints a mixture of two sets" "$other" 0
ok "rule save during replacements prints a whole set in $whole of 20 attempts" \
	test "$whole" -gt 0
refused "rule replace of more rules than a port can have is refused" \
	"^rdmafault: stdin:[0-9]+: .*too many" \
	sh -c "(cat '$scratch/many'; sed s/qp/flow/ '$scratch/many') |
	       head -n 16384 | rdmafault rule replace v1 rx -"
