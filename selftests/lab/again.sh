#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The same file and seed, run again in virtual time, give the same events in
# the same order: each packet that was hit, observed, asked for by a NAK or sent
# again, at each place that a flow passes (port and direction), in the order in
# which it passed there, with its step, its transmission and what was done to it;
# what became of faults, ranks and steps; how far all counters went.
#
# Not compared are times, and so which of two flows was first; names that are given
# out anew: numbers of queue pairs and of events, and with them first PSNs; and what
# a port's queues counted, for a link that is changed between two steps changes
# while ACKs are on their way, and which of them still waited then is a
# matter of microseconds.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"

cat >"$tmp/file.yaml" <<'END'
name: again
title: The same again
fabric: {nodes: 2}
workload: {collective: all_reduce, ranks: 2, size: 64KiB, steps: 4, warmup: 1,
           compute: 50ms}
qp: {timeout: 16}
seed: 42
cases:
  - name: clean
  - name: tail
    faults:
      - do: drop v2 tx class write position last step 3 nth 2 count 1
  - name: chance
    faults:
      - do: observe v2 tx class write step 4 probability 20%
  - name: timed
    faults:
      - {do: link set v2 delay 1ms, from: step 2, for: 2 steps}
END

# events DIR: what is compared, flow by flow
events()
{
	jq -c -s '
		def same: walk(if type == "object" then with_entries(select(
			.key | (endswith("_ns") or IN("seq", "psn", "qp", "qpn",
			"peer_qpn", "round", "prios")) | not)) else . end);
		def counted: if .type == "counters" then
			.after = ([.before, .after] | map(to_entries) | transpose |
				map({key: .[0].key, value: (.[1].value - .[0].value)}) |
				from_entries) | del(.before) else . end;
		def place: [.case, .round, .type, .port, .direction, .source,
			.destination, .qp];
		group_by(place) | .[][] | counted | same' "$1/events.jsonl"
}

# again SED: run the file, edited so, into "$tmp/$1"
again()
{
	sed "$2" "$tmp/file.yaml" >"$tmp/$1.yaml"
	rdmafault run --deadline 3600s -o "$tmp/$1" "$tmp/$1.yaml" >"$tmp/$1.page" 2>&1 ||
		diagnose <"$tmp/$1.page"
	events "$tmp/$1" >"$tmp/$1.events"
}

# same NAME: as the first
same()
{
	[ -s "$tmp/first.events" ] && diff "$tmp/first.events" "$tmp/$1.events"
}

again first ''
ok "there is something to compare" [ "$(wc -l <"$tmp/first.events")" -gt 100 ]
for name in tail chance timed; do
	ok "$name: its fault is among the events" grep -Eq \
		"\"case\":\"$name\".*\"fault\":(true|1)" "$tmp/first.events"
done
again second ''
ok "the second time it is the same" same second
again other 's/seed: 42/seed: 43/'
is "with another seed, something else is hit" \
	"$(diff "$tmp/first.events" "$tmp/other.events" |
		sed -n 's/.*"case":"\([a-z]*\)".*/\1/p' | sort -u)" chance
