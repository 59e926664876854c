#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 07-ecn-marks: a port marks or drops packets according to its ECN profile. These
# packets are counted and recorded, and marked packets arrive with CE.
#
#   v1, v3, v4 ──▶ switch ─ p2 (marks) ──▶ v2
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/07-ecn-marks.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# metric CASE NAME: prints the metric NAME of CASE
metric()
{
	jq -r ".cases[] | select(.name == \"$1\").metrics[\"$2\"]" "$tmp/out/summary.json"
}

# marks CASE FILTER: prints the number of recorded mark events for which the filter is true
marks()
{
	jq -c "select(.type == \"mark\" and .case == \"$1\" and ($2))" \
		<(run_lines "$tmp/out") | wc -l
}

# run_lab FILE: run the lab; sets $status to its exit status and writes its errors to
# $tmp/errors
run_lab()
{
	status=0
	rdmafault run --deadline 3600s --out "$tmp/out" "$1" >/dev/null 2>"$tmp/errors" || status=$?
}

run_lab "$lab"
is "the lab 07-ecn-marks meets its expectations" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/out/page.txt"
for name in clean marks phantom not-ect; do
	is "case $name: as many marks are recorded as counted" "$(marks $name .dropped==false)" \
		"$(metric $name marked)"
done
is "case dropped: as many ECN drops are recorded as counted" \
	"$(marks dropped .dropped)" "$(metric dropped queue.dropped)"
is "all recorded marks are of p2 and priority 3" \
	"$(jq -r 'select(.type == "mark") | "\(.port) \(.prio)"' \
	<(run_lines "$tmp/out") | sort -u)" "p2 3"
is "case marks: no packet is marked with 8 KiB or less in the queue" \
	"$(marks marks '.queue <= 8 * 1024')" 0
is "cases marks and phantom: no timer expires" \
	"$(metric marks timeouts) $(metric phantom timeouts)" "0 0"
ok "the report has the number of marked packets" \
	grep -q 'p2 prio 3: .* of .* packets marked' "$tmp/out/page.txt"

# A rule at v2 hits packets that arrive with CE. The number of hits must equal the number of
# packets that p2 marks.
sed -e '/^  - name: phantom/,$d' -e 's/^seed:.*/&\nports:\n  - {port: p2, ecn: prio 3 kmin 8KiB kmax 300KiB pmax 50%}/' \
	-e 's/marked == 0, //' "$lab" >"$tmp/arrive.yaml"
sed -i '/^  - name: marks/,$d' "$tmp/arrive.yaml"
cat >>"$tmp/arrive.yaml" <<'END'
  - name: seen
    faults:
      - do: observe v2 rx ecn ce
    expect:
      - faults.hit >= 5
      - faults.hit == port[p2].prio[3].marked
END
run_lab "$tmp/arrive.yaml"
is "as many packets arrive at v2 with CE as p2 marks" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/out/page.txt"

sed 's/kmax 300KiB/kmax 4KiB/' "$lab" >"$tmp/bad.yaml"
run_lab "$tmp/bad.yaml"
is "an ECN profile with kmin above kmax is refused" "$status" 2
ok "the error for kmin above kmax names the port and the word" \
	grep -q 'p2: .*kmin: greater than kmax' "$tmp/errors"
is "kmin above kmax prints one error line per place" \
	"$(wc -l <"$tmp/errors")" "$(grep -c 'kmax 4KiB' "$tmp/bad.yaml")"
ok "no fabric is left after the last run" eval '! ip link show rfbr0 2>/dev/null'
