# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Fetch a kernel newer than those of the image: the newest one that Debian has backported to
# its next release. It is installed in a small root file system of that release. The module
# is also built in this root, because the kernel's kbuild programs need a newer C library
# than that of the image. The machine boots this kernel, with its modules and the root file
# system of the image. The root is made when this kernel is used for the first time.

newest_suite=trixie

# The packages needed to build a module, and the packages that have the kernel
newest_packages=(gcc make libc6-dev kmod)
newest_kernel=(linux-image-amd64 linux-headers-amd64)

newest_root() {
	echo "$build/image/$newest_suite/root"
}

newest_version() {
	find "$(newest_root)/lib/modules/" -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null |
		sort -V | tail -n 1
}

# newest_is NAME: succeeds if NAME selects the newest kernel, that is, if NAME is "newest" or
# the beginning of a kernel version higher than all versions in the image
newest_is() {
	local above

	[ "$1" != newest ] || return 0
	[[ $1 =~ ^[0-9]+(\.[0-9]+)* ]] || return 1
	above=$(image_versions | tail -n 1)
	[[ $above != "$1"* ]] && [ "$(printf '%s\n' "$above" "$1" | sort -V | tail -n 1)" = "$1" ]
}

newest_stamp() {
	{
		declare -p newest_suite newest_packages newest_kernel
		declare -f newest_make newest_sources
		root_way
	} | sha256sum | cut -c1-16
}

# newest_ensure: make the root if it is missing or out of date
newest_ensure() {
	root_ensure "$build/image/$newest_suite" "$(newest_stamp)" \
		"fetching the newest kernel from $newest_suite-backports (about a minute)" newest_make
}

# newest_sources: prints the "deb" lines of the suite and of its backports
newest_sources() {
	local sources

	# root_sources runs in a subshell, so that die() ends only the subshell
	sources=$(root_sources "$newest_suite") || return
	echo "$sources"
	awk 'NR == 1 { print $1, $2, $3 "-backports", $4 }' <<<"$sources"
}

newest_make() {
	newest_sources >"$1/sources.list" &&
		root_bootable "$1" "$newest_suite" \
			"$(printf '%s,' "${newest_packages[@]}" "${newest_kernel[@]/%//$newest_suite-backports}")"
}
