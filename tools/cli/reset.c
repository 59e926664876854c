// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault reset: reset ports to the state of new ports, without rules, with empty delay
 * queues, default settings, and all counters 0.
 */
#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"

/**
 * rf_cmd_reset - run "rdmafault reset"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "reset"
 *
 * Return: the exit status.
 */
int rf_cmd_reset(int argc, char **argv)
{
	struct rf_target t = {};
	struct rf_nl *nl;
	int err, status;

	if (rf_check_words(rf_commands, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	status = argc == 2 ? rf_open_target(argv[1], &t, &nl) : rf_open_module(&nl);
	if (status)
		return status;
	err = rf_nl_reset(nl, t.ifindex);
	if (err)
		rf_nl_failed(nl, argc == 2 ? t.netdev : "reset", err);
	else if (argc == 2)
		rf_out_done("%s: reset to defaults", t.netdev);
	else
		rf_out_done("all ports: reset to defaults");
	rf_nl_close(nl);
	return err ? RF_EXIT_FAILED : RF_EXIT_OK;
}
