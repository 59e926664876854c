#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that scripts/lab-results writes the measured values of a run into the page of a lab,
# and that the page of each lab has the results of the current version of the lab. No lab is
# run.
. "$(dirname "$0")/../lib/lib.sh"

scripts=$selftests/../scripts
tmp=$(mktemp -d)
defer rm -r "$tmp"

cat >"$tmp/summary.json" <<'EOT'
{"kernel": "6.12.99-test", "cases": [
	{"name": "clean", "metrics": {"step.time.p50": 12400000, "step.time.max": 1234567890},
	 "expectations": [{"expectation": "hits == 0", "met": true, "measured": "0"}]},
	{"name": "lost", "metrics": {"step.time.p50": null, "step.time.max": null},
	 "expectations": [{"expectation": "recovery_time < 1 s", "met": true, "measured": "68.1 ms"}]}]}
EOT
printf '%s\n' Observe ======= '' text '' Explain ======= '' more >"$tmp/page.rst"
cat >"$tmp/expected.rst" <<'EOT'
Observe
=======

text

Results
=======

.. scripts/lab-results: 0123456789ab

.. image:: ../pictures/page.png
   :alt: First screen of the report of this run

One run in virtual time on Linux 6.12.99: for each case, its step times, and each
expectation with the measured value. Times vary between runs.

::

   clean
      median step    12.4 ms
      longest step   1.23 s
      hits == 0      0
   lost
      recovery_time < 1 s   68.1 ms

Explain
=======

more
EOT

write_results()
{
	python3 "$scripts/lib/lab-results.py" "$tmp/summary.json" "$1" "$2"
}

ok "the section is inserted" write_results "$tmp/page.rst" 0123456789ab
ok "it has the step times and expectations of each case" diff "$tmp/expected.rst" "$tmp/page.rst"
ok "the section is replaced when it is written again" write_results "$tmp/page.rst" 0123456789ab
ok "the replaced section is the same" diff "$tmp/expected.rst" "$tmp/page.rst"
echo text >"$tmp/none.rst"
refused "a page without the section Explain is refused" "none.rst: no section" \
	write_results "$tmp/none.rst" 0123456789ab
is "the refused page is unchanged" "$(cat "$tmp/none.rst")" text

# With eleven cases, the metrics that all of them expect are columns of a table.
jq '.cases = [range(11) as $i | .cases[1] | .name = "case-\($i)"
	| .expectations = [{"expectation": "sum >= 0.9", "measured": "0.9\($i)"}]]
	| .cases[10].expectations += [{"expectation": "hits > 0", "measured": "3"}]' \
	"$tmp/summary.json" >"$tmp/many.json"
mv "$tmp/many.json" "$tmp/summary.json"
ok "a run with many cases is written" write_results "$tmp/page.rst" 0123456789ab
is "the metrics of all cases are in a table, and those of one case below" \
	"$(grep -E '^    *(case-(0|10)|sum|hits)' "$tmp/page.rst" | tr -s ' ')" \
	" sum
 case-0 0.90
 case-10 0.910
 case-10
 hits > 0 3"

ok "the page of each lab has the results of this version of the lab" "$scripts/lab-results" --check
cp "$selftests/../labs/01-one-drop.yaml" "$tmp/"
echo "# a comment" >>"$tmp/01-one-drop.yaml"
ok "a new comment in the lab keeps the results valid" \
	"$scripts/lab-results" --check "$tmp/01-one-drop.yaml"
echo "name: other" >>"$tmp/01-one-drop.yaml"
refused "results of another version of the lab are detected" \
	"01-one-drop.rst: no results of this version of the lab" \
	"$scripts/lab-results" --check "$tmp/01-one-drop.yaml"
refused "a missing lab is refused" "none.yaml: no such file" "$scripts/lab-results" none.yaml
