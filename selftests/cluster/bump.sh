#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test rules on a bridge between two machines that do not have the module. Each rule hits the
# packets that it names, rxe on both machines reacts to the fault, and the job ends without a
# wrong value. lib/bump.sh shows the machines.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/bump.sh"
. "$selftests/lib/binomial.sh"

bump
# try_rule TITLE HITS RULE...: run the test TITLE: add RULE, run a job of 21 messages of 16
# packets with $options; RULE must hit HITS packets
try_rule()
{
	local id

	title=$1
	id=$(rdmafault --json rule add "${@:3}" | jq -r .id)
	# shellcheck disable=SC2086
	job -b 64K -n 20 -w 1 ${options:---timeout 20}
	is "$title: hits" "$(rule_stat "$3" "$id" hits)" "$2"
	verified "$title"
	rdmafault rule flush "$3" >/dev/null
}

# moved COUNTS: test how much the counters of the ends have increased: on vm3
# out_of_seq_request and duplicate_request, on vm2 rcvd_seq_err and completer_retry_err.
# "+": at least one
moved()
{
	local counts

	counts="$(added 3 out_of_seq_request) $(added 3 duplicate_request) \
$(added 2 rcvd_seq_err) $(added 2 completer_retry_err)"
	ok "$title: vm3 counts out of sequence, duplicate, vm2 NAKs, retries: $counts, expected $1" \
		grep -Eqx "${1//+/[1-9][0-9]*}" <<<"$counts"
}

write=(tx class write)
job -b 64K -n 20 -w 1 --timeout 20
title="no rule"
verified "$title"
moved "0 0 0 0"
title="a rule that only counts"
try_rule "$title" 336 eth3 "${write[@]}" observe
moved "0 0 0 0"
try_rule "a middle packet lost on arrival" 1 eth2 rx class write position middle nth 100 count 1 drop
moved "1 0 1 1"
options="--timeout 16" try_rule "a last packet lost" 1 \
	eth3 "${write[@]}" position last,only nth 10 count 1 drop
moved "0 + 0 +"
try_rule "a duplicated packet" 1 eth3 "${write[@]}" nth 100 count 1 duplicate
moved "0 1 0 0"
try_rule "a wrong ICRC" 1 eth3 "${write[@]}" position middle nth 100 count 1 corrupt icrc
moved "1 0 1 1"
try_rule "a reordered packet" 1 eth3 "${write[@]}" position first nth 10 count 1 reorder 3
moved "+ + + +"
try_rule "a forged NAK" 1 eth3 "${write[@]}" position middle nth 100 count 1 nak psn-sequence
title+=", the receiver's own NAK included"
moved "1 0 + +"

# ce VM: prints how many received packets had an ECN field, by the IP stack of this machine:
# not ECN-capable, ECT(0), CE
ce()
{
	on "vm$1" "nstat -asz IpExtInNoECTPkts IpExtInECT0Pkts IpExtInCEPkts" |
		awk '/^IpExtInCEPkts/ { print $2 }'
}

before=$(ce 3)
options="--timeout 20 --tclass 2" try_rule "every 10th ECN-capable packet marked" 33 \
	eth3 "${write[@]}" every 10 mark ce
is "$title: vm3 receives as many packets with CE" "$(($(ce 3) - before))" 33
moved "0 0 0 0"
before=$(ce 3)
try_rule "every 10th packet that is not ECN-capable" 33 eth3 "${write[@]}" every 10 mark ce
is "$title: the packets are not changed" "$(($(ce 3) - before))" 0
before=$(ce 3)
try_rule "every 10th packet, and unless-ect mark" 33 \
	eth3 "${write[@]}" every 10 mark ce unless-ect mark
is "$title: vm3 receives as many packets with CE" "$(($(ce 3) - before))" 33

# ACKs pass the other way, so both directions are delayed.
rdmafault rule add eth2 tx all delay 20ms >/dev/null
try_rule "20 ms of delay both ways" 336 eth3 "${write[@]}" delay 20ms
# The message takes 20 ms, its ACK 20 ms more; the time is the mean of both ranks.
ok "$title: a step takes at least 30 ms: $(step_time) us" [ "$(step_time)" -ge 30000 ]
moved "0 0 0 0"
rdmafault rule flush eth2 >/dev/null
options="--timeout 15" try_rule "a blackhole of 300 ms both ways" 1 \
	eth3 "${write[@]}" nth 100 count 1 blackhole 300ms both
ok "$title: the timer of vm2 expires" [ "$(added 2 completer_retry_err)" -ge 1 ]
rdmafault link set eth3 rate 20mbit >/dev/null
try_rule "a link of 20 Mbit/s" 336 eth3 "${write[@]}" observe
# 16 packets of about 4160 bytes
ok "$title: a step takes at least 26 ms: $(step_time) us" [ "$(step_time)" -ge 26000 ]
rdmafault link set eth3 rate none >/dev/null

# With p + r = 1, the states of consecutive packets are independent, and the number of losses has
# a binomial distribution.
id=$(rdmafault --json rule add eth3 "${write[@]}" gemodel 1% 99% drop | jq -r .id)
job -b 64K -n 500 -w 1 --timeout 14
verified "1 % of the packets lost"
matched=$(rule_stat eth3 "$id" matched)
hits=$(rule_stat eth3 "$id" hits)
ok "1 % of the packets lost: $hits of $matched packets fit the binomial distribution" \
	binomial_good "$hits" "$matched" 0.01 1e-5
rdmafault rule flush eth3 >/dev/null

# No job announces steps to the bridge machine.
rdmafault drop eth3 "${write[@]}" step 2 count 1 >/dev/null 2>"$tmp/note"
ok "a rule with step: its note says that no job announces steps" \
	grep -q '^rdmafault: eth3: no job announces steps on this port now' "$tmp/note"
job -b 64K -n 20 -w 1 --timeout 20
is "a rule with step: hits" "$(rdmafault --json rule show eth3 | jq '.[].hits')" 0
verified "a rule with step"
for k in 2 3; do
	ok "the module is not on vm$k" on vm$k "! test -e /sys/module/rdmafault"
done
