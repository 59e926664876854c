# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Files that record for which sources a long check passed last: selftests/debug.passed and
# selftests/bench.passed. They contain the ids of the git objects of the sources and are
# committed, so that CI can skip the check.

passed_git() {
	git -c safe.directory="$top" -C "$top" "$@"
}

# passed_ids PATH...: prints one line "PATH ID" per PATH, where ID is the id of its git object
# in HEAD. Fails if a file below a PATH differs from HEAD.
passed_ids() {
	local path changed

	changed=$(passed_git status --porcelain -- "$@" 2>/dev/null) && [ -z "$changed" ] || return
	for path; do
		echo "$path $(passed_git rev-parse "HEAD:$path")" || return
	done
}

# passed_is_current FILE PATH...: succeeds if the ids in FILE are those of the current contents
# of each PATH
passed_is_current() {
	local ids file=$1

	shift
	ids=$(passed_ids "$@") && [ "$ids" = "$(grep -v '^#' "$top/$file" 2>/dev/null)" ]
}

# passed_write FILE COMMAND IDS PATH...: record in FILE that COMMAND passed. IDS are the ids
# at the start of the run; nothing is recorded if they have changed since.
passed_write() {
	local file=$1 command=$2 ids=$3

	shift 3
	if [ -z "$ids" ] || [ "$ids" != "$(passed_ids "$@")" ]; then
		say "$file was not written: the sources differ from the commit"
		return
	fi
	{
		echo "# SPDX-License-Identifier: GPL-2.0"
		echo "# $command passed for these objects of git"
		echo "$ids"
	} >"$top/$file"
	say "$command passed; commit $file"
}
