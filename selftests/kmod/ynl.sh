#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the kernel's own netlink tool, tools/net/ynl/cli.py, can use the netlink family with
# only its specification. cli.py is part of the kernel's source; scripts/check unpacks it into
# build/linux if it finds the source package.
#
#   sendframe - t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

ynl=$selftests/../build/linux/tools/net/ynl/cli.py
need_python
[ -e "$ynl" ] ||
	skip_all "no ynl: scripts/check unpacks it from linux-source-6.12"
veth_pair t1 t2
veth_port t1
port=$(cat /sys/class/net/t1/ifindex)

ynl()
{
	PYTHONPATH=$selftests/lib/fastyaml \
		python3 "$ynl" --no-schema --spec "$spec" --output-json "$@"
}

# says TEXT REGEX: print TEXT; succeeds if TEXT matches REGEX
says()
{
	echo "$1"
	grep -q -- "$2" <<<"$1"
}

rule_made_ok()
{
	local id

	id=$(ynl --do rule-new --json '{
		"ifindex": '"$port"', "direction": "tx", "rule": {
			"flags": ["persist"], "seed": 5,
			"match": { "qp": [7, 8], "psn": 2, "psn-max": 3,
				   "class": ["write"], "saddr": "c0000201" },
			"trigger": { "count": 2 },
			"action": [ { "type": "observe" }, { "type": "drop" } ] } }' |
		jq '.id[0]')
	is "ynl rule-new adds a rule and returns its number" "$id" 1
	for psn in 1 2 3 4; do roce4 7 7 $psn; done | sendframe t1
	is "the rule that ynl added drops two packets" \
		"$(rule_stat t1 "$id" hits) $(port_stat t1 tx dropped)" "2 2"
}

shown_ok()
{
	is "ynl dumps rules with names instead of numbers" \
		"$(ynl --dump rule-get --json '{"ifindex": '"$port"'}' |
			jq -c '.[0].rule[0] | [.direction, .flags, .match.class,
				.match.qp, .match.saddr, .hits, [.action[].type]]')" \
		'["tx",["persist"],["write"],[7,8],"c0000201",2,["observe","drop"]]'
	is "ynl dumps flows" \
		"$(ynl --dump flow-get | jq -c '.[0].flow | [.qp, .packets]')" \
		"[7,4]"
}

refused_ok()
{
	local said words="ynl rule-new with a PSN out of range"

	said=$(ynl --do rule-new --json '{
		"ifindex": '"$port"', "direction": "tx", "rule": {
			"match": { "qp": 7, "psn": 16777216 },
			"action": { "type": "drop" } } }' 2>&1)
	ok "$words: the error names the attribute" says "$said" "bad-attr.*rule\.match\.psn"
	ok "$words: the error has the maximum" says "$said" "max.*16777215"
}

# port_now: prints the current values of those fields of the port that the requests of this test
# change
port_now()
{
	ynl --do port-get --json '{"ifindex": '"$port"'}' |
		jq -c '[.ifname, .step, .messages, ."max-hold", .tx.rules, .tx.hits]'
}

several_requests_ok()
{
	ok "ynl sends step-set and port-set in one batch" ynl \
		--multi step-set '{"ifindex": '"$port"', "step": 3, "messages": 6}' \
		--multi port-set '{"ifindex": '"$port"', "max-hold": 7000000000}'
	is "step-set and port-set of ynl change the port" "$(port_now)" \
		'["t1",3,6,7000000000,1,2]'
	ok "ynl sends stats-reset and reset in one batch" ynl \
		--multi stats-reset '{"ifindex": '"$port"'}' \
		--multi reset '{"ifindex": '"$port"'}'
	is "reset of ynl restores the defaults of the port" "$(port_now)" \
		'["t1",0,0,5000000000,0,0]'
}

# queue FILTER: prints the reply to queue-get, filtered by jq
queue()
{
	ynl --do queue-get --json '{"ifindex": '"$port"'}' | jq -c "$1"
}

queues_ok()
{
	ok "ynl sends queue-set" ynl --do queue-set --json '{
		"ifindex": '"$port"', "link": { "rate": 100000000, "delay": 5000 },
		"prio": { "prio": 3, "tsa": "ets", "weight": 9,
			  "ecn": { "enabled": 1, "kmin": 1000, "kmax": 2000 } },
		"dscp-prio": { "dscp": 26, "prio": 5 },
		"watchdog": { "prios": 8, "action": "forward" } }'
	is "queue-get of ynl returns the values of queue-set" \
		"$(queue '[.link.rate, .link.delay, .prio[3].tsa, .prio[3].ecn.kmax,
			."dscp-prio"[26].prio, .watchdog.prios, .watchdog.action]')" \
		'[100000000,5000,"ets",2000,5,8,"forward"]'
	is "a dump of queue-get by ynl returns the values of queue-set" \
		"$(ynl --dump queue-get | jq -c '.[0] | [.ifname, .prio[3].weight]')" \
		'["t1",9]'
}

storms_ok()
{
	local said

	ok "ynl sends storm-start and pause-send in one batch" ynl \
		--multi storm-start '{"ifindex": '"$port"', "storm":
			{ "prios": 129, "flags": ["forever", "persist"], "quanta": 500 } }' \
		--multi pause-send '{"ifindex": '"$port"', "pause":
			{ "prios": 6, "quanta": 7 } }'
	is "storm-start and pause-send of ynl start two storms and send one frame" \
		"$(queue '[.prio[0, 7].storm | .running, .quanta, (.flags | sort)],
			.prio[1].stats."xoff-tx", .prio[1].storm, .pause.sent' | xargs)" \
		"[1,500,[forever,persist],1,500,[forever,persist]] 1 null 1"
	is "queue-get of ynl returns all 32 buckets of both histograms" \
		"$(queue '[.prio[7].storm | .interval, .gap | length]')" \
		'[32,32]'
	ok "ynl sends storm-stop" ynl --do storm-stop --json '{"ifindex": '"$port"'}'
	is "storm-stop of ynl stops all storms" \
		"$(queue '[.prio[].storm | select(.running == 1)]')" '[]'
	said=$(ynl --do storm-start --json '{"ifindex": '"$port"',
		"storm": { "prios": 1 } }' 2>&1)
	ok "storm-start of ynl without a duration is refused" says "$said" "duration: missing"
	said=$(ynl --do storm-start --json '{"ifindex": '"$port"',
		"storm": { "prios": 256, "duration": 1 } }' 2>&1)
	ok "storm-start of ynl for priority 8 is refused; the error names the attribute" \
		says "$said" "bad-attr.*storm\.prios"
	is "no storm runs after a refused storm-start" \
		"$(queue '[.prio[].storm | select(.running == 1)]')" '[]'
}

rule_made_ok
shown_ok
refused_ok
several_requests_ok
queues_ok
storms_ok
