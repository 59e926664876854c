// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault record: events and packets stay in the ring buffer of the kernel
 * until a command ends or a signal arrives, and are then written to files:
 *
 *	events.jsonl	the events, one object per line
 *	packets.pcapng	every packet as it arrived, and with --as-sent as it left; hit packets
 *			have a comment
 *	DEV-DIR.rules	rules that apply the same actions to the same packets
 *
 * The buffer is read only at the end, so that reading does not disturb traffic.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "json.h"
#include "out.h"
#include "show.h"
#include "tools/run/job.h"
#include "tools/run/runner.h"
#include "tools/trace/capture.h"
#include "tools/trace/trace.h"
#include "units.h"
#include "words.h"

#define BUFFER		(16u << 20)	/* bytes per CPU; room for about 3,800 packets of 4 KiB */
#define SNAPLEN_MAX	65535
#define CAPTURE_SUFFIX	".pcapng"

struct record {
	const char *out;
	char dir[PATH_MAX];	/* output directory; "": write only the capture */
	char capture_path[PATH_MAX];
	FILE *capture_file;
	bool as_sent;
	uint32_t snaplen;
	uint64_t buffer;
	char **command;		/* command to run; NULL: record until a signal arrives */
	struct rf_watch watch;
	struct rf_trace trace;
	struct rf_rulebook book;
	struct rf_ordinals ordinals;
	struct rf_events ev;
	struct rf_capture capture;
	size_t hits, sent, rules, not_repeated;
};

static bool is_capture(const char *out)
{
	size_t n = strlen(out), suffix = strlen(CAPTURE_SUFFIX);

	return n > suffix && !strcmp(out + n - suffix, CAPTURE_SUFFIX);
}

#define AT(member) .at = offsetof(struct record, member)

const struct rf_key rf_record_options[] = {
	{ "out", "DIR or FILE" CAPTURE_SUFFIX, &rf_kind_text, AT(out), 1,
	  .letter = 'o', .value = "PATH",
	  .help = "a new or empty directory, or FILE.pcapng to write only the capture; default: record-DATE-TIME" },
	{ "as-sent", NULL, &rf_kind_bool, AT(as_sent),
	  .help = "also record packets as they leave, after the actions of rules" },
	{ "snaplen", NULL, &rf_kind_u32, AT(snaplen), 1, SNAPLEN_MAX, .value = "N",
	  .help = "bytes of each packet to record, 1 to 65535; default: all" },
	{ "buffer", NULL, &rf_kind_size, AT(buffer), RF_BUFFER_MIN, RF_BUFFER_MAX, .value = "SIZE",
	  .help = "ring buffer per CPU, 8KiB to 4GiB; default: 16MiB" },
	{ }
};

const struct rf_key rf_record_words[] = {
	{ "DEV...", .help = "the ports, at most 32; default: all ports" },
	{ "-- COMMAND...", .help = "record until this command ends; default: until Ctrl-C" },
	{ }
};

/* Check that the directory is empty: old files could be taken for files of this recording. */
static int check_empty(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;
	bool empty = true;

	if (!dir) {
		rf_err("%s: %s", path, strerror(errno));
		return -errno;
	}
	while (empty && (d = readdir(dir)))
		empty = d->d_name[0] == '.';
	closedir(dir);
	if (empty)
		return 0;
	rf_err("--out %s: directory is not empty; use a new or empty directory", path);
	return -ENOTEMPTY;
}

static int copy_path(char to[PATH_MAX], const char *path)
{
	if (snprintf(to, PATH_MAX, "%s", path) < PATH_MAX)
		return 0;
	rf_err("--out %s: path is too long", path);
	return -ENAMETOOLONG;
}

static int choose_files(struct record *r)
{
	time_t now = time(NULL);
	char stamp[32];
	struct tm tm;

	if (r->out && is_capture(r->out))
		return copy_path(r->capture_path, r->out);
	strftime(stamp, sizeof(stamp), "record-%Y%m%d-%H%M%S",
		 localtime_r(&now, &tm));
	if (copy_path(r->dir, r->out ? r->out : stamp) ||
	    rf_stage_make_dir(r->dir) || check_empty(r->dir))
		return -EIO;
	return rf_stage_path(r->capture_path, r->dir, "packets" CAPTURE_SUFFIX);
}

/* Open the output file before the command runs: an error at the end would lose the packets. */
static int open_capture(struct record *r)
{
	r->capture_file = fopen(r->capture_path, "we");
	if (r->capture_file)
		return 0;
	rf_err("%s: %s", r->capture_path, strerror(errno));
	return -EIO;
}

