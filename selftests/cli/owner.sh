#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rules for the queue pairs of somebody: a command, a process, a device. Which
# those are is asked of iproute2's rdma(8).
#
#	ib_write_bw (client) rxe1 v1 ---- v2 rxe2 ib_write_bw (server)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

# res DEVICE KEY: of the queue pairs that programs have there
res()
{
	rdma -j resource show qp | jq -r --arg dev "$1" --arg key "$2" \
		'[.[] | select(.ifname == $dev and .type == "RC")[$key]] | sort | map(tostring) | join(",")'
}

# qps ARGUMENT...: of the rule that is made
qps()
{
	rdmafault --json "$@" | jq -r .rule | sed -n 's/.*qp \([0-9,]*\).*/\1/p'
}

fabric 2
ports v1 v2
refused "nobody has queue pairs yet" \
	"^rdmafault: comm ib_write_bw: .*rxe1" \
	rdmafault drop v1 tx comm ib_write_bw

timeout 120 ib_write_bw -d rxe2 -x 1 -p 18515 -q 2 -D 60 >/dev/null 2>&1 &
server=$!
defer kill $server
wait_until "$soon" grep -q ":4853 0*:0000 0A" /proc/net/tcp /proc/net/tcp6
timeout 120 ib_write_bw -d rxe1 -x 1 -p 18515 -q 2 -D 60 127.0.0.1 >/dev/null 2>&1 &
client=$!
defer kill $client
ok "two queue pairs are connected" wait_until 20 sh -c \
	'test "$(rdma -j resource show qp | jq "[.[] | select(.ifname == \"rxe1\" and .state == \"RTS\" and .type == \"RC\")] | length")" = 2'
# They keep what they have, and leave the processor to us.
pid=$(pgrep -P $client)
kill -STOP "$pid" "$(pgrep -P $server)"
own=$(res rxe1 lqpn)
peers=$(res rxe1 rqpn)

is "tx is for those that a command is connected to" \
	"$(qps watch v1 tx comm ib_write_bw)" "$peers"
is "rx is for its own" "$(qps watch v1 rx comm ib_write_bw)" "$own"
is "a process has the same" "$(qps watch v1 tx pid "$pid")" "$peers"
is "a device has the same" "$(qps watch v1 tx owner-dev rxe1)" "$peers"
is "all three have" \
	"$(qps watch v1 tx comm ib_write_bw pid "$pid" owner-dev rxe1)" "$peers"
is "elsewhere on the path, both ends' numbers are meant" \
	"$(qps watch v2 rx owner-dev rxe1 | tr , ' ' | xargs -n1 | sort -u | xargs)" \
	"$(echo "$own,$peers" | tr , ' ' | xargs -n1 | sort -u | xargs)"

before=$(rdmafault --json port show v1 | jq '.[0].generation')
refused "a command that has none" \
	"^rdmafault: comm nobody: .*rxe1" \
	rdmafault drop v1 tx comm nobody
refused "a process that has none" \
	"^rdmafault: pid 1: .*rxe1" \
	rdmafault drop v1 tx pid 1
refused "a command and another's process" \
	"^rdmafault: comm ib_write_bw pid 1: .*rxe1" \
	rdmafault drop v1 tx pid 1 comm ib_write_bw
refused "a device that isn't there" \
	"^rdmafault: owner-dev: .*rxe9" \
	rdmafault drop v1 tx owner-dev rxe9
refused "an owner and a number" "^rdmafault: qp: " \
	rdmafault drop v1 tx qp 17 comm ib_write_bw
refused "an owner in a file" \
	"^rdmafault: comm nobody: .*rxe1" \
	sh -c "echo comm nobody drop | rdmafault rule replace v1 tx -"
is "and nothing has changed" \
	"$(rdmafault --json port show v1 | jq '.[0].generation')" "$before"

kill -CONT "$pid" "$(pgrep -P $server)"
ok "a rule sees their packets" wait_until 20 sh -c \
	'test "$(rdmafault --json rule show v1 | jq "[.[] | select(.direction == \"tx\" and .hits > 0)] | length")" -ge 1'
