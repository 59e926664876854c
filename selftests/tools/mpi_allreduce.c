// SPDX-License-Identifier: GPL-2.0
/*
 * mpi_allreduce BYTES ITERATIONS [WARM-UP]
 *
 * Run MPI_Allreduce of floats with MPI_SUM, for a comparison with collperf. Size, number of
 * iterations and measurement are the same: after a barrier, the iterations run without a
 * pause, then the clock is read. The time is the mean over iterations and ranks. Rank 0 prints
 *
 *   bytes=BYTES time=MICROSECONDS busbw=GB/s wrong=ELEMENTS
 *
 * where the bus bandwidth is 2(n-1)/n * BYTES / time, and ELEMENTS is the number of wrong sums
 * on all ranks in one additional iteration. The elements are small integers, so that their sum
 * is exact in any order.
 */
#include <error.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
	int rank, ranks, count;
	float *in, *out;
};

static long whole(const char *word, long min, const char *what)
{
	char *end;
	long v = strtol(word, &end, 0);

	if (end == word || *end || v < min || v > 1 << 30)
		error(2, 0, "%s %s: out of range; a whole number from %ld to 2^30", what,
		      word, min);
	return v;
}

static float element(int rank, int i)
{
	return (float)((rank + 1) * (i % 251));
}

static float sum(int ranks, int i)
{
	return (float)(ranks * (ranks + 1) / 2 * (i % 251));
}

static void fill(struct job *job)
{
	job->in = malloc((size_t)job->count * sizeof(float) + 1);
	job->out = calloc((size_t)job->count + 1, sizeof(float));
	if (!job->in || !job->out)
		error(2, 0, "no memory for two vectors of %d floats", job->count);
	for (int i = 0; i < job->count; i++)
		job->in[i] = element(job->rank, i);
}

static void all_reduce(const struct job *job)
{
	MPI_Allreduce(job->in, job->out, job->count, MPI_FLOAT, MPI_SUM,
		      MPI_COMM_WORLD);
}

/* Return: the time per iteration in seconds, averaged over iterations and ranks. */
static double measure(const struct job *job, long runs)
{
	double start, mine, all;

	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	for (long i = 0; i < runs; i++)
		all_reduce(job);
	mine = (MPI_Wtime() - start) / (double)runs;
	MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	return all / job->ranks;
}

static long count_wrong(const struct job *job)
{
	long mine = 0, all = 0;

	for (int i = 0; i < job->count; i++)
		job->out[i] = -1;
	all_reduce(job);
	for (int i = 0; i < job->count; i++)
		mine += job->out[i] != sum(job->ranks, i);
	MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	return all;
}

int main(int argc, char **argv)
{
	double time, factor, bytes;
	struct job job = { 0 };
	long warmup, runs, wrong;

	MPI_Init(&argc, &argv);
	if (argc < 3)
		error(2, 0, "usage: mpi_allreduce BYTES ITERATIONS [WARM-UP]");
	job.count = (int)(whole(argv[1], 0, "BYTES") / (long)sizeof(float));
	runs = whole(argv[2], 1, "ITERATIONS");
	warmup = argc > 3 ? whole(argv[3], 0, "WARM-UP") : 1;
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	fill(&job);
	for (long i = 0; i < warmup; i++)
		all_reduce(&job);
	time = measure(&job, runs);
	wrong = count_wrong(&job);
	factor = 2.0 * (job.ranks - 1) / job.ranks;
	bytes = (double)job.count * sizeof(float);
	if (job.rank == 0)
		printf("bytes=%.0f time=%.1f busbw=%.6f wrong=%ld\n", bytes,
		       time * 1e6, factor * bytes / time / 1e9, wrong);
	MPI_Finalize();
	return wrong ? 1 : 0;
}
