#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test collectives with many ranks on leaf and spine switches: 8 ranks on each shape, 16 on four
# leaves with four spines, 32 and 64, in a machine with 2 GiB. All sums must be right, and no packet
# may be retransmitted. It takes minutes, so it runs only with --full.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

virtual_only
[ "${FAULT_RUNS:-0}" -ge 50 ] || skip_all "takes minutes; runs with --full"

tmp=$(mktemp -d)
defer rm -r "$tmp"

# verified RANKS COLLECTIVE SIZE: succeeds if the collective ends, with right results
verified()
{
	collperf "$2" -N "$1" -b "$3" -n 1 -w 0 --timeout 21 -J "$tmp/result" >"$tmp/page" 2>&1 &&
		jq -e '.results | length == 1 and all(.[]; .out_of_place.nwrong == 0)' \
			"$tmp/result" >/dev/null
}

# shape_ok RANKS SIZE WORD...: make a fabric, and test both collectives on it
shape_ok()
{
	local since

	rdmafault fabric up "$1" shape "${@:3}" >/dev/null ||
		{ echo "Bail out! the fabric cannot be made"; exit 1; }
	for collective in all_reduce alltoall; do
		since=$(date +%s)
		ok "$1 ranks on ${*:3}: $collective of $2 is verified" verified "$1" $collective "$2" ||
			diagnose <"$tmp/page"
		echo "# $(($(date +%s) - since)) s"
	done
	rdmafault fabric down >/dev/null
}

shape_ok 8 64K star
shape_ok 8 64K chain switches 4
shape_ok 8 64K ring switches 4
shape_ok 8 64K torus dims 2x4
shape_ok 8 64K leaf-spine leaves 4 spines 2
shape_ok 16 64K leaf-spine leaves 4 spines 4
shape_ok 32 64K leaf-spine leaves 8 spines 4
shape_ok 64 64K leaf-spine leaves 8 spines 4