static int wait_for_signal(void)
{
	struct rf_signals sig;
	struct pollfd fd = { .events = POLLIN };

	if (rf_signals_open(&sig))
		return RF_EXIT_FAILED;
	fd.fd = sig.fd;
	rf_hint("record: recording; Ctrl-C ends");
	while (!sig.aborted) {
		poll(&fd, 1, -1);
		rf_signals_read(&sig);
	}
	rf_signals_close(&sig);
	return RF_EXIT_OK;
}

static int record_event(const struct rf_event *e, void *arg)
{
	struct record *r = arg;

	r->hits += e->kind == RF_EVENT_HIT;
	return rf_events_add(&r->ev, e);
}

static int record_chunk(const struct rf_chunk *c, void *arg)
{
	struct record *r = arg;

	return rf_capture_add(&r->capture, c);
}

static int record_one_rule(uint64_t t_ns, const void *attrs, size_t len, void *arg)
{
	struct record *r = arg;

	(void)t_ns;
	return rf_rulebook_take(&r->book, attrs, len);
}

static int read_buffer(struct record *r)
{
	const struct rf_trace_sink sink = {
		.event = record_event, .chunk = record_chunk, .rule = record_one_rule,
		.arg = r,
	};
	int err;

	rf_trace_pause(&r->trace);
	err = rf_trace_lost(&r->trace, &r->ev.lost);
	rf_rulebook_learn(&r->book);
	if (!err)
		err = rf_trace_read(&r->trace, &sink);
	if (!err)
		err = rf_capture_assemble(&r->capture);
	if (err == -ENOMEM || err == -EBADMSG)
		rf_err("record: %s", strerror(-err));
	rf_events_sort(&r->ev);
	rf_ordinals_settle(&r->ordinals, &r->ev);
	return err;
}

static int write_failed(const char *path, int err)
{
	rf_err("%s: %s", path, strerror(-err));
	return err;
}

static int write_capture(struct record *r)
{
	int err = rf_capture_write(&r->capture, r->capture_file, &r->ev,
				   &r->book, r->snaplen);
	size_t i;

	for (i = 0; i < r->capture.n; i++)
		r->sent += r->capture.packet[i].head.sent;
	return err ? write_failed(r->capture_path, err) : 0;
}

static void put_record(const struct record *r, FILE *f)
{
	struct json_object *o = rf_json_typed("record");
	size_t i;

	json_object_object_add(o, "packets",
			       json_object_new_uint64(r->capture.n));
	json_object_object_add(o, "events", json_object_new_uint64(r->ev.n));
	json_object_object_add(o, "events_lost",
			       json_object_new_uint64(r->ev.lost));
	rf_json_emit(f, o);
	for (i = 0; i < r->ev.n; i++)
		rf_json_emit(f, rf_event_json(&r->ev.e[i]));
}

static int write_events(const struct record *r)
{
	char path[PATH_MAX];
	FILE *f;
	int bad;

	if (rf_stage_path(path, r->dir, "events.jsonl"))
		return -ENAMETOOLONG;
	f = fopen(path, "we");
	if (!f)
		return write_failed(path, -errno);
	put_record(r, f);
	bad = ferror(f);
	if (fclose(f) || bad)
		return write_failed(path, -EIO);
	return 0;
}

static int write_rulefile(struct record *r, struct rf_rulefile *file)
{
	char path[PATH_MAX], name[64];
	int err;

	snprintf(name, sizeof(name), "%s-%s.rules", file->dev,
		 rf_dir_name(file->dir));
	if (rf_stage_path(path, r->dir, name))
		return -ENAMETOOLONG;
	err = rf_rulefile_write(file, path, &r->ev, &r->book, &r->ordinals);
	if (err)
		return write_failed(path, err);
	r->rules += file->rules;
	r->not_repeated += file->nameless + file->unknown;
	return 0;
}

static int write_rules(struct record *r)
{
	struct rf_rulefile *list;
	size_t i, n;
	int err;

	err = rf_rulefile_list(&r->ev, &list, &n);
	if (err)
		rf_err("record: %s", strerror(-err));
	for (i = 0; !err && i < n; i++)
		err = write_rulefile(r, &list[i]);
	free(list);
	return err;
}

