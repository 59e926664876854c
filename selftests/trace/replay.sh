#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A random run is recorded and replayed: other rules, without any chance in
# them, do the same to the same packets. Rules keep to the first transmission,
# for what go-back-N sends again is a matter of timing.
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
	write_bw 2 1 -n 40 -s 65536 -u ${qp_timeout:-18} -Q 1 -F
END
chmod +x "$tmp/traffic"

# run NAME: record the traffic under the rules that there are
run()
{
	ok "$1: the traffic runs" rdmafault record --snaplen 320 -o "$tmp/$1" -- \
		"$tmp/traffic"
	hits "$1" >"$tmp/$1.hits"
}

# hits NAME: which packets were hit, and what was done to them with what values
hits()
{
	jq -r 'select(.fault) | [.port, .direction, .flow, .psn_rel, .opcode,
		.attempt, (.actions | tojson)] | join(" ")' \
		"$tmp/$1/events.jsonl" | sort
}

# replay_rules NAME: set the rules of a recording
replay_rules()
{
	rdmafault reset
	ok "$1: its rules are taken" \
		rdmafault rule replace v1 tx "$tmp/$1/v1-tx.rules"
}

# same WORDS NAME NAME
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
	ok "drops: some, but not all packets are hit" test "$n" -gt 0 -a "$n" -lt 100
	is "drops: there is a rule for each" \
		"$(grep -vc '^#' "$tmp/drops/v1-tx.rules")" "$n"
	is "drops: no chance is in them" \
		"$(grep -c 'probability\|seed' "$tmp/drops/v1-tx.rules")" 0

	replay_rules drops
	dropped0=$(port_stat v1 tx dropped)
	run drops-again
	same "drops: replayed, the same packets are dropped" drops drops-again
	is "drops: and no others" $(($(port_stat v1 tx dropped) - dropped0)) "$n"
	is "drops: each rule has hit once" \
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
	ok "drawn: delays differ" test \
		"$(grep -o 'delay_ns":[0-9]*' "$tmp/drawn.hits" | sort -u | wc -l)" -gt 2
	ok "drawn: so do the bytes that are changed" test \
		"$(grep -o 'offset":[0-9]*' "$tmp/drawn.hits" | sort -u | wc -l)" -gt 2

	replay_rules drawn
	is "drawn: no chance is in the rules" \
		"$(rdmafault rule show v1 | grep -c 'probability\|seed\|jitter')" 0
	run drawn-again
	same "drawn: replayed, the same is done to the same packets" \
		drawn drawn-again
}

# Were it the traffic and not the rules, this would be the same, too.
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
