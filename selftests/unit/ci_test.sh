#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the results and exit statuses of action/run-scenarios. In place of rdmafault and
# modprobe, scripts run that pass, fail or are broken as the name of the scenario says.
. "$(dirname "$0")/../lib/lib.sh"

script=$(cd "$selftests/.." && pwd)/action/run-scenarios
tmp=$(mktemp -d)
defer rm -r "$tmp"
mkdir "$tmp/bin"

cat >"$tmp/bin/rdmafault" <<'EOT'
#!/bin/bash
while [ $# -gt 1 ]; do
	[ "$1" != -o ] || dir=$2
	shift
done
mkdir -p "$dir"
case $1 in
*broken*) echo "rdmafault run: deadline exceeded" >&2; exit 2 ;;
*fail*) good="not ok" status=1 ;;
*) good=ok status=0 ;;
esac
printf 'Title\n\n  Summary line,\n  second line.\n\n  details\n' >"$dir/page.txt"
printf '%s\n' '<?xml version="1.0" encoding="UTF-8"?>' '<testsuites name="s" tests="2">' \
	'  <testsuite name="s">' '    <testcase name="clean"/>' '  </testsuite>' '</testsuites>' >"$dir/junit.xml"
printf '%s\n' "TAP version 13" "ok 1 - clean" "$good 2 - lossy" "1..2"
exit $status
EOT
printf '#!/bin/sh\n' >"$tmp/bin/modprobe"
chmod +x "$tmp/bin/rdmafault" "$tmp/bin/modprobe"
for name in pass fail broken; do
	touch "$tmp/$name.yaml"
done

# status NAME...: run these scenarios and print the exit status
status()
{
	local status=0

	(cd "$tmp" && PATH=$tmp/bin:$PATH GITHUB_STEP_SUMMARY=$tmp/job.md \
		"$script" --on host -o results "${@/%/.yaml}") >"$tmp/out" 2>"$tmp/err" || status=$?
	echo "$status"
}

if [ "$(id -u)" != 0 ]; then
	skip_all "needs root, as scenarios on a host do"
fi
is "scenarios that pass" "$(status pass pass)" 0
is "two scenarios of the same name have two directories" \
	"$(find "$tmp/results" -mindepth 1 -type d -printf '%f\n' | sort | tr '\n' ' ')" "pass pass-2 "
is "a scenario that fails" "$(status fail pass)" 1
ok "the summary names the failed case" grep -qx "not ok 2 - lossy" "$tmp/results/summary.md"
is "a scenario without a result" "$(status broken fail pass)" 2
is "all scenarios have a verdict" "$(grep -cE '^(not )?ok' "$tmp/out")" 3
is "TAP is also in a file" "$(cat "$tmp/out")" "$(cat "$tmp/results/results.tap")"
is "junit.xml has a suite for each scenario" "$(python3 -c "import sys, xml.etree.ElementTree as e
r = e.parse(sys.argv[1]).getroot(); print(r.tag, len(r), len(r.findall('.//error')))" "$tmp/results/junit.xml")" \
	"testsuites 3 1"
ok "the summary has the summary line" grep -qx "Summary line," "$tmp/results/summary.md"
ok "the summary has the reason for a missing result" grep -q "deadline exceeded" "$tmp/results/summary.md"
is "the table of the summary" "$(grep -oE '^\| [a-z]+\.yaml .* of [0-9]' "$tmp/results/summary.md" | tr '\n' ';')" \
	"| broken.yaml | no result (exit status 2) | 0 of 0;| fail.yaml | fail | 1 of 2;| pass.yaml | pass | 2 of 2;"
is "the job summary has all three calls" "$(grep -c '^## rdmafault' "$tmp/job.md")" 3
mkdir "$tmp/other"
touch "$tmp/other/mine"
refused "a directory with other files is not deleted" "not empty" \
	env PATH="$tmp/bin:$PATH" "$script" --on host -o "$tmp/other" "$tmp/pass.yaml"
refused "no scenario is an error" "FILE missing" "$script"
