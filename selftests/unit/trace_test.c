// SPDX-License-Identifier: GPL-2.0
/*
 * Test reading the trace buffers of several CPUs: trace records are returned in order of time,
 * and CPUs without a buffer are skipped. The test simulates three CPUs with their pipes and
 * pages of records, and the clock.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

static int pipe_of(struct tracefs_instance *in, const char *path, int flags);
static int clock_now(clockid_t clock, struct timespec *ts);

#define tracefs_instance_file_open pipe_of
#define sysconf(what) ((void)(what), 3)
#define clock_gettime clock_now
#define tep_find_event_by_record(tep, record) NULL
#include "../../tools/trace/merge.c"
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

#define MS 1000000ull

static uint64_t now;			/* ns */
static char given[256];			/* returned records: TIME/CPU, as in "10/0 12/1" */

static int clock_now(clockid_t clock, struct timespec *ts)
{
	(void)clock;
	*ts = (struct timespec){ now / 1000000000, now % 1000000000 };
	return 0;
}

/* Stubs: this test does not need these functions. */
int rf_format_load(struct rf_trace *t)
{
	(void)t;
	return -1;
}

int rf_format_take(const struct rf_trace *t, const struct tep_event *event,
		   struct tep_record *record, const struct rf_trace_sink *sink)
{
	size_t used = strlen(given);

	(void)t;
	(void)event;
	(void)sink;
	snprintf(given + used, sizeof(given) - used, "%s%llu/%d", used ? " " : "",
		 record->ts / MS, record->cpu);
	return 0;
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

/*
 * Call open_pipes(), while opening the pipe of CPU 1 fails with errno @why. Return: its result.
 * @others: gets the number of other CPUs whose pipe was opened
 */
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

/*
 * Write a page of the kernel's ring buffer. It has a trace record of 8 bytes for each of the
 * times in @ms, which are in milliseconds.
 */
static void put_page(int fd, const unsigned int *ms, size_t n)
{
	struct {
		uint64_t t_ns, len;
		uint32_t words[510 * 2];
	} page = { .t_ns = ms[0] * MS, .len = n * 12 };
	size_t i;

	for (i = 0; i < n; i++)
		page.words[3 * i] = 2 | (uint32_t)((ms[i] - ms[i ? i - 1 : 0]) * MS) << 5;
	if (write(fd, &page, sizeof(page)) != sizeof(page))
		abort();
}

/* Return: the trace records that a read at the time @ms (in milliseconds) returns */
static const char *read_at(struct rf_trace *t, unsigned int ms)
{
	const struct rf_trace_sink sink = { };

	now = ms * MS;
	*given = '\0';
	if (rf_trace_read(t, &sink))
		return "an error";
	return given;
}

#define PAGE(cpu, ...) do {						\
	const unsigned int ms[] = { __VA_ARGS__ };			\
	put_page(fd[cpu][1], ms, sizeof(ms) / sizeof(*ms));		\
} while (0)

/*
 * The buffers of the CPUs are read one after another. If CPU 0 writes a record after its buffer
 * was read, and then CPU 1 writes a record before its buffer is read, only the later record is
 * found. So records must be sorted before they are returned. Otherwise, a NAK could be printed
 * after the retransmission that it caused.
 */
static void order_ok(void)
{
	struct rf_trace t = { .lease = -1, .cpus = 3, .pipe = calloc(3, sizeof(int)) };
	int fd[3][2], cpu;

	rf_merge_open(&t.merge, 3);
	t.page = malloc(getpagesize());
	t.records = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST);
	for (cpu = 0; cpu < 3; cpu++) {
		if (pipe2(fd[cpu], O_NONBLOCK))
			abort();
		t.pipe[cpu] = fd[cpu][0];
	}
	ok(settle_ms(&t) == -1, "without a record, settle_ms() returns -1");
	PAGE(0, 110, 134, 136);
	ok(!strcmp(read_at(&t, 137), ""), "records younger than 50 ms are not returned yet");
	ok(settle_ms(&t) == 24, "settle_ms() returns the time until the oldest record is returned: %d ms", settle_ms(&t));
	PAGE(1, 112, 135);
	PAGE(2, 111);
	ok(!strcmp(read_at(&t, 170), "110/0 111/2 112/1"), "records of several CPUs are returned in order of time: %s", given);
	ok(!strcmp(read_at(&t, 185), "134/0 135/1"), "records of pages read earlier are returned in order of time: %s", given);
	PAGE(0, 190, 210);
	PAGE(0, 220, 250);
	PAGE(0, 260);
	ok(!strcmp(read_at(&t, 240), "136/0 190/0"), "records older than 50 ms of CPU 0 are returned: %s", given);
	ok(read(fd[0][0], given, 1) == 1, "the pipe of a busy CPU is not read for ever");
	t.paused = true;
	ok(!strcmp(read_at(&t, 241), "210/0 220/0 250/0"), "all records are returned at the end: %s", given);
	for (cpu = 0; cpu < 3; cpu++)
		close(fd[cpu][1]);
	close_files(&t);
}

int main(void)
{
	int others;

	order_ok();

	ok(!opened(ENOENT, &others) && others == 2 && !*said,
	   "a CPU that does not exist is skipped without an error");
	ok(!opened(ENODEV, &others) && others == 2, "a CPU that is offline is skipped without an error");
	ok(opened(EMFILE, &others) == -EMFILE, "open_pipes() fails with EMFILE if there are too many open files");
	golden(said, "too many open files");
	ok(opened(EACCES, &others) == -EACCES, "open_pipes() fails with EACCES without root");
	golden(said, "not root");
	ok(fcntl(0, F_GETFD) >= 0, "close_files() does not close descriptors that were never opened");
	golden_compare("trace.txt");
	return done_testing();
}
