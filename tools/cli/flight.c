// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault watch: a flight recorder. While a command runs, the module keeps the headers of the
 * latest packets of the ports in rings. If the command or a queue pair fails, the rings are read,
 * one sentence says why, and the packets are written to a capture file.
 *
 * The report waits for a second, so that responses and delayed packets that are late appear in
 * the rings. It is printed only once: at the first failed queue pair whose packets show the
 * cause, or when the command has failed.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "err.h"
#include "flight.h"
#include "genl.h"
#include "out.h"
#include "tools/trace/capture.h"
#include "units.h"
#include "words.h"

#define PACKETS		16384		/* of each ring */
#define WHOLE_PACKETS	2048		/* of each ring with --bytes */
#define PACKETS_MAX	1048576
#define SECONDS_MAX	86400
#define SETTLE_TICKS	(1000 / RF_TICK_MS)	/* wait for late packets */
#define CAPTURE_SUFFIX	".pcapng"

struct flight_options {
	const char *out;
	bool whole;
	uint32_t packets, seconds;
};

struct recorder {
	struct flight_options o;
	struct rf_flight_rings rings;
	struct rf_cause cause;
	char capture[PATH_MAX];		/* "": not written */
	unsigned int settle;		/* ticks until the report; 0: nothing has failed */
	bool reported;
};

#define AT(member) .at = offsetof(struct flight_options, member)

const struct rf_key rf_flight_options[] = {
	{ "out", "FILE" CAPTURE_SUFFIX, &rf_kind_text, AT(out), 1,
	  .letter = 'o', .value = "FILE" CAPTURE_SUFFIX,
	  .help = "capture file, which is written only after a failure; default: watch-DATE-TIME" CAPTURE_SUFFIX },
	{ "bytes", NULL, &rf_kind_bool, AT(whole),
	  .help = "keep whole packets up to the MTU; default: only their headers" },
	{ "packets", NULL, &rf_kind_u32, AT(packets), 1, PACKETS_MAX, .value = "N",
	  .help = "packets of each port and direction to keep, 1 to 1048576; default: 16384, with --bytes 2048" },
	{ "seconds", NULL, &rf_kind_u32, AT(seconds), 1, SECONDS_MAX, .value = "S",
	  .help = "write only packets of the last S seconds to the capture file, 1 to 86400; default: all" },
	{ }
};

const struct rf_key rf_flight_words[] = {
	{ "DEV...", .help = "the ports; default: all ports or, if there are none, all SoftRoCE devices" },
	{ "-- COMMAND...", .help = "watch until this command ends" },
	{ }
};

static const char *flight_verdict(const struct rf_sighting *s)
{
	return s->verdict == 1 ? "dropped by a rule" : s->verdict == 2 ? "delayed by a rule" : NULL;
}

/* Write the packets from a time on, with their interfaces. Return: 0 or -errno */
static int write_packets(const struct rf_flight *f, uint64_t from_ns, FILE *out)
{
	struct timespec real, mono;
	struct rf_pcapng file;
	char name[32];
	size_t i;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	rf_pcapng_open(&file, out, "rdmafault " RF_VERSION);
	for (i = 0; i < f->places; i++) {
		snprintf(name, sizeof(name), "%s-%s", f->place[i].dev, rf_dir_name(f->place[i].dir));
		rf_pcapng_interface(&file, name, "RoCEv2", 0);
	}
	for (i = 0; i < f->n; i++) {
		const struct rf_sighting *s = &f->s[i];
		const struct rf_pcapng_packet packet = {
			.interface = s->place,
			.inbound = f->place[s->place].dir == RDMAFAULT_DIRECTION_RX,
			.t_ns = s->t_ns + (real.tv_sec - mono.tv_sec) * 1000000000ull +
				real.tv_nsec - mono.tv_nsec,
			.data = s->frame, .captured = s->captured, .len = s->frame_len,
		};

		if (s->t_ns < from_ns)
			continue;
		if (flight_verdict(s))
			rf_pcapng_comment(&file, "%s", flight_verdict(s));
		rf_pcapng_put(&file, &packet);
	}
	return rf_pcapng_close(&file);
}

static int write_flight(struct recorder *r)
{
	const struct rf_flight *f = &r->rings.flight;
	uint64_t last = f->n ? f->s[f->n - 1].t_ns : 0, span = r->o.seconds * 1000000000ull;
	FILE *out = fopen(r->capture, "we");
	int err;

	err = out ? write_packets(f, span && span < last ? last - span : 0, out) : -errno;
	if (out && fclose(out) && !err)
		err = -errno;
	if (!err)
		return 0;
	rf_err("%s: %s", r->capture, strerror(-err));
	r->capture[0] = '\0';
	return err;
}

static void choose_capture(struct recorder *r)
{
	time_t now = time(NULL);
	struct tm tm;

	if (r->o.out)
		snprintf(r->capture, sizeof(r->capture), "%s", r->o.out);
	else
		strftime(r->capture, sizeof(r->capture), "watch-%Y%m%d-%H%M%S" CAPTURE_SUFFIX,
			 localtime_r(&now, &tm));
}

static uint64_t overwritten(const struct rf_flight *f)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < f->places; i++)
		sum += f->place[i].overwritten;
	return sum;
}

