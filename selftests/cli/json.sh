#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything that prints, prints JSON under --json, wherever the option stands,
# and text and JSON tell the same.
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

# parses WORDS FILTER ARGUMENT...: the filter must be true of what is printed
parses()
{
	ok "$1" prints "${@:2}"
}

for place in "--json port show" "port --json show" "port show --json"; do
	# shellcheck disable=SC2086
	parses "$place" 'length == 2 and .[0].netdev == "v1"' $place
done
parses "port show DEV" '.[0].rdma == "rxe2"' --json port show rxe2
parses "rule show" '.[1].match.class == ["send", "write"]' --json rule show
parses "rule add" '.id > 0 and .direction == "rx"' \
	--json rule add v1 rx all observe
parses "drop" '.rule == "qp 5 persist drop"' --json drop v1 rx qp 5
parses "rule show: every field" '.[0] |
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
parses "rule show: misses" '.[0].missed |
	keys == ["chance", "count", "once", "order", "window"]' --json rule show v1
is "a seed is told to the last digit" \
	"$(rdmafault --json rule show v1 | grep -o '"seed":1844[0-9]*')" \
	'"seed":18446744073709551615'
parses "rule help" '.actions | any(.word == "corrupt" and (.words | any(.word == "at")))' \
	--json rule help
parses "stat" 'all(.tx.packets >= 0 and .rdma_counters.send_err == 0)' --json stat
parses "fabric show" '.nodes == 2 and (.node | length) == 2 and .node[0].port' \
	--json fabric show
parses "help" 'any(.usage | startswith("rule add"))' --json help
parses "version" '.version | type == "string"' --json version
is "an empty list is a list" '[]' \
	"$(rdmafault reset; rdmafault --json rule show | jq -c .)"

write_bw 2 1 -n 5 -s 65536 >/dev/null
text=$(rdmafault stat v1 | awk '$1 == "packets" {print $2, $3}')
json=$(rdmafault --json stat v1 | jq -r '.[0] | "\(.tx.packets) \(.rx.packets)"')
is "text and JSON tell the same" "$text" "$json"
is "rxe's counters are its own" "$(hw rxe1 sent_pkts)" \
	"$(rdmafault --json stat v1 | jq '.[0].rdma_counters.sent_pkts')"

is "a lease's end is JSON" '{"note":"v1 rule 5: matched 0, hits 0"}' \
	"$(rdmafault --json drop v1 tx qp 17 -- true 2>&1)"
