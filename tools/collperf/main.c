// SPDX-License-Identifier: GPL-2.0
/*
 * collperf: collectives over RDMA queue pairs, measured and verified.
 *
 * The command line becomes a struct cp_config (config.c, check.c). The launcher
 * starts one process per rank, unless another launcher did (coll/launch.c). A
 * rank (rank.c) opens the communicator of the engine, runs the cases and sizes
 * (sweep.c, bench.c, measurement.c), verifies the results (values.c), and rank 0 prints
 * (table.c, results.c). At the end the timeline is written (timeline.c).
 */
#include <errno.h>
#include <sys/stat.h>

#include "bench.h"
#include "coll.h"
#include "config.h"
#include "err.h"
#include "results.h"

static bool is_empty(FILE *file)
{
	struct stat st;

	return !fstat(fileno(file), &st) && !st.st_size;
}

/*
 * Rank 0 normally writes the results. If rank 0 ended without writing them, write the error
 * instead.
 */
static int write_missing_results(const struct cp_config *cfg,
				 const struct coll_state *first)
{
	if (!cfg->json || first->finished || !first->error[0] ||
	    !is_empty(cfg->json) || !cp_results_lost(cfg, first->error))
		return 0;
	rf_err("%s: cannot be written", cfg->json_path);
	return -EIO;
}

static int write_files(void *arg, const struct coll_state *states)
{
	const struct cp_config *cfg = arg;
	int ret = cfg->timeline ? cp_timeline_write(cfg, states) : 0;

	return ret ? ret : write_missing_results(cfg, &states[0]);
}

static int launch(struct cp_config *cfg)
{
	const struct coll_job job = {
		.ranks = cfg->ranks,
		.records = cfg->options.timeline_path ? cp_sweep_steps(cfg) : 0,
		.verbose = cfg->options.verbose,
		.be_rank = cp_rank,
		.ended = write_files,
		.arg = cfg,
		.team = &cfg->options.team,
	};

	return coll_launch(&job);
}

int main(int argc, char **argv)
{
	struct cp_config cfg;
	int ret;

	rf_progname = "collperf";
	ret = cp_config_parse(&cfg, argc, argv);
	if (ret == CP_CONFIG_DONE)
		return RF_EXIT_OK;
	if (ret)
		return RF_EXIT_USAGE;
	ret = coll_team_join(&cfg.options, &cfg.ranks, cfg.agreed);
	if (ret)
		return ret;
	if (cp_config_check(&cfg)) {
		coll_team_leave(&cfg.options.team);
		return RF_EXIT_USAGE;
	}
	return launch(&cfg);
}
