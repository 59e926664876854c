# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Build the programs and the module in a chroot of the machine's root file system, with
# the project bind-mounted at the same path: the host needs neither a compiler nor
# headers. Nothing is built if the names, sizes and times of the sources have not
# changed (see stamped).

# in_root ROOT COMMAND...: run the command in the chroot, in the project's directory.
# $image_binds lists more directories of the host to mount at the same path.
image_binds=()

in_root() {
	local root=$1

	shift
	mkdir -p "$root$top"
	unshare --mount --propagation private bash -c '
		set -e
		root=$1 top=$2 binds=$3
		shift 3
		mount -t tmpfs tmpfs "$root/tmp"
		mkdir -p "$root$top"
		mount --bind "$top" "$root$top"
		for bind in $binds; do
			mkdir -p "$root$bind"
			mount --bind "$bind" "$root$bind"
		done
		mount -t proc proc "$root/proc"
		mount --bind /dev "$root/dev"
		exec chroot "$root" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			V="${V:-}" CI="${CI:-}" \
			bash -c "cd \"\$1\" && shift && exec \"\$@\"" - "$top" "$@"
	' - "$root" "$top" "${image_binds[*]}" "$@"
}

in_image() {
	in_root "$(image_root)" "$@"
}

# image_versions: prints the versions of the kernels in the image, one per line
image_versions() {
	find "$(image_root)/lib/modules" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -V
}

# sources_stamp PATH...: prints a hash of the names, sizes and times of the files below the
# PATHs
sources_stamp() {
	(cd "$top" && find "$@" -type f -printf '%p %s %T@\n' 2>/dev/null | sort | sha256sum | cut -c1-16)
}

# stamped FILE STAMP COMMAND...: run COMMAND and write STAMP to FILE; do nothing if
# FILE already has STAMP
stamped() {
	local file=$1 stamp=$2

	shift 2
	[ "$(cat "$file" 2>/dev/null)" != "$stamp" ] || return 0
	"$@"
	mkdir -p "$(dirname "$file")"
	echo "$stamp" >"$file"
}

build_tools() {
	local log=$build/tools.log

	mkdir -p "$build"
	with_progress "building the tools" "$log" \
		in_image make --no-print-directory -j"$(nproc)" tools selftest-tools man || {
		grep -E -A4 "error|undefined reference|No rule" "$log" | head -n 30 >&2
		die "the tools did not build; see ${log#"$top"/}"
	}
	grep -A4 "warning:" "$log" >&2 || true
}

# build_module VERSION [BASE]: build the module for a kernel of the image, or of the
# directory BASE, and install it where that kernel's modprobe finds it
build_module() {
	local version=$1 base=${2:-} log=$build/kmod/$1.log root headers

	root=$(module_root "$base")
	headers=${base#"$root"}/lib/modules/$version/build
	in_root "$root" test -e "$headers/Makefile" ||
		die "kernel $version: no headers; they must be in ${base:-the image}/lib/modules/$version/build"
	mkdir -p "$build/kmod"
	with_progress "building the module for $version" "$log" \
		in_root "$root" make --no-print-directory -j"$(nproc)" module W=1 \
			"KDIR=$headers" "KVER=$version" || {
		grep -E 'error|Error|warning' "$log" | head -n 20 >&2
		die "the module did not build for $version; see ${log#"$top"/}"
	}
	grep -E 'warning:' "$log" >&2 || true
	install_module "$version" "$base"
}

# module_root BASE: prints the root file system in which the module for the
# kernels in the directory BASE is built: BASE if BASE has a compiler, otherwise
# the image
module_root() {
	if [ -n "$1" ] && [ -x "$1/usr/bin/make" ]; then
		echo "$1"
	else
		image_root
	fi
}

install_module() {
	local dir=${2:-$(image_root)}/lib/modules/$1/updates

	mkdir -p "$dir"
	cp "$build/kmod/$1/rdmafault.ko" "$dir/.rdmafault.ko.new"
	mv "$dir/.rdmafault.ko.new" "$dir/rdmafault.ko"
	in_image depmod ${2:+-b "$2"} "$1"
}

# build_all [BASE VERSION]: build the tools and the module. Without arguments, the module is
# built for all kernels of the image, otherwise only for the kernel VERSION in the directory
# BASE.
build_all() {
	local base=${1:-} version versions=("${@:2}") stamp

	with_lock -x "$build/lock"
	if [ -d "$top/tools" ]; then
		stamped "$build/tools/stamp" "$(sources_stamp Makefile tools include kmod Documentation/man selftests/tools)$(image_stamp)" \
			build_tools
	fi
	[ ${#versions[@]} -gt 0 ] || mapfile -t versions < <(image_versions)
	stamp=$(sources_stamp Makefile Kbuild kmod include)$(image_stamp)
	for version in "${versions[@]}"; do
		if [ -e "$top/Kbuild" ]; then
			stamped "$build/kmod/$version.stamp" "$stamp$base" build_module "$version" "$base"
		fi
	done
	unlock
}
