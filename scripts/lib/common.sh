# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# What every script of the house needs: where things are, how to speak, how to
# fail, how to become root. Sourced; sets no shell options of its own.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
build=$top/build
progname=${0##*/}

say() {
	printf '%s: %s\n' "$progname" "$*" >&2
}

die() {
	say "$@"
	exit 1
}

# What users may set, as the help texts say; sudo keeps nothing else. The second
# list is for the tests, in the machine.
host_settings=MIRROR,CI,V,FUZZ_SECONDS,TEST_TIMEOUT,VM_TIMEOUT
test_settings=ABUSE,ABUSE_SECONDS,ABUSE_SEED,KSFT_MACHINE_SLOW

# need_root "$@": start the same script again through sudo, unless root already
need_root() {
	[ "$(id -u)" -ne 0 ] || return 0
	command -v sudo >/dev/null || die "needs root, and there is no sudo here: run it as root"
	say "needs root for mounts and packages: going on through sudo"
	exec sudo --preserve-env="$host_settings,$test_settings" -- "$0" "$@"
}

# with_lock MODE FILE: take a lock for as long as this shell (and what it
# starts) lives; MODE is -s (shared) or -x (exclusive). The descriptor is left
# in $lock_fd.
with_lock() {
	mkdir -p "$(dirname "$2")"
	exec {lock_fd}>>"$2"
	flock -n "$1" "$lock_fd" && return
	say "waiting for another one that holds ${2#"$top"/}"
	flock "$1" "$lock_fd"
}

unlock() {
	exec {lock_fd}>&-
}
