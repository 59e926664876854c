#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that selftests/run.sh counts a test as failed if the test has no assertion, if the shell
# could not run one of the test's commands, or if an assertion failed before the test skipped
# its other assertions.
. "$(dirname "$0")/../lib/lib.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"

options=()

# runs: let run.sh with $options run the test that is on standard input; prints the exit status and
# the counts of run.sh
runs()
{
	{
		echo '#!/bin/bash'
		cat
	} >"$tmp/test.sh"
	chmod +x "$tmp/test.sh"
	"$selftests/run.sh" "${options[@]}" --counts "$tmp/counts" "$tmp/test.sh" >"$tmp/out" 2>&1
	echo "$? $(<"$tmp/counts")"
}

# with_lib: like runs, but the test also sources lib.sh
with_lib()
{
	{
		echo ". '$selftests/lib/lib.sh'"
		cat
	} | runs
}

# finds TITLE REGEX: the output of run.sh must have a failure that matches REGEX. TITLE is the
# name of the test.
finds()
{
	ok "$1" grep -Eq "^    not ok - .*$2" "$tmp/out"
}

is "run.sh counts a test that passes as 1 passed" "$(with_lib <<<'is good 1 1')" "0 1 0 0"
is "run.sh counts a test that fails as 1 failed" "$(with_lib <<<'is bad 1 2')" "1 0 1 0"
is "run.sh counts a skipped assertion as 1 skipped" "$(with_lib <<<'is good 1 1; skip part why')" "0 1 0 1"
is "run.sh counts a skipped test as 1 skipped" "$(with_lib <<<'skip_all why')" "0 0 0 1"
is "run.sh counts a test that is skipped after a passed assertion as 1 skipped" "$(with_lib <<<'is good 1 1; skip_all why')" "0 0 0 1"

is "run.sh counts a test that is skipped after a failed assertion as 1 failed" "$(with_lib <<<'is bad 1 2; skip_all why')" "1 0 1 0"
is "run.sh counts a failure before exit status 4 as 1 failed, without lib.sh" \
	"$(runs <<<'echo not ok 1 - bad; echo 1..0; exit 4')" "1 0 1 0"

is "run.sh counts a test without an assertion as 1 failed" "$(with_lib <<<':')" "1 0 1 0"
finds "run.sh reports a test without an assertion" "has at least one assertion"

is "run.sh fails a test with an assertion that is lost by an invalid number" \
	"$(with_lib <<<'x=; is vanishes "$(($x - 1 -))" 0
is good 1 1')" "1 1 1 0"
finds "run.sh reports a lost assertion" "the shell runs all commands of"
is "run.sh fails a test with an assertion that is lost by a division by zero" \
	"$(with_lib <<<'f() { is vanishes $((1 / n)) 0; is too 1 1; }
n=0; f
is good 1 1')" "1 1 1 0"
is "run.sh fails a test with an assertion that is lost by an invalid substring" \
	"$(with_lib <<<'x=ab; is vanishes "${x:1:-5}" b
is good 1 1')" "1 1 1 0"
is "run.sh fails a test with an assertion that is lost by a bad substitution" "$(with_lib <<<'is vanishes "${x!}" b
is good 1 1')" "1 1 1 0"
is "run.sh fails a test with an assertion whose function does not exist" "$(with_lib <<<'are vanishes 1 1
is good 1 1')" "1 1 1 0"
is "run.sh passes a test whose diagnostics contain an error of the shell" \
	"$(with_lib <<<'is good 1 1
echo "# x: line 3: 1/0: division by 0 (error token is 0)"')" "0 1 0 0"

# shellcheck disable=SC2016 # the script expands "$@"
printf '%s\n' '#!/bin/bash' 'by=emulator exec "$@"' >"$tmp/emulator"
chmod +x "$tmp/emulator"
options=(--under "$tmp/emulator")
is "run.sh --under runs a test by a command" "$(with_lib <<<'is by "${by:-}" emulator')" "0 1 0 0"
