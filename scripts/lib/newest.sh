# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel newer than those of the image: the newest that Debian has backported
# to its next release. It lies in a root of that release, which is small, for it
# only builds the module: the programs that its kbuild brings want a newer C
# library than the image has. The machine boots that kernel with its modules and
# everything else out of the image, as with a kernel of one's own. Made when it
# is first asked for; no other kernel needs it.

newest_suite=trixie

# The kernel, and what builds a module for it
newest_packages=(gcc make libc6-dev kmod)
newest_kernel=(linux-image-amd64 linux-headers-amd64)

newest_root() {
	echo "$build/image/$newest_suite/root"
}

newest_version() {
	find "$(newest_root)/lib/modules/" -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null |
		sort -V | tail -n 1
}

# newest_is NAME: it asks for this kernel: by that word, or by the start of a
# version above all of the image
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

# newest_ensure: have the root, made or remade if need be
newest_ensure() {
	root_ensure "$build/image/$newest_suite" "$(newest_stamp)" \
		"fetching the newest kernel, of $newest_suite-backports (about a minute)" newest_make
}

# The sources of the suite, its backports beside them
newest_sources() {
	local sources

	# In a shell of its own, where die ends no more than it
	sources=$(root_sources "$newest_suite") || return
	echo "$sources"
	awk 'NR == 1 { print $1, $2, $3 "-backports", $4 }' <<<"$sources"
}

newest_make() {
	newest_sources >"$1/sources.list" &&
		root_bootable "$1" "$newest_suite" \
			"$(printf '%s,' "${newest_packages[@]}" "${newest_kernel[@]/%//$newest_suite-backports}")"
}
