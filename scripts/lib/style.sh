# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/check style: what a machine can say about style. A check prints what
# it finds and fails if that is anything; lists of what isn't followed, each with
# its reason, are in scripts/lib/style/.
#
# Tools are the host's; headers, compiler and libraries are the image's, so what
# is found doesn't depend on what the host has installed. Scripts of the kernel
# are those of linux.sh.

style_lib=$top/scripts/lib/style
style_dir=$build/style
style_jobs=$(nproc)

style_tools=(
	sparse:sparse clang:clang clang-format:clang-format spatch:coccinelle
	codespell:codespell perl:perl python3:python3
)

# files PATTERN...: the project's files with such names, but for what was made
files() {
	local pattern expression=()

	for pattern in "$@"; do
		expression+=(${expression[0]:+-o} -path "./$pattern")
	done
	(cd "$top" && find . \( -path ./build -o -path ./.git -o -path ./selftests/fuzz/corpus \
		-o -path ./selftests/golden \) -prune -o \
		-type f \( "${expression[@]}" \) -printf '%P\n' | sort)
}

# listed FILE: the lines of a list that aren't comments
listed() {
	grep -vE '^(#|$)' "$style_lib/$1"
}

# none: fail if anything comes in, and print it
none() {
	! grep .
}

# only, but GREP-ARGUMENTS...: lines that match, or don't; none is no failure
only() {
	grep "$@" || true
}

but() {
	grep -v "$@" || true
}

