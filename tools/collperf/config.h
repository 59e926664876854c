/* SPDX-License-Identifier: GPL-2.0 */
/* What the command line asks for. */
#ifndef CP_CONFIG_H
#define CP_CONFIG_H

#include <stdio.h>

#include "coll.h"

enum { CP_OUT_OF_PLACE = 1, CP_IN_PLACE = 2 };

struct cp_config {
	int argc;
	char **argv;
	const struct cp_coll *coll;
	const struct cp_type *type;
	const struct cp_op *op;

	uint32_t ranks;
	uint64_t min_bytes, max_bytes;
	uint64_t step_bytes;	/* used when step_factor is 0 */
	uint32_t step_factor;
	uint32_t iters, warmups, checks;
	uint32_t blocking;	/* 1: a barrier after every iteration */
	uint32_t place;		/* bits of CP_OUT_OF_PLACE, CP_IN_PLACE */

	char devices[CP_RANKS_MAX][CP_NAME_LEN];
	uint32_t n_devices;	/* 0: rank r on rxe{r+1} */
	bool allow_loopback;
	struct cp_verbs_options verbs;
	uint64_t deadline_ns;
	uint64_t compute_ns;	/* pause before the barrier that ends a step */

	const char *json_path, *timeline_path;
	FILE *json, *timeline;	/* open if wanted */
	bool verbose;
};

/* What is left to do after the options are read. */
enum { CP_CONFIG_RUN = 0, CP_CONFIG_DONE = 1 };

int cp_config_parse(struct cp_config *cfg, int argc, char **argv);
int cp_config_check(struct cp_config *cfg);
void cp_usage(void);
uint64_t cp_config_next_size(const struct cp_config *cfg, uint64_t bytes);
uint64_t cp_config_steps(const struct cp_config *cfg);
uint64_t cp_config_runs(const struct cp_config *cfg);

#endif
