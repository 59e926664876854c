#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rdmafault -batch: commands of a file, one a line, are carried out in order; an
# error names the file's line and ends the batch, or with -force does not.
#
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

tmp=$(mktemp -d)
defer rm -r "$tmp"
veth_pair t1 t2
veth_port t1

# seeds: of the rules that are there
seeds()
{
	rdmafault --json rule show t1 | jq -r '.[].seed' | xargs
}

for i in {1..100}; do
	echo "rule add t1 tx class write probability 1% seed $i drop persist"
done >"$tmp/hundred"
ok "a hundred rules" rdmafault -batch "$tmp/hundred"
is "are there, in their order" "$(seeds)" "$(seq -s ' ' 100)"

cat >"$tmp/file" <<'END'
rule flush t1
rule add t1 tx class write probability 1% seed 1 drop persist
rule add t1 tx class \
	nonsense drop
rule add t1 tx class write probability 1% seed 2 drop persist
END
status=0
rdmafault -batch "$tmp/file" >"$tmp/out" 2>"$tmp/errors" || status=$?
is "an error's exit status is that of the command" "$status" 2
is "its line is named after the command's own error" \
	"$(wc -l <"$tmp/errors") $(tail -n 1 "$tmp/errors")" "2 Command failed $tmp/file:3"
ok "which says what is wrong" grep -q '^rdmafault: .*nonsense' "$tmp/errors"
is "what came before it is done, and the rest is not" "$(seeds)" 1

status=0
rdmafault -force -batch - <"$tmp/file" >/dev/null 2>"$tmp/errors" || status=$?
is "-force: the exit status is the same" "$status" 2
is "-force: standard input has the name -" "$(tail -n 1 "$tmp/errors")" "Command failed -:3"
is "-force: the rest is done, too" "$(seeds)" "1 2"
is "--json: each error is an object" \
	"$(rdmafault --json -force -batch "$tmp/file" 2>&1 >/dev/null | jq -s 'map(has("error"))' -c)" \
	"[true,true]"
refused "no such file" "^rdmafault: $tmp/none: No such file or directory$" \
	rdmafault -batch "$tmp/none"
