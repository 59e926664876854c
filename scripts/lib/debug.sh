# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/check --debug: run the tests of selftests/debug on a kernel with checkers for
# memory errors, locking and leaks. Documentation/debug-kernel.rst describes the kernel
# and what it finds.
#
# The kernel is Debian's linux-source with only the options of selftests/vm/debug.config,
# built in a small root with the image's compiler. The result is a directory for
# scripts/vm -k with vmlinuz, the modules, and the headers for building a module. The
# kernel is built again when the options, the source or these functions change.

debug_config=selftests/vm/debug.config
debug_source=linux-source-6.12
debug_packages=(gcc make libc6-dev bc bison flex libelf-dev libssl-dev kmod perl-base
	xz-utils "$debug_source")

# Sources for other processors, and for hardware that this machine never has, are not
# unpacked, except the files that enabled options need.
debug_not_built=(
	'arch/[a-w]*' sound
	drivers/{gpu,media,staging,scsi,iio,net/ethernet,net/wireless,infiniband/hw}
)

# The number of compilers that run at the same time. It is one while jobs of the pool use the
# other processors.
debug_jobs=1

# Minimum number of machines: the tests are distributed to at least this many
debug_boots=2

# The suffix of the directories' names, and the name of the function that makes the root file
# system. For the newest kernel, debug_choose changes both.
debug_suffix=''
debug_root_by=debug_root_make

# sed commands for the options of the kernel configuration that have another name in the
# newest kernel
debug_newest_names=('s/^CONFIG_PROC_SYSCTL=/CONFIG_SYSCTL=/')

# debug_choose KERNEL: choose the version of the debug kernel. KERNEL is 6.12, or
# "newest" for the release that scripts/vm -k newest boots.
debug_choose() {
	case $1 in
	6.12) return 0 ;;
	newest) ;;
	*) die "-k $1: there is no debug kernel of this version; with --debug, use -k 6.12 or -k newest" ;;
	esac
	newest_ensure
	debug_source=linux-source-$(newest_version | grep -oE '^[0-9]+\.[0-9]+')
	debug_packages[-1]=$debug_source
	debug_suffix=-newest
	debug_root_by=debug_root_make_newest
	mkdir -p "$build/out"
	sed "${debug_newest_names[@]/#/-e}" "$top/$debug_config" >"$build/out/debug-newest.config"
	debug_config=build/out/debug-newest.config
}

# debug_base: prints the directory with the debug kernel, for scripts/vm -k
debug_base() {
	echo "$build/image/debug-kernel$debug_suffix"
}

debug_root() {
	echo "$build/image/debug$debug_suffix/root"
}

debug_root_make() {
	root_sources "$image_suite" >"$1/sources.list" &&
		root_debian "$1" "$image_suite" "$(printf '%s,' "${debug_packages[@]}")"
}

# Make the root in which the newest kernel is built. The packages of this root are from the
# image's suite. Only the kernel source is from the backports of Debian's next release, because
# no other suite has this kernel. The image's compiler builds the kernel, because the programs
# of kbuild must run in the image.
debug_root_make_newest() {
	{
		root_sources "$image_suite" && newest_sources | tail -n 1
	} >"$1/sources.list" &&
		root_debian "$1" "$image_suite" "$(printf '%s,' "${debug_packages[@]}")"
}

debug_root_stamp() {
	{
		declare -p image_suite debug_packages
		declare -f "$debug_root_by"
		root_way
	} | sha256sum | cut -c1-16
}

# debug_source_version: prints the version of the Debian package that has the kernel source
debug_source_version() {
	awk -v package="$debug_source" '$1 == "Package:" { on = $2 == package }
		on && $1 == "Version:" { print $2 }' "$(debug_root)/var/lib/dpkg/status"
}

debug_stamp() {
	{
		debug_root_stamp
		debug_source_version
		declare -p debug_not_built
		declare -f debug_make debug_unpack debug_build debug_take
		cat "$top/$debug_config"
	} | sha256sum | cut -c1-16
}

