# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's source as Debian packs it, and what of it checks and tests use:
# the programs that generate netlink code from a specification, and speak netlink
# by one. It is the host's linux-source, or that of the debug kernel.

linux_dir=$build/linux
linux_parts=(tools/net/ynl Documentation/netlink)

# linux_tarball: prints its path; fails if it is neither here nor there
linux_tarball() {
	local root tarball

	for root in "" "$(debug_root)"; do
		tarball=$root/usr/src/$debug_source.tar.xz
		[ ! -r "$tarball" ] || { echo "$tarball"; return; }
	done
	return 1
}

# linux_unpack: those parts, in build/linux, if there is a source
linux_unpack() {
	local tarball new=$linux_dir.new

	[ ! -e "$linux_dir" ] || return 0
	tarball=$(linux_tarball) || return 0
	rm -rf "$new"
	mkdir -p "$new"
	tar -C "$new" --strip-components=1 -xf "$tarball" "${linux_parts[@]/#/$debug_source/}"
	mv "$new" "$linux_dir"
}
