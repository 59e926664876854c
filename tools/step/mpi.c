// SPDX-License-Identifier: GPL-2.0
/*
 * The library librdmafault-mpi: steps for an MPI program, which need no change of the program.
 * It is preloaded, and calls MPI through its profiling interface (MPI 3.1, chapter 14).
 *
 * Each blocking collective on MPI_COMM_WORLD or a duplicate of it is a step: its number is
 * announced before the call, and its time is written to a file after the call. Other
 * collectives are only counted, because the ranks call them in different orders, or go on
 * before they end.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "step.h"

enum operation {
	ALLGATHER, ALLGATHERV, ALLREDUCE, ALLTOALL, ALLTOALLV, BARRIER, BCAST, EXSCAN, GATHER,
	GATHERV, REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, SCAN, SCATTER, SCATTERV, OPERATIONS
};

static const char *const names[OPERATIONS] = {
	"allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast",
	"exscan", "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scan",
	"scatter", "scatterv",
};

/* Collectives that are no steps, by reason */
enum other { OTHER_OPERATION, OTHER_COMMUNICATOR, NONBLOCKING, OTHERS };

/*
 * The job. @operations: mask of the operations that are steps. @every: collectives per step.
 * @steps: collectives that are steps. @keyval: attribute of a communicator that stores whether
 * it has the ranks of MPI_COMM_WORLD. @fd: the file, or -1.
 */
static struct {
	pthread_mutex_t lock;
	uint32_t operations;
	unsigned long every;
	uint64_t steps, others[OTHERS];
	int rank, ranks, keyval, fd;
} job = {
	.lock = PTHREAD_MUTEX_INITIALIZER, .operations = (1u << OPERATIONS) - 1, .every = 1,
	.fd = -1,
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Write a line at once, so that the file of a killed rank has complete lines. */
static __attribute__((format(printf, 1, 2))) void write_line(const char *fmt, ...)
{
	char line[512];
	va_list ap;
	int n;

	if (job.fd < 0)
		return;
	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (write(job.fd, line, (size_t)n) == n)
		return;
	fprintf(stderr, "rdmafault-mpi: rank %d: the file of steps cannot be written: %s\n",
		job.rank, strerror(errno));
	close(job.fd);
	job.fd = -1;
}

static void open_file(const char *dir)
{
	char path[PATH_MAX], netdev[IF_NAMESIZE] = "", why[256];

	snprintf(path, sizeof(path), "%s/steps.%d.jsonl", dir, job.rank);
	job.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	if (job.fd < 0)
		fprintf(stderr, "rdmafault-mpi: %s: %s\n", path, strerror(errno));
	rf_step_netdev(netdev, why, sizeof(why));
	write_line("{\"type\":\"job\",\"rank\":%d,\"ranks\":%d,\"netdev\":\"%s\"}\n", job.rank,
		   job.ranks, netdev);
}

static void job_begins(void)
{
	const char *dir = getenv("RF_STEPS");

	PMPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &job.keyval, NULL);
	if (dir && *dir)
		open_file(dir);
	rf_step_announce(0);
}

/* A program in Fortran initializes MPI without calling MPI_Init() of this library. */
static void need_job(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, job_begins);
}

