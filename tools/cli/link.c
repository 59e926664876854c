// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault link: set and print the properties of the link and the buffer of a port.
 * link_down.c takes the carrier of the link away.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "out.h"
#include "show.h"
#include "units.h"
#include "words.h"

static int link_set(int argc, char **argv);
static int link_show(int argc, char **argv);

const struct rf_cmd rf_link_verbs[] = {
	{ "set", link_set,
	  "link set DEV [ rate RATE | none ] [ delay TIME ] [ jitter TIME ] [ overhead N ] [ seed N ] [ buffer SIZE | none ]",
	  "change settings of the link; those not named stay as they are",
	  .words = rf_link_args, .example = "link set rxe1 rate 10gbit delay 5us" },
	{ "down", rf_link_down, "link down DEV for TIME",
	  "take the carrier of a link away for some time; drop all packets",
	  .words = rf_link_down_args, .example = "link down rxe1 for 300ms" },
	{ "show", link_show, "link show [ DEV ]",
	  "print the links of one port, by default of all", .example = "link show rxe1" },
	{ }
};

static int link_set(int argc, char **argv)
{
	struct rf_queue_change change = {};
	struct rf_why why;

	if (rf_check_words(rf_link_verbs, argc, argv, "DEV setting", -1))
		return RF_EXIT_USAGE;
	if (rf_link_words(argv + 2, &change, &why))
		return rf_refuse_words(&why);
	return rf_queue_change(argv[1], &change, "link", argv + 2);
}

static void print_wire(const struct rf_link_conf *link)
{
	char buf[RF_FMT_LEN];

	if (link->rate) {
		rf_out_u64("rate", NULL, link->rate);
		rf_out_text(" rate %s", rf_exact_rate(link->rate, buf));
	} else {
		rf_out_null("rate");
		rf_out_text(" rate none");
	}
	rf_out_u64("delay_ns", NULL, link->delay);
	rf_out_text(" delay %s", rf_exact_time(link->delay, buf));
	rf_out_u64("jitter_ns", NULL, link->jitter);
	rf_out_text(" jitter %s", rf_exact_time(link->jitter, buf));
	rf_out_u64("overhead", " overhead %" PRIu64, link->overhead);
	rf_out_u64("seed", " seed %" PRIu64, link->seed);
}

static void print_buffer(uint64_t size)
{
	char buf[RF_FMT_LEN];

	if (size)
		rf_out_u64("buffer", NULL, size);
	else
		rf_out_null("buffer");
	rf_out_text(" buffer %s\n", size ? rf_exact_size(size, buf) : "none");
}

/* Print the link of a port. In text output, counters that are 0 are omitted. */
static void print_link(const struct rf_queue_info *info)
{
	char buf[RF_FMT_LEN], peak[RF_FMT_LEN];

	rf_out_str("netdev", "%s", info->ifname);
	print_wire(&info->conf.link);
	print_buffer(info->conf.buffer);
	rf_out_u64("in_flight", NULL, info->in_flight);
	rf_out_u64("in_flight_bytes", NULL, info->in_flight_bytes);
	rf_out_u64("buffer_used", NULL, info->buffer_used);
	rf_out_u64("buffer_peak", NULL, info->buffer_peak);
	if (info->in_flight)
		rf_out_text("  on the wire: %" PRIu32 " packets, %s\n",
			    info->in_flight,
			    rf_fmt_size(info->in_flight_bytes, buf));
	if (info->buffer_peak)
		rf_out_text("  in the buffer: %s, %s at most\n",
			    rf_fmt_size(info->buffer_used, buf),
			    rf_fmt_size(info->buffer_peak, peak));
}

static int link_show(int argc, char **argv)
{
	if (rf_check_words(rf_link_verbs, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	return rf_queues_show(argv, print_link);
}

/**
 * rf_cmd_link - run "rdmafault link"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "link"
 *
 * Return: the exit status.
 */
int rf_cmd_link(int argc, char **argv)
{
	return rf_dispatch(rf_link_verbs, argc - 1, argv + 1);
}
