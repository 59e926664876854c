// SPDX-License-Identifier: GPL-2.0
/*
 * All that a job runs through, in the order of nccl-tests: for each type, for
 * each operation, for each root, the sizes from -b to -e.
 *
 * A size is that of the larger of a rank's two vectors, so that bandwidths
 * compare; the count is what each rank contributes to all_gather, gets of
 * reduce_scatter, and sends to each in alltoall. A size is cut to whole
 * elements for every rank. (nccl-tests cuts to 16 bytes for every rank, which
 * its hardware likes; here odd counts can be had.)
 */
#include "sweep.h"

static uint32_t n_ops(const struct cp_config *cfg)
{
	return cfg->coll->reduces ? cfg->n_ops : 1;
}

static uint32_t n_roots(const struct cp_config *cfg)
{
	return cfg->root == CP_ALL_ROOTS ? cfg->ranks : 1;
}

/**
 * cp_cases() - how many sweeps over the sizes there are
 * @cfg: the job
 *
 * Return: types times operations times roots.
 */
uint32_t cp_cases(const struct cp_config *cfg)
{
	return cfg->n_types * n_ops(cfg) * n_roots(cfg);
}

/**
 * cp_case() - one of them
 * @cfg: the job
 * @i: which, less than cp_cases()
 *
 * Return: what it is done with.
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

/* The larger of a rank's two vectors, in multiples of the count */
static uint64_t multiple(const struct cp_config *cfg)
{
	uint64_t sent = cfg->coll->sent((int)cfg->ranks);
	uint64_t received = cfg->coll->received((int)cfg->ranks);

	if (!cfg->coll->sized)
		return 1;
	return sent > received ? sent : received;
}

/**
 * cp_size_of() - what a size comes to with a type
 * @cfg: the job
 * @type: of the elements
 * @bytes: as asked for
 *
 * Return: the size as it is run, not larger.
 */
struct cp_size cp_size_of(const struct cp_config *cfg,
			  const struct cp_type *type, uint64_t bytes)
{
	uint64_t unit = multiple(cfg) * type->size;

	return (struct cp_size){
		.bytes = bytes / unit * unit,
		.count = bytes / unit,
	};
}

/**
 * cp_next_size() - the size that comes next
 * @cfg: the job
 * @type: of the elements
 * @bytes: the size before
 *
 * Return: bytes as asked for, or CP_NO_SIZE. After 0, a factor goes on with one
 * element for each rank.
 */
uint64_t cp_next_size(const struct cp_config *cfg, const struct cp_type *type,
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
 * cp_algo_of() - the algorithm for a size
 * @cfg: the job
 * @bytes: the size as it is run
 *
 * Return: the one asked for, or the one that fits.
 */
enum cp_algo cp_algo_of(const struct cp_config *cfg, uint64_t bytes)
{
	if (cfg->algo != CP_AUTO)
		return (enum cp_algo)cfg->algo;
	return cp_algo_choose(cfg->coll, (int)cfg->ranks, bytes);
}

/**
 * cp_sweep_memory() - what a rank needs for the largest size
 * @cfg: the job
 * @bytes: of what it sends, and of what it receives; to be filled in
 */
void cp_sweep_memory(const struct cp_config *cfg, uint64_t bytes[CP_MEMS])
{
	uint64_t largest = cfg->max_bytes / multiple(cfg);

	bytes[CP_SEND] = cfg->place & CP_OUT_OF_PLACE ?
			 largest * cfg->coll->sent((int)cfg->ranks) : 0;
	bytes[CP_RECV] = largest * cfg->coll->received((int)cfg->ranks);
}

static uint64_t sizes(const struct cp_config *cfg, const struct cp_type *type)
{
	uint64_t n = 0;

	if (!cfg->step_factor)
		return (cfg->max_bytes - cfg->min_bytes) / cfg->step_bytes + 1;
	for (uint64_t b = cfg->min_bytes; b != CP_NO_SIZE;
	     b = cp_next_size(cfg, type, b))
		n++;
	return n;
}

/* Of @each runs for a size, out-of-place and in-place if both are wanted */
static uint64_t of_all_sizes(const struct cp_config *cfg, uint64_t each)
{
	uint64_t n = 0;

	for (uint32_t t = 0; t < cfg->n_types; t++)
		n += sizes(cfg, cfg->types[t]);
	return n * n_ops(cfg) * n_roots(cfg) * each *
	       (uint64_t)__builtin_popcount(cfg->place);
}

/**
 * cp_sweep_steps() - measured iterations of the whole job
 * @cfg: the job
 *
 * Return: how many.
 */
uint64_t cp_sweep_steps(const struct cp_config *cfg)
{
	return of_all_sizes(cfg, cfg->iters);
}

/**
 * cp_sweep_runs() - how often the job runs the collective, all in all
 * @cfg: the job
 *
 * Return: warm-ups, measured iterations and separate checks.
 */
uint64_t cp_sweep_runs(const struct cp_config *cfg)
{
	uint64_t checks = cfg->blocking ? 0 : cfg->checks;

	return of_all_sizes(cfg, cfg->warmups + cfg->iters + checks);
}
