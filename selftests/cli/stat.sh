#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the counters of a port and the statistics of its flows. The sum over all queue pairs
# must be equal to the port's counter and to rxe's counter.
#
#	ib_write_bw, 2 QPs  rxe1 v1 ---- v2 rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

# ledger DEV FILTER: prints the flow statistics of the port as JSON, filtered by jq
ledger()
{
	rdmafault --json stat --flows "$1" | jq -c "$2"
}

# requests DEV KEY: prints the sum of this counter over the flows of requests that leave the
# device
requests()
{
	ledger "$1" "[.[] | select(.direction == \"tx\" and .kind == \"requests\" and .qp != 1).$2] | add"
}

fabric 2
ports v1
is "without rules no flow is tracked" "$(ledger v1 length)" 0
is "stat --flows prints nothing without a tracked flow" "$(rdmafault stat --flows v1)" ""
rdmafault rule add v1 tx class write psn +5 attempt 1 drop >/dev/null
rdmafault rule add v1 rx all observe >/dev/null
timeouts=$(hw rxe1 retry_rnr_exceeded_err)
ok "perftest with two queue pairs succeeds" write_bw 2 1 -q 2 -n 20 -s 16384

is "stat --flows has one flow of requests per queue pair" \
	"$(ledger v1 '[.[] | select(.direction == "tx" and .kind == "requests" and .qp != 1)] | length')" 2
is "the flows of two queue pairs have the ordinals 1 and 2" \
	"$(ledger v1 '[.[] | select(.direction == "tx" and .kind == "requests" and .qp != 1).ordinal] | sort')" \
	"[1,2]"
is "each flow lost a packet and has a maximum attempt of 2" \
	"$(ledger v1 '[.[] | select(.direction == "tx" and .kind == "requests" and .qp != 1).max_attempt]')" \
	"[2,2]"
is "retransmitted packets of the flows add up to those of the port" "$(requests v1 retransmitted)" \
	"$(port_stat v1 tx retransmitted)"
is "retransmitted bytes of the flows add up to those of the port" \
	"$(requests v1 retransmitted_bytes)" \
	"$(port_stat v1 tx retransmitted_bytes)"
is "NAKs of the flows add up to those that the port received" "$(requests v1 naks)" \
	"$(port_stat v1 rx naks)"
is "the port counts as many NAKs as the receiving rxe sends" "$(port_stat v1 rx naks)" \
	"$(hw rxe2 out_of_seq_request)"
is "the flows and rxe count no RNR NAK" "$(requests v1 rnrs) $timeouts" \
	"0 $(hw rxe1 retry_rnr_exceeded_err)"
is "the peer QPs of the request flows are the QPs of the response flows" \
	"$(ledger v1 '[.[] | select(.direction == "tx" and .kind == "requests" and .qp != 1).peer_qp] | sort')" \
	"$(ledger v1 '[.[] | select(.direction == "rx" and .kind == "responses" and .qp != 1).qp] | sort')"
is "stat --flows prints each flow in the words of a rule" \
	"$(rdmafault stat --flows v1 | grep -Ec '^v1 [tr]x src [0-9.]+ dst [0-9.]+ qp [0-9]+ flow [0-9]+ (requests|responses)')" \
	"$(ledger v1 length)"
is "stat prints no counter that is 0 in both directions" \
	"$(rdmafault stat v1 | awk 'NR > 2 && $2 == 0 && ($3 == "" || $3 == 0)')" ""
is "stat --json prints counters that are 0" \
	"$(port_stat v1 tx marked) $(port_stat v1 tx delay_queue_full)" "0 0"
is "rule show --json counts the bytes of the hit packets" "$(rdmafault --json rule show v1 |
	jq '.[0] | .hits == 2 and .bytes > 2 * 1024')" true

ok "port set accepts max-hold 200ms" rdmafault port set v1 max-hold 200ms
is "port show returns the max-hold that was set" \
	"$(rdmafault --json port show v1 | jq '.[0].max_hold_ns')" 200000000
refused "a max-hold of more than 20 s is refused" \
	"^rdmafault: max-hold 21s: invalid; 1ns to 20s, for example 5s\$" \
	rdmafault port set v1 max-hold 21s
refused "port set of an unknown word is refused" "^rdmafault: port set: unknown word \"cap\"; the settings are max-hold, hold-forwarded and name\$" \
	rdmafault port set v1 cap 1s
refused "port set of a netdev that is no port is refused" "^rdmafault: lo: not a port" \
	rdmafault port set lo max-hold 1s
refused "a delay longer than the max-hold is refused, with its value" \
	"^rdmafault: v1: delay: longer than the port's max-hold, 200ms; \"rdmafault port set v1 max-hold TIME\" changes it, up to 20s$" \
	rdmafault delay v1 tx 201ms qp 17
ok "a delay as long as the max-hold is accepted" rdmafault delay v1 tx 200ms qp 17

rdmafault rule add v1 tx all observe >/dev/null
rdmafault port add p1 >/dev/null
defer rdmafault port del p1 --force
is "stat prints the given ports in the given order" \
	"$(rdmafault --json stat p1 rxe1 | jq -r '[.[].netdev] | join(" ")')" "p1 v1"
is "stat --flows accepts several ports" \
	"$(rdmafault --json stat --flows p1 v1)" "$(rdmafault --json stat --flows v1)"
refused "stat --flows of a netdev that is no port is refused" "^rdmafault: lo: not a port" \
	rdmafault stat --flows v1 lo
is "stat --reset of several ports prints each" "$(rdmafault stat --reset v1 p1 | wc -l)" 2
ok "reset accepts one port" rdmafault reset v1
is "reset of a port deletes its rules" "$(rdmafault --json rule show v1 | jq length)" 0
ok "stat --reset accepts one port" rdmafault stat --reset v1
is "stat --reset sets the counters of a port to 0" "$(rdmafault --json stat v1 | jq '.[0] |
	[.tx, .rx] | map(.packets, .roce, .hits, .delayed) | add')" 0
ok "stat --reset accepts all ports" rdmafault stat --reset
refused "stat --flows --reset is refused" "^rdmafault: stat: --flows and --reset exclude each other$" \
	rdmafault stat --flows --reset v1
refused "stat --reset of a netdev that is no port is refused" "^rdmafault: lo: not a port" \
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
is "control: link, priorities and ECN of the port are configured" \
	"$(settings)" "1000000000 true true"
rdmafault reset v1
is "reset restores the defaults of link, priorities and ECN" "$(settings)" "$new"
refused "stat --flows of a netdev that is no port is refused" "^rdmafault: lo: not a port" \
	rdmafault stat --flows lo
