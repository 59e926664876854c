# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Build the module and the tools for arm64 with a cross compiler, and run the unit tests under
# QEMU's user-mode emulation. The compiler and the libraries are in a small separate root. The
# module is built for Debian's arm64 kernel; it is not loaded.

arm64_cross=aarch64-linux-gnu
arm64_build=build/arm64

# linux-headers-amd64 has the programs with which the kernel's build system builds the module.
arm64_packages=("gcc-$arm64_cross" qemu-user make pkg-config procps linux-headers-amd64)

arm64_root() {
	echo "$build/image/arm64/root"
}

# arm64_libraries: prints the library packages of the image, for arm64
arm64_libraries() {
	clang_libraries | sed 's/$/:arm64/'
}

# arm64_headers_take ROOT: put the headers of the arm64 kernel into the root. apt cannot install
# their package, because it depends on a compiler that runs on arm64. mmdebstrap calls this
# function in a separate shell.
arm64_headers_take() {
	local work

	work=$(mktemp -d)
	# shellcheck disable=SC2164 # the separate shell has set -e
	cd "$work"
	export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG
	apt-get download "$(apt-cache depends linux-headers-arm64:arm64 |
		sed -n 's/.*Depends: \(linux-headers-.*\)/\1/p')"
	dpkg-deb --fsys-tarfile linux-headers-*.deb | tar -x -C "$1" ./usr/src
	rm -rf "$work"
}

arm64_stamp() {
	{
		echo "$image_suite ${arm64_packages[*]}"
		arm64_libraries
		declare -f arm64_make arm64_headers_take
		root_way
	} | sha256sum | cut -c1-16
}

# shellcheck disable=SC2016 # mmdebstrap sets $1
arm64_make() {
	local packages

	mapfile -t packages < <(arm64_libraries)
	root_sources "$image_suite" >"$1/sources.list" || return
	{
		declare -f arm64_headers_take
		echo 'set -e; arm64_headers_take "$1"'
	} >"$1/headers.sh"
	root_debian "$1" "$image_suite" \
		"$(printf '%s,' "${arm64_packages[@]}" "${packages[@]}")" \
		--architectures=amd64,arm64 --customize-hook="bash $1/headers.sh \"\$1\""
}

# arm64_ensure: make the root if it is missing or out of date
arm64_ensure() {
	root_ensure "$build/image/arm64" "$(arm64_stamp)" \
		"making a root with a compiler for arm64 (about two minutes)" arm64_make
}

# in_arm64 TARGET [VARIABLE...]: build a target of the Makefile for arm64. The address sanitizer
# does not run under QEMU's user-mode emulation.
in_arm64() {
	local target=$1

	shift
	in_root "$(arm64_root)" env \
		"PKG_CONFIG_LIBDIR=/usr/lib/$arm64_cross/pkgconfig:/usr/share/pkgconfig" \
		make --no-print-directory -j"$(nproc)" "$target" "O=$arm64_build" \
		"CC=$arm64_cross-gcc" MPICC= sanitize= "$@"
}

arm64_module() {
	local headers

	headers=$(cd "$(arm64_root)" && echo usr/src/linux-headers-*-arm64)
	in_root "$(arm64_root)" make --no-print-directory -j"$(nproc)" module W=1 "O=$arm64_build" \
		ARCH=arm64 "CROSS_COMPILE=$arm64_cross-" \
		"KDIR=/$headers" "KVER=${headers#usr/src/linux-headers-}"
}

# arm64_try TITLE LOG COMMAND...: COMMAND must succeed without a warning in LOG
arm64_try() {
	local title=$1 log=$build/arm64/$2.log

	shift 2
	if "$@" >"$log" 2>&1; then
		try "$title without a warning" no_warnings "$log"
	else
		try "$title" eval "cat $(printf %q "$log"); false"
	fi
}

# arm64_tests: build the module and the tools, and build and run the unit tests. Those that are
# shell scripts run the tools without an emulator, and those of the fuzz targets need a sanitizer.
arm64_tests() {
	local counts=$arm64_build/counts

	arm64_ensure
	mkdir -p "$build/arm64"
	rm -f "$top/$counts"
	arm64_try "the module builds" module arm64_module
	arm64_try "the tools build" tools in_arm64 tools
	in_arm64 unit unit_scripts= fuzz_units= "UNDER=qemu-${arm64_cross%%-*}" "COUNTS=$counts" 2>&1 |
		tee "$build/arm64/unit.log" || true
	add_counts "$top/$counts" "the unit tests build and run under QEMU"
	try "the unit tests build without a warning" no_warnings "$build/arm64/unit.log"
}
