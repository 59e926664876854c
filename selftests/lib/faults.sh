# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What rxe has counted since a moment, and a connection whose every byte is
# compared.
#
#   remember                      the moment, for rxe1 and rxe2
#   moved DEVICE COUNTER          how far one of rxe's counters has moved since
#   unseen WORDS                  no error that the sender could see, since then
#   rule ARGUMENT...              rdmafault rule add; prints the rule's number
#   probe FROM TO send|write MESSAGES BYTES [CLASS]
#                                 see selftests/tools/rcprobe.c

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
	is "$1: no error that a sender could see" \
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