# debug_fetch: fetch the source of the kernel and the programs that build it
debug_fetch() {
	root_ensure "$build/image/debug$debug_suffix" "$(debug_root_stamp)" \
		"fetching $debug_source and its build tools (about a minute)" "$debug_root_by"
}

# debug_ensure: build the kernel if it is missing or out of date
debug_ensure() {
	debug_fetch
	root_ensure "$(debug_base)" "$(debug_stamp)" \
		"building the debug kernel (about 15 CPU minutes)" debug_make
}

# debug_make NEW: build the debug kernel in the directory NEW, in the form that scripts/vm
# -k needs
debug_make() {
	debug_unpack "$1/linux" &&
		in_root "$(debug_root)" bash -ec "$(declare -f debug_build debug_take)"'
			cd "$1/linux"
			debug_build "$2" "$3"
			debug_take "$1"' - "$1" "$top/$debug_config" "$debug_jobs" &&
		rm -rf "$1/linux"
}

# debug_unpack LINUX: unpack the kernel source to the directory LINUX
debug_unpack() {
	local dir options=()

	for dir in "${debug_not_built[@]}"; do
		options+=("--exclude=$debug_source/$dir/*".{[chS],dts,dtsi})
	done
	mkdir -p "$1"
	LC_ALL=C tar -C "$1" --strip-components=1 "${options[@]}" \
		--exclude="$debug_source/Documentation/[a-z]*" \
		-xf "$(debug_root)/usr/src/$debug_source.tar.xz"
}

# debug_build CONFIG JOBS: build the kernel in the current directory, which has the source.
# It is an error if an option of CONFIG stays disabled because a dependency is missing.
debug_build() {
	make -s KCONFIG_ALLCONFIG="$1" allnoconfig
	if grep -vE "^(#|$)" "$1" | grep -vxFf .config; then
		echo "error: these options were asked for, and are not in .config"
		return 1
	fi
	make -s -j"$2" LOCALVERSION=-debug bzImage modules
}

# debug_take BASE: copy kernel, modules and headers from the current directory to BASE
debug_take() {
	local version

	version=$(cat include/config/kernel.release)
	cp arch/x86/boot/bzImage "$1/vmlinuz"
	cp .config "$1/config"
	make -s LOCALVERSION=-debug INSTALL_MOD_PATH="$1" modules_install
	make -s LOCALVERSION=-debug run-command KBUILD_RUN_COMMAND="scripts/package/install-extmod-build $1/headers"
	ln -sfn ../../../headers "$1/lib/modules/$version/build"
}

# debug_planted: test that the kernel's checkers find deliberate errors
debug_planted() {
	local dir=$build/kmod/planted$debug_suffix log=$build/out/planted$debug_suffix.log

	mkdir -p "$dir" "$build/out"
	cp "$top"/selftests/vm/planted/{Kbuild,plant.c} "$dir/"
	in_image make -s -C "$(debug_base)/headers" M="$dir" modules >"$log" 2>&1 || true
	debug_planted_boot "$dir" 9 "$log"
	debug_planted_boot "$dir" 1 "$log" wait_context
}

# debug_planted_boot DIR TESTS LOG [BUG]: boot, and load the module DIR/plant.ko, which
# makes all its deliberate bugs, or only BUG. Passes if exactly TESTS tests pass and the
# kernel log has errors.
debug_planted_boot() {
	local status=0 words="the debug kernel reports the planted errors${4:+ ($4)}"

	"$top/scripts/vm" run -k "$(debug_base)" --no-build --timeout "${VM_TIMEOUT:-900}" -- \
		env PLANT="$1/plant.ko" KSFT_MACHINE_SLOW=1 \
		selftests/vm/planted/run.sh "${@:4}" >"$3.boot" 2>&1 || status=$?
	cat "$3.boot" >>"$3"
	if [ "$status" = 97 ] && ! grep -q '^not ok' "$3.boot" && grep -q "^1\\.\\.$2\$" "$3.boot"; then
		result ok "$words"
	else
		result "not ok" "$words: status $status"
		sed 's/^/# /' "$3"
	fi
}

