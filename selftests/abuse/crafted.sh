#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Frames with computed addresses: a hash without a secret key is the same for two
# flows. Each flow still has its own state. A checking kernel (scripts/check --debug)
# reports if memory of one is used as that of the other. And of 5000 flows the same
# ones are hit, whatever key the hash tables have: the module draws it when loaded.
#
#   sendframe - t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

# counts RULE: matched packets, hits, and misses by chance, order and once
counts()
{
	rdmafault --json rule show t1 | jq -r --argjson id "$1" '.[] |
		select(.id == $id) | "\(.matched) \(.hits) \(.missed | "\(.chance) \(.order) \(.once)")"'
}

# crafted_ok WORDS KIND WANTED RULE...: the frames of crafted.py KIND
crafted_ok()
{
	local words=$1 kind=$2 wanted=$3 id

	shift 3
	id=$(rdmafault --json rule add t1 tx "$@" | jq -r .id)
	python3 "$selftests/lib/crafted.py" "$kind" | sendframe t1
	is "$words" "$(counts "$id")" "$wanted"
	rdmafault rule flush t1
}

# hits SENDROCE-WORD...: how many of the packets are hit
hits()
{
	local before

	before=$(rdmafault --json rule show t1 | jq '.[0].hits')
	sendroce t1 "$@"
	echo $(($(rdmafault --json rule show t1 | jq '.[0].hits') - before))
}

# Notes are for 4096 queue pairs, those that were used last; flows above 4096 that
# all send aren't tracked, and so not hit.
five_thousand_ok()
{
	rdmafault rule add t1 tx all once qp drop >/dev/null
	is "$1: of 5000 queue pairs each is hit" "$(hits qp 0x1000 flows 5000 count 5000)" 5000
	is "$1: the last 4096 of them are remembered" \
		"$(hits qp $((0x1000 + 904)) flows 4096 count 4096)" 0
	is "$1: those before are not" "$(hits qp 0x1000 flows 904 count 904)" 904
	rdmafault rule flush t1
	rdmafault rule add t1 tx all once flow drop >/dev/null
	is "$1: of 5000 flows the first 4096 are hit" \
		"$(hits qp 0x1000 flows 5000 count 5000)" 4096
	is "$1: and no other when all send again" \
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
crafted_ok "a model and once: the first flow is hit, the other drawn on its own" \
	model "2 1 1 0 0" qp 0x20 gemodel 1% 30% once flow drop
crafted_ok "a burst and once: the tenth packet is hit, the other flow's isn't" \
	burst "11 1 0 10 0" qp 0x20 every 10 burst 1 once flow drop
five_thousand_twice()
{
	too_slow "5000 flows" "sends 38000 packets in a minute" && return
	five_thousand_ok "first"
	ok "the module is loaded anew, with another key" reload
	five_thousand_ok "again"
}

five_thousand_twice
