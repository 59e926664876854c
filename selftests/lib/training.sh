# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Trainings, and what they say of themselves.
#
#   training OPTION...        run one; sets $status, and what it wrote is in
#                             $tmp/out and $tmp/err
#   said TYPE FILTER          jq over the lines of that type, as an array
#   weights                   hash of the parameters after each step, one a line
#   short OPTION...           40 steps on the synthetic set with four ranks

tmp=$(mktemp -d)
defer rm -r "$tmp"

training()
{
	train --json "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status -eq 0 ] || { sed 's/^/# /' "$tmp/err" >&2; return 1; }
}

said()
{
	jq -rs --arg type "$1" "map(select(.type == \$type)) | $2" "$tmp/out"
}

weights()
{
	said step '.[].weights'
}

short()
{
	training -N 4 --data synthetic --steps 40 "$@"
}
