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
refused "no queue pairs yet" \
	'^rdmafault: comm ib_write_bw: no queue pairs on rxe1; "rule add" with -- COMMAND or --follow waits for them$' \
	rdmafault drop v1 tx comm ib_write_bw
refused "--follow without an owner" \
	'^rdmafault: --follow: want comm, pid or owner-dev in the rule, got none$' \
	rdmafault drop v1 tx qp 17 --follow
refused "--follow and a command" \
	'^rdmafault: --follow: want it or -- COMMAND, got both$' \
	rdmafault drop v1 tx comm ib_write_bw --follow -- true
refused "--follow of a netdev that is no port" '^rdmafault: p1: is no port: ' \
	timeout 20 rdmafault drop p1 tx owner-dev rxe1 --follow
refused "--follow of a rule that the module would refuse" '^rdmafault: v1: nth: ' \
	timeout 20 rdmafault drop v1 tx comm ib_write_bw nth 1 after 5 --follow
refused "--follow of a device that isn't there" '^rdmafault: owner-dev: .*rxe9' \
	timeout 20 rdmafault drop v1 tx owner-dev rxe9 --follow
is "nothing was added" "$(rdmafault --json rule show | jq length)" 0

tmp=$(mktemp -d)
defer rm -r "$tmp"

# follow NAME WORD...: a rule that follows, in the background; $follow is its process
follow()
{
	rdmafault observe v1 tx "${@:2}" --follow >"$tmp/$1" 2>&1 &
	follow=$!
	defer kill "$follow"
}

# listens: has the monitor switched its tracepoint on?
listens()
{
	grep -q 1 "/sys/kernel/tracing/instances/rdmafault-monitor-$monitor/events/rdmafault/rf_rule/enable"
}

follow none comm nobody
nobody=$follow
follow follow comm ib_write_bw
rdmafault monitor v1 rule >"$tmp/monitor" 2>&1 &
monitor=$!
defer kill $monitor
wait_until "$soon" listens

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

# followed: queue pairs of rules that follow
followed()
{
	rdmafault --json rule show v1 | jq -r \
		'[.[] | select(.looked_up and .persist == false) | .match.qp[]] | sort | map(tostring) | join(",")'
}

follows_all()
{
	[ "$(followed)" = "$peers" ]
}

# The same from what is printed: each rule once, "rule N: qp N,N observe"
printed()
{
	sed -n "s/$2.* rule [0-9]*.*: qp \\([0-9,]*\\) observe\$/\\1/p" "$tmp/$1" |
		tr , '\n' | sort -n | paste -sd,
}

ok "--follow adds rules for queue pairs that were created later" \
	wait_until 20 follows_all
is "it prints each once" "$(printed follow '^rdmafault: v1 tx')" "$peers"
is "monitor prints the same as events" \
	"$(wait_until 20 test -s "$tmp/monitor"; printed monitor '^[0-9.]* v1 tx')" "$peers"
ok "rule show says what such a rule misses" grep -q \
	'queue pairs looked up when the rule was added: it misses earlier packets$' \
	<<<"$(rdmafault rule show v1)"
kill -INT $nobody
wait $nobody
is "control: for another command no rule was added" "$? $(cat "$tmp/none")" \
	"0 rdmafault: v1: no queue pairs found, no rule added"
is "tx is for those that a command is connected to" \
	"$(qps observe v1 tx comm ib_write_bw)" "$peers"
is "rx is for its own" "$(qps observe v1 rx comm ib_write_bw)" "$own"
is "a process has the same" "$(qps observe v1 tx pid "$pid")" "$peers"
is "a device has the same" "$(qps observe v1 tx owner-dev rxe1)" "$peers"
is "all three have" \
	"$(qps observe v1 tx comm ib_write_bw pid "$pid" owner-dev rxe1)" "$peers"
is "elsewhere on the path, both ends' numbers are meant" \
	"$(qps observe v2 rx owner-dev rxe1 | tr , ' ' | xargs -n1 | sort -u | xargs)" \
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

# The rules that follow see the packets of a write that goes on, and end with the tool
follows_hits()
{
	rdmafault --json rule show v1 | jq -e \
		'[.[] | select(.looked_up and .persist == false) | .hits > 0] | any'
}

ok "rules that follow see them, too" wait_until 20 follows_hits
kill -INT $follow
wait $follow
is "a signal ends --follow with status 0" $? 0
is "its rules are gone" "$(followed)" ""
ok "it prints their counters" grep -Eq \
	"^rdmafault: v1 rule [0-9]+: matched [1-9][0-9]*, hits [1-9]" "$tmp/follow"
is "a command: its status" \
	"$(rdmafault observe v1 tx comm ib_write_bw -- sh -c 'exit 7' 2>"$tmp/command"; echo $?)" 7
is "and the same rules" "$(printed command '^rdmafault: v1 tx')" "$peers"
