#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a rule keeps separate state for two flows whose addresses are computed to
# collide in a hash without a secret key. A debug kernel (scripts/check --debug) reports if
# the module uses the memory of one flow for the other. The module chooses the secret key of its
# hash tables when it is loaded. Also test that out of 5000 flows, a rule hits the same ones
# whatever the key is.
#
#   sendframe - t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

# counts RULE: prints five counters of the rule with this number: packets that it matched,
# packets that it hit, and packets that it did not hit because of its probability or loss
# model, because of their order (for example "nth"), or because of "once"
counts()
{
	rdmafault --json rule show t1 | jq -r --argjson id "$1" '.[] |
		select(.id == $id) | "\(.matched) \(.hits) \(.missed | "\(.chance) \(.order) \(.once)")"'
}

# crafted_ok TITLE KIND WANTED RULE...: run the test TITLE: add RULE and send the frames
# that crafted.py makes for KIND. The output of counts() must be WANTED.
crafted_ok()
{
	local words=$1 kind=$2 wanted=$3 id

	shift 3
	id=$(rdmafault --json rule add t1 tx "$@" | jq -r .id)
	python3 "$selftests/lib/crafted.py" "$kind" | sendframe t1
	is "$words" "$(counts "$id")" "$wanted"
	rdmafault rule flush t1
}

# hits ARGUMENT...: call sendroce with these arguments; prints how many of the packets
# that it sends are hit by the rule
hits()
{
	local before

	before=$(rdmafault --json rule show t1 | jq '.[0].hits')
	sendroce t1 "$@"
	echo $(($(rdmafault --json rule show t1 | jq '.[0].hits') - before))
}

# A rule remembers the 4096 queue pairs that it used last. At most 4096 flows are
# tracked, and a rule with "once flow" does not hit the packets of untracked flows.
five_thousand_ok()
{
	rdmafault rule add t1 tx all once qp drop >/dev/null
	is "once qp, $1: each of 5000 queue pairs is hit" \
		"$(hits qp 0x1000 flows 5000 count 5000)" 5000
	is "once qp, $1: the last 4096 queue pairs are not hit again" \
		"$(hits qp $((0x1000 + 904)) flows 4096 count 4096)" 0
	is "once qp, $1: the first 904 queue pairs, forgotten, are hit again" \
		"$(hits qp 0x1000 flows 904 count 904)" 904
	rdmafault rule flush t1
	rdmafault rule add t1 tx all once flow drop >/dev/null
	is "once flow, $1: the first 4096 of 5000 flows are hit" \
		"$(hits qp 0x1000 flows 5000 count 5000)" 4096
	is "once flow, $1: no flow is hit when all 5000 send again" \
		"$(hits qp 0x1000 flows 5000 count 5000)" 0
	rdmafault rule flush t1
}

reload()
{
	tc qdisc del dev t1 root
	modprobe -r rdmafault && modprobe rdmafault &&
		tc qdisc add dev t1 root rdmafault
}

veth_pair t1 t2
veth_port t1
crafted_ok "gemodel and once: each of two colliding flows has its own state" \
	model "2 1 1 0 0" qp 0x20 gemodel 1% 30% once flow drop
crafted_ok "burst and once: a hit in one flow does not begin a burst in a colliding flow" \
	burst "11 1 0 10 0" qp 0x20 every 10 burst 1 once flow drop
five_thousand_twice()
{
	too_slow "once qp and once flow with 5000 flows" "sends 38000 packets in a minute" && return
	five_thousand_ok "first key"
	ok "the module is loaded again, with another key" reload
	five_thousand_ok "second key"
}

five_thousand_twice
