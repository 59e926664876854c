// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault monitor: print one line per event of the module, while events happen.
 * The words of a rule are those of its event rf_rule. If the rule is older than the monitor,
 * they are read from the module at the first hit of the rule.
 *
 * Events are printed in order of time, about 50 ms after they happen. The output is flushed
 * after each group of events. If events arrive faster than the tool prints them, some are
 * lost. Lost events are counted, and the exit status is then 3.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "json.h"
#include "show.h"
#include "tools/run/job.h"
#include "tools/trace/capture.h"
#include "tools/trace/trace.h"
#include "words.h"

#define BUFFER		(1u << 20)	/* bytes per CPU; room for about 3,000 events */
#define RULE		"rule"		/* name of the kind of events that report added rules */

struct monitor {
	struct rf_watch watch;
	uint32_t points;
	bool rules;		/* print added rules */
	uint64_t buffer;
	struct rf_trace trace;
	struct rf_rulebook book;
	struct rf_signals signals;
};

const struct rf_key rf_monitor_options[] = {
	{ "buffer", NULL, &rf_kind_size,
	  .at = offsetof(struct monitor, buffer), RF_BUFFER_MIN, RF_BUFFER_MAX,
	  .value = "SIZE", .help = "ring buffer per CPU, 8KiB to 4GiB; default: 1MiB" },
	{ }
};

const struct rf_key rf_monitor_words[] = {
	{ "DEV", .help = "the port; default: all ports" },
	{ "hit ...", .help = "kinds of events to print; default: all" },
	{ }
};

static void print_event_json(const struct rf_event *e)
{
	struct json_object *o = rf_event_json(e);

	puts(rf_json_line(o));
	json_object_put(o);
}

static void print_text(struct monitor *m, const struct rf_event *e)
{
	const struct rf_rule_spec *by = NULL;
	char line[RF_EVENT_LINE_LEN];

	if (e->kind == RF_EVENT_HIT)
		by = rf_rulebook_find(&m->book, e->ifindex, e->rule);
	puts(rf_event_line(e, by, line));
}

static int print(const struct rf_event *e, void *arg)
{
	struct monitor *m = arg;

	if (rf_json)
		print_event_json(e);
	else
		print_text(m, e);
	return ferror(stdout) ? -errno : 0;
}

static void print_rule_json(uint64_t t_ns, const struct rf_rule_info *r,
			    const char *words)
{
	struct json_object *o = json_object_new_object();

	rf_event_put_str(o, "type", RULE);
	rf_event_put(o, "t_ns", t_ns);
	rf_event_put_str(o, "port", r->ifname);
	rf_event_put_str(o, "direction", rf_dir_name(r->direction));
	rf_event_put(o, "rule", r->id);
	rf_event_put_str(o, "words", words);
	puts(rf_json_line(o));
	json_object_put(o);
}

/* Store the rule that an event reports, because it can be deleted before its hits are printed. */
static int store_rule(uint64_t t_ns, const void *attrs, size_t len, void *arg)
{
	char words[RF_RULE_TEXT_LEN];
	struct monitor *m = arg;
	struct rf_rule_info r;

	rf_rulebook_take(&m->book, attrs, len);
	if (!m->rules || rf_nl_rule_parse(attrs, len, &r))
		return 0;
	rf_rule_show(&r.spec, words, sizeof(words));
	if (rf_json)
		print_rule_json(t_ns, &r, words);
	else
		printf(RF_EVENT_TIME " %s %s rule %u added: %s\n",
		       RF_EVENT_TIME_ARGS(t_ns), r.ifname,
		       rf_dir_name(r.direction), r.id, words);
	return ferror(stdout) ? -errno : 0;
}

static int print_all(struct monitor *m)
{
	const struct rf_trace_sink sink = {
		.event = print, .rule = store_rule, .arg = m,
	};
	int err = rf_trace_read(&m->trace, &sink);

	if (fflush(stdout))
		return -errno;
	return err;
}

