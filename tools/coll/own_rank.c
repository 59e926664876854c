// SPDX-License-Identifier: GPL-2.0
/*
 * Find out how this process was started, and which rank it is.
 *
 * The options --rank, --ranks and --rendezvous have precedence over a PMIx launcher
 * (mpirun, srun --mpi=pmix), which sets PMIX_RANK. Without these options and without
 * PMIx, this process is the launcher and starts the ranks.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll.h"
#include "err.h"
#include "units.h"
#include "wire.h"

/* Parse HOST:PORT. An IPv6 address must be in brackets. */
static int split_address(struct coll_own_rank *own, const char *text)
{
	const char *colon = strrchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : 0;
	uint32_t port;

	if (!len || len >= COLL_HOST_LEN || rf_parse_u32(colon + 1, &port) ||
	    port < 1 || port > UINT16_MAX) {
		rf_err("--rendezvous %s: not valid; must be HOST:PORT of rank 0",
		       text);
		return -EINVAL;
	}
	if (text[0] == '[' && text[len - 1] == ']') {
		text++;
		len -= 2;
	}
	snprintf(own->hosts[0], COLL_HOST_LEN, "%.*s", (int)len, text);
	own->n_hosts = 1;
	own->port = (uint16_t)port;
	return 0;
}

static int from_options(struct coll_own_rank *own, const struct coll_options *opt,
			uint32_t ranks)
{
	if (opt->rank == COLL_NO_RANK || !opt->rendezvous || !ranks) {
		rf_err("%s missing; --rank, --ranks and --rendezvous must be given together",
		       opt->rank == COLL_NO_RANK ? "--rank" :
		       !opt->rendezvous ? "--rendezvous" : "--ranks");
		return -EINVAL;
	}
	if (opt->rank >= ranks) {
		rf_err("--rank %u: out of range; 0 to %u, less than --ranks",
		       opt->rank, ranks - 1);
		return -EINVAL;
	}
	own->launcher = "--rendezvous";
	own->rank = (int)opt->rank;
	own->ranks = (int)ranks;
	return split_address(own, opt->rendezvous);
}

/**
 * coll_own_rank_launcher() - get the launcher of this process
 * @opt: the options
 *
 * Return: the launcher; COLL_NO_LAUNCHER: this process starts the ranks.
 */
enum coll_launcher coll_own_rank_launcher(const struct coll_options *opt)
{
	if (opt->rank != COLL_NO_RANK || opt->rendezvous)
		return COLL_BY_OPTIONS;
	if (getenv("PMIX_RANK"))
		return COLL_BY_PMIX;
	return COLL_NO_LAUNCHER;
}

/**
 * coll_own_rank_find() - get the rank of this process
 * @own: gets the rank, the number of ranks, and the addresses of rank 0
 * @by: the launcher
 * @opt: the options
 * @ranks: value of --ranks; 0: not given
 *
 * Return: 0, or -errno after a message.
 */
int coll_own_rank_find(struct coll_own_rank *own, enum coll_launcher by,
		       const struct coll_options *opt, uint32_t ranks)
{
	int ret;

	*own = (struct coll_own_rank){ .listen_fd = -1, .member = "rank" };
	ret = by == COLL_BY_PMIX ? coll_pmix_own_rank(own, opt->deadline_ns) :
	      from_options(own, opt, ranks);
	if (ret || !ranks || ranks == (uint32_t)own->ranks)
		return ret;
	rf_err("-N %u: %d ranks were started (%s); omit -N, or unset PMIX_RANK to start the ranks here",
	       ranks, own->ranks, own->launcher);
	return -EINVAL;
}
