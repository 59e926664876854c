#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 07-ecn-marks: what a port marks or drops by its ECN profile is counted, is in
# the record, and arrives.
#
#   v1, v3, v4 ──▶ switch ─ p2 (marks) ──▶ v2
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/07-ecn-marks.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# metric CASE NAME
metric()
{
	jq -r ".cases[] | select(.name == \"$1\").metrics[\"$2\"]" "$tmp/out/summary.json"
}

# marks CASE FILTER: how many such events there are
marks()
{
	jq -c "select(.type == \"mark\" and .case == \"$1\" and ($2))" \
		"$tmp/out/events.jsonl" | wc -l
}

# run_lab FILE: sets status; what it says is in $tmp/errors
run_lab()
{
	status=0
	rdmafault run --deadline 3600s --out "$tmp/out" "$1" >/dev/null 2>"$tmp/errors" || status=$?
}

run_lab "$lab"
is "the run passes" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/out/page.txt"
for name in clean marks phantom not-ect; do
	is "$name: each mark is in the record" "$(marks $name .dropped==false)" \
		"$(metric $name marked)"
done
is "dropped: each drop is, too" "$(marks dropped .dropped)" "$(metric dropped dropped)"
is "all are of p2 and priority 3" "$(jq -r 'select(.type == "mark") | "\(.port) \(.prio)"' \
	"$tmp/out/events.jsonl" | sort -u)" "p2 3"
is "none at 8 KiB or less" "$(marks marks '.queue <= 8 * 1024')" 0
is "nobody waits for what isn't lost" "$(metric marks timeouts) $(metric phantom timeouts)" "0 0"
ok "the page says how many" grep -q 'p2 prio 3: .* of .* packets marked' "$tmp/out/page.txt"

# What is marked arrives with both bits set, and nothing else does.
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
is "what p2 marks arrives at v2 with CE" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/out/page.txt"

sed 's/kmax 300KiB/kmax 4KiB/' "$lab" >"$tmp/bad.yaml"
run_lab "$tmp/bad.yaml"
is "an ECN profile with kmin above kmax is refused" "$status" 2
ok "with the port and what is wrong" grep -q 'p2: .*kmin: above kmax' "$tmp/errors"
is "in one line for each place" "$(wc -l <"$tmp/errors")" "$(grep -c 'kmax 4KiB' "$tmp/bad.yaml")"
ok "nothing is left" eval '! ip link show rfbr0 2>/dev/null'
