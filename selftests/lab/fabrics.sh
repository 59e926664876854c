#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a fault on the link between two switches affects exactly the flows that use it: in
# a ring of four these are the flows from node 2 to 3 and from node 4 to 1.
#
#   rank 0 v1 ── p1 ┐                   ┌ p3 ── v3 rank 2
#                   ├ s1 s1s2 ─ s2s1 s2 ┤
#   rank 1 v2 ── p2 ┘                   └ p4 ── v4 rank 3
#
# Also test two more fabrics. With two spines, data and ACKs use different spines, because only
# the destination selects the spine. With PFC, a storm at v3 pauses v2, two switches away.
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

# scenario FABRIC SIZE [LINE...]: write a scenario; its cases come from standard input
scenario()
{
	local fabric=$1 size=$2

	shift 2
	cat >"$tmp/lab.yaml" <<-EOT
	name: fabrics
	title: What crosses
	fabric: $fabric
	workload: {collective: all_reduce, ranks: 4, size: $size, steps: 3, warmup: 1,
	           compute: 100ms, options: "--tclass=96"}
	qp: {timeout: 20}
	expect: "rank[*].wrong == 0"
	$*
	cases:
	EOT
	cat >>"$tmp/lab.yaml"
}

passes()
{
	rm -rf "$tmp/out"
	rdmafault run --deadline 3600s --out "$tmp/out" "$tmp/lab.yaml" >"$tmp/page" 2>&1 ||
		{ grep -E '^rdmafault:|not met' "$tmp/page"; return 1; }
}

# hits CASE: prints port, source, destination and steps of the packets that the faults of
# the case hit
hits()
{
	jq -r --slurp --arg name "$1" '
		map(select(.type == "hit" and .fault and .case == $name) |
			{at: "\(.port) \(.source) \(.destination)", step}) |
		group_by(.at)[] | "\(.[0].at) \(map(.step) | unique | join(","))"' \
		<(run_lines "$tmp/out")
}

scenario '{nodes: 4, shape: chain}' 64KiB <<'EOT'
  - name: clean
    expect: [naks == 0, timeouts == 0]
  - name: lost
    faults: [{do: drop s1s2 tx class write nth 3 count 1, at: step 2}]
    expect: [faults.hit == 1, detected_by == nak, retransmitted in 1..64,
             "port[s1s2].tx.packets >= 96",
             "port[s1s2].rx.packets == port[s2s1].tx.packets"]
  - name: fabric-link
    faults: [{do: mark s1s2 tx class write}, {do: mark s2s1 tx class write}]
    expect: timeouts == 0
  - name: near
    faults: [{do: mark p2 tx class write}]
    expect: timeouts == 0
EOT
ok "a scenario on a chain meets its expectations" passes
is "the packet lost between the switches is from node 2 to 3, in step 2" \
	"$(hits lost)" "s1s2 10.77.0.2 10.77.0.3 2"
is "two flows use the link between the switches, in all steps" "$(hits fabric-link)" \
	"$(printf '%s\n' "s1s2 10.77.0.2 10.77.0.3 0,1,2,3" \
		"s2s1 10.77.0.4 10.77.0.1 0,1,2,3")"
is "the flow from node 1 to 2 uses the port of node 2" \
	"$(hits near)" "p2 10.77.0.1 10.77.0.2 0,1,2,3"
is "no fabric is left after the run on a chain" "$(rdmafault --json fabric show | jq .nodes)" 0

rdmafault fabric up 2 >/dev/null
refused "a run is refused while another fabric is up" \
	"fabric: expected 4 nodes on a chain of 2 switches, got 2 nodes on one switch; remove it" \
	rdmafault run --deadline 3600s --out "$tmp/out2" "$tmp/lab.yaml"
rdmafault fabric down
sed -i 's/do: mark p2/do: mark s1s3/' "$tmp/lab.yaml"
refused "a scenario with a fabric link that does not exist is refused" \
	"port \"s1s3\": not in this fabric; the ports are v1 to v4, rxe1 to rxe4, p1 to p4 at switches" \
	rdmafault validate "$tmp/lab.yaml"

scenario '{nodes: 4, shape: leaf-spine, spines: 2}' 64KiB <<'EOT'
  - name: clean
    expect: [naks == 0, timeouts == 0]
  - name: spines
    faults: [{do: mark l1s1 tx all}, {do: mark l1s2 tx all}]
    expect: timeouts == 0
  - name: first-spine
    faults: [{do: drop l1s1 tx class write step 2 count 1}]
    expect: faults.hit == 1
  - name: second-spine
    faults: [{do: drop l1s2 tx class write step 2 count 1}]
    expect: faults.hit == 0
EOT
ok "a scenario on leaves and spines meets its expectations" passes
is "packets to different destinations use different spines" \
	"$(hits spines | cut -d ' ' -f 1-3)" \
	"$(printf '%s\n' "l1s1 10.77.0.2 10.77.0.3" "l1s2 10.77.0.1 10.77.0.4")"

is "the report says why a rule on the second spine hit nothing, and only there" \
	"$(tr -s ' \n' ' ' <"$tmp/page" | grep -o '" hit no packet: [^.]*')" \
	'" hit no packet: no WRITE of the job passes l1s2: ranks 1→2 use l1s1'
is "validate prints a note for this rule, and for no other" \
	"$(rdmafault validate "$tmp/lab.yaml" 2>&1 >/dev/null | sed 's/.*: case //')" \
	'second-spine, fault 1: "drop l1s2 tx class write step 2 count 1" will hit no packet: no WRITE of the job passes l1s2: ranks 1→2 use l1s1'

scenario '{nodes: 4, shape: chain, rate: 200mbit}' 2MiB 'ports: [{port: all, prio: "prio-pfc 3:on"}, {port: switch, link: buffer 1536KiB, prio: "prio-pfc 3:on prio-headroom 3:1408KiB prio-xoff 3:32KiB prio-xon 3:16KiB"}]' <<'EOT'
  - name: clean
    expect: [queue.dropped == 0, timeouts == 0]
  - name: storm
    faults: [{do: pause v3 prio 3 storm for 1s frames, at: step 2}]
    expect: [queue.dropped == 0, retransmitted == 0, "port[p3].prio[3].pause.time >= 900 ms",
             "port[s1s2].prio[3].pause.time >= 700 ms",
             "port[v2].prio[3].pause.time >= 700 ms",
             "port[v1].prio[3].pause.time < 400 ms"]
  - name: without
    faults:
      - {do: pause v3 prio 3 storm for 1s frames, at: step 2}
      - {do: prio set s2s1 prio-pfc 3:off}
    expect: [queue.dropped == 0, "port[p3].prio[3].pause.time >= 900 ms",
             "port[s1s2].prio[3].pause.count == 0",
             "port[v2].prio[3].pause.time < 400 ms"]
EOT
# The rate is 200 Mbit/s, because at 1 Gbit/s a whole burst would be in the second switch before
# its XOFF arrives at the first switch, which would then have nothing left to pause. The limits of
# 400 ms allow for pauses of about 100 ms that the job itself causes, mainly on Linux 6.1, where
# rxe sends larger bursts.
ok "a storm at one end of a chain pauses the other end if the fabric link has PFC" passes