static __attribute__((format(printf, 1, 2), noreturn)) void refuse_variable(const char *fmt, ...)
{
	va_list ap;

	fputs("rdmafault-mpi: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

static uint32_t operation_bit(const char *name)
{
	char valid[256] = "";
	size_t n = 0;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		if (!strcmp(name, names[i]))
			return 1u << i;
		n += (size_t)snprintf(valid + n, sizeof(valid) - n, " %s", names[i]);
	}
	refuse_variable("RF_STEP_OPS: \"%s\": no such operation; of%s, several with commas", name, valid);
}

static void read_settings(void)
{
	const char *every = getenv("RF_STEP_EVERY"), *list = getenv("RF_STEP_OPS");
	char *end, *copy, *word, *left;

	if (every) {
		errno = 0;
		job.every = strtoul(every, &end, 10);
		if (*every < '0' || *every > '9' || *end || errno || !job.every ||
		    job.every > UINT32_MAX)
			refuse_variable("RF_STEP_EVERY: \"%s\": invalid; 1 to 4294967295", every);
	}
	if (!list || !*list)
		return;
	job.operations = 0;
	copy = strdup(list);
	for (word = strtok_r(copy, ",", &left); word; word = strtok_r(NULL, ",", &left))
		job.operations |= operation_bit(word);
	free(copy);
}

static bool compare_with_world(MPI_Comm comm)
{
	int result = MPI_UNEQUAL;

	PMPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
	return result == MPI_IDENT || result == MPI_CONGRUENT;
}

/* Comparing takes a time that depends on the number of ranks, so the result is kept. */
static bool is_world(MPI_Comm comm)
{
	static char yes, no;
	int found = 0;
	char *kept;

	if (comm == MPI_COMM_WORLD)
		return true;
	PMPI_Comm_get_attr(comm, job.keyval, &kept, &found);
	if (!found) {
		kept = compare_with_world(comm) ? &yes : &no;
		PMPI_Comm_set_attr(comm, job.keyval, kept);
	}
	return kept == &yes;
}

static void count_other(enum other why)
{
	need_job();
	pthread_mutex_lock(&job.lock);
	job.others[why]++;
	pthread_mutex_unlock(&job.lock);
}

/*
 * A collective begins: announce its step.
 *
 * Return: the step; 0: it is no step.
 */
static uint32_t call_begins(enum operation op, MPI_Comm comm)
{
	uint32_t step;

	need_job();
	if (!(job.operations >> op & 1) || !is_world(comm)) {
		count_other(job.operations >> op & 1 ? OTHER_COMMUNICATOR : OTHER_OPERATION);
		return 0;
	}
	pthread_mutex_lock(&job.lock);
	step = (uint32_t)(job.steps++ / job.every + 1);
	rf_step_announce(step);
	pthread_mutex_unlock(&job.lock);
	return step;
}

static void call_ends(uint32_t step, enum operation op, uint64_t bytes, uint64_t start)
{
	if (!step)
		return;
	pthread_mutex_lock(&job.lock);
	write_line("{\"type\":\"step\",\"step\":%" PRIu32 ",\"op\":\"%s\",\"bytes\":%" PRIu64
		   ",\"start_ns\":%" PRIu64 ",\"end_ns\":%" PRIu64 "}\n", step, names[op], bytes,
		   start, now_ns());
	pthread_mutex_unlock(&job.lock);
}

static void job_ends(void)
{
	need_job();
	rf_step_announce(0);
	pthread_mutex_lock(&job.lock);
	write_line("{\"type\":\"end\",\"collectives\":%" PRIu64 ",\"other_operations\":%" PRIu64
		   ",\"other_communicators\":%" PRIu64 ",\"nonblocking\":%" PRIu64 "}\n",
		   job.steps, job.others[OTHER_OPERATION], job.others[OTHER_COMMUNICATOR],
		   job.others[NONBLOCKING]);
	pthread_mutex_unlock(&job.lock);
}

int MPI_Init(int *argc, char ***argv)
{
	int err;

	read_settings();
	err = PMPI_Init(argc, argv);
	if (!err)
		need_job();
	return err;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int err;

	read_settings();
	err = PMPI_Init_thread(argc, argv, required, provided);
	if (!err)
		need_job();
	return err;
}

int MPI_Finalize(void)
{
	job_ends();
	return PMPI_Finalize();
}

static uint64_t bytes_of(int count, MPI_Datatype type)
{
	int size = 0;

	PMPI_Type_size(type, &size);
	return (uint64_t)count * (uint64_t)size;
}

static uint64_t bytes_of_all(const int *counts, MPI_Datatype type, MPI_Comm comm)
{
	uint64_t sum = 0;
	int i, n = 0;

	PMPI_Comm_size(comm, &n);
	for (i = 0; i < n; i++)
		sum += bytes_of(counts[i], type);
	return sum;
}

/* The bytes for each rank of @comm. With MPI_IN_PLACE, the receive buffer has them. */
static uint64_t bytes_for_each(const void *send, int n, MPI_Datatype type, int to_n,
			       MPI_Datatype to_type)
{
	return send == MPI_IN_PLACE ? bytes_of(to_n, to_type) : bytes_of(n, type);
}

static uint64_t size_times(MPI_Comm comm, uint64_t bytes)
{
	int n = 0;

	PMPI_Comm_size(comm, &n);
	return (uint64_t)n * bytes;
}

static int own(const int *counts, MPI_Comm comm)
{
	int rank = 0;

	PMPI_Comm_rank(comm, &rank);
	return counts[rank];
}

/* Bytes are those that the rank passes to the operation; for scatter, those that it gets. */
#define STEP_OF(_name, _op, _bytes, _params, _args)				\
int MPI_##_name _params								\
{										\
	uint32_t step = call_begins(_op, comm);					\
	uint64_t start = now_ns();						\
	int err = PMPI_##_name _args;						\
										\
	call_ends(step, _op, step ? (_bytes) : 0, start);			\
	return err;								\
}

STEP_OF(Barrier, BARRIER, 0, (MPI_Comm comm), (comm))
STEP_OF(Bcast, BCAST, bytes_of(n, type),
	(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm),
	(data, n, type, root, comm))
STEP_OF(Reduce, REDUCE, bytes_of(n, type),
	(const void *send, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
	(send, to, n, type, op, root, comm))
STEP_OF(Allreduce, ALLREDUCE, bytes_of(n, type),
	(const void *send, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	(send, to, n, type, op, comm))
STEP_OF(Scan, SCAN, bytes_of(n, type),
	(const void *send, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	(send, to, n, type, op, comm))
STEP_OF(Exscan, EXSCAN, bytes_of(n, type),
	(const void *send, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	(send, to, n, type, op, comm))
STEP_OF(Reduce_scatter, REDUCE_SCATTER, bytes_of_all(to_n, type, comm),
	(const void *send, void *to, const int *to_n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	(send, to, to_n, type, op, comm))
STEP_OF(Reduce_scatter_block, REDUCE_SCATTER_BLOCK, size_times(comm, bytes_of(to_n, type)),
	(const void *send, void *to, int to_n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
	(send, to, to_n, type, op, comm))
STEP_OF(Allgather, ALLGATHER, bytes_for_each(send, n, type, to_n, to_type),
	(const void *send, int n, MPI_Datatype type, void *to, int to_n, MPI_Datatype to_type,
	 MPI_Comm comm),
	(send, n, type, to, to_n, to_type, comm))
STEP_OF(Allgatherv, ALLGATHERV, bytes_for_each(send, n, type, own(to_n, comm), to_type),
	(const void *send, int n, MPI_Datatype type, void *to, const int *to_n, const int *at,
	 MPI_Datatype to_type, MPI_Comm comm),
	(send, n, type, to, to_n, at, to_type, comm))
STEP_OF(Alltoall, ALLTOALL, size_times(comm, bytes_for_each(send, n, type, to_n, to_type)),
	(const void *send, int n, MPI_Datatype type, void *to, int to_n, MPI_Datatype to_type,
	 MPI_Comm comm),
	(send, n, type, to, to_n, to_type, comm))
STEP_OF(Alltoallv, ALLTOALLV, send == MPI_IN_PLACE ? bytes_of_all(to_n, to_type, comm) :
	bytes_of_all(n, type, comm),
	(const void *send, const int *n, const int *from, MPI_Datatype type, void *to,
	 const int *to_n, const int *at, MPI_Datatype to_type, MPI_Comm comm),
	(send, n, from, type, to, to_n, at, to_type, comm))
STEP_OF(Gather, GATHER, bytes_for_each(send, n, type, to_n, to_type),
	(const void *send, int n, MPI_Datatype type, void *to, int to_n, MPI_Datatype to_type,
	 int root, MPI_Comm comm),
	(send, n, type, to, to_n, to_type, root, comm))
STEP_OF(Gatherv, GATHERV, send == MPI_IN_PLACE ? bytes_of(own(to_n, comm), to_type) :
	bytes_of(n, type),
	(const void *send, int n, MPI_Datatype type, void *to, const int *to_n, const int *at,
	 MPI_Datatype to_type, int root, MPI_Comm comm),
	(send, n, type, to, to_n, at, to_type, root, comm))
STEP_OF(Scatter, SCATTER, bytes_for_each(to, to_n, to_type, n, type),
	(const void *send, int n, MPI_Datatype type, void *to, int to_n, MPI_Datatype to_type,
	 int root, MPI_Comm comm),
	(send, n, type, to, to_n, to_type, root, comm))
STEP_OF(Scatterv, SCATTERV, to == MPI_IN_PLACE ? bytes_of(own(n, comm), type) :
	bytes_of(to_n, to_type),
	(const void *send, const int *n, const int *from, MPI_Datatype type, void *to, int to_n,
	 MPI_Datatype to_type, int root, MPI_Comm comm),
	(send, n, from, type, to, to_n, to_type, root, comm))

#define COUNTED(_name, _params, _args)						\
int MPI_##_name _params								\
{										\
	count_other(NONBLOCKING);						\
	return PMPI_##_name _args;						\
}

COUNTED(Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request))
COUNTED(Ibcast,
	(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
	(data, n, type, root, comm, request))
COUNTED(Ireduce,
	(const void *send, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
	 MPI_Request *request),
	(send, to, n, type, op, root, comm, request))
COUNTED(Iallreduce,
	(const void *send, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
	 MPI_Request *request),
	(send, to, n, type, op, comm, request))
COUNTED(Ireduce_scatter,
	(const void *send, void *to, const int *to_n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
	 MPI_Request *request),
	(send, to, to_n, type, op, comm, request))
COUNTED(Ireduce_scatter_block,
	(const void *send, void *to, int to_n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
	 MPI_Request *request),
	(send, to, to_n, type, op, comm, request))
COUNTED(Iallgather,
	(const void *send, int n, MPI_Datatype type, void *to, int to_n, MPI_Datatype to_type,
	 MPI_Comm comm, MPI_Request *request),
	(send, n, type, to, to_n, to_type, comm, request))
COUNTED(Iallgatherv,
	(const void *send, int n, MPI_Datatype type, void *to, const int *to_n, const int *at,
	 MPI_Datatype to_type, MPI_Comm comm, MPI_Request *request),
	(send, n, type, to, to_n, at, to_type, comm, request))
COUNTED(Ialltoall,
	(const void *send, int n, MPI_Datatype type, void *to, int to_n, MPI_Datatype to_type,
	 MPI_Comm comm, MPI_Request *request),
	(send, n, type, to, to_n, to_type, comm, request))
COUNTED(Ialltoallv,
	(const void *send, const int *n, const int *from, MPI_Datatype type, void *to,
	 const int *to_n, const int *at, MPI_Datatype to_type, MPI_Comm comm, MPI_Request *request),
	(send, n, from, type, to, to_n, at, to_type, comm, request))
COUNTED(Igather,
	(const void *send, int n, MPI_Datatype type, void *to, int to_n, MPI_Datatype to_type,
	 int root, MPI_Comm comm, MPI_Request *request),
	(send, n, type, to, to_n, to_type, root, comm, request))
COUNTED(Igatherv,
	(const void *send, int n, MPI_Datatype type, void *to, const int *to_n, const int *at,
	 MPI_Datatype to_type, int root, MPI_Comm comm, MPI_Request *request),
	(send, n, type, to, to_n, at, to_type, root, comm, request))
COUNTED(Iscatter,
	(const void *send, int n, MPI_Datatype type, void *to, int to_n, MPI_Datatype to_type,
	 int root, MPI_Comm comm, MPI_Request *request),
	(send, n, type, to, to_n, to_type, root, comm, request))
COUNTED(Iscatterv,
	(const void *send, const int *n, const int *from, MPI_Datatype type, void *to, int to_n,
	 MPI_Datatype to_type, int root, MPI_Comm comm, MPI_Request *request),
	(send, n, from, type, to, to_n, to_type, root, comm, request))
