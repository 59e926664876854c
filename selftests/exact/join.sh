#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test rules that join a job of one minute, whose netdevs were no ports before. The rules hit
# the packets that they name, and the job ends with right results after "port del" under its
# traffic. The test runs in virtual time, in which the job's pauses take no time.
#
#   rxe1 - v1 - p1 - bridge - p2 - v2 - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

virtual_only

STEPS=600
log=$(mktemp)
defer rm "$log"

sent()
{
	cat /sys/class/net/v1/statistics/tx_packets
}

has_sent()
{
	[ "$(sent)" -gt "$1" ]
}

seconds()
{
	cut -d. -f1 /proc/uptime
}

has_hits()
{
	[ "$(rule_stat v1 "$1" hits)" = 1 ]
}

fabric 2
errors=$(hw rxe1 send_err)
gaps=$(hw rxe2 out_of_seq_request)
begin=$(seconds)
collperf all_reduce --device rxe1,rxe2 --algo ring -b 64K -n $STEPS -w 0 -z 1 -c $STEPS \
	--compute 100ms --place out --timeout 17 >"$log" 2>&1 &
job=$!
ok "the job sends" wait_until 60 has_sent $(($(sent) + 2000))
is "its netdevs are no ports" "$(rdmafault --json port show | jq length)" 0
ok "rdmafault drop succeeds for the device of a job that runs" \
	rdmafault drop rxe1 tx class write psn +20 attempt 1
ok "a second rule can be added" rdmafault drop rxe1 tx class write psn +60 attempt 1
ok "the packet with psn +20 is hit" wait_until 60 has_hits 1
ok "the packet with psn +60 is hit" wait_until 60 has_hits 2
is "no other packet is dropped" "$(port_stat v1 tx dropped)" 2
is "the port has no queues" "$(rdmafault --json port show v1 | jq '.[0].queues')" false
ok "port del succeeds under traffic" rdmafault port del rxe1
is "no port is left" "$(rdmafault --json port show | jq length)" 0
wait "$job"
is "the job ends with right results" $? 0
ok "the job took a minute" [ $(($(seconds) - begin)) -ge 60 ]
is "the receiver found two gaps" "$(($(hw rxe2 out_of_seq_request) - gaps))" 2
is "rxe counts no local error" "$(hw rxe1 send_err)" "$errors"
is "the netdev has its root qdisc as before" "$(tc qdisc show dev v1 root | awk '{ print $2 }')" noqueue