# debug_kernel [TEST...]: run the job that builds the kernel and the module; the other jobs
# start after this job. Without TEST, also run debug_planted.
debug_kernel() {
	local base

	base=$(debug_base)
	"$top/scripts/vm" image
	debug_ensure
	if "$top/scripts/vm" build -k "$base"; then
		result ok "the debug kernel, the module and the tools build"
		[ $# -gt 0 ] || debug_planted
	else
		result "not ok" "module and tools build for the debug kernel"
	fi
}

# debug_boot JOB TEST...: run the job JOB, which starts after debug_kernel: boot the debug
# kernel and run the TESTs
debug_boot() {
	local base job=$1

	shift
	base=$(debug_base)
	if root_is_fresh "$base" "$(debug_stamp)"; then
		export KSFT_MACHINE_SLOW=1 TEST_TIMEOUT=${TEST_TIMEOUT:-1200}
		boot "$job" "$base" live "$@"
	else
		result "not ok" "the debug kernel was built"
	fi
}

# debug_kernel_add [TEST...]: add the job debug_kernel to the pool
debug_kernel_add() {
	pool_add 1 debug-kernel debug_kernel "$@"
}

# The newest kernel also runs the tests of timers, locks and queues, because these
# change between kernel releases
debug_newest_parts=(pause/ queue/)

# debug_listed: prints the tests that run if no TEST is given, one per line
debug_listed() {
	local listed

	listed=$(tests_listed debug) || exit
	[ -z "$debug_suffix" ] ||
		listed+=$'\n'$(cd "$top" && selftests/run.sh --list "${debug_newest_parts[@]}")
	awk '!seen[$0]++' <<<"$listed"
}

# When all tests pass, the git object ids of the tested sources are written to the file
# $debug_passed. debug_passed_paths are the paths of these sources.
debug_passed=selftests/debug.passed
debug_passed_paths=(kmod include Kbuild selftests/debug selftests/vm)

# debug_run [all | TEST...]: run scripts/check --debug
debug_run() {
	local ids=''

	debug_jobs=$(nproc)
	if [ $# -eq 0 ]; then
		[ -n "$debug_suffix" ] || ids=$(passed_ids "${debug_passed_paths[@]}") || true
	else
		choose "$@"
		[ "$*" != all ] || mapfile -t chosen < <(debug_all "${chosen[@]}")
	fi
	debug_kernel_add "${chosen[@]}"
	debug_boots_add "${chosen[@]}"
	pool_run
	[ $# -gt 0 ] || [ "$failed" -gt 0 ] || [ -n "$debug_suffix" ] ||
		passed_write "$debug_passed" "scripts/check --debug" "$ids" "${debug_passed_paths[@]}"
}

# debug_all TEST...: prints the TESTs that run in real time on one machine (see mode_of)
debug_all() {
	share_of live "$@" | sed 's|^selftests/||'
}

# debug_boots_add [TEST...]: distribute the TESTs (default: those of debug_listed) to
# several machines
debug_boots_add() {
	local files=("$@") listed number i job share boots

	if [ $# -eq 0 ]; then
		listed=$(debug_listed) || exit
		mapfile -t files <<<"$listed"
	fi
	boots=$(((${#files[@]} + machine_files - 1) / machine_files))
	[ "$boots" -ge "$debug_boots" ] || boots=$debug_boots
	for ((number = 0; number < boots && number < ${#files[@]}; number++)); do
		share=()
		for ((i = number; i < ${#files[@]}; i += boots)); do
			share+=("selftests/${files[i]}")
		done
		job=debug-$((number + 1))
		pool_add 1 "$job" debug_boot "$job" "${share[@]}"
		pool_after debug-kernel
	done
}
