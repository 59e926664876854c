// SPDX-License-Identifier: GPL-2.0
/* The command line of train. */
#include "options.h"
#include "tools/train/train.h"

static int parse(int argc, char **argv, char **agreed)
{
	struct tr_config cfg;
	int ret = tr_config_parse(&cfg, argc, argv);

	*agreed = cfg.agreed;
	must(ret != TR_CONFIG_RUN || cfg.mode);
	return ret;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char program[] = "train";

	options_try(parse, program, data, size);
	return 0;
}
