#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that prove(1) and CI systems can read the results of selftests/run.sh. Also test that
# selftests/Makefile installs the tests.
. "$(dirname "$0")/../lib/lib.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
mkdir "$tmp/area"

# made NAME: make a test with the name NAME. The commands of the test are on standard input.
made()
{
	{
		echo '#!/bin/bash'
		echo ". '$selftests/lib/lib.sh'"
		cat
	} >"$tmp/area/$1.sh"
	chmod +x "$tmp/area/$1.sh"
}

made good <<'EOT'
ok "first" true
skip "second" "no time"
ok "third, with # in its name" true
EOT
made skipped <<'EOT'
skip_all "no <device> & no \"port\""
EOT
made bad <<'EOT'
ok "fine" true
is "1 < 2 & \"quoted\" ]]>" "$(printf 'a\001b\033[1m')" other
ok "fine" true
EOT
made silent <<'EOT'
exit 0
EOT

# ran NAME...: run these tests. The output is written to $tmp/out.tap.
ran()
{
	"$selftests/run.sh" --junit "$tmp/junit.xml" "${@/#/$tmp/area/}" >"$tmp/out.tap" 2>&1
}

# proved COMMAND [FILE...]: let prove run COMMAND with each FILE; prints the parse errors and the
# last line of prove, which is the result
proved()
{
	prove --exec "$@" 2>&1 | grep -E 'Parse errors|^Result'
}

if command -v prove >/dev/null; then
	ran good.sh skipped.sh
	is "prove accepts the output of the runner" "$(proved cat "$tmp/out.tap")" "Result: PASS"
	ran good.sh bad.sh skipped.sh
	is "prove finds the failed test in it" "$(proved cat "$tmp/out.tap")" "Result: FAIL"
	is "prove runs a test" "$(proved bash "$tmp/area/good.sh")" "Result: PASS"
	is "prove runs tests with the runner" \
		"$(proved "$selftests/run.sh" "$tmp/area/good.sh" "$tmp/area/skipped.sh")" "Result: PASS"
	is "prove reports a failed test of the runner" \
		"$(proved "$selftests/run.sh" "$tmp/area/bad.sh" | tail -n 1)" "Result: FAIL"
fi

# xml EXPRESSION: prints the value of a Python expression, in which "root" is the root
# element of junit.xml
xml()
{
	python3 -c 'import sys
from xml.etree import ElementTree as ET
root = ET.parse(sys.argv[1]).getroot()
print(eval(sys.argv[2]))' "$tmp/junit.xml" "$1"
}

ran good.sh skipped.sh bad.sh silent.sh
ok "a skipped test has its reason in TAP" grep -Eq '^ok 2 - .*skipped\.sh # SKIP no <device> & no "port"$' "$tmp/out.tap"
is "JUnit has a suite per test" "$(xml '[s.get("name").split("/")[-1] for s in root]')" \
	"['good.sh', 'skipped.sh', 'bad.sh', 'silent.sh']"
is "JUnit counts test cases, failures and skipped ones" \
	"$(xml '[(s.get("tests"), s.get("failures"), s.get("skipped")) for s in root]')" \
	"[('3', '0', '1'), ('1', '0', '1'), ('3', '1', '0'), ('1', '1', '0')]"
is "JUnit has the totals" "$(xml '(root.get("tests"), root.get("failures"))')" "('8', '2')"
is "JUnit obeys the schema of Jenkins" "$(python3 "$selftests/lib/junit.py" "$tmp/junit.xml")" ""
is "JUnit gives equal names a number" "$(xml 'root[2][2].get("name")')" "fine (2)"
is "JUnit has the names of test cases" "$(xml '[c.get("name") for c in root[0]]')" \
	"['first', 'second', 'third, with # in its name']"
is "JUnit has the reason of a skipped case" "$(xml 'root[0][1][0].get("message")')" "no time"
is "JUnit has the reason of a skipped test" "$(xml 'root[1][0][0].get("message")')" \
	'no <device> & no "port"'
is "JUnit escapes names" "$(xml 'root[2][1].get("name")')" '1 < 2 & "quoted" ]]>'
is "JUnit has diagnostics without control characters" "$(xml 'root[2][1][0].text.splitlines()')" \
	"['got:      a?b?[1m', 'expected: other']"
is "JUnit has the failures that the runner finds" "$(xml 'root[3][0].get("name") != ""')" \
	True
ok "JUnit has times" test "$(xml 'all(s.get("time").isdigit() for s in root)')" = True
is "no other file is left" "$(find "$tmp" -name 'junit*')" "$tmp/junit.xml"

# The installed tests
command -v make >/dev/null || exit 0
fake=$tmp/build
mkdir -p "$fake/bin" "$fake/lib" "$fake/tc" "$fake/selftests/bin"
touch "$fake/tc/q_rdmafault.so" "$fake/lib/librdmafault-step.so.0" "$fake/lib/librdmafault-mpi.so"
# made_by_make ARGUMENT...: run make with these arguments, but without building programs
made_by_make()
{
	MAKEFLAGS='' make -C "$selftests" --no-print-directory -o helpers O="$fake" "$@"
}
refused "an unknown area is refused" "no area nonsense; valid: abuse cli " \
	made_by_make -s install TARGETS=nonsense INSTALL_PATH="$tmp/none"
ok "some areas can be installed" made_by_make install TARGETS="cli tc" INSTALL_PATH="$tmp/some"
is "these areas are installed" "$("$tmp/some/selftests/run.sh" --list | cut -d/ -f1 | sort -u | tr '\n' ' ')" \
	"cli tc "
ok "all areas can be installed" made_by_make install INSTALL_PATH="$tmp/all"
is "all tests are installed" "$("$tmp/all/selftests/run.sh" --list)" "$("$selftests/run.sh" --list)"
# shellcheck disable=SC2016 # the text of the tests
is "files that tests use are installed" "$(grep -rhoE '\$selftests/\.\./[A-Za-z0-9_/.-]+' "$tmp/all/selftests" |
	sed "s|^.selftests/\.\.|$tmp/all|" | grep -v /build/linux/ | sort -u |
	while read -r file; do [ -e "$file" ] || echo "$file"; done)" ""
is "without root or module, nothing is run" \
	"$("$tmp/all/run_selftests.sh" kmod | sed 's/ # SKIP [a-z].*/ # SKIP/'; echo "${PIPESTATUS[0]}")" \
	$'TAP version 13\n1..0 # SKIP\n4'
made_by_make clean >/dev/null
ok "clean removes the helpers" test ! -e "$fake/selftests"
ok "clean removes nothing else" test -e "$fake/bin"
