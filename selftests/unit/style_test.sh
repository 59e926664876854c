#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a check of scripts/lib/style.sh reads only files that have changed since the check
# passed. Another check finds unclear words: test that it reads the text for people (documents,
# strings and comments), but not code. A third check reads which file of the module includes
# which: test that it finds files that include a higher level, and cycles. pipefail is set as in
# scripts/check.
. "$(dirname "$0")/../lib/lib.sh"

scripts=$selftests/../scripts
top=$(mktemp -d)
defer rm -r "$top"
build=$top/build
mkdir -p "$top/scripts/lib/style" "$build/style/passed"
: >"$top/scripts/lib/style/some.ignore"
. "$scripts/lib/style.sh"
set -o pipefail

# check: run a check of a.c and b.c. The check prints the names of the files that it reads, and
# fails if one of them contains "bad".
check()
{
	printf '%s\n' a.c b.c | changed example look
}

look()
{
	local file status=0

	while read -r file; do
		echo "$file"
		! grep -q bad "$top/$file" || status=1
	done
	return $status
}

echo good >"$top/a.c"
echo bad >"$top/b.c"
refusal=$(check) && passed=yes || passed=no
is "a check fails if one of its files fails" "$passed $refusal" "no a.c
b.c"
echo good >"$top/b.c"
ok "a check passes after the file is repaired" check
is "a check that has passed reads no unchanged file" "$(check)" ""
ok "a check that has passed passes again without a change" check
echo "still good" >"$top/a.c"
is "a check that has passed reads only the changed file" "$(check)" a.c

# The unclear word is in two parts here, because the check also reads this file.
word=some
word+=body

# found FILE: write standard input to FILE; prints the numbers of the lines that have unclear
# words
found()
{
	mkdir -p "$(dirname "$top/$1")"
	cat >"$top/$1"
	(cd "$top" && "$scripts/lib/style/words" "$1") | cut -d: -f2 | xargs
}

is "an unclear word in a document is found" "$(printf 'Title\n\nTo %s.\n' $word | found a.rst)" 3
is "an unclear word in a comment of C is found" "$(printf '/*\n * To %s.\n */\n' $word | found a.c)" 2
is "an unclear word in a string of C is found" "$(printf 'puts("to %s");\n' $word | found a.c)" 1
is "an unclear word in code of C is not found" \
	"$(printf 'int %s; /* @%s: good */\nf(%s);\n' $word $word $word | found a.c)" ""
is "an unclear word in a comment of a shell script is found" \
	"$(printf '# To\n# %s.\ntrue # to %s\n' $word $word | found a)" "2 3"
is "an unclear word in a string of a shell script is found" "$(printf 'echo "to %s"\n' $word | found a)" 1
is "an unclear word in a here-document is found" \
	"$(printf 'cat <<-END\n\tTo %s.\n\tEND\n' $word | found a)" 2
is "an unclear word in code of a shell script is not found" \
	"$(printf '%s() { echo "${#%s}" "$%s"; }\n%s\n' $word $word $word $word | found a)" ""
is "two unclear words are found across the lines of a comment" \
	"$(printf '/* All but\n * for one. */\n' | found a.c)" 1

# includes ENTRY...: check the files in $top/kmod. includes.back has each ENTRY.
includes()
{
	printf '%s\n' "$@" >"$top/lists/includes.back"
	(cd "$top" && lists/includes kmod/*/*.[ch] kmod/*.[ch]) | cut -d: -f1 | sort | xargs
}

mkdir -p "$top/lists" "$top/kmod/low" "$top/kmod/high"
cp "$scripts/lib/style/includes" "$top/lists/"
printf '# bottom\nlow\nhigh\nmain\n' >"$top/lists/includes.order"
echo '#include "../low/a.h"' >"$top/kmod/high/b.c"
printf '#include <linux/types.h>\n#include "high/b.h"\n' >"$top/kmod/main.c"
touch "$top/kmod/low/a.h" "$top/kmod/high/b.h"
is "files that include files of lower levels are allowed" "$(includes)" ""
is "the table lists what each part includes" "$(cd "$top" && lists/includes --table kmod/*/*.[ch] \
	kmod/*.[ch] | xargs)" "low high low main high"
echo '#include "../high/b.h"' >"$top/kmod/low/a.h"
is "a file that includes a file of a higher level is found" "$(includes)" "low -> high"
is "an entry of includes.back allows it" "$(includes "low -> high")" ""
: >"$top/kmod/low/a.h"
is "an entry that is no longer needed is found" "$(includes "low -> high")" "low -> high"
echo '#include "c.h"' >"$top/kmod/low/a.c"
echo '#include "a.h"' >"$top/kmod/low/c.h"
is "files that include one another are found" "$(includes)" "low/a -> low/c -> low/a"
rm "$top/kmod/low/c.h"
: >"$top/kmod/low/a.c"
touch "$top/kmod/other.c"
is "a file that is not in includes.order is found" "$(includes)" kmod/other.c

mkdir -p "$top/tools/base" "$top/tools/render/text"
printf 'base\nrender/text\nrender\n' >"$top/lists/includes.tools"
: >"$top/lists/includes.tools.back"
touch "$top/tools/base/a.h" "$top/tools/render/b.h"
printf '#include "a.h"\n#include "tools/render/b.h"\n' >"$top/tools/render/text/c.c"
is "a file of the tools that includes a file of a higher level is found" \
	"$(cd "$top" && lists/includes tools/*/*.h tools/*/*/*.c | cut -d: -f1)" "render/text -> render"
