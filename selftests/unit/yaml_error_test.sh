#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the errors about the syntax of a scenario: each has line, column and what was expected, not
# the words of the YAML library.
. "$(dirname "$0")/../lib/lib.sh"

bin=${BIN:-$selftests/../build/bin}
file=$(mktemp)
defer rm "$file"

# error TEXT: print the error about a scenario of this text, from the line on
error()
{
	printf '%b' "$1" >"$file"
	"$bin/rdmafault" validate "$file" 2>&1 | sed "s|^rdmafault: $file:||"
}

key='begin a key in the column of the key before it, and put a text with ": " in quotes'
special='indent with spaces, and put a text that begins with @, ` or % in quotes'

while IFS='|' read -r title text expected; do
	is "$title" "$(error "$text")" "$expected"
done <<-END
	a key with one space too much|name: x\n title: y\n|2:7: unexpected ":"; $key
	a key of an item with one space too much|cases:\n  - name: x\n     faults: 1\n|3:12: unexpected ":"; $key
	a key of an item with one space too few|cases:\n  - name: x\n   faults: 1\n|3:4: expected "- ", or a key two columns to the right of "- ", in the list that begins in line 2, column 3
	a key of a mapping with one space too few|name: x\nfabric:\n  nodes: 2\n rate: 1\n|4:2: expected a key in the column of the mapping that begins in line 1, column 1
	the first key with one space too much| name: x\ntitle: y\n|2:1: expected a key in column 1
	a tab|fabric:\n\tnodes: 2\n|2:1: unexpected tab or special character; $special
	a text with a colon|explain: the job: stops\n|1:17: unexpected ":"; $key
	quotes without an end|name: "x\ntitle: y\n|3:1: end of file in the quotes that begin in line 1, column 7
	a brace without an end|fabric: {nodes: 2\ntitle: y\n|2:6: expected "," or "}" in the mapping that begins in line 1, column 9
	a bracket without an end|a: [1, 2\nb: 3\n|2:2: expected "," or "]" in the list that begins in line 1, column 4
	a key without a colon|name: x\ntitle y\nfabric: 1\n|3:1: expected ":" after the key in line 2, column 1
	an item on the line of its key|a: - b\n|1:4: unexpected "- "; begin each item of a list on its own line
END
