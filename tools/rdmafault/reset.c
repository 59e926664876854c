// SPDX-License-Identifier: GPL-2.0
/* rdmafault reset: no rule is left, whoever made it. Ports stay. */
#include "cmd.h"
#include "err.h"
#include "genl.h"

/**
 * rf_cmd_reset - rdmafault reset
 * @argc: number of words
 * @argv: the words, "reset" first
 *
 * Return: the exit status.
 */
int rf_cmd_reset(int argc, char **argv)
{
	struct rf_nl *nl;
	int err;

	(void)argv;
	if (argc != 1) {
		rf_err("usage: rdmafault reset");
		return RF_EXIT_USAGE;
	}
	if (rf_open_module(&nl))
		return RF_EXIT_FAILED;
	err = rf_nl_rule_flush(nl, 0, RF_DIR_BOTH);
	if (err)
		rf_nl_failed(nl, "reset", err);
	rf_nl_close(nl);
	return err ? RF_EXIT_FAILED : RF_EXIT_OK;
}
