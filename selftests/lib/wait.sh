# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Wait for a condition. lib.sh sources it for tests; other scripts use it, too.

# wait_tenth reads from this pipe, into which nothing is written. The pipe is opened here and
# not in a function, because the process substitution sets $!, which callers use.
exec {wait_pipe}<> <(:)

# wait_tenth: wait 0.1 s by reading from the pipe. A "sleep" would need 20 ms only to start on
# an emulated machine.
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
