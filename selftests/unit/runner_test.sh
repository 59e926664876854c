#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# selftests/run.sh and lib.sh: a test that found nothing out, broke off or failed
# before it skipped isn't a good one.
. "$(dirname "$0")/../lib/lib.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"

# runs: what the runner makes of the test on stdin; its exit status and counts
runs()
{
	{
		echo '#!/bin/bash'
		cat
	} >"$tmp/test.sh"
	chmod +x "$tmp/test.sh"
	"$selftests/run.sh" --counts "$tmp/counts" "$tmp/test.sh" >"$tmp/out" 2>&1
	echo "$? $(<"$tmp/counts")"
}

# with_lib: a test that sources lib.sh
with_lib()
{
	{
		echo ". '$selftests/lib/lib.sh'"
		cat
	} | runs
}

# finds WORDS REGEX: the runner has that to say, too
finds()
{
	ok "$1" grep -Eq "^    not ok - .*$2" "$tmp/out"
}

is "a good test" "$(with_lib <<<'is good 1 1')" "0 1 0 0"
is "a bad one" "$(with_lib <<<'is bad 1 2')" "1 0 1 0"
is "a part that is left out" "$(with_lib <<<'is good 1 1; skip part why')" "0 1 0 1"
is "skipped" "$(with_lib <<<'skip_all why')" "0 0 0 1"
is "skipped after something good" "$(with_lib <<<'is good 1 1; skip_all why')" "0 0 0 1"

is "failed, then skipped" "$(with_lib <<<'is bad 1 2; skip_all why')" "1 0 1 0"
is "failed, then skipped, without lib.sh" \
	"$(runs <<<'echo not ok 1 - bad; echo 1..0; exit 4')" "1 0 1 0"

is "a test that finds nothing out" "$(with_lib <<<':')" "1 0 1 0"
finds "is told" "finds something out"

is "an assertion whose number is none" \
	"$(with_lib <<<'x=; is vanishes "$(($x - 1 -))" 0
is good 1 1')" "1 1 1 0"
finds "is told, too" "has no line that broke off"
is "one in a function that divides by zero" \
	"$(with_lib <<<'f() { is vanishes $((1 / n)) 0; is too 1 1; }
n=0; f
is good 1 1')" "1 1 1 0"
is "one that cuts off more than there is" \
	"$(with_lib <<<'x=ab; is vanishes "${x:1:-5}" b
is good 1 1')" "1 1 1 0"
is "one whose word is none" "$(with_lib <<<'is vanishes "${x!}" b
is good 1 1')" "1 1 1 0"
is "one of a function that is not there" "$(with_lib <<<'are vanishes 1 1
is good 1 1')" "1 1 1 0"
is "a diagnosis that only speaks of such" \
	"$(with_lib <<<'is good 1 1
echo "# x: line 3: 1/0: division by 0 (error token is 0)"')" "0 1 0 0"
