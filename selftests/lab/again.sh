#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a second run of the same file and seed in virtual time has the same events in the same
# order. Each flow at each port and direction is compared separately: which packets were hit,
# observed, retransmitted or requested again by a NAK, with their step, attempt and action. The
# events of faults, ranks and steps and the growth of all counters must also be the same.
#
# The test does not compare times, nor the order of packets of different flows. Whether data are
# there before a rank waits for them is a matter of time, so waits are not compared. It does not
# compare numbers that each run assigns anew (queue pairs, events, first PSNs). It does not
# compare the counters of the priority queues either: when the settings of a link change between
# two steps, a few microseconds decide which ACKs are still queued.
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

# events DIR: prints the events to compare, grouped by flow
events()
{
	jq -c -s '
		def same: walk(if type == "object" then with_entries(select(
			.key | (endswith("_ns") or IN("seq", "psn", "qp", "qpn",
			"peer_qpn", "round", "prios", "in_last", "out_last", "waits",
			"waits_omitted")) | not)) else . end);
		def counted: if .type == "counters" then
			.after = ([.before, .after] | map(to_entries) | transpose |
				map({key: .[0].key, value: (.[1].value - .[0].value)}) |
				from_entries) | del(.before) else . end;
		def place: [.case, .round, .type, .port, .direction, .source,
			.destination, .qp];
		group_by(place) | .[][] | counted | same' <(run_lines "$1")
}

# again NAME SED: edit the scenario file with the sed commands SED, and run it. The run is
# written to "$tmp/NAME".
again()
{
	sed "$2" "$tmp/file.yaml" >"$tmp/$1.yaml"
	rdmafault run --deadline 3600s -o "$tmp/$1" "$tmp/$1.yaml" >"$tmp/$1.page" 2>&1 ||
		diagnose <"$tmp/$1.page"
	events "$tmp/$1" >"$tmp/$1.events"
}

# same NAME: succeeds if the run NAME has the same events as the first run
same()
{
	[ -s "$tmp/first.events" ] && diff "$tmp/first.events" "$tmp/$1.events"
}

again first ''
ok "control: the first run has more than 100 events to compare" \
	[ "$(wc -l <"$tmp/first.events")" -gt 100 ]
for name in tail chance timed; do
	ok "control: the events of case $name include its fault" grep -Eq \
		"\"case\":\"$name\".*\"fault\":(true|1)" "$tmp/first.events"
done
again second ''
ok "a second run has the same events in the same order" same second
again other 's/seed: 42/seed: 43/'
is "with another seed, only the case with a random fault differs" \
	"$(diff "$tmp/first.events" "$tmp/other.events" |
		sed -n 's/.*"case":"\([a-z]*\)".*/\1/p' | sort -u)" chance
