// SPDX-License-Identifier: GPL-2.0
/*
 * Create, read and remove an ftrace instance. If a tool is killed, the next tool that starts
 * removes its instance. A running tool keeps a file of its instance open, so that the kernel
 * refuses to remove the instance.
 */
#include <errno.h>
#include <event-parse.h>
#include <fcntl.h>
#include <kbuffer.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <tracefs.h>
#include <unistd.h>

#include "err.h"
#include "host.h"
#include "port.h"
#include "trace.h"

#define PREFIX	"rdmafault-"
#define SYSTEM	"rdmafault"

/*
 * Maximum time between the timestamp of a record and the moment when it can be read. The CPU
 * that writes it can be interrupted, and a virtual CPU can be stopped.
 */
#define SETTLE_NS	50000000ull

static int recording_failed(const char *what)
{
	int err = errno ? errno : EIO;

	if (err == EACCES || err == EPERM)
		rf_err("recording events: needs root");
	else
		rf_err("recording events: %s: %s", what, strerror(err));
	return -err;
}

/*
 * A new instance can be removed until one of its files is open. So tools create and sweep
 * instances one at a time. Return: the file that has the lock, or -1.
 */
static int lock_instances(void)
{
	const char *dir = tracefs_tracing_dir();
	int fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0)
		flock(fd, LOCK_EX);
	return fd;
}

