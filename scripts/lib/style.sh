# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/check style: the automatic checks of style. A check prints what it finds, and
# fails if it finds anything. Exceptions, each with a reason, are in scripts/lib/style/.
#
# The checkers (sparse, clang and others) are programs of the host. Headers, compiler and
# libraries are those of the image, so that results do not depend on the packages of the host.
# linux.sh provides the checkers that are scripts of the kernel.

style_lib=$top/scripts/lib/style
style_dir=$build/style

style_tools=(
	sparse:sparse clang:clang clang-format:clang-format spatch:coccinelle
	codespell:codespell perl:perl python3:python3
)

# files PATTERN...: prints the paths of the project's files that match a PATTERN, except
# build results, golden files and the fuzz corpus
files() {
	local pattern expression=()

	for pattern in "$@"; do
		expression+=(${expression[0]:+-o} -path "./$pattern")
	done
	(cd "$top" && find . \( -path ./build -o -path ./.git -o -path ./selftests/fuzz/corpus \
		-o -path ./selftests/golden \) -prune -o \
		-type f \( "${expression[@]}" \) -printf '%P\n' | sort)
}

# listed FILE: prints the lines of the list FILE in scripts/lib/style, without comments
listed() {
	grep -vE '^(#|$)' "$style_lib/$1"
}

# none: copy stdin to stdout, and fail if there was any line
none() {
	! grep .
}

# only GREP-ARGUMENTS...: print the lines that match; always succeeds
# but GREP-ARGUMENTS...: print the lines that don't match; always succeeds
only() {
	grep "$@" || true
}

but() {
	grep -v "$@" || true
}

