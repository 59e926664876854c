# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Run trainings and read their JSON output.
#
#   training OPTION...        run one; sets $status, and writes its output to
#                             $tmp/out and $tmp/err
#   said TYPE FILTER          apply jq's FILTER to the array of lines of that type
#   weights                   prints the hash of the weights after each step, one per line
#   short OPTION...           run 40 steps on the synthetic data with four ranks

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
