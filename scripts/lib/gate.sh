# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# The job of scripts/check --ci that compares the cost of a packet with the committed
# figures of scripts/bench.

# When the comparison passes, the git object ids of the paths gate_passed_paths are written to
# the file $gate_passed
gate_passed=selftests/bench.passed
gate_passed_paths=(kmod include Kbuild selftests/bench)

# gate_is_due: succeeds if the benchmark must run, because it has not passed with the current
# sources
gate_is_due() {
	passed_is_current "$gate_passed" "${gate_passed_paths[@]}" || return 0
	result skip "no packet costs more instructions" "this passed for these sources: $gate_passed"
	return 1
}

# gate: run the job
gate() {
	try "no packet costs more instructions" "$top/scripts/bench" --gate
}

gate_add() {
	pool_add 1 bench gate
}