static void print_summary(const struct record *r)
{
	rf_out_begin_object();
	rf_out_str("output", "%s: ", r->dir[0] ? r->dir : r->capture_path);
	rf_out_u64("packets", "%" PRIu64 " packets, ", r->capture.n - r->sent);
	if (r->as_sent)
		rf_out_u64("packets_sent", "%" PRIu64 " packets sent, ", r->sent);
	rf_out_u64("hits", "%" PRIu64 " hits, ", r->hits);
	rf_out_u64("events", "%" PRIu64 " events, ", r->ev.n);
	if (r->dir[0])
		rf_out_u64("rules", "%" PRIu64 " rules, ", r->rules);
	rf_out_u64("events_lost", "%" PRIu64 " events lost\n", r->ev.lost);
	rf_out_end();
}

/* Print warnings about missing events. */
static int warn_missing(const struct record *r)
{
	if (r->ev.lost)
		rf_err("%" PRIu64 " events or packets were lost; use a larger --buffer, a smaller --snaplen, or fewer devices",
		       r->ev.lost);
	if (r->not_repeated)
		rf_err("%zu hits cannot be reproduced by rules; see the comments in the .rules files",
		       r->not_repeated);
	if (!r->capture.n && !r->ev.lost)
		rf_note("no packets were recorded; packets of a direction (tx or rx) are recorded only while this direction has a rule, for example \"all observe\"");
	return r->ev.lost || r->not_repeated ? RF_EXIT_INCOMPLETE : RF_EXIT_OK;
}

static int write_all(struct record *r)
{
	int err = read_buffer(r);

	if (!err)
		err = write_capture(r);
	if (!err && r->dir[0])
		err = write_events(r);
	if (!err && r->dir[0])
		err = write_rules(r);
	if (err)
		return RF_EXIT_FAILED;
	if (!rf_quiet)
		print_summary(r);
	return warn_missing(r);
}

/* Read the rules and flows that exist before the recording. */
static int read_existing(struct record *r, struct rf_nl *nl)
{
	int err = rf_rulebook_learn(&r->book);

	if (!err)
		err = rf_ordinals_learn(&r->ordinals, nl);
	return err ? rf_nl_failed(nl, "record", err) : RF_EXIT_OK;
}

static int record_command(struct record *r)
{
	int status, written;

	status = r->command ? rf_run_command(r->command, NULL, NULL) :
			      wait_for_signal();
	written = write_all(r);
	return status ? status : written;
}

static int record(struct record *r, struct rf_nl *nl)
{
	const struct rf_trace_options o = {
		.name = "record",
		.points = RF_TRACE_EVERY_KIND | RF_TRACE_BIT(RF_TRACE_PACKET) |
			  RF_TRACE_BIT(RF_TRACE_RULE) |
			  (r->as_sent ? RF_TRACE_BIT(RF_TRACE_SENT) : 0),
		.buffer = r->buffer,
		.snaplen = r->snaplen,
		.ifindex = r->watch.ifindex,
		.netdevs = r->watch.n,
	};
	int status = RF_EXIT_FAILED;

	if (read_existing(r, nl) || rf_trace_start(&r->trace, &o))
		return RF_EXIT_FAILED;
	/* Create files only now: if tracing cannot start, existing files must not change. */
	if (!choose_files(r) && !open_capture(r))
		status = record_command(r);
	rf_trace_stop(&r->trace);
	return status;
}

static int parse_record(struct record *r, struct rf_nl *nl, int argc, char **argv)
{
	int i, status = 0;

	for (i = 0; !status && i < argc; i++)
		status = rf_watch_add(&r->watch, nl, argv[i]);
	return status;
}

/**
 * rf_cmd_record - run "rdmafault record"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "record"
 *
 * Return: the command's exit status if it is not 0, otherwise the status of the recording.
 */
int rf_cmd_record(int argc, char **argv)
{
	struct record r = { .buffer = BUFFER };
	int first = 0, status;
	struct rf_nl *nl;

	status = rf_split_command(&argc, argv, &r.command);
	if (!status)
		first = rf_opts_parse_command("record", rf_record_options, &r, argc, argv);
	if (first < 0)
		status = -first;
	if (!status)
		status = rf_open_module(&nl);
	if (status)
		return status;
	rf_rulebook_open(&r.book, nl);
	status = parse_record(&r, nl, argc - first, argv + first);
	if (!status)
		status = record(&r, nl);
	if (r.capture_file)
		fclose(r.capture_file);
	rf_ordinals_free(&r.ordinals);
	rf_capture_free(&r.capture);
	rf_events_free(&r.ev);
	rf_rulebook_close(&r.book);
	rf_nl_close(nl);
	return status;
}
