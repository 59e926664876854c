#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that rdmafault -batch executes the commands of a file, one per line, in order.
# An error names the line of the file and ends the batch, except with -force.
#
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
veth_pair t1 t2
veth_port t1

# seeds: prints the seeds of all rules of t1
seeds()
{
	rdmafault --json rule show t1 | jq -r '.[].seed' | xargs
}

for i in {1..100}; do
	echo "rule add t1 tx class write probability 1% seed $i drop persist"
done >"$tmp/hundred"
ok "-batch of a hundred commands succeeds" rdmafault -batch "$tmp/hundred"
is "-batch executes a hundred commands in order" "$(seeds)" "$(seq -s ' ' 100)"

cat >"$tmp/file" <<'END'
rule flush t1
rule add t1 tx class write probability 1% seed 1 drop persist
rule add t1 tx class \
	nonsense drop
rule add t1 tx class write probability 1% seed 2 drop persist
END
status=0
rdmafault -batch "$tmp/file" >"$tmp/out" 2>"$tmp/errors" || status=$?
is "-batch exits with the status of the command that failed" "$status" 2
is "-batch prints the line of the file after the command's error" \
	"$(wc -l <"$tmp/errors") $(tail -n 1 "$tmp/errors")" "2 Command failed $tmp/file:3"
ok "-batch prints the error of the command" grep -q '^rdmafault: .*nonsense' "$tmp/errors"
is "-batch executes the commands before an error and none after it" "$(seeds)" 1

status=0
rdmafault -force -batch - <"$tmp/file" >/dev/null 2>"$tmp/errors" || status=$?
is "-force -batch exits with the status of the command that failed" "$status" 2
is "-batch calls standard input - in an error" "$(tail -n 1 "$tmp/errors")" "Command failed -:3"
is "-force -batch executes the commands after an error" "$(seeds)" "1 2"
is "--json -batch prints each error as an object" \
	"$(rdmafault --json -force -batch "$tmp/file" 2>&1 >/dev/null | jq -s 'map(has("error"))' -c)" \
	"[true,true]"
refused_with=2 refused "-batch of a file that does not exist is refused" \
	"^rdmafault: $tmp/none: No such file or directory$" \
	rdmafault -batch "$tmp/none"
