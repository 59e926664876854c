# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Waiting for a condition, for tests (lib.sh has it) and for what isn't one.

wait_until()
{
	local tenfold=${KSFT_MACHINE_SLOW:+0}${vm_virtual:+0} deadline

	deadline=$(($(date +%s) + $1${tenfold:0:1}))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(date +%s)" -lt "$deadline" ] || return 1
		sleep 0.1
	done
}
