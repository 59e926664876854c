# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Functions that all scripts use: paths, messages, errors, root, locks, progress.
# Scripts source this file; it sets no shell options.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
build=$top/build
progname=${0##*/}
quiet=''
# The exit statuses of all programs, as in tools/base/err.h
# shellcheck disable=SC2034 # for other scripts
readonly status_no_result=2 status_skipped=4 status_aborted=99

say() {
	printf '%s: %s\n' "$progname" "$*" >&2
}

# note TEXT...: print what is being done, except with --quiet
note() {
	[ -n "$quiet" ] || say "$@"
}

die() {
	say "$@"
	exit "$status_no_result"
}

# Environment variables that users can set; the help texts document them.
# When need_root calls sudo, it passes on only the variables of both lists. Those of the second
# list are also set for the tests in the machine.
host_settings=MIRROR,CI,V,FUZZ_SECONDS,TEST_TIMEOUT,VM_TIMEOUT
test_settings=ABUSE,ABUSE_SECONDS,ABUSE_SEED,FAULT_RUNS,FAULT_SEED,PROGRAMS,KSFT_MACHINE_SLOW

# need_root "$@": unless the user is root, start the same script with the same arguments again
# through sudo
need_root() {
	[ "$(id -u)" -ne 0 ] || return 0
	command -v sudo >/dev/null || die "needs root, and this host has no sudo; run it as root"
	say "needs root for mounts and packages; continuing with sudo"
	exec sudo --preserve-env="$host_settings,$test_settings" -- "$0" "$@"
}

# with_lock MODE FILE: lock FILE until this shell and all processes that it
# starts have ended. MODE is -s (shared) or -x (exclusive). The descriptor of
# the locked file is in $lock_fd.
with_lock() {
	mkdir -p "$(dirname "$2")"
	exec {lock_fd}>>"$2"
	flock -n "$1" "$lock_fd" && return
	say "waiting for another process that holds the lock ${2#"$top"/}"
	flock "$1" "$lock_fd"
}

unlock() {
	exec {lock_fd}>&-
}

# cpu_seconds: sets $cpu_seconds to the processor time of this shell and of all
# processes that it has waited for
cpu_seconds() {
	local stat

	read -ra stat <"/proc/$BASHPID/stat"
	cpu_seconds=$(((stat[13] + stat[14] + stat[15] + stat[16]) / $(getconf CLK_TCK)))
}

# with_progress MESSAGE LOG COMMAND...: run a long COMMAND with its output in
# LOG. MESSAGE is printed at the start, and every 15 s together with the last
# line of LOG.
with_progress() {
	local words=$1 log=$2 status=0 ticker

	shift 2
	note "$words"
	progress_ticks "$words" "$log" &
	ticker=$!
	("$@") >"$log" 2>&1 || status=$?
	kill "$ticker" 2>/dev/null || true
	wait "$ticker" 2>/dev/null || true
	return "$status"
}

# progress_ticks MESSAGE LOG: print MESSAGE, the time since the start and the last line of
# LOG every 15 s, until this process is killed or the script has ended
progress_ticks() {
	local start=$SECONDS never next

	trap - EXIT INT TERM
	next=$((start + 15))
	# Sleep by "read -t" on a pipe to which nothing is written: unlike sleep(1), this
	# starts no process.
	exec {never}<> <(:)
	while kill -0 $$ 2>/dev/null; do
		read -rt 1 -u "$never" || true
		[ "$SECONDS" -ge "$next" ] || continue
		note "$words: $((SECONDS - start)) s: $(tail -n 1 "$2" | tr -d '\r' | cut -c1-70)"
		next=$((SECONDS + 15))
	done
}
