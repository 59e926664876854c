# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Unpack the parts of Debian's kernel source that checks and tests use: the netlink code
# generator and client, checkpatch, kernel-doc and the semantic patches. The source is a
# tarball: that of the host's linux-source package, or that of the debug kernel. If there is
# neither, "scripts/check style" downloads the tarball.

linux_dir=$build/linux
linux_parts=(
	tools/net/ynl Documentation/netlink
	scripts/{checkpatch.pl,const_structs.checkpatch,spelling.txt,kernel-doc,coccinelle}
)

# linux_tarball: prints the path of the tarball with the kernel source; fails if there is
# none
linux_tarball() {
	local root tarball

	for root in "" "$(debug_root)"; do
		tarball=$root/usr/src/$debug_source.tar.xz
		[ ! -r "$tarball" ] || { echo "$tarball"; return; }
	done
	return 1
}

linux_is_here() {
	[ -e "$linux_dir/scripts/coccinelle" ]
}

# linux_unpack [TARBALL]: unpack the parts $linux_parts of the kernel source to build/linux.
# Does nothing if no tarball is found.
linux_unpack() {
	local tarball=${1:-} new=$linux_dir.new

	! linux_is_here || return 0
	[ -n "$tarball" ] || tarball=$(linux_tarball) || return 0
	rm -rf "$new"
	mkdir -p "$new"
	with_progress "unpacking parts of $debug_source" "$build/linux.log" \
		tar -C "$new" --strip-components=1 -xf "$tarball" \
		"${linux_parts[@]/#/$debug_source/}" ||
		die "$debug_source could not be unpacked; see ${build#"$top"/}/linux.log"
	rm -rf "$linux_dir"
	mv "$new" "$linux_dir"
}

# linux_fetch: unless build/linux exists or a tarball of the source is found, download the
# source from the mirror of the image and unpack it to build/linux
linux_fetch() {
	local apt=$build/apt

	! linux_is_here && ! linux_tarball >/dev/null || return 0
	with_progress "fetching $debug_source (about a minute)" "$build/linux.log" linux_download "$apt" ||
		die "$debug_source could not be fetched; see ${build#"$top"/}/linux.log"
	linux_unpack "$apt/usr/src/$debug_source.tar.xz"
	rm -rf "$apt"
}

# linux_download DIR: fetch the tarball to DIR/usr/src
linux_download() {
	local apt=$1

	rm -rf "$apt"
	mkdir -p "$apt"/{lists/partial,cache/archives/partial}
	root_sources "$image_suite" >"$apt/sources.list"
	{
		root_apt_options
		cat <<-EOT
		Dir::State "$apt";
		Dir::State::status "/dev/null";
		Dir::Cache "$apt/cache";
		Dir::Etc::sourcelist "$apt/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::trustedparts "/usr/share/keyrings";
		APT::Architecture "amd64";
		APT::Sandbox::User "root";
		EOT
	} >"$apt/apt.conf"
	cd "$apt" && export APT_CONFIG=$apt/apt.conf
	apt-get update && apt-get download "$debug_source" &&
		dpkg-deb --fsys-tarfile "$debug_source"_*.deb |
		tar -x "./usr/src/$debug_source.tar.xz"
	[ -r "usr/src/$debug_source.tar.xz" ]
}
