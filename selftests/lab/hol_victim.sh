#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab 06-hol-victim: a flow that shares nothing with a slow receiver but the
# sender's link and its priority is held up; and background traffic of a job: it is there
# as long as the job and no longer, and announces no steps in its place.
#
#   v1 ── p1 ─┬─ p2 ── v2      the job
#             └─ p3 ── v3      beside it, over a link that gets slow
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/06-hol-victim.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# metric CASE NAME
metric()
{
	jq -r ".cases[] | select(.name == \"$1\").metrics[\"$2\"]" "$tmp/out/summary.json"
}

# run_lab FILE: sets status; what it says is in $tmp/errors
run_lab()
{
	status=0
	rdmafault run --deadline 3600s --out "$tmp/out" "$1" >/dev/null 2>"$tmp/errors" || status=$?
}

nothing_left()
{
	! pgrep -x collperf && ! ip link show rfbr0
}

run_lab "$lab"
is "the run passes" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/out/page.txt"
# On 6.1 the timer runs on, and some are retransmitted that were only late.
is "nothing is lost where a pause held it" \
	"$(metric blocked naks) $(metric blocked dropped)" "0 0"
is "nor where each has a priority" "$(metric own-prio naks) $(metric own-prio dropped)" "0 0"
is "each case begins with all queues empty: no pause of the one before" \
	"$(metric lossy pause.time)" 0
ok "nobody is left" nothing_left

# What runs in the background of a job must stay.
short="s/steps: 40/steps: 5/; /^  - name: blocked/,\$d"
sed -e "$short" -e 's/background: .*/background: sleep 1; echo enough; exit 3/' "$lab" >"$tmp/early.yaml"
sed -i 's/compute: 20ms/compute: 1s/' "$tmp/early.yaml"
run_lab "$tmp/early.yaml"
is "one that leaves early breaks the run" "$status" 2
ok "with the reason" grep -q \
	'clean: want a background command .* got one that ended with status 3: enough$' "$tmp/errors"
is "in one line" "$(wc -l <"$tmp/errors")" 1
sed -e "$short" -e 's/background: .*/background: nosuchprogram/' -e 's/compute: 20ms/compute: 1s/' \
	"$lab" >"$tmp/none.yaml"
run_lab "$tmp/none.yaml"
is "one that isn't there, too" "$status" 2
ok "with what the shell says" grep -q 'status 127: .*nosuchprogram' "$tmp/errors"
ok "nobody is left of these" nothing_left

# Steps at a port are those of the job.
cat >"$tmp/steps.yaml" <<'END'
name: steps
title: Whose steps they are
fabric: {nodes: 2}
workload:
  command: sleep 5; rdmafault --json port show v1 | jq -e '.[0].step == 0'
  background: collperf broadcast -N 2 -b 64 -e 64 -n 100000 -c 0 --compute 50ms -z 1
cases:
  - name: clean
    expect: tx.packets >= 10
END
run_lab "$tmp/steps.yaml"
is "those of the background command are not" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp"/out/clean/*.txt
sed 's/^  command: .*/  command: sleep 5; exit 7/; /expect/d' \
	"$tmp/steps.yaml" >"$tmp/control.yaml"
sed -i 's/^  background: \(.*\)/  command: \1 \& sleep 5; rdmafault --json port show v1 | jq -e ".[0].step == 0"; e=$?; kill %1; exit $e/; /exit 7/d' \
	"$tmp/control.yaml"
run_lab "$tmp/control.yaml"
is "control: those of the job are" "$status" 1
