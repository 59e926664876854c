#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the module does exactly what it did before. The same frames go through the port t1
# in both directions, once for each set of rules in equality.rules, which has every word of
# the rule grammar. selftests/golden/equality has the results: the frames that arrive, their
# order and their changed bytes, and the counters of rules, port and flows. Each set is tested
# without a listener; with all tracepoints enabled, which makes the module track all flows;
# with tracepoints that are enabled in the middle of flows and disabled later; and with
# observe rules before, between and after the others, of which one is added and removed in
# the middle. Nothing of this may change which packets leave, and what rules count. Tracepoints
# and observe rules that come and go are tried with one set in four; with --full, with all sets.
# Virtual time keeps the order of delayed packets the same.
#
#   sender - t1 (port) ======= t2 - sender, receiver
#             | bridge
#       t3 (port) ========== t4 - receiver
#
# "scripts/golden --machine" writes the golden files again.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/golden.sh"
. "$selftests/lib/python.sh"
. "$selftests/lib/veth.sh"

need_python
virtual_only

work=$(mktemp -d)
defer rm -r "$work"

veth_pair t1 t2 4200
veth_pair t3 t4 4200
# The bridge delivers to t4 the frames that have passed the ingress hook of t1.
veth_bridge eq0 t1 t3
veth_port t1
veth_port t3
python_test "$selftests/exact/equality.py" "$selftests/exact/equality.rules" "$work"
while read -r name; do
	golden "equality/$name.txt" cat "$work/$name.txt"
done < <(sed -n 's/^\[\(.*\)\]$/\1/p' "$selftests/exact/equality.rules")
is "each golden file belongs to a section of equality.rules" \
	"$(cd "$selftests/golden/equality" && ls)" "$(cd "$work" && ls -- *.txt)"
