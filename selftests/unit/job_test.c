// SPDX-License-Identifier: GPL-2.0
/*
 * Test the start of a job as a child process: its standard input is empty, and SIGPIPE has
 * its default action.
 */
#include "said.h"
#include "tap.h"
#include "../../tools/base/ending.c"
#include "../../tools/base/env.c"
#include "tools/run/guard.c"
#include "tools/run/job.c"

static int no_tick(void *arg, uint64_t ns_left, uint64_t *sleep_ns)
{
	(void)arg;
	(void)ns_left;
	(void)sleep_ns;
	return 0;
}

/*
 * Run a job. Return: the exit status of the job, -1 if it could not be started or exceeded the
 * deadline
 */
static int run_job_in(char **env, char **argv, bool background)
{
	struct rf_job job = { .background = background, .env = env };
	struct rf_signals signals;
	struct rf_jobs jobs = {
		.job = &job, .n = 1, .deadline_ns = rf_now_ns() + 5000000000ull, .sig = &signals,
		.tick = no_tick,
	};
	int err = rf_signals_open(&signals);

	if (err)
		return -1;
	err = rf_job_start(&job, &signals, argv, "/dev/null");
	if (!err) {
		err = rf_jobs_wait(&jobs);
		rf_jobs_end(&jobs);
	}
	rf_signals_close(&signals);
	return err ? -1 : job.status;
}

static int run_job(char **argv, bool background)
{
	return run_job_in(NULL, argv, background);
}

/*
 * The standard input of rdmafault can be a list that a shell loop reads, as in "while read
 * file; do rdmafault run $file; done <list". The job must not read this list.
 */
static void nothing_to_read_ok(void)
{
	char *argv[] = { "sh", "-c", "! read line", NULL };
	char left[8] = "";
	int list[2];

	if (pipe(list) || write(list[1], "next\n", 5) != 5)
		ok(false, "control: a pipe with a line can be made");
	dup2(list[0], STDIN_FILENO);
	ok(!run_job(argv, false), "the standard input of a job is empty");
	ok(!run_job(argv, true), "the standard input of a background command is empty");
	ok(read(STDIN_FILENO, left, sizeof(left)) == 5 &&
	   !strcmp(left, "next\n"), "a job does not read from the standard input of rdmafault");
}

static void pipe_ok(void)
{
	char *argv[] = { "sh", "-c", "kill -PIPE $$; exit 5", NULL };

	signal(SIGPIPE, SIG_IGN);
	ok(run_job(argv, false) == RF_EXIT_SIGNAL + SIGPIPE,
	   "SIGPIPE kills a job even if rdmafault ignores it");
}

static void env_ok(void)
{
	char *argv[] = { "sh", "-c", "test $COLOUR = red && test $SIZE = 2", NULL };
	struct rf_env env = { };

	setenv("COLOUR", "blue", 1);
	setenv("SIZE", "2", 1);
	ok(run_job(argv, false) == 1, "control: a job inherits the environment");
	if (rf_env_join(&env, environ) || rf_env_put(&env, "%s", "COLOUR=red"))
		ok(false, "control: there is memory");
	ok(!run_job_in(env.v, argv, false), "a job has its own environment");
	ok(!run_job_in(env.v, argv, true), "a background command has its own environment");
	ok(!strcmp(getenv("COLOUR"), "blue"), "the environment of the run does not change");
	rf_env_free(&env);
}

int main(void)
{
	env_ok();
	nothing_to_read_ok();
	pipe_ok();
	return done_testing();
}
