// SPDX-License-Identifier: GPL-2.0
/*
 * train: distributed training of a small neural network.
 *
 * The command line becomes a struct tr_config (config.c, check.c), which holds the examples
 * (data.c, synthetic.c). The launcher starts the ranks (rank.c); each computes its rows
 * (batch.c) with the neural network (net.c) in one of three modes (dp.c, tp.c, pp.c), and
 * exchanges data like collperf (tools/coll). After each step the ranks verify the
 * exchanged data (verify.c, grid.c), and rank 0 prints the progress (show.c). At the end the
 * launcher writes the timeline.
 */
#include "coll.h"
#include "err.h"
#include "json.h"
#include "train.h"

static void emit_train_job(const struct tr_config *cfg, const struct coll_state *states)
{
	struct json_object *o = rf_json_typed("job");

	rf_put_text(o, "parallel", cfg->mode->name);
	rf_put_u64(o, "ranks", cfg->ranks);
	rf_put_u64(o, "bytes", tr_vector_length(cfg) * sizeof(float));
	rf_put_u64(o, "iters", cfg->steps);
	rf_put_u64(o, "timeout", cfg->options.verbs.timeout);
	rf_put_u64(o, "retry_cnt", cfg->options.verbs.retry_cnt);
	rf_put_u64(o, "mtu", states[0].mtu);
	rf_put_text(o, "clock", "monotonic");
	rf_json_emit(cfg->timeline, o);
}

static int write_timeline(void *arg, const struct coll_state *states)
{
	const struct tr_config *cfg = arg;

	if (!cfg->timeline)
		return 0;
	emit_train_job(cfg, states);
	coll_timeline_qps(cfg->timeline, states, cfg->ranks);
	coll_timeline_steps(cfg->timeline, states, cfg->ranks, NULL, NULL);
	for (uint32_t r = 0; r < cfg->ranks; r++)
		rf_json_emit(cfg->timeline, coll_timeline_end(&states[r], r));
	return coll_output_close(cfg->options.timeline_path, cfg->timeline);
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
		.verbose = cfg.options.verbose,
		.records = cfg.options.timeline_path ? cfg.steps : 0,
		.be_rank = tr_rank,
		.ended = write_timeline,
		.arg = &cfg,
		.team = &cfg.options.team,
	});
}
