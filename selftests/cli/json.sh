#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything that prints, prints JSON under --json, wherever the option stands,
# and text and JSON tell the same.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1 v2
rdmafault drop v1 tx qp 17 class write,send >/dev/null

# parses WORDS FILTER ARGUMENT...: the filter must be true of what is printed
parses()
{
	local words=$1 filter=$2

	shift 2
	ok "$words" sh -c 'filter=$1; shift; rdmafault "$@" | jq -e "$filter"' - \
		"$filter" "$@"
}

for place in "--json port show" "port --json show" "port show --json"; do
	# shellcheck disable=SC2086
	parses "$place" 'length == 2 and .[0].netdev == "v1"' $place
done
parses "port show DEV" '.[0].rdma == "rxe2"' --json port show rxe2
parses "rule show" '.[0].match.class == ["send", "write"]' --json rule show
parses "rule add" '.id > 0 and .direction == "rx"' \
	--json rule add v1 rx all watch
parses "drop" '.rule == "qp 5 persist drop"' --json drop v1 rx qp 5
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

is "a lease's end is JSON" '{"note":"v1 rule 4: matched 0, hits 0"}' \
	"$(rdmafault --json drop v1 tx qp 17 -- true 2>&1)"
