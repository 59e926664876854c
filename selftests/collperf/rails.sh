#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test ranks with two rails. Both rails carry the same number of messages. With --failover, a job
# continues on the other rail after one of its links stays silent. The failure begins with the
# first, a middle or the last packet of a message, with an ACK, or with the response of a READ, at
# a random port and message. FAULT_RUNS is the number of failures (default 5), FAULT_SEED their
# seed (default 1).
#
#   rank 0: rxe1 rxe2    rank 1: rxe3 rxe4    rank 2: rxe5 rxe6    (rail 1, rail 2)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 6
ports v1 v2 v3 v4 v5 v6

seed=${FAULT_SEED:-1} runs=${FAULT_RUNS:-5}
echo "# seed $seed: FAULT_SEED=$seed FAULT_RUNS=$runs repeats it"
tmp=$(mktemp -d)
defer rm -r "$tmp"
# 16 messages of 32 KiB per rank and step, 8 on each rail
job=(all_reduce -N 3 --rails 2 --algo ring -b 384K --chunk 32K -n 5 -w 0 -z 1
	--timeout 15 --retry-cnt 1 --timeline "$tmp/timeline")

# work OPTION...: run the job; its status is that of the job
work()
{
	collperf "${job[@]}" "$@" >"$tmp/out" 2>"$tmp/err"
}

no_rules()
{
	local i

	for i in 1 2 3 4 5 6; do
		rdmafault rule flush v$i >/dev/null
	done
}

# value KEY: prints a value of the line "failover"
value()
{
	jq -r "select(.type == \"failover\").$1" "$tmp/timeline"
}

# between LEAST MOST VALUE
between()
{
	[ -n "$3" ] && [ "$3" -ge "$1" ] && [ "$3" -le "$2" ]
}

# silent PORT WORD...: from the first packet that matches WORD... on, no packet passes the port. A
# job after it must end within 20 s.
silent()
{
	local port=$1

	shift
	rdmafault rule add "$port" tx "$@" count 1 blackhole 20s both persist >/dev/null
}

for protocol in write send read; do
	sent=("$(hw rxe1 sent_pkts)" "$(hw rxe2 sent_pkts)")
	ok "--protocol $protocol: a job with two rails succeeds" work --timeout 18 --protocol $protocol
	first=$(($(hw rxe1 sent_pkts) - sent[0])) second=$(($(hw rxe2 sent_pkts) - sent[1]))
	# The credits of "read" are on rail 1.
	ok "--protocol $protocol: both rails have the same load" between \
		$((second * 9 / 10)) $((second * 11 / 10)) $first
done
is "no queue pair connects two rails" "$(jq -es '[.[] | select(.type == "qp") |
	select((.device[3:4] | tonumber) % 2 != .rail % 2 or
	((.addr | split("."))[3] | tonumber) % 2 != ((.peer_addr | split("."))[3] | tonumber) % 2)] |
	length' "$tmp/timeline")" 0

rdmafault drop v4 tx class write step 3 nth 1 count 1 persist >/dev/null
ok "a packet of step 3 is dropped on rail 2, and the job succeeds" work
is "the rule of rail 2 has one hit" "$(rule_stat v4 1 hits)" 1
no_rules

# Positions of a packet, as words of a rule; one of the first 6 of 8 messages
points=("class write position first" "class write position middle" "class write position last"
	"class ack" "class read-response")
RANDOM=$seed
for ((i = 0; i < runs; i++)); do
	point=${points[i % 5]} port=$((RANDOM % 6 + 1)) nth=$((RANDOM % 6 + 1)) options=()
	[ "$point" != "class read-response" ] || options=(--protocol read)
	rail=$(((port - 1) % 2 + 1))
	what="v$port silent from $point, number $nth, on"
	# shellcheck disable=SC2086 # words of a rule
	silent v$port $point step 3 nth $nth
	ok "$what: the job succeeds" work --failover "${options[@]}"
	ok "$what: no result is wrong" grep -q 'Out of bounds values : 0 OK' "$tmp/out"
	is "$what: the rail of the port failed" "$(value rail)" $rail
	ok "$what: step 3 or 4 was repeated" between 3 4 "$(value step)"
	ok "$what: the failover time contains a retransmission timer" between \
		130000000 20000000000 "$(value time_ns)"
	# Three ranks send 4/3 of 384 KiB each.
	ok "$what: at most one collective was repeated" between \
		1 $((1536 << 10)) "$(value repeated_bytes)"
	is "$what: all ranks complete 5 steps" "$(jq -s '[.[] | select(.type == "step" and
		.broken != true)] | length' "$tmp/timeline")" 15
	no_rules
done

silent v3 class write step 3
work
is "without --failover, the job fails" $? 3
ok "without --failover, the error names the device" grep -q 'failed first: .* rxe[1-6] QP' "$tmp/err"
no_rules
silent v3 class write step 3
work --failover --deadline 100ms
is "with a deadline shorter than the retries, the job fails" $? 3

no_rules
silent v3 class write step 3
silent v6 class write step 3
work --failover
is "if both rails fail, the job fails" $? 3
ok "if both rails fail, the error has both reasons" grep -Eq \
	'no rail is left; rail 1: rank [0-2]: .*rxe[135] QP.*; rail 2: rank [0-2]: .*rxe[246] QP' "$tmp/err"
is "if both rails fail, the line \"failover\" has no failover time" "$(value time_ns)" null
ok "no queue pair is left" eval '! rdma resource show qp | grep -q collperf'
