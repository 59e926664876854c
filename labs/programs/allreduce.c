// SPDX-License-Identifier: GPL-2.0
/* Sum a vector of each rank with MPI 30 times, compare the sums, and print the time of each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 30

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4096, rank, ranks, round, i, wrong = 0, all = 0;
	int *from, *to;
	double start, end;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	from = malloc(n * sizeof(*from));
	to = malloc(n * sizeof(*to));
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < n; i++)
			from[i] = rank * i + round;
		start = MPI_Wtime();
		MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		end = MPI_Wtime();
		for (i = 0; i < n; i++)
			wrong += to[i] != ranks * (ranks - 1) / 2 * i + ranks * round;
		usleep(10000);
		if (!rank)
			printf("sum %d took %.0f us\n", round + 1, (end - start) * 1e6);
	}
	MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("wrong: %d\n", all);
	free(from);
	free(to);
	MPI_Finalize();
	return !rank && all;
}
