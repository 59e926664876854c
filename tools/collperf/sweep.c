// SPDX-License-Identifier: GPL-2.0
/*
 * The cases and sizes of a job, in the order of nccl-tests: for each type, each
 * operation and each root, the sizes from -b to -e.
 *
 * A rank has two vectors, input and result. The column "size" is the size of the longer
 * one, so that bandwidths are comparable. The column "count" is the number of elements in
 * the input of a rank for all_gather, in the result of a rank for reduce_scatter, and in
 * the data between two ranks for alltoall. A size is rounded down to whole elements per
 * rank. (nccl-tests rounds to 16 bytes per rank; here odd counts are possible.)
 */
#include "config.h"

static uint32_t n_ops(const struct cp_config *cfg)
{
	return cfg->coll->reduces ? cfg->n_ops : 1;
}

static uint32_t n_roots(const struct cp_config *cfg)
{
	return cfg->root == CP_ALL_ROOTS ? cfg->ranks : 1;
}

/**
 * cp_cases() - number of cases
 * @cfg: options of the job
 *
 * Return: number of types * number of operations * number of roots.
 */
uint32_t cp_cases(const struct cp_config *cfg)
{
	return cfg->n_types * n_ops(cfg) * n_roots(cfg);
}

/**
 * cp_case() - get a case
 * @cfg: options of the job
 * @i: index, less than cp_cases()
 *
 * Return: the case.
 */
struct cp_case cp_case(const struct cp_config *cfg, uint32_t i)
{
	uint32_t root = i % n_roots(cfg);

	i /= n_roots(cfg);
	return (struct cp_case){
		.type = cfg->types[i / n_ops(cfg)],
		.op = cfg->coll->reduces ? cfg->ops[i % n_ops(cfg)] : NULL,
		.root = cfg->root == CP_ALL_ROOTS ? (int)root : cfg->root,
	};
}

/*
 * A rank has two vectors, input and result. Return the length of the longer one as a
 * multiple of cp_size.count.
 */
static uint64_t multiple(const struct cp_config *cfg)
{
	uint64_t sent = cfg->coll->sent((int)cfg->ranks);
	uint64_t received = cfg->coll->received((int)cfg->ranks);

	if (!cfg->coll->sized)
		return 1;
	return sent > received ? sent : received;
}

/**
 * cp_size_of() - round a size down to whole elements
 * @cfg: options of the job
 * @type: type of the elements
 * @bytes: the requested size
 *
 * Return: the size that is measured.
 */
struct cp_size cp_size_of(const struct cp_config *cfg,
			  const struct coll_type *type, uint64_t bytes)
{
	uint64_t unit = multiple(cfg) * type->size;

	return (struct cp_size){
		.bytes = bytes / unit * unit,
		.count = bytes / unit,
	};
}

/**
 * cp_next_size() - get the next size
 * @cfg: options of the job
 * @type: type of the elements
 * @bytes: the previous size
 *
 * Return: the next requested size, or CP_NO_SIZE after the last size. With -f, a size is
 * the previous size times a factor. After the size 0, this product would be 0 again, so the
 * size of one element per "count" follows.
 */
uint64_t cp_next_size(const struct cp_config *cfg, const struct coll_type *type,
		      uint64_t bytes)
{
	uint64_t next;

	if (!cfg->step_factor)
		next = bytes + cfg->step_bytes;
	else if (!bytes)
		next = multiple(cfg) * type->size;
	else if (__builtin_mul_overflow(bytes, cfg->step_factor, &next))
		next = CP_NO_SIZE;
	return next > bytes && next <= cfg->max_bytes ? next : CP_NO_SIZE;
}

/**
 * cp_algo_of() - return the algorithm for a size
 * @cfg: options of the job
 * @bytes: the measured size
 *
 * Return: the requested algorithm or, if it is "auto", the algorithm for this size.
 */
enum coll_algo cp_algo_of(const struct cp_config *cfg, uint64_t bytes)
{
	if (cfg->algo != CP_AUTO)
		return (enum coll_algo)cfg->algo;
	return coll_algo_choose(cfg->coll, (int)cfg->ranks, bytes);
}

/**
 * cp_sweep_memory() - compute the memory that a rank needs for the largest size
 * @cfg: options of the job
 * @bytes: gets the size of the input and the size of the result, in bytes
 */
void cp_sweep_memory(const struct cp_config *cfg, uint64_t bytes[COLL_MEMS])
{
	uint64_t largest = cfg->max_bytes / multiple(cfg);

	bytes[COLL_SEND] = cfg->place & CP_OUT_OF_PLACE ?
			 largest * cfg->coll->sent((int)cfg->ranks) : 0;
	bytes[COLL_RECV] = largest * cfg->coll->received((int)cfg->ranks);
}

static uint64_t sizes(const struct cp_config *cfg, const struct coll_type *type)
{
	uint64_t n = 0;

	if (!cfg->step_factor)
		return (cfg->max_bytes - cfg->min_bytes) / cfg->step_bytes + 1;
	for (uint64_t b = cfg->min_bytes; b != CP_NO_SIZE;
	     b = cp_next_size(cfg, type, b))
		n++;
	return n;
}

/*
 * Return the number of runs in the whole job, if each measurement has @each runs. There is
 * one measurement for each combination of type, operation, root, size, and in-place or
 * out-of-place.
 */
static uint64_t of_all_sizes(const struct cp_config *cfg, uint64_t each)
{
	uint64_t n = 0;

	for (uint32_t t = 0; t < cfg->n_types; t++)
		n += sizes(cfg, cfg->types[t]);
	return n * n_ops(cfg) * n_roots(cfg) * each *
	       (uint64_t)__builtin_popcount(cfg->place);
}

/**
 * cp_sweep_steps() - number of measured iterations of the whole job
 * @cfg: options of the job
 *
 * Return: the number of iterations, without warm-ups and checks.
 */
uint64_t cp_sweep_steps(const struct cp_config *cfg)
{
	return of_all_sizes(cfg, cfg->iters);
}

/**
 * cp_sweep_runs() - number of executions of the collective in the whole job
 * @cfg: options of the job
 *
 * Return: the total number of warm-ups, measured iterations, and additional iterations
 * for the check.
 */
uint64_t cp_sweep_runs(const struct cp_config *cfg)
{
	uint64_t checks = cfg->blocking ? 0 : cfg->checks;

	return of_all_sizes(cfg, cfg->warmups + cfg->iters + checks);
}
