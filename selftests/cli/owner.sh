#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test rules for the queue pairs of an owner: a command name (comm), a process (pid) or
# an RDMA device (owner-dev). The expected QP numbers come from rdma(8) of iproute2.
#
#	ib_write_bw (client) rxe1 v1 ---- v2 rxe2 ib_write_bw (server)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

# res DEVICE KEY: prints this field of all RC queue pairs of the device, as rdma(8) shows
# them
res()
{
	rdma -j resource show qp | jq -r --arg dev "$1" --arg key "$2" \
		'[.[] | select(.ifname == $dev and .type == "RC")[$key]] | sort | map(tostring) | join(",")'
}

# qps ARGUMENT...: add a rule by rdmafault with these arguments; prints the QP numbers in the
# rule
qps()
{
	rdmafault --json "$@" | jq -r .rule | sed -n 's/.*qp \([0-9,]*\).*/\1/p'
}

fabric 2
ports v1 v2
refused "drop comm is refused while the command has no queue pairs" \
	'^rdmafault: comm ib_write_bw: no queue pairs on rxe1; to wait for connected queue pairs, use "rule add ... -- COMMAND" or "rule add ... --follow"$' \
	rdmafault drop v1 tx comm ib_write_bw
refused "--follow without an owner is refused" \
	'^rdmafault: --follow: the rule has no owner; add comm NAME, pid N or owner-dev DEV$' \
	rdmafault drop v1 tx qp 17 --follow
refused "--follow with a command after -- is refused" \
	'^rdmafault: --follow: cannot be combined with -- COMMAND$' \
	rdmafault drop v1 tx comm ib_write_bw --follow -- true
refused "--follow on a netdev that is not Ethernet is refused" '^rdmafault: lo: .*Ethernet' \
	timeout 20 rdmafault drop lo tx owner-dev rxe1 --follow
refused "--follow with a rule that the module refuses is refused" '^rdmafault: v1: nth: ' \
	timeout 20 rdmafault drop v1 tx comm ib_write_bw nth 1 after 5 --follow
refused "--follow with an unknown owner-dev is refused" '^rdmafault: owner-dev rxe9: No such device; ' \
	timeout 20 rdmafault drop v1 tx owner-dev rxe9 --follow
is "refused rules with an owner add no rule" "$(rdmafault --json rule show | jq length)" 0

tmp=$(mktemp -d)
defer rm -r "$tmp"

# follow FILE RULE-WORD...: run "observe RULE-WORD... --follow" in the background, with its
# output in $tmp/FILE; sets $follow to its process
follow()
{
	rdmafault observe v1 tx "${@:2}" --follow >"$tmp/$1" 2>&1 &
	follow=$!
	defer kill "$follow"
}

# listens: succeeds if the monitor has enabled its tracepoint
listens()
{
	grep -q 1 "/sys/kernel/tracing/instances/rdmafault-monitor-$monitor/events/rdmafault/rf_rule/enable"
}

follow none comm other
other=$follow
follow follow comm ib_write_bw
rdmafault monitor v1 rule >"$tmp/monitor" 2>&1 &
monitor=$!
defer kill $monitor
wait_until "$soon" listens

timeout 900 ib_write_bw -d rxe2 -x 1 -p 18515 -u 20 -q 2 -D 600 >/dev/null 2>&1 &
server=$!
defer kill $server
wait_until "$soon" grep -q ":4853 0*:0000 0A" /proc/net/tcp /proc/net/tcp6
timeout 900 ib_write_bw -d rxe1 -x 1 -p 18515 -u 20 -q 2 -D 600 127.0.0.1 >/dev/null 2>&1 &
client=$!
defer kill $client
ok "two queue pairs are connected" wait_until 20 sh -c \
	'test "$(rdma -j resource show qp | jq "[.[] | select(.ifname == \"rxe1\" and .state == \"RTS\" and .type == \"RC\")] | length")" = 2'
# The stopped programs keep their queue pairs and use no processor time.
pid=$(pgrep -P $client)
kill -STOP "$pid" "$(pgrep -P $server)"
own=$(res rxe1 lqpn)
peers=$(res rxe1 rqpn)

# followed: prints the queue pairs of all rules added by --follow
followed()
{
	rdmafault --json rule show v1 | jq -r \
		'[.[] | select(.looked_up and .persist == false) | .match.qp[]] | sort | map(tostring) | join(",")'
}

follows_all()
{
	[ "$(followed)" = "$peers" ]
}

