# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Waiting for a condition, for tests (lib.sh has it) and for what isn't one.

# A pipe that nothing is written to. It is opened here and not in a function, because
# its process would replace the caller's $!.
exec {wait_pipe}<> <(:)

# wait_tenth: 0.1 s, without a process: read from that pipe. On an emulated machine a
# start of "sleep" takes a fifth of that.
wait_tenth()
{
	read -rt 0.1 -u "$wait_pipe" || true
}

wait_until()
{
	local tenfold=${KSFT_MACHINE_SLOW:+0}${vm_virtual:+0} deadline

	deadline=$((EPOCHSECONDS + $1${tenfold:0:1}))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$EPOCHSECONDS" -lt "$deadline" ] || return 1
		wait_tenth
	done
}
