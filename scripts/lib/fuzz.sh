# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Build and run the fuzz targets of selftests/fuzz. They use clang with libFuzzer in a
# small separate root, so that neither the image nor the host needs clang. New inputs
# are kept in build/fuzz/corpus. An input with which a target fails is kept in
# build/fuzz.

fuzz_dir=$build/fuzz

clang_packages=(clang libclang-rt-dev llvm make libc6-dev pkg-config)

clang_root() {
	echo "$build/image/clang/root"
}

# clang_libraries: prints the library packages of the image, except those of MPI
clang_libraries() {
	local package

	for package in "${image_packages[@]}"; do
		case $package in
		libopenmpi-dev) ;;
		lib*-dev) echo "$package" ;;
		esac
	done
}

clang_stamp() {
	{
		echo "$image_suite ${clang_packages[*]}"
		clang_libraries
		declare -f clang_make
		root_way
	} | sha256sum | cut -c1-16
}

clang_make() {
	local packages

	mapfile -t packages < <(clang_libraries)
	root_sources "$image_suite" >"$1/sources.list" &&
		root_debian "$1" "$image_suite" \
			"$(printf '%s,' "${clang_packages[@]}" "${packages[@]}")"
}

# clang_ensure: make the root if it is missing or out of date
clang_ensure() {
	root_ensure "$build/image/clang" "$(clang_stamp)" \
		"making a root with clang (about a minute and a half)" clang_make
}

# in_clang COMMAND...: like in_image, but in the root with clang
in_clang() (
	# shellcheck disable=SC2317 # in_image calls it
	image_root() {
		clang_root
	}
	in_image "$@"
)

fuzz_targets() {
	find "$top/selftests/fuzz" -maxdepth 1 -name '*.c' ! -name replay.c -printf '%f\n' |
		sed 's/\.c$//' | sort
}

fuzz_build() {
	mkdir -p "$fuzz_dir"
	clang_ensure
	with_progress "building the fuzz targets" "$fuzz_dir/build.log" \
		in_clang make --no-print-directory -j"$(nproc)" fuzz || {
		grep -E -A4 "error|undefined reference|No rule" "$fuzz_dir/build.log" | head -n 30 >&2
		die "the fuzz targets did not build; see ${fuzz_dir#"$top"/}/build.log"
	}
	fuzz_words >"$fuzz_dir/words.dict"
}

# fuzz_words: prints all short string literals in the source of the parsers, for libFuzzer's
# dictionary
fuzz_words() {
	(cd "$top" && grep -ohE '"[a-z$#][a-z0-9_.-]{1,24}"' -r kmod/rocev2/opcode.c \
		tools/{base,rule,net,scenario,trace,coll,collperf,train,run,analysis}) | sort -u
}

# fuzz_target TARGET OPTION...: run the target with libFuzzer's options in the clang root
fuzz_target() {
	local target=$1

	shift
	in_clang env ASAN_OPTIONS=detect_stack_use_after_return=1 \
		UBSAN_OPTIONS=print_stacktrace=1 \
		"build/fuzz/bin/$target" -timeout=20 -rss_limit_mb=2048 \
		"-artifact_prefix=build/fuzz/$target-" "$@"
}

# fuzz_run TARGET SECONDS: search for new inputs, starting from those in build/fuzz/corpus
# and in the repository
fuzz_run() {
	mkdir -p "$fuzz_dir/corpus/$1" "$top/selftests/fuzz/corpus/$1"
	fuzz_target "$1" "-max_total_time=$2" -dict=build/fuzz/words.dict -print_final_stats=1 \
		-max_len=16384 "build/fuzz/corpus/$1" "selftests/fuzz/corpus/$1" >"$fuzz_dir/$1.log" 2>&1
}

# Only inputs of at most this number of bytes are added to the corpus in the repository, to
# keep the corpus small
fuzz_keep_bytes=700

# fuzz_merge TARGET: add new inputs to the corpus in the repository. An input is only added
# if it reaches code that the corpus does not reach yet. As few inputs as possible are added.
fuzz_merge() {
	local kept=selftests/fuzz/corpus/$1 small=build/fuzz/small/$1

	rm -rf "${top:?}/$small"
	mkdir -p "$top/$small" "$top/$kept"
	find "$fuzz_dir/corpus/$1" -type f -size "-$((fuzz_keep_bytes + 1))c" \
		-exec cp -t "$top/$small" {} +
	fuzz_target "$1" -set_cover_merge=1 -use_counters=0 "$kept" "$small"
	rm -rf "${top:?}/$small"
}

# fuzz_outcome TARGET: prints how many inputs the target ran, how many of them were
# added to the corpus, and how many edges of the control flow all inputs covered
fuzz_outcome() {
	awk '/^stat::number_of_executed_units/ { runs = $2 }
		/^stat::new_units_added/ { new = $2 }
		/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
		END { printf "%d inputs, %d new, %d edges", runs, new, cov }' "$fuzz_dir/$1.log"
}

# fuzz_blame TARGET: prints the input with which the target failed, the error, and the
# command that runs this input again
fuzz_blame() {
	local input

	input=$(sed -nE 's/.*Test unit written to (.*)/\1/p' "$fuzz_dir/$1.log" | tail -n 1)
	grep -aE 'this input breaks|runtime error|ERROR: |SUMMARY: ' "$fuzz_dir/$1.log" | head -n 4
	if [ -n "$input" ]; then
		echo "the input is $input; to repeat: scripts/fuzz $1 $input"
	else
		tail -n 5 "$fuzz_dir/$1.log"
	fi
}

# fuzz_try TARGET: search for new inputs for FUZZ_SECONDS, and report the result as a test
fuzz_try() {
	if fuzz_run "$1" "$FUZZ_SECONDS"; then
		result ok "no input breaks $1: $(fuzz_outcome "$1")"
	else
		result "not ok" "no input breaks $1"
		fuzz_blame "$1" | sed 's/^/# /'
	fi
}

# fuzz_tests: run every target for FUZZ_SECONDS
fuzz_tests() {
	local target

	fuzz_build
	for target in $(fuzz_targets); do
		fuzz_try "$target"
	done
}

# fuzz_add: add one job per target to the pool. In CI, add one job that builds and runs all
# targets.
fuzz_add() {
	local target

	[ "$what" != ci ] || : "${FUZZ_SECONDS:=5}"
	: "${FUZZ_SECONDS:=60}"
	[[ $FUZZ_SECONDS =~ ^[1-9][0-9]*$ ]] ||
		die "FUZZ_SECONDS=$FUZZ_SECONDS: not a whole number; 1 or more"
	if [ "$what" = ci ]; then
		pool_add 1 fuzz fuzz_tests
		return
	fi
	fuzz_build
	for target in $(fuzz_targets); do
		pool_add 1 "fuzz-$target" fuzz_try "$target"
	done
}
