#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The peer: OpenMPI's MPI_Allreduce over UCX on the same devices, as
# Documentation/openmpi.rst says. Its messages are on the wire, and its sums are
# right; without the recipe's one odd setting it finds nobody, as is told there.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/mpi.sh"

reason=$(have_mpi) || skip_all "$reason"
fabric 4
tmp=$(mktemp)
defer rm "$tmp"

bytes=262144

# reduced RANKS: a warm-up, 2 runs and one to be verified, without a wrong sum
reduced()
{
	UCX_LOG_LEVEL=info mpi "$1" "$mpi_program" $bytes 2 1 >"$tmp" 2>&1
	grep -E "^bytes=$bytes time=[0-9.]+ busbw=[0-9.]+ wrong=0\$" "$tmp"
}

sent()
{
	hw rxe1 sent_pkts
}

before=$(sent)
ok "2 ranks sum without an error" reduced 2
# Of 2 ranks each sends what it has once in recursive doubling, or half of it
# twice; 4 runs of 64 packets of 4096 bytes.
ok "their data goes over rxe1, not through shared memory" \
	[ $(($(sent) - before)) -ge 256 ]
is "by reliable connections between these devices" \
	"$(grep -o 'ep_cfg\[1\]: .*' "$tmp" | sort -u)" \
	"ep_cfg[1]: tag(rc_verbs/rxe1:1)
ep_cfg[1]: tag(rc_verbs/rxe2:1)"
ok "4 ranks sum without an error" reduced 4

unchecked()
{
	UCX_UD_TIMEOUT=3s mpi_patience=12 mpi 2 env UCX_UD_ETH_DGID_CHECK=y \
		"$mpi_program" 1024 1 >"$tmp" 2>&1
}

ok "with UCX_UD_ETH_DGID_CHECK=y they don't find each other" \
	eval "! unchecked && ! grep wrong=0 $tmp"
