#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the lab 06-hol-victim: a flow to a slow receiver blocks another flow, although the two
# flows share only two things: the link of their sender, and their priority. Also test
# background commands: such a command must run as long as the job, must end with the job, and
# must not announce steps.
#
#   v1 ── p1 ─┬─ p2 ── v2      the job
#             └─ p3 ── v3      background traffic, over a link that becomes slow
. "$(dirname "$0")/../lib/lib.sh"

virtual_only

lab=$selftests/../labs/06-hol-victim.yaml
tmp=$(mktemp -d)
defer rm -r "$tmp"

# metric CASE NAME: prints the metric NAME of CASE
metric()
{
	jq -r ".cases[] | select(.name == \"$1\").metrics[\"$2\"]" "$tmp/out/summary.json"
}

# run_lab FILE: run the lab; sets $status to its exit status and writes its errors to
# $tmp/errors
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
is "the lab 06-hol-victim meets its expectations" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp/out/page.txt"
# The test ignores retransmissions: on Linux 6.1, the retransmission timer also runs while the
# port is paused.
is "case blocked: there is no NAK and no dropped packet" \
	"$(metric blocked naks) $(metric blocked queue.dropped)" "0 0"
is "case own-prio: there is no NAK and no dropped packet" \
	"$(metric own-prio naks) $(metric own-prio queue.dropped)" "0 0"
is "case lossy: no pause of the case before it is left" \
	"$(metric lossy pause.time)" 0
ok "no process and no fabric is left after the lab" nothing_left

# A run fails if its background command ends before the job.
short="s/steps: 40/steps: 5/; /^  - name: blocked/,\$d"
sed -e "$short" -e 's/background: .*/background: sleep 1; echo enough; exit 3/' "$lab" >"$tmp/early.yaml"
sed -i 's/compute: 20ms/compute: 1s/' "$tmp/early.yaml"
run_lab "$tmp/early.yaml"
is "a background command that ends early breaks the run" "$status" 2
ok "the error for a background command that ends early has its status and output" grep -q \
	'clean: background command ended before the job, with exit status 3: enough$' "$tmp/errors"
is "the error for a background command that ends early is one line" "$(wc -l <"$tmp/errors")" 1
sed -e "$short" -e 's/background: .*/background: nosuchprogram/' -e 's/compute: 20ms/compute: 1s/' \
	"$lab" >"$tmp/none.yaml"
run_lab "$tmp/none.yaml"
is "a background command that does not exist breaks the run" "$status" 2
ok "the error for a background command that does not exist has the shell's message" \
	grep -q 'status 127: .*nosuchprogram' "$tmp/errors"
ok "no process and no fabric is left after the broken runs" nothing_left

# The job announces steps to a port, but the background command of the job does not.
cat >"$tmp/steps.yaml" <<'END'
name: steps
title: Steps of the job only
fabric: {nodes: 2}
workload:
  command: sleep 5; rdmafault --json port show v1 | jq -e '.[0].step == 0'
  background: collperf broadcast -N 2 -b 64 -e 64 -n 100000 -c 0 --compute 50ms -z 1
cases:
  - name: clean
    expect: tx.packets >= 10
END
run_lab "$tmp/steps.yaml"
is "a background command announces no steps to a port" "$status" 0
[ "$status" -eq 0 ] || sed 's/^/# /' "$tmp/errors" "$tmp"/out/clean/*.txt
sed 's/^  command: .*/  command: sleep 5; exit 7/; /expect/d' \
	"$tmp/steps.yaml" >"$tmp/control.yaml"
sed -i 's/^  background: \(.*\)/  command: \1 \& sleep 5; rdmafault --json port show v1 | jq -e ".[0].step == 0"; e=$?; kill %1; exit $e/; /exit 7/d' \
	"$tmp/control.yaml"
run_lab "$tmp/control.yaml"
is "control: the same command as the job announces steps" "$status" 1
