// SPDX-License-Identifier: GPL-2.0
/* Pipes of the trace's buffer, one for each CPU: here of three, that are made up. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

static int pipe_of(struct tracefs_instance *in, const char *path, int flags);

#define tracefs_instance_file_open pipe_of
#define sysconf(what) ((void)(what), 3)
#include "../../tools/trace/trace.c"

#include "golden.h"
#include "said.h"
#include "tap.h"

static int errno_of_cpu1;

static int pipe_of(struct tracefs_instance *in, const char *path, int flags)
{
	(void)in;
	if (!strstr(path, "cpu1/"))
		return open("/dev/null", flags);
	errno = errno_of_cpu1;
	return -1;
}

/* What these tests don't come to */
int rf_format_load(struct rf_trace *t)
{
	(void)t;
	return -1;
}

int rf_format_take(const struct rf_trace *t, const struct tep_event *event,
		   struct tep_record *record, const struct rf_trace_sink *sink)
{
	(void)t;
	(void)event;
	(void)record;
	(void)sink;
	return -1;
}

void rf_format_free(struct rf_trace *t)
{
	(void)t;
}

const char *rf_point_name(unsigned int point)
{
	(void)point;
	return "rf_hit";
}

void rf_err_no_module(void)
{
}

/* With CPU 1 having no pipe for such a reason, what becomes of all? */
static int opened(int why, int *others)
{
	struct rf_trace t = { .lease = -1 };
	int err;

	errno_of_cpu1 = why;
	*said = '\0';
	err = open_pipes(&t);
	*others = (t.pipe[0] > 2) + (t.pipe[2] > 2);
	close_files(&t);
	return err;
}

int main(void)
{
	int others;

	ok(!opened(ENOENT, &others) && others == 2 && !*said,
	   "a CPU that isn't there has no buffer");
	ok(!opened(ENODEV, &others) && others == 2, "nor one that is off");
	ok(opened(EMFILE, &others) == -EMFILE, "too many open files");
	golden(said, "too many open files");
	ok(opened(EACCES, &others) == -EACCES, "not root");
	golden(said, "not root");
	ok(fcntl(0, F_GETFD) >= 0, "what was never opened isn't closed");
	golden_compare("trace.txt");
	return done_testing();
}