static void unlock_instances(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void sweep(void)
{
	char **names = tracefs_instances("^" PREFIX);
	struct tracefs_instance *in;
	int i;

	for (i = 0; names && names[i]; i++) {
		in = tracefs_instance_alloc(NULL, names[i]);
		if (!in)
			continue;
		tracefs_instance_destroy(in);
		tracefs_instance_free(in);
	}
	tracefs_list_free(names);
}

/**
 * rf_trace_sweep - remove the instances of killed tools
 *
 * The kernel refuses to remove an instance while one of its files is open.
 */
void rf_trace_sweep(void)
{
	int lock = lock_instances();

	sweep();
	unlock_instances(lock);
}

static int make_instance(struct rf_trace *t, const char *word)
{
	char name[64];

	snprintf(name, sizeof(name), PREFIX "%s-%d", word, (int)getpid());
	errno = 0;
	t->instance = tracefs_instance_create(name);
	if (!t->instance)
		return recording_failed(name);
	t->lease = tracefs_instance_file_open(t->instance, "tracing_on",
					      O_RDONLY | O_CLOEXEC);
	return t->lease < 0 ? recording_failed("tracing_on") : 0;
}

static int set_buffer(struct rf_trace *t, uint64_t bytes)
{
	struct tracefs_instance *in = t->instance;

	if (tracefs_instance_file_write(in, "trace_clock", "mono") < 0)
		return recording_failed("trace_clock");
	if (tracefs_instance_set_buffer_size(in, (bytes + 1023) / 1024, -1) < 0)
		return recording_failed("buffer_size_kb");
	if (tracefs_option_disable(in, TRACEFS_OPTION_OVERWRITE) < 0)
		return recording_failed("overwrite");
	/* Wake the reader at the first record, not when the buffer is half full. */
	if (tracefs_instance_file_write(in, "buffer_percent", "0") < 0)
		return recording_failed("buffer_percent");
	return 0;
}

/*
 * Make the filter of a tracepoint: "ifindex == 3 || ifindex == 7". The filters of rf_packet
 * and rf_sent also limit the offset: "(ifindex == 3 || ifindex == 7) && offset < 128".
 */
static void make_filter(const struct rf_trace_options *o, unsigned int point,
			char *buf, size_t len)
{
	bool cut = (point == RF_TRACE_PACKET || point == RF_TRACE_SENT) && o->snaplen;
	size_t i, used = 0;

	buf[0] = '\0';
	for (i = 0; i < o->netdevs && used < len; i++)
		used += snprintf(buf + used, len - used, "%sifindex == %u",
				 i ? " || " : cut ? "(" : "", o->ifindex[i]);
	if (cut && used < len)
		snprintf(buf + used, len - used, "%soffset < %u",
			 i ? ") && " : "", o->snaplen);
}

static int enable(struct rf_trace *t, const struct rf_trace_options *o,
		  unsigned int point)
{
	const char *name = rf_point_name(point);
	char filter[1024];

	make_filter(o, point, filter, sizeof(filter));
	if (filter[0] && tracefs_event_file_write(t->instance, SYSTEM, name,
						  "filter", filter) < 0)
		return recording_failed("filter");
	if (tracefs_event_enable(t->instance, SYSTEM, name) < 0)
		return recording_failed(name);
	return 0;
}

static int enable_all(struct rf_trace *t, const struct rf_trace_options *o)
{
	unsigned int point;
	int err = 0;

	for (point = 0; !err && point < RF_TRACE_POINTS; point++)
		if (t->points & RF_TRACE_BIT(point))
			err = enable(t, o, point);
	return err;
}

/* Open the buffer of a CPU. It is no error if a CPU does not exist and has no buffer. */
static int open_pipe(struct rf_trace *t, int cpu)
{
	char path[64];

	snprintf(path, sizeof(path), "per_cpu/cpu%d/trace_pipe_raw", cpu);
	errno = 0;
	t->pipe[cpu] = tracefs_instance_file_open(t->instance, path,
						  O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (t->pipe[cpu] >= 0 || errno == ENOENT || errno == ENODEV)
		return 0;
	return recording_failed(path);
}

static int open_pipes(struct rf_trace *t)
{
	int cpu, err = 0;

	t->cpus = sysconf(_SC_NPROCESSORS_CONF);
	t->pipe = malloc(t->cpus * sizeof(*t->pipe));
	if (!t->pipe || rf_merge_open(&t->merge, t->cpus))
		return recording_failed("pipes of the CPUs");
	for (cpu = 0; cpu < t->cpus; cpu++)
		t->pipe[cpu] = -1;
	for (cpu = 0; !err && cpu < t->cpus; cpu++)
		err = open_pipe(t, cpu);
	return err;
}

static int start_recording(struct rf_trace *t, const struct rf_trace_options *o)
{
	int err, lock = lock_instances();

	sweep();
	err = make_instance(t, o->name);
	unlock_instances(lock);
	if (!err)
		err = set_buffer(t, o->buffer);
	if (err)
		return err;
	errno = 0;
	if (rf_format_load(t))
		return recording_failed("event formats");
	t->page = malloc(getpagesize());
	t->records = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST,
				   KBUFFER_ENDIAN_SAME_AS_HOST);
	if (!t->page || !t->records)
		return recording_failed("page buffer");
	err = open_pipes(t);
	return err ? err : enable_all(t, o);
}

/**
 * rf_trace_start - start recording
 * @t: the trace
 * @o: tracepoints, buffer size and filters
 *
 * Return: 0, or -errno after rf_err() and after cleaning up.
 */
int rf_trace_start(struct rf_trace *t, const struct rf_trace_options *o)
{
	const char *dir = tracefs_tracing_dir();
	int err;

	*t = (struct rf_trace){ .points = o->points, .lease = -1 };
	if (access(dir ? dir : "/sys/kernel/tracing", R_OK | X_OK))
		return recording_failed("tracefs");
	if (!tracefs_event_file_exists(NULL, SYSTEM, "rf_hit", "format")) {
		rf_err_no_module();
		return -ENOENT;
	}
	err = start_recording(t, o);
	if (err)
		rf_trace_stop(t);
	return err;
}

/* Return the milliseconds until a record can be passed to the sink; -1: there is no record. */
static int settle_ms(const struct rf_trace *t)
{
	uint64_t oldest, now = rf_now_ns();

	if (!rf_merge_oldest(&t->merge, &oldest))
		return -1;
	oldest += SETTLE_NS;
	return oldest > now ? (oldest - now) / 1000000 + 1 : 0;
}

/**
 * rf_trace_wait - sleep until records can be read, or passed to a sink
 * @t: the trace
 * @wake: other file descriptors that end the sleep; their revents are set
 * @n: number of @wake
 *
 * Return: 1 if there are records, 0 if @wake or a signal ended the sleep, or -errno.
 */
int rf_trace_wait(struct rf_trace *t, struct pollfd *wake, int n)
{
	struct pollfd *fd = calloc(t->cpus + n, sizeof(*fd));
	int i, ready, found = 0;

	if (!fd)
		return -ENOMEM;
	memcpy(fd + t->cpus, wake, n * sizeof(*wake));
	for (i = 0; i < t->cpus; i++)
		fd[i] = (struct pollfd){ .fd = t->pipe[i], .events = POLLIN };
	ready = poll(fd, t->cpus + n, settle_ms(t));
	if (ready < 0 && errno != EINTR)
		found = -errno;
	if (!ready)
		found = 1;
	for (i = 0; !found && i < t->cpus; i++)
		found = !!(fd[i].revents & POLLIN);
	memcpy(wake, fd + t->cpus, n * sizeof(*wake));
	free(fd);
	return found;
}

/* Queue the records of the page in t->page for merging, and get the time of the last record. */
static int keep_page(struct rf_trace *t, int cpu, uint64_t *last)
{
	struct rf_merge_record r = { .cpu = cpu };
	unsigned long long ts;
	int err = 0;

	if (kbuffer_load_subbuffer(t->records, t->page))
		return -EIO;
	for (r.data = kbuffer_read_event(t->records, &ts); !err && r.data;
	     r.data = kbuffer_next_event(t->records, &ts)) {
		r.len = kbuffer_event_size(t->records);
		r.t_ns = *last = ts;
		err = rf_merge_add(&t->merge, &r);
	}
	return err;
}

/*
 * Read the records of a CPU up to the time @until. Without this limit, the loop would not
 * end on a busy CPU.
 */
static int keep_cpu(struct rf_trace *t, int cpu, uint64_t until)
{
	uint64_t last = 0;
	ssize_t n;
	int err = 0;

	while (!err && last <= until) {
		n = read(t->pipe[cpu], t->page, getpagesize());
		if (n > 0)
			err = keep_page(t, cpu, &last);
		else if (!n || errno == EAGAIN)
			break;
		else if (errno != EINTR)
			err = -errno;
	}
	return err;
}

static int give(const struct rf_trace *t, const struct rf_merge_record *r,
		const struct rf_trace_sink *sink)
{
	struct tep_record record = {
		.ts = r->t_ns, .cpu = r->cpu, .size = r->len, .data = (void *)r->data,
	};

	return rf_format_take(t, tep_find_event_by_record(t->tep, &record), &record,
			      sink);
}

/**
 * rf_trace_read - read the buffers, and pass records to a sink, sorted by time
 * @t: the trace
 * @sink: the callbacks
 *
 * While tracing is active, records of the last SETTLE_NS are not passed to the sink yet,
 * because older records of another CPU can still follow. rf_trace_wait() returns when they
 * can be passed. When tracing is paused, all records are passed.
 *
 * Return: 0, the result of the sink, or -errno after rf_err().
 */
int rf_trace_read(struct rf_trace *t, const struct rf_trace_sink *sink)
{
	uint64_t now = t->paused ? UINT64_MAX : rf_now_ns();
	uint64_t until = t->paused ? UINT64_MAX : now - SETTLE_NS;
	struct rf_merge_record r;
	int cpu, err = 0;

	for (cpu = 0; !err && cpu < t->cpus; cpu++)
		if (t->pipe[cpu] >= 0)
			err = keep_cpu(t, cpu, now);
	if (err) {
		errno = -err;
		return recording_failed("reading the buffer");
	}
	while (!err && rf_merge_next(&t->merge, until, &r))
		err = give(t, &r, sink);
	return err;
}

/** rf_trace_pause - stop recording; records can still be read */
void rf_trace_pause(struct rf_trace *t)
{
	tracefs_trace_off(t->instance);
	t->paused = true;
}

/* Get a number from the statistics of a buffer, for example 3 from "overrun: 3". */
static uint64_t stat_of(const char *text, const char *name)
{
	const char *p = strstr(text, name);

	return p ? strtoull(p + strlen(name), NULL, 10) : 0;
}

/**
 * rf_trace_lost - get the number of records lost because a buffer was full
 * @t: the trace
 * @lost: the number since the start
 *
 * A CPU that does not exist has no buffer and has lost nothing. If the statistics of a
 * buffer cannot be read, this is an error.
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_trace_lost(struct rf_trace *t, uint64_t *lost)
{
	char path[64], *text;
	int cpu;

	*lost = 0;
	for (cpu = 0; cpu < t->cpus; cpu++) {
		if (t->pipe[cpu] < 0)
			continue;
		snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
		errno = 0;
		text = tracefs_instance_file_read(t->instance, path, NULL);
		if (!text)
			return recording_failed(path);
		*lost += stat_of(text, "\noverrun:") +
			 stat_of(text, "commit overrun:") +
			 stat_of(text, "dropped events:");
		free(text);
	}
	return 0;
}

static void close_files(struct rf_trace *t)
{
	int cpu;

	for (cpu = 0; t->pipe && cpu < t->cpus; cpu++)
		if (t->pipe[cpu] >= 0)
			close(t->pipe[cpu]);
	free(t->pipe);
	t->pipe = NULL;
	rf_merge_close(&t->merge);
	kbuffer_free(t->records);
	t->records = NULL;
	free(t->page);
	t->page = NULL;
	if (t->lease >= 0)
		close(t->lease);
	t->lease = -1;
}

/** rf_trace_stop - stop recording and remove the instance */
void rf_trace_stop(struct rf_trace *t)
{
	unsigned int point;

	if (!t->instance)
		return;
	for (point = 0; point < RF_TRACE_POINTS; point++)
		if (t->points & RF_TRACE_BIT(point))
			tracefs_event_disable(t->instance, SYSTEM,
					      rf_point_name(point));
	close_files(t);
	rf_format_free(t);
	tracefs_instance_destroy(t->instance);
	tracefs_instance_free(t->instance);
	t->instance = NULL;
}
