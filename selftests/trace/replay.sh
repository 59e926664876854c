#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a random run can be recorded and replayed: the recorded rules make no random
# decisions, and apply the same actions to the same packets as in the recorded run. The rules
# match only first transmissions, because the packets that go-back-N retransmits depend on
# timing.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

tmp=$(mktemp -d)
defer rm -rf "$tmp"

fabric 2
ports v1

# 40 messages of 16 packets
qp_timeout=${KSFT_MACHINE_SLOW:+20}
cat >"$tmp/traffic" <<-END
	#!/bin/bash
	. $selftests/lib/lib.sh
	trap - EXIT
	. $selftests/lib/rdma.sh
	write_bw 2 1 -n 40 -s 65536 -u ${qp_timeout:-18} -Q 1
END
chmod +x "$tmp/traffic"

# run NAME: record the traffic with the current rules
run()
{
	ok "control, $1: the traffic runs" rdmafault record --snaplen 320 -o "$tmp/$1" -- \
		"$tmp/traffic"
	hits "$1" >"$tmp/$1.hits"
}

# hits NAME: prints each packet that a fault hit in the recording NAME, with the actions of the
# fault and their values
hits()
{
	jq -r 'select(.fault) | [.port, .direction, .flow, .psn_rel, .opcode,
		.attempt, (.actions | tojson)] | join(" ")' \
		"$tmp/$1/events.jsonl" | sort
}

# replay_rules NAME: add the rules of the recording NAME
replay_rules()
{
	rdmafault reset
	ok "the rules recorded in the run \"$1\" are accepted" \
		rdmafault rule replace v1 tx "$tmp/$1/v1-tx.rules"
}

# same TITLE NAME1 NAME2: test that the same packets were hit in both recordings. TITLE is the
# name of the test.
same()
{
	is "$1" "$(cat "$tmp/$3.hits")" "$(cat "$tmp/$2.hits")"
}

drops_are_repeated_ok()
{
	local dropped0 n

	rdmafault rule add v1 tx class write attempt 1 probability 2% seed 7 drop \
		>/dev/null
	run drops
	n=$(wc -l <"$tmp/drops.hits")
	ok "control, drops: some packets are hit, but not all" test "$n" -gt 0 -a "$n" -lt 100
	is "record writes one rule per dropped packet" \
		"$(grep -vc '^#' "$tmp/drops/v1-tx.rules")" "$n"
	is "recorded rules of drops have no probability and no seed" \
		"$(grep -c 'probability\|seed' "$tmp/drops/v1-tx.rules")" 0

	replay_rules drops
	dropped0=$(port_stat v1 tx dropped)
	run drops-again
	same "replayed rules drop the same packets" drops drops-again
	is "replayed rules drop no other packets" $(($(port_stat v1 tx dropped) - dropped0)) "$n"
	is "each replayed rule hits once" \
		"$(rdmafault --json rule show v1 | jq -r '.[].hits' | sort | uniq -c | xargs)" \
		"$n 1"
}

drawn_values_are_repeated_ok()
{
	rdmafault reset
	rdmafault rule add v1 tx class write attempt 1 probability 3% seed 7 \
		delay 2ms jitter 1ms >/dev/null
	rdmafault rule add v1 tx class write attempt 1 probability 2% seed 8 \
		corrupt byte >/dev/null
	rdmafault rule add v1 tx class write attempt 1 probability 1% seed 9 \
		corrupt payload valid-icrc duplicate 2 >/dev/null
	run drawn
	ok "control, random values: delays differ" test \
		"$(grep -o 'delay_ns":[0-9]*' "$tmp/drawn.hits" | sort -u | wc -l)" -gt 2
	ok "control, random values: the changed bytes differ" test \
		"$(grep -o 'offset":[0-9]*' "$tmp/drawn.hits" | sort -u | wc -l)" -gt 2

	replay_rules drawn
	is "recorded rules of random values have no probability, seed and jitter" \
		"$(rdmafault rule show v1 | grep -c 'probability\|seed\|jitter')" 0
	run drawn-again
	same "replayed rules do the same to the same packets with the same values" \
		drawn drawn-again
}

# Control: if the faults use another seed, they must hit other packets.
other_seed_fails()
{
	rdmafault reset
	rdmafault rule add v1 tx class write attempt 1 probability 2% seed 70 drop \
		>/dev/null
	run other
	ok "control: another seed hits some" test -s "$tmp/other.hits"
	ok "control: another seed hits other packets" \
		sh -c "! cmp -s $tmp/drops.hits $tmp/other.hits"
}

drops_are_repeated_ok
drawn_values_are_repeated_ok
other_seed_fails
