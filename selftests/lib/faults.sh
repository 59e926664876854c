# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Differences of rxe's counters, and a connection that verifies every byte.
#
#   remember                      store the counters of rxe1 and rxe2
#   moved DEVICE COUNTER          prints how much a counter has increased since remember
#   unseen TITLE                  test that rxe1 and rxe2 have counted no send error since
#                                 remember; TITLE begins the name of the test
#   rule ARGUMENT...              rdmafault rule add; prints the number of the rule
#   probe FROM TO send|write MESSAGES BYTES [CLASS]
#                                 run selftests/tools/rcprobe.c

declare -A hw_then

remember()
{
	local file

	for file in /sys/class/infiniband/rxe[12]/ports/1/hw_counters/*; do
		read -r "hw_then[$file]" <"$file"
	done
}

moved()
{
	local file=/sys/class/infiniband/$1/ports/1/hw_counters/$2 now

	read -r now <"$file"
	echo $((now - hw_then[$file]))
}

unseen()
{
	is "$1: rxe counts no send error" \
		"$(moved rxe1 send_err) $(moved rxe2 send_err)" "0 0"
}

rule()
{
	rdmafault --json rule add "$@" | jq -r .id
}

probe()
{
	rcprobe "rxe$1" "rxe$2" "${@:3}"
}
