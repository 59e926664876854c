// SPDX-License-Identifier: GPL-2.0
/* The command line of collperf. */
#include "options.h"
#include "tools/collperf/config.h"

static int parse(int argc, char **argv, char **agreed)
{
	struct cp_config cfg;
	int ret = cp_config_parse(&cfg, argc, argv);

	*agreed = cfg.agreed;
	must(ret != CP_CONFIG_RUN || cfg.coll);
	return ret;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char program[] = "collperf";

	options_try(parse, program, data, size);
	return 0;
}
