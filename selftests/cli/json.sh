#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that every command that prints something prints JSON with --json, wherever
# --json stands in the command line, and that text and JSON have the same values.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1 v2
rdmafault rule add v1 tx src 10.0.0.1 dst 10.0.0.0/8 ecn ce,ect0 priority 3,0 \
	from 1.5s for 1ms probability 1e-9 correlation 25% seed 18446744073709551615 \
	key 7 expires 3600s delay 10ms jitter 2ms keep-order mark ce >/dev/null
rdmafault drop v1 tx qp 17 class write,send >/dev/null

prints()
{
	local filter=$1 out

	shift
	out=$(rdmafault "$@") && [ -n "$out" ] && jq -e "$filter" <<<"$out"
}

# parses TITLE FILTER ARGUMENT...: run the test TITLE: rdmafault with these arguments must
# print JSON for which the jq FILTER is true
parses()
{
	ok "JSON of $1" prints "${@:2}"
}

for place in "--json port show" "port --json show" "port show --json"; do
	# shellcheck disable=SC2086
	parses "$place: the option is accepted in this place" \
		'length == 2 and .[0].netdev == "v1"' $place
done
parses "port show DEV: the port of an RDMA device" '.[0].rdma == "rxe2"' --json port show rxe2
parses "rule show: the classes of a rule are a list" \
	'.[1].match.class == ["send", "write"]' --json rule show
parses "rule add: the number and direction of the rule" '.id > 0 and .direction == "rx"' \
	--json rule add v1 rx all observe
parses "drop: the rule in words" '.rule == "qp 5 persist drop"' --json drop v1 rx qp 5
parses "rule show: the fields of match and actions" '.[0] |
	(.actions | map(.type)) == ["delay", "mark"] and
	.actions[0].flags == ["keep-order"] and .actions[1].ecn == "ce" and
	.match.ecn == ["ect0", "ce"] and .match.priority == [0, 3] and
	.match.saddr == "10.0.0.1" and .match.daddr == "10.0.0.0" and
	.match.daddr_prefix == 8 and .key == 7' --json rule show v1
parses "rule show: times are in ns" '.[0] |
	[.trigger.from_ns, .trigger.for_ns, .actions[0].delay_ns,
	 .actions[0].jitter_ns] == [1500000000, 1000000, 10000000, 2000000] and
	.expires_ns > 0 and .expires_ns < 3600000000000' --json rule show v1
parses "rule show: probabilities are fractions" '.[0].trigger |
	.probability == 1e-9 and .correlation == 0.25' --json rule show v1
parses "rule show: misses by cause" '.[0].missed |
	keys == ["chance", "count", "once", "order", "window"]' --json rule show v1
is "JSON of rule show: a seed of 64 bits is exact" \
	"$(rdmafault --json rule show v1 | grep -o '"seed":1844[0-9]*')" \
	'"seed":18446744073709551615'
parses "rule help: the actions and their words" \
	'.actions | any(.word == "corrupt" and (.words | any(.word == "at")))' \
	--json rule help
parses "stat: counters of ports and RDMA devices" \
	'all(.tx.packets >= 0 and .rdma_counters.send_err == 0)' --json stat
parses "fabric show: the number and list of nodes" \
	'.nodes == 2 and (.node | length) == 2 and .node[0].port' \
	--json fabric show
parses "help: the list of commands" 'any(.command == "rule")' --json help
parses "version: the version is a string" '.version | type == "string"' --json version
is "JSON of rule show without rules is an empty list" '[]' \
	"$(rdmafault -q reset; rdmafault --json rule show | jq -c .)"

write_bw 2 1 -n 5 -s 65536 >/dev/null
text=$(rdmafault stat v1 | awk '$1 == "packets" {print $2, $3}')
json=$(rdmafault --json stat v1 | jq -r '.[0] | "\(.tx.packets) \(.rx.packets)"')
is "stat prints the same packet counters in text and JSON" "$text" "$json"
is "JSON of stat has the counters of the RDMA device" "$(hw rxe1 sent_pkts)" \
	"$(rdmafault --json stat v1 | jq '.[0].rdma_counters.sent_pkts')"

is "the end of a lease prints a JSON object with --json" '{"note":"v1 rule 5: matched 0, hits 0"}' \
	"$(rdmafault --json drop v1 tx qp 17 -- true 2>&1)"