# each N COMMAND...: for the files that come in, N at a time on all CPUs, in the
# project's folder. What it says counts and not its status, which is a failure for
# things that we don't follow, too; if it can't be run, bash says so. Each speaks
# when it has ended, so that no line is torn by another's.
each() {
	local n=$1

	shift
	# shellcheck disable=SC2016 # that shell's
	(cd "$top" && xargs -r -P "$style_jobs" -n "$n" bash -c '
		out=$("$@" 2>&1)
		[ -z "$out" ] || printf "%s\n" "$out"' each "$@") || true
}

# carry COMMAND: one of the host's programs and its libraries, to be run in the
# image; prints its path
carry() {
	local to=$style_dir/carried/$1 lib

	rm -rf "$to"
	mkdir -p "$to"
	for lib in $(ldd "$(command -v "$1")" | grep -o '/[^ ]*'); do
		cp -L "$lib" "$to/"
	done
	cp -L "$(command -v "$1")" "$to/program"
	cat >"$to/$1" <<-EOT
	#!/bin/sh
	exec $to/ld-linux-x86-64.so.2 --library-path $to $to/program "\$@"
	EOT
	chmod +x "$to/$1"
	echo "$to/$1"
}

# changed NAME FILTER...: for a check that looks at each file alone: run FILTER on
# those of the files that come in that have not passed NAME with their present
# content
changed() {
	local passed sums

	passed=$style_dir/passed/$1.$(cat "$style_lib"/*.ignore | sha256sum | cut -c1-8)
	shift
	sums=$(cd "$top" && xargs sha256sum)
	but -xFf <(cat "$passed" 2>/dev/null) <<<"$sums" | sed 's/^[^ ]*  //' | "$@" || return
	echo "$sums" >"$passed"
}

checkpatch_is_content() {
	files '*.c' '*.h' | changed checkpatch checkpatch_finds_nothing
}

checkpatch_finds_nothing() {
	each 16 perl "$linux_dir/scripts/checkpatch.pl" --no-tree --strict \
		--terse --show-types -f |
		but -E '^total: ' | but -Ef <(listed checkpatch.ignore) | none
}

kernel_doc_is_whole() {
	files '*.c' '*.h' | grep -v '^include/uapi' | changed kernel-doc kernel_doc_finds_nothing
}

kernel_doc_finds_nothing() {
	each 40 "$linux_dir/scripts/kernel-doc" -none | none
}

# sparse with C=2 looks at each file, whether it needs to be compiled or not.
# What isn't about a file of ours is about the kernel's own headers.
sparse_is_content() {
	local version=$1 log=$style_dir/sparse-$1.log

	in_image make --no-print-directory module W=1 C=2 "CHECK=$(carry sparse)" \
		"KDIR=/lib/modules/$version/build" "KVER=$version" >"$log" 2>&1 ||
		{ tail -n 20 "$log"; return 1; }
	only -E "/kmod/[a-z_]+\.[ch]:.*(warning|error):" <"$log" | none
}

# clang_each FLAG...: what clang finds in the files that come in. Members that a
# row of a table leaves out are 0, which gcc takes for granted; what it warns of in
# headers of the image isn't ours.
clang_each() {
	each 8 clang --target=x86_64-linux-gnu "--sysroot=$(image_root)" \
		-Qunused-arguments -fno-caret-diagnostics -Wno-unknown-warning-option \
		"$@" -Wno-missing-field-initializers -fsyntax-only |
		only -E '(warning|error):|^each:' | but "^$(image_root)/.*warning:" | none
}

# Paths of headers are those of the image
clang_likes_the_tools() {
	local flags

	mapfile -t flags < <(in_image make -s -f tools/Makefile flags | sed 's|^-I/|-I=/|')
	[ ${#flags[@]} -gt 5 ] || { echo "tools/Makefile gave no flags"; return 1; }
	files 'tools/*.c' 'selftests/unit/*.c' |
		clang_each "${flags[@]}" -Ikmod -Iselftests/fuzz/kernel || return
	# Helpers are programs of their own, and mean the C library's <err.h>
	mapfile -t flags < <(printf '%s\n' "${flags[@]}" | but -x -e -Itools/lib)
	files 'selftests/tools/*.c' | but /mpi_ | clang_each "${flags[@]}"
}

# The flags are those that the kernel's build has used for gcc, but for those that
# only generate other code, which clang may not know.
clang_likes_the_module() {
	local cmd=$build/kmod/$1/kmod/.hold.o.cmd root flags=()

	root=$(image_root)
	eval "flags=($(sed -nE 's/^(saved)?cmd_[^ ]* := *[^ ]*gcc[^ ]* (.*) -c -o .*/\2/p' "$cmd"))"
	[ ${#flags[@]} -gt 20 ] || { echo "no build of $1 to take the flags from"; return 1; }
	mapfile -t flags < <(printf '%s\n' "${flags[@]}" |
		grep -vE '^-(m|f[^su]|fs[^h]|W[pa],|Werror)' |
		sed -E "s#^(-I)?/usr/src#\1$root/usr/src#
			s#^-I\./#-I$root/usr/src/linux-headers-$1/#")
	files 'kmod/*.c' | clang_each "${flags[@]}" -m64 -Ikmod
}

coccinelle_is_content() {
	local skip patches sources

	skip=$(listed cocci.skip | sed 's/^/^/')
	mapfile -t patches < <(cd "$linux_dir/scripts/coccinelle" &&
		find . -name '*.cocci' -printf '%P\n' | sort | grep -vf <(echo "$skip"))
	mapfile -t sources < <(files 'kmod/*.c')
	# shellcheck disable=SC2016 # the inner shell's
	printf '%s\n' "${patches[@]/#/$linux_dir/scripts/coccinelle/}" | each 1 bash -c '
		options=$(sed -n "s|^// Options: *||p" "${*: -1}" | head -n 1)
		exec spatch -D report --very-quiet $options -I include -I kmod \
			--cocci-file "${*: -1}" "${@:1:$#-1}"' - "${sources[@]}" |
		but -E '^(warning: |$)' | none
}

# Without trace.h, whose macros only the kernel understands
clang_format_agrees() {
	local work=$style_dir/formatted source sources

	mapfile -t sources < <(files '*.c' '*.h' | but -E '/generated/|/uapi/|^kmod/trace\.h$')
	rm -rf "$work"
	mkdir -p "$work"
	(cd "$top" && cp --parents "${sources[@]}" "$work/")
	{
		printf '%s\n' "${sources[@]/#/$work/}" | each 40 clang-format --style=file -i
		for source in "${sources[@]}"; do
			printf '%s\n' "$work/$source" "$source"
		done | each 10000 awk -f "$style_lib/depth.awk"
	} | none
}

spelling_is_right() {
	files '*' | grep -vE '^COPYING$|^scripts/lib/style/' |
		each 400 codespell -I "$style_lib/codespell.ignore" | none
}

lengths_are_fine() {
	files '*' | grep -vE '^(COPYING$|selftests/golden/|tools/train/data/)' |
		each 10000 awk -f "$style_lib/lengths.awk" "$style_lib/lengths.reasons" | none
}

is_in_step() {
	in_image scripts/lib/style/in-step "$1"
}

# style_stamp PATTERN...: changes when the checks, the image or such a file changes
style_stamp() {
	files "$@" 'scripts/lib/style*' | (cd "$top" && xargs sha256sum) | sha256sum | cut -c1-16
	image_stamp
}

# style_try PATTERNS WORDS COMMAND...: as try, unless it passed with the present files
# of the blank-separated PATTERNS
style_try() {
	local patterns before=$failed stamp

	read -ra patterns <<<"$1"
	shift
	stamp=$(style_stamp "${patterns[@]}")
	if [ "$(cat "$style_dir/passed/$1" 2>/dev/null)" = "$stamp" ]; then
		result ok "$1 (passed before, nothing changed)"
		return
	fi
	try "$@"
	[ "$failed" -gt "$before" ] || echo "$stamp" >"$style_dir/passed/$1"
}

style_checks() {
	local version program newest module='kmod/* include/* Kbuild'

	echo "# style"
	host_setup "${style_tools[@]}"
	mkdir -p "$style_dir/passed"
	style_try '*' "lengths of functions, files and lines keep to the yardstick" lengths_are_fine
	for program in rdmafault collperf train scripts; do
		style_try '*' "code, usage, manual and completion of $program are in step" \
			is_in_step "$program"
	done
	style_try '*' "codespell finds no misspelling" spelling_is_right
	style_try '*.c *.h .clang-format' "clang-format agrees about depths and blanks" clang_format_agrees
	style_try '*.c *.h' "checkpatch --strict has nothing to say" checkpatch_is_content
	style_try '*.c *.h' "kernel-doc comments are whole" kernel_doc_is_whole
	style_try '*.c *.h tools/Makefile' "clang finds nothing in tools and unit tests" clang_likes_the_tools
	for version in $(image_versions); do
		newest=$version
		style_try "$module" "sparse finds nothing (C=2) for $version" sparse_is_content "$version"
	done
	style_try "$module" "clang finds nothing in the module for $newest" clang_likes_the_module "$newest"
	style_try "$module" "the kernel's semantic patches find nothing" coccinelle_is_content
}