# printed FILE PREFIX: prints the queue pairs in the lines "PREFIX rule N: qp N,N observe" of
# FILE; PREFIX is a regular expression
printed()
{
	sed -n "s/$2.* rule [0-9]*.*: qp \\([0-9,]*\\) observe\$/\\1/p" "$tmp/$1" |
		tr , '\n' | sort -n | paste -sd,
}

ok "--follow adds rules for queue pairs that were created later" \
	wait_until 20 follows_all
is "--follow prints each queue pair once" "$(printed follow '^rdmafault: v1 tx')" "$peers"
is "monitor prints the rules of --follow as events" \
	"$(wait_until 20 test -s "$tmp/monitor"; printed monitor '^[0-9.]* v1 tx')" "$peers"
ok "rule show says that a rule of --follow misses earlier packets" grep -q \
	'queue pairs looked up when the rule was added: it misses earlier packets$' \
	<<<"$(rdmafault rule show v1)"
kill -INT $other
wait $other
is "control: --follow of a command without queue pairs adds no rule" "$? $(cat "$tmp/none")" \
	"0 rdmafault: v1: no rule was added, because no queue pairs were found"
is "comm on tx of its device selects the peers' QP numbers" \
	"$(qps observe v1 tx comm ib_write_bw)" "$peers"
is "comm on rx of its device selects its own QP numbers" \
	"$(qps observe v1 rx comm ib_write_bw)" "$own"
is "pid on tx selects the peers' QP numbers" "$(qps observe v1 tx pid "$pid")" "$peers"
is "owner-dev on tx selects the peers' QP numbers" "$(qps observe v1 tx owner-dev rxe1)" "$peers"
is "comm, pid and owner-dev together select the peers' QP numbers" \
	"$(qps observe v1 tx comm ib_write_bw pid "$pid" owner-dev rxe1)" "$peers"
is "owner-dev on a port of another device selects the QP numbers of both ends" \
	"$(qps observe v2 rx owner-dev rxe1 | tr , ' ' | xargs -n1 | sort -u | xargs)" \
	"$(echo "$own,$peers" | tr , ' ' | xargs -n1 | sort -u | xargs)"

before=$(rdmafault --json port show v1 | jq '.[0].generation')
refused "drop comm of a command without queue pairs is refused" \
	"^rdmafault: comm other: .*rxe1" \
	rdmafault drop v1 tx comm other
refused "drop pid of a process without queue pairs is refused" \
	"^rdmafault: pid 1: .*rxe1" \
	rdmafault drop v1 tx pid 1
refused "drop comm with a pid of another command is refused" \
	"^rdmafault: comm ib_write_bw pid 1: .*rxe1" \
	rdmafault drop v1 tx pid 1 comm ib_write_bw
refused "drop owner-dev of an unknown device is refused" \
	"^rdmafault: owner-dev rxe9: No such device; " \
	rdmafault drop v1 tx owner-dev rxe9
refused "drop with qp and comm is refused" "^rdmafault: qp: " \
	rdmafault drop v1 tx qp 17 comm ib_write_bw
refused "rule replace with a command without queue pairs is refused" \
	"^rdmafault: comm other: .*rxe1" \
	sh -c "echo comm other drop | rdmafault rule replace v1 tx -"
is "refused rules with an owner change no rule" \
	"$(rdmafault --json port show v1 | jq '.[0].generation')" "$before"

kill -CONT "$pid" "$(pgrep -P $server)"
ok "rules with an owner hit the packets of the command" wait_until 20 sh -c \
	'test "$(rdmafault --json rule show v1 | jq "[.[] | select(.direction == \"tx\" and .hits > 0)] | length")" -ge 1'

# Succeeds if a rule added by --follow has hit a packet of the running ib_write_bw.
follows_hits()
{
	rdmafault --json rule show v1 | jq -e \
		'[.[] | select(.looked_up and .persist == false) | .hits > 0] | any'
}

ok "rules of --follow hit the packets of the command" wait_until 20 follows_hits
kill -INT $follow
wait $follow
is "a signal ends --follow with status 0" $? 0
is "the rules of --follow end with it" "$(followed)" ""
ok "--follow prints the counters of its rules at its end" grep -Eq \
	"^rdmafault: v1 rule [0-9]+: matched [1-9][0-9]*, hits [1-9]" "$tmp/follow"
is "observe comm -- COMMAND exits with the status of the command" \
	"$(rdmafault observe v1 tx comm ib_write_bw -- sh -c 'exit 7' 2>"$tmp/command"; echo $?)" 7
is "observe comm -- COMMAND prints its rules" "$(printed command '^rdmafault: v1 tx')" "$peers"
