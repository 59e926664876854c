// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault step: announce the current step of a job for a port. Jobs that run in a shell, or
 * that are started once for each step, can announce their steps with it.
 */
#include <errno.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"

static const struct rf_key step_key = {
	"step", NULL, &rf_kind_u32, .max = UINT32_MAX
};

const struct rf_key rf_step_words[] = {
	{ "N", .help = "number of the step, 0 to 4294967295; 0: the job is in no step" },
	{ }
};

/*
 * A step after which an earlier one follows is most likely an error in a script. The module
 * accepts each number.
 *
 * Return: 0, -EINVAL after rf_err(), or the -errno of the request.
 */
static int announce_forward(struct rf_nl *nl, const struct rf_target *t, uint32_t step)
{
	const struct rf_job_step to = { .number = step };
	struct rf_port_info port;
	int err = rf_nl_port_get(nl, t->ifindex, &port);

	if (err)
		return err;
	if (!step || step >= port.step)
		return rf_nl_step_set(nl, t->ifindex, &to);
	rf_err("%s: step %u announced backwards, the port is in step %u; %u or greater, or 0 first to restart",
	       t->netdev, step, port.step, port.step);
	return -EINVAL;
}

/**
 * rf_cmd_step - run "rdmafault step"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "step"
 *
 * Return: the exit status.
 */
int rf_cmd_step(int argc, char **argv)
{
	struct rf_target t = { };
	struct rf_nl *nl;
	uint32_t step;
	int err, status;

	if (rf_check_words(rf_commands, argc, argv, "DEV N", 0) ||
	    rf_take_value(&step_key, argv[2], &step))
		return RF_EXIT_USAGE;
	status = rf_open_target(argv[1], &t, &nl);
	if (status)
		return status;
	err = announce_forward(nl, &t, step);
	if (err && err != -EINVAL)
		rf_nl_failed(nl, t.netdev, err);
	else if (!err && step)
		rf_out_done("%s: step %u", t.netdev, step);
	else if (!err)
		rf_out_done("%s: no step", t.netdev);
	rf_nl_close(nl);
	return err ? RF_EXIT_FAILED : RF_EXIT_OK;
}