# each N COMMAND...: run COMMAND for the files listed on stdin, in the project's
# directory. Each call of COMMAND gets N files as arguments; pool_share says how many calls run
# at the same time. The exit status is ignored, because COMMAND also fails for rules that
# we don't follow; only the output counts. If COMMAND cannot be run, bash prints an error. The
# output of a call is printed when the call has ended, so that lines do not mix.
each() {
	local n=$1

	shift
	# shellcheck disable=SC2016 # that shell's
	(cd "$top" && xargs -r -P "$(pool_share)" -n "$n" bash -c '
		out=$("$@" 2>&1)
		[ -z "$out" ] || printf "%s\n" "$out"' each "$@") || true
}

# carry COMMAND: copy a program of the host and its libraries, to run it in the image;
# prints the path of the copy
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

# changed NAME FILTER...: run the check FILTER on the files listed on stdin. FILTER checks
# each file by itself. Files that have not changed since they passed the check NAME are
# left out.
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

# C=2 makes sparse check each file, whether it needs to be compiled or not. Messages
# about the kernel's headers are ignored.
sparse_is_content() {
	local version=$1 log=$style_dir/sparse-$1.log

	in_image make --no-print-directory module W=1 C=2 "CHECK=$(carry sparse)" \
		"KDIR=/lib/modules/$version/build" "KVER=$version" >"$log" 2>&1 ||
		{ tail -n 20 "$log"; return 1; }
	only -E "/kmod/([a-z0-9]+/)?[a-z0-9_]+\.[ch]:.*(warning|error):" <"$log" | none
}

# clang_each FLAG...: print clang's warnings about the files listed on stdin. Two kinds of
# warnings are left out: missing initializers, because rows of tables name only the members
# that are not 0, and warnings about headers of the image.
clang_each() {
	each 8 clang --target=x86_64-linux-gnu "--sysroot=$(image_root)" \
		-Qunused-arguments -fno-caret-diagnostics -Wno-unknown-warning-option \
		"$@" -Wno-missing-field-initializers -fsyntax-only |
		only -E '(warning|error):|^each:' | but "^$(image_root)/.*warning:" | none
}

# Change "-I/" to "-I=/" in the flags, so that clang reads the headers of the image (its
# sysroot)
clang_likes_the_tools() {
	local flags

	mapfile -t flags < <(in_image make -s -f tools/Makefile flags | sed 's|^-I/|-I=/|')
	[ ${#flags[@]} -gt 5 ] || { echo "tools/Makefile gave no flags"; return 1; }
	# The flags have no directory of MPI's headers.
	files 'tools/*.c' 'selftests/unit/*.c' | but -x tools/step/mpi.c |
		clang_each "${flags[@]}" -Ikmod -Iselftests/fuzz/kernel || return
	# The programs of selftests/tools include <err.h> of the C library, so
	# the flag -Itools/base is removed: that directory has another err.h.
	mapfile -t flags < <(printf '%s\n' "${flags[@]}" | but -x -e -Itools/base)
	files 'selftests/tools/*.c' | but /mpi_ | clang_each "${flags[@]}"
}

# The flags are those with which the kernel's build calls gcc, without the flags for
# code generation, because clang may not know them.
clang_likes_the_module() {
	local cmd=$build/kmod/$1/kmod/.main.o.cmd root flags=()

	root=$(image_root)
	eval "flags=($(sed -nE 's/^(saved)?cmd_[^ ]* := *[^ ]*gcc[^ ]* (.*) -c -o .*/\2/p' "$cmd"))"
	[ ${#flags[@]} -gt 20 ] || { echo "${cmd#"$top"/}: no compiler flags; build the module first"; return 1; }
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

# trace.h is left out, because clang-format cannot parse the macros of tracepoints.
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

lines_are_short() {
	files '*.c' '*.h' | each 10000 awk -v what=lines -f "$style_lib/lengths.awk" | none
}

includes_point_down() {
	files "$1/*.c" "$1/*.h" | each 10000 "$style_lib/includes" | none
}

# list_long: print long functions and files. The check does not fail because of these: a reader
# decides whether to split them.
list_long() {
	files '*' | grep -vE '^(COPYING$|tools/train/data/)|/generated/' |
		each 10000 awk -v what=long -f "$style_lib/lengths.awk" | sed 's/^/# long: /'
}

# The check excludes the licence, data, the list of words itself, and the files that files()
# leaves out: the golden files and the fuzz corpus. A word in a golden file comes from a
# string in the code, which is checked.
words_are_plain() {
	files '*' |
		but -E '^COPYING$|^tools/train/data/|^selftests/unit/data/|^scripts/lib/style/words|\.png$|/__pycache__/' |
		each 10000 "$style_lib/words" | none
}

# needs COMMAND...: skip the check if this host lacks one of the programs
needs() {
	local program

	for program; do
		command -v "$program" >/dev/null ||
			{ echo "no $program on this host"; return "$status_skipped"; }
	done
}

# The examples come before the description, because most readers look for them first.
mandoc_is_content() {
	needs mandoc || return
	files 'Documentation/man/*.[1-8]' | each 100 mandoc -T lint -W warning |
		but ': sections out of conventional order: Sh DESCRIPTION$' | none
}

wide_lines() {
	mandoc -T utf8 "$1" | sed 's/.\x08//g' | LC_ALL=C.UTF-8 grep -E '^.{81}' | sed "s|^|$1:|"
}

man_pages_fit() {
	needs mandoc || return
	export -f wide_lines
	files 'Documentation/man/*.[1-8]' | each 1 wide_lines | none
}

# The links of the site are checked in its pages, because only these have the anchors of
# man pages.
site_is_whole() {
	needs sphinx-build mandoc || return
	make --no-print-directory -s -C "$top" "O=$build" htmldocs &&
		"$style_lib/html-links" "$build/html" | none
}

is_in_step() {
	in_image scripts/lib/style/in-step "$1"
}

# style_stamp PATTERN...: prints a hash of the code of the checks and of the files that
# match a PATTERN, and after it the stamp of the image
style_stamp() {
	files "$@" 'scripts/lib/style*' | (cd "$top" && xargs sha256sum) | sha256sum | cut -c1-16
	image_stamp
}

# style_try PATTERNS TITLE COMMAND...: run the check COMMAND and report it as the check
# TITLE. The check is skipped if it has passed since the last change of the files that
# match PATTERNS, a list separated by spaces.
style_try() {
	local patterns before=$((failed + skipped)) stamp

	read -ra patterns <<<"$1"
	shift
	stamp=$(style_stamp "${patterns[@]}")
	if [ "$(cat "$style_dir/passed/$1" 2>/dev/null)" = "$stamp" ]; then
		result ok "$1 (passed before, nothing changed)"
		return
	fi
	try "$@"
	[ $((failed + skipped)) -gt "$before" ] || echo "$stamp" >"$style_dir/passed/$1"
}

style_checks() {
	local version program newest module='kmod/* include/* Kbuild'

	echo "# style"
	host_setup "${style_tools[@]}"
	# The programs for the documents are installed only in CI, never on the host of a user.
	[ -z "${CI:-}" ] || host_setup mandoc:mandoc sphinx-build:python3-sphinx
	mkdir -p "$style_dir/passed"
	list_long
	style_try "kmod/*.c kmod/*.h" "files of the module include only files of the levels below" includes_point_down kmod
	style_try "tools/*.c tools/*.h" "files of the tools include only files of the levels below" includes_point_down tools
	style_try '*.c *.h' "lines of C have at most 100 columns" lines_are_short
	for program in rdmafault collperf train scripts; do
		style_try '*' "code, usage, manual and completion of $program have the same options" \
			is_in_step "$program"
	done
	style_try '*' "codespell finds no misspelling" spelling_is_right
	style_try '*' "documents, messages and comments have no unclear word" words_are_plain
	style_try 'Documentation/man/*' "mandoc finds nothing in the man pages" mandoc_is_content
	style_try 'Documentation/man/*' "lines of man pages have at most 80 columns" man_pages_fit
	style_try 'Documentation/* README.rst Makefile' "Sphinx builds the site without a warning, and its links lead somewhere" \
		site_is_whole
	style_try '*.c *.h .clang-format' "clang-format does not change indentation and spaces" clang_format_agrees
	style_try '*.c *.h' "checkpatch --strict finds nothing" checkpatch_is_content
	style_try '*.c *.h' "kernel-doc comments are complete" kernel_doc_is_whole
	style_try '*.c *.h tools/Makefile' "clang finds nothing in tools and unit tests" clang_likes_the_tools
	for version in $(image_versions); do
		newest=$version
		style_try "$module" "sparse finds nothing (C=2) for $version" sparse_is_content "$version"
	done
	style_try "$module" "clang finds nothing in the module for $newest" clang_likes_the_module "$newest"
	style_try "$module" "the kernel's semantic patches find nothing" coccinelle_is_content
}
