// SPDX-License-Identifier: GPL-2.0
/*
 * collperf: collectives over RDMA queue pairs, measured and verified.
 *
 * The command line becomes a struct cp_config (config.c, check.c), the
 * launcher starts one process for each rank (launch.c), and a rank (rank.c)
 * opens its device (device.c), meets the others (oob.c, link.c), runs the
 * sizes (bench.c) with an algorithm (ring.c) over messages (transport.c),
 * verifies (verify.c), and rank 0 prints (table.c, results.c).
 */
#include <errno.h>

#include "config.h"
#include "err.h"
#include "launch.h"

int main(int argc, char **argv)
{
	struct cp_config cfg;
	int ret;

	rf_progname = "collperf";
	ret = cp_config_parse(&cfg, argc, argv);
	if (ret == CP_CONFIG_DONE)
		return CP_OK;
	if (ret || cp_config_check(&cfg))
		return CP_USAGE;
	return cp_launch(&cfg);
}