static void print_report(const struct recorder *r)
{
	const struct rf_flight *f = &r->rings.flight;
	uint64_t zero = r->cause.n ? f->s[r->cause.evidence[0]].t_ns : 0;
	size_t i;

	rf_note("watch: %s", r->cause.sentence);
	for (i = 0; !rf_json && i < r->cause.n; i++)
		rf_sighting_print(f, &f->s[r->cause.evidence[i]], zero, stderr);
	if (r->capture[0])
		rf_note("watch: %zu packets of %zu ports, %" PRIu64 " older ones overwritten: %s",
			f->n, r->rings.ports, overwritten(f), r->capture);
}

/*
 * Read the rings, and report the cause. @sure: report only if packets show it, because a program
 * can also move its queue pairs to the error state at its normal end.
 */
static void report_failure(struct recorder *r, bool sure)
{
	if (rf_flight_read(&r->rings))
		return;
	rf_cause_free(&r->cause);
	if (rf_cause_find(&r->rings.flight, &r->cause)) {
		rf_err("watch: %s", strerror(ENOMEM));
		return;
	}
	if (sure && (r->cause.kind == RF_CAUSE_NONE || r->cause.kind == RF_CAUSE_LOCAL))
		return;
	if (r->rings.flight.n) {
		choose_capture(r);
		write_flight(r);
	}
	print_report(r);
	r->reported = true;
}

static void flight_tick(void *arg)
{
	struct recorder *r = arg;

	if (rf_flight_look(&r->rings) && !r->settle && !r->reported)
		r->settle = SETTLE_TICKS;
	else if (r->settle && !--r->settle)
		report_failure(r, true);
}

static void wait_for_late(struct recorder *r)
{
	const struct timespec pause = { .tv_nsec = RF_TICK_MS * 1000000 };
	unsigned int i;

	for (i = 0; i < SETTLE_TICKS; i++) {
		rf_flight_look(&r->rings);
		nanosleep(&pause, NULL);
	}
}

static uint64_t recorded(const struct rf_flight *f)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < f->places; i++)
		sum += f->place[i].packets;
	return sum;
}

static void print_flight_end(struct recorder *r, char **command, int status)
{
	const struct rf_flight *f = &r->rings.flight;

	if (rf_json) {
		rf_out_begin_object();
		rf_out_u64("status", NULL, status);
		rf_out_bool("reported", NULL, r->reported);
		rf_out_str("cause", NULL, rf_cause_name(r->cause.kind));
		if (r->reported)
			rf_out_str("sentence", NULL, r->cause.sentence);
		rf_out_u64("packets", NULL, recorded(f));
		rf_out_u64("overwritten", NULL, overwritten(f));
		if (r->capture[0])
			rf_out_str("capture", NULL, r->capture);
		rf_out_end();
	} else if (status) {
		rf_note("watch: %s: exit status %d%s%s", command[0], status,
			r->reported ? ": " : "", r->reported ? r->cause.sentence : "");
	} else if (!r->reported && !rf_quiet) {
		rf_note("watch: %s: no failure; %" PRIu64 " packets of %zu ports", command[0],
			recorded(f), r->rings.ports);
	}
}

static int watch_command(struct recorder *r, char **command)
{
	int status = rf_run_command(command, flight_tick, r);

	if (status && !r->reported) {
		wait_for_late(r);
		report_failure(r, false);
	} else if (r->settle) {
		wait_for_late(r);
		report_failure(r, true);
	} else if (!r->reported) {
		rf_flight_read(&r->rings);
	}
	print_flight_end(r, command, status);
	return status;
}

static bool flight_options_are_valid(struct recorder *r, char **command)
{
	size_t n = r->o.out ? strlen(r->o.out) : 0, suffix = strlen(CAPTURE_SUFFIX);

	if (!command) {
		rf_err("watch: expected \"-- COMMAND\"");
		return false;
	}
	if (r->o.out && (n <= suffix || n >= sizeof(r->capture) ||
			 strcmp(r->o.out + n - suffix, CAPTURE_SUFFIX))) {
		rf_err("--out %s: invalid name; FILE" CAPTURE_SUFFIX, r->o.out);
		return false;
	}
	if (!r->o.packets)
		r->o.packets = r->o.whole ? WHOLE_PACKETS : PACKETS;
	return true;
}

/**
 * rf_cmd_watch - run "rdmafault watch"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "watch"
 *
 * Return: the command's exit status, or another one after rf_err() if it was not started.
 */
int rf_cmd_watch(int argc, char **argv)
{
	struct recorder r = { };
	int first = 0, status;
	struct rf_nl *nl;
	char **command;

	status = rf_split_command(&argc, argv, &command);
	if (!status)
		first = rf_opts_parse_command("watch", rf_flight_options, &r.o, argc, argv);
	if (first < 0)
		status = -first;
	if (!status && !flight_options_are_valid(&r, command))
		status = RF_EXIT_USAGE;
	if (!status)
		status = rf_open_module(&nl);
	if (status)
		return status;
	status = rf_flight_open(&r.rings, nl, argv + first, argc - first);
	if (!status)
		status = rf_flight_begin(&r.rings, r.o.packets, r.o.whole);
	if (!status)
		status = watch_command(&r, command);
	rf_cause_free(&r.cause);
	rf_flight_close(&r.rings);
	rf_nl_close(nl);
	return status;
}