/* Print events until a signal, or until the reader of the output exits. */
static int follow_events(struct monitor *m)
{
	struct pollfd wake[] = {
		{ .fd = m->signals.fd, .events = POLLIN },
		{ .fd = STDOUT_FILENO },	/* POLLERR: the reader of the pipe exited */
	};
	int err = 0, found;

	rf_hint("monitor: printing events; Ctrl-C ends");
	while (!err && !m->signals.aborted) {
		found = rf_trace_wait(&m->trace, wake, 2);
		if (found < 0)
			return found;
		if (found)
			err = print_all(m);
		if (wake[1].revents & POLLERR)
			return -EPIPE;
		rf_signals_read(&m->signals);
	}
	return err;
}

/* Stop the recording, and print the events that are still in the buffer. */
static int finish_recording(struct monitor *m)
{
	uint64_t lost;

	rf_trace_pause(&m->trace);
	m->signals.aborted = false;
	print_all(m);
	if (rf_trace_lost(&m->trace, &lost))
		return RF_EXIT_FAILED;
	if (!lost)
		return RF_EXIT_OK;
	rf_note("%" PRIu64 " events were lost; use a larger --buffer, or select fewer kinds of events",
		lost);
	return RF_EXIT_INCOMPLETE;
}

static int run_monitor(struct monitor *m)
{
	int err = follow_events(m);

	if (err == -EPIPE)
		return RF_EXIT_OK;
	if (err && err != -EINTR) {
		rf_err("monitor: %s", strerror(-err));
		return RF_EXIT_FAILED;
	}
	return finish_recording(m);
}

static int record_and_run(struct monitor *m)
{
	const struct rf_trace_options o = {
		.name = "monitor",
		.points = m->points | RF_TRACE_BIT(RF_TRACE_RULE),
		.buffer = m->buffer,
		.ifindex = m->watch.ifindex,
		.netdevs = m->watch.n,
	};
	int status;

	if (rf_signals_open(&m->signals))
		return RF_EXIT_FAILED;
	signal(SIGPIPE, SIG_IGN);
	status = RF_EXIT_FAILED;
	if (!rf_trace_start(&m->trace, &o)) {
		status = run_monitor(m);
		rf_trace_stop(&m->trace);
	}
	rf_signals_close(&m->signals);
	return status;
}

static bool take_kind_word(struct monitor *m, const char *word)
{
	unsigned int kind;

	if (!strcmp(word, RULE)) {
		m->rules = true;
		return true;
	}
	for (kind = 0; kind < RF_EVENT_KINDS; kind++) {
		if (strcmp(word, rf_event_kind_name(kind)))
			continue;
		m->points |= RF_TRACE_BIT(kind);
		return true;
	}
	return false;
}

static int parse_words(struct monitor *m, struct rf_nl *nl, int argc,
		       char **argv)
{
	int i, status;

	for (i = 0; i < argc; i++) {
		if (take_kind_word(m, argv[i]))
			continue;
		if (i) {
			rf_err("monitor: unknown kind \"%s\"; hit, retransmit, nak, hold, release, pause, mark, watchdog, cnp, rate or rule",
			       argv[i]);
			return RF_EXIT_USAGE;
		}
		status = rf_watch_add(&m->watch, nl, argv[i]);
		if (status)
			return status;
	}
	if (!m->points && !m->rules) {
		m->points = RF_TRACE_EVERY_KIND;
		m->rules = true;
	}
	return RF_EXIT_OK;
}

/**
 * rf_cmd_monitor - run "rdmafault monitor"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "monitor"
 *
 * Return: the exit status.
 */
int rf_cmd_monitor(int argc, char **argv)
{
	struct monitor m = { .buffer = BUFFER };
	int first = rf_opts_parse_command("monitor", rf_monitor_options, &m, argc, argv), status;
	struct rf_nl *nl;

	if (first < 0)
		return -first;
	status = rf_open_module(&nl);
	if (status)
		return status;
	status = parse_words(&m, nl, argc - first, argv + first);
	rf_rulebook_open(&m.book, nl);
	if (!status)
		status = record_and_run(&m);
	rf_rulebook_close(&m.book);
	rf_nl_close(nl);
	return status;
}
