#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The counters of a port, and the ledger of its flows: what it tells of each
# queue pair adds up to what rxe tells of the device.
#
#	ib_write_bw, 2 QPs  rxe1 v1 ---- v2 rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

# ledger DEV FILTER: of its flows
ledger()
{
	rdmafault --json stat --flows "$1" | jq -c "$2"
}

# requests DEV KEY: summed over the request flows that leave it
requests()
{
	ledger "$1" "[.[] | select(.direction == \"tx\" and .kind == \"requests\" and .qp != 1).$2] | add"
}

fabric 2
ports v1
is "without rules no flow is followed" "$(ledger v1 length)" 0
is "and the text is empty" "$(rdmafault stat --flows v1)" ""
rdmafault rule add v1 tx class write psn +5 attempt 1 drop >/dev/null
rdmafault rule add v1 rx all observe >/dev/null
timeouts=$(hw rxe1 retry_rnr_exceeded_err)
ok "a write over two queue pairs is done" write_bw 2 1 -q 2 -n 20 -s 16384

is "each queue pair is a flow" \
	"$(ledger v1 '[.[] | select(.direction == "tx" and .kind == "requests" and .qp != 1)] | length')" 2
is "their ordinals are 1 and 2" \
	"$(ledger v1 '[.[] | select(.direction == "tx" and .kind == "requests" and .qp != 1).ordinal] | sort')" \
	"[1,2]"
is "each lost one packet, which came again" \
	"$(ledger v1 '[.[] | select(.direction == "tx" and .kind == "requests" and .qp != 1).max_attempt]')" \
	"[2,2]"
is "what was retransmitted adds up" "$(requests v1 retransmitted)" \
	"$(port_stat v1 tx retransmitted)"
is "and its bytes" "$(requests v1 retransmitted_bytes)" \
	"$(port_stat v1 tx retransmitted_bytes)"
is "the NAKs that they got are those that came" "$(requests v1 naks)" \
	"$(port_stat v1 rx naks)"
is "and those that rxe tells of" "$(port_stat v1 rx naks)" \
	"$(hw rxe2 out_of_seq_request)"
is "no receiver was not ready" "$(requests v1 rnrs) $timeouts" \
	"0 $(hw rxe1 retry_rnr_exceeded_err)"
is "the queue pair of the answers is known" \
	"$(ledger v1 '[.[] | select(.direction == "tx" and .kind == "requests" and .qp != 1).peer_qp] | sort')" \
	"$(ledger v1 '[.[] | select(.direction == "rx" and .kind == "responses" and .qp != 1).qp] | sort')"
is "a flow on two lines, in the words of a rule" \
	"$(rdmafault stat --flows v1 | grep -Ec '^v1 [tr]x src [0-9.]+ dst [0-9.]+ qp [0-9]+ flow [0-9]+ (requests|responses)')" \
	"$(ledger v1 length)"
is "text leaves out what never happened" \
	"$(rdmafault stat v1 | awk 'NR > 2 && $2 == 0 && ($3 == "" || $3 == 0)')" ""
is "JSON doesn't" "$(port_stat v1 tx marked) $(port_stat v1 tx delay_queue_full)" "0 0"
is "a rule's bytes are told" "$(rdmafault --json rule show v1 |
	jq '.[0] | .hits == 2 and .bytes > 2 * 1024')" true

ok "the max-hold is set" rdmafault port set v1 max-hold 200ms
is "and told" "$(rdmafault --json port show v1 | jq '.[0].max_hold_ns')" 200000000
refused "more than 20s is refused" \
	"^rdmafault: max-hold: want a time of up to 20s, as 5s, got \"21s\"\$" \
	rdmafault port set v1 max-hold 21s
refused "so is what isn't a cap" "^rdmafault: want max-hold, got \"cap\"\$" \
	rdmafault port set v1 cap 1s
refused "on what is no port" "^rdmafault: lo: is no port" \
	rdmafault port set lo max-hold 1s
refused "a longer delay is refused" "^rdmafault: v1: delay: " \
	rdmafault delay v1 tx 201ms qp 17
ok "one as long isn't" rdmafault delay v1 tx 200ms qp 17

ok "reset takes a port" rdmafault reset v1
is "and leaves no rule there" "$(rdmafault --json rule show v1 | jq length)" 0
ok "counters can be reset" rdmafault stat --reset v1
is "and are 0 then" "$(rdmafault --json stat v1 | jq '.[0] |
	[.tx, .rx] | map(.packets, .roce, .hits, .delayed) | add')" 0
ok "those of all ports, too" rdmafault stat --reset
refused "resetting flows" "^rdmafault: usage: rdmafault stat" \
	rdmafault stat --flows --reset v1
refused "resetting what is no port" "^rdmafault: lo: is no port" \
	rdmafault stat --reset lo
settings()
{
	echo "$(rdmafault --json link show v1 | jq -c '.[0].rate')" \
		"$(rdmafault --json prio show v1 | jq -c '.[0].prio[3].pfc')" \
		"$(rdmafault --json ecn show v1 | jq -c '.[0].prio[3].enabled')"
}

new=$(settings)
rdmafault link set v1 rate 1gbit
rdmafault prio set v1 prio-pfc 3:on
rdmafault ecn set v1 prio 3 kmin 1k kmax 2k pmax 1%
is "control: the port is configured" "$(settings)" "1000000000 true true"
rdmafault reset v1
is "reset takes link, priorities and ECN back" "$(settings)" "$new"
refused "flows of what is no port" "^rdmafault: lo: is no port" \
	rdmafault stat --flows lo
