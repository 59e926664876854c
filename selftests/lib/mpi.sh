# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Run MPI ranks as Documentation/openmpi.rst describes. Each rank uses a separate rxe
# device.

mpi_program=$(dirname "${BASH_SOURCE[0]}")/../../build/selftests/bin/mpi_allreduce

# have_mpi: fails and prints a reason if MPI cannot be run here
have_mpi()
{
	command -v mpirun >/dev/null || { echo "no mpirun; install openmpi-bin"; return 1; }
	[ -x "$mpi_program" ] ||
		{ echo "mpi_allreduce was not built; install libopenmpi-dev"; return 1; }
}

# mpi RANKS PROGRAM ARGUMENT...: run PROGRAM in RANKS ranks; rank r uses rxe(r+1). If the
# caller exports UCX_* variables, the ranks use them. The retransmission timeout is long enough
# for a busy machine.
mpi()
{
	local ranks=$1

	shift
	# shellcheck disable=SC2016 # the shell of each rank expands the variable
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
	UCX_TLS=rc_v,self UCX_UD_ETH_DGID_CHECK=n \
	UCX_RC_TIMEOUT=${UCX_RC_TIMEOUT:-4s} \
	timeout "${mpi_patience:-120}" mpirun --oversubscribe -n "$ranks" \
		--mca pml ucx --mca btl self bash -c \
		'UCX_NET_DEVICES=rxe$((OMPI_COMM_WORLD_LOCAL_RANK + 1)):1 exec "$@"' \
		- "$@"
}
