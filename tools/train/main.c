// SPDX-License-Identifier: GPL-2.0
/*
 * train: distributed training of a small neural network.
 *
 * The command line becomes a struct tr_config (config.c, check.c), which holds the examples
 * (data.c, synthetic.c). The launcher starts the ranks (rank.c); each computes its rows
 * (batch.c) with the neural network (net.c) in one of three modes (dp.c, tp.c, pp.c), and
 * exchanges data like collperf (tools/coll). After each step the ranks verify the
 * exchanged data (verify.c, grid.c), and rank 0 prints the progress (show.c).
 */
#include "coll.h"
#include "err.h"
#include "train.h"

static int tell_ranks(void *arg, const struct coll_state *states)
{
	const struct tr_config *cfg = arg;

	if (tr_show_lines(cfg))
		tr_show_ranks(cfg, states);
	return 0;
}

int main(int argc, char **argv)
{
	struct tr_config cfg;
	int ret;

	rf_progname = "train";
	ret = tr_config_parse(&cfg, argc, argv);
	if (ret == TR_CONFIG_DONE)
		return RF_EXIT_OK;
	if (ret)
		return RF_EXIT_USAGE;
	ret = coll_team_join(&cfg.options, &cfg.ranks, cfg.agreed);
	if (ret)
		return ret;
	if (tr_config_check(&cfg)) {
		coll_team_leave(&cfg.options.team);
		return RF_EXIT_USAGE;
	}
	return coll_launch(&(struct coll_job){
		.ranks = cfg.ranks,
		.verbose = cfg.verbose,
		.records = 1,		/* the step in which a rank fails */
		.be_rank = tr_rank,
		.ended = tell_ranks,
		.arg = &cfg,
		.team = &cfg.options.team,
	});
}
