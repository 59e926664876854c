#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test Open MPI's MPI_Allreduce over UCX on SoftRoCE, set up as in
# Documentation/openmpi.rst: its messages use the RDMA devices and its sums are right.
# Without the setting of UCX_UD_ETH_DGID_CHECK the ranks do not connect, as that
# document explains.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/mpi.sh"

reason=$(have_mpi) || skip_all "$reason"
fabric 4
tmp=$(mktemp)
defer rm "$tmp"

bytes=262144

# reduced RANKS: succeeds if MPI_Allreduce has no wrong sum in one warm-up, 2 iterations and
# one verified iteration
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
ok "MPI_Allreduce of 2 ranks has no wrong sum" reduced 2
# Each of 2 ranks sends its vector once per iteration (recursive doubling), or half
# of the vector twice. In 4 iterations these are 4 * 64 packets of 4096 bytes.
ok "MPI_Allreduce sends its data over rxe1, not through shared memory" \
	[ $(($(sent) - before)) -ge 256 ]
is "MPI_Allreduce uses reliable connections of rxe1 and rxe2" \
	"$(grep -o 'ep_cfg\[1\]: .*' "$tmp" | sort -u)" \
	"ep_cfg[1]: tag(rc_verbs/rxe1:1)
ep_cfg[1]: tag(rc_verbs/rxe2:1)"
ok "MPI_Allreduce of 4 ranks has no wrong sum" reduced 4

unchecked()
{
	UCX_UD_TIMEOUT=3s mpi_patience=12 mpi 2 env UCX_UD_ETH_DGID_CHECK=y \
		"$mpi_program" 1024 1 >"$tmp" 2>&1
}

ok "with UCX_UD_ETH_DGID_CHECK=y the ranks do not connect" \
	eval "! unchecked && ! grep wrong=0 $tmp"
