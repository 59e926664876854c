// SPDX-License-Identifier: GPL-2.0
/* rdmafault link: the wire behind a port, and the buffer before it. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "args.h"
#include "cmd.h"
#include "out.h"
#include "queuelist.h"
#include "units.h"

static int link_set(int argc, char **argv);
static int link_show(int argc, char **argv);

const struct rf_cmd rf_link_verbs[] = {
	{ "set", link_set,
	  "link set DEV [ rate RATE | none ] [ delay TIME ] [ jitter TIME ] [ overhead N ] [ seed N ] [ buffer SIZE | none ]",
	  "what the wire behind DEV is like" },
	{ "show", link_show, "link show [ DEV ]", "print it" },
	{ }
};

static int take_link_rate(void *to, const char *s)
{
	struct rf_queue_change *c = to;

	c->link |= RF_LINK_BIT(RATE);
	c->conf.link.rate = 0;
	return strcmp(s, "none") ? rf_take_rate(s, &c->conf.link.rate) : 0;
}

static int take_short_time(const char *s, uint64_t *ns)
{
	return rf_parse_time(s, ns) || *ns > RDMAFAULT_HOLD_MAX ? -EINVAL : 0;
}

static int take_link_delay(void *to, const char *s)
{
	struct rf_queue_change *c = to;

	c->link |= RF_LINK_BIT(DELAY);
	return take_short_time(s, &c->conf.link.delay);
}

static int take_link_jitter(void *to, const char *s)
{
	struct rf_queue_change *c = to;

	c->link |= RF_LINK_BIT(JITTER);
	return take_short_time(s, &c->conf.link.jitter);
}

static int take_link_overhead(void *to, const char *s)
{
	struct rf_queue_change *c = to;

	c->link |= RF_LINK_BIT(OVERHEAD);
	return rf_parse_u32(s, &c->conf.link.overhead) ||
	       c->conf.link.overhead > RDMAFAULT_OVERHEAD_MAX ? -EINVAL : 0;
}

static int take_link_seed(void *to, const char *s)
{
	struct rf_queue_change *c = to;

	c->link |= RF_LINK_BIT(SEED);
	return rf_parse_u64(s, &c->conf.link.seed);
}

static int take_link_buffer(void *to, const char *s)
{
	struct rf_queue_change *c = to;

	c->buffer = true;
	c->conf.buffer = 0;
	if (!strcmp(s, "none"))
		return 0;
	return rf_take_bytes(s, &c->conf.buffer) || !c->conf.buffer ?
	       -EINVAL : 0;
}

static const struct rf_arg link_args[] = {
	{ "rate", "none or 1mbit to 10tbit", take_link_rate },
	{ "delay", "a time of up to 20s, as 5us", take_link_delay },
	{ "jitter", "a time of up to 20s, as 1us", take_link_jitter },
	{ "overhead", "0 to 256 bytes", take_link_overhead },
	{ "seed", "a number of 64 bits", take_link_seed },
	{ "buffer", "none or 1 to 1TiB, as 1MiB", take_link_buffer },
	{ }
};

static int link_set(int argc, char **argv)
{
	struct rf_queue_change change = {};
	int status;

	if (argc < 3)
		return rf_usage(rf_link_verbs, "set");
	status = rf_args_take(link_args, argv + 2, &change);
	return status ? status : rf_queue_change(argv[1], &change);
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

/* In the text, what there is. */
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
	if (argc > 2)
		return rf_usage(rf_link_verbs, "show");
	return rf_queues_show(argv, print_link);
}

/**
 * rf_cmd_link - rdmafault link
 * @argc: number of words
 * @argv: the words, "link" first
 *
 * Return: the exit status.
 */
int rf_cmd_link(int argc, char **argv)
{
	return rf_dispatch(rf_link_verbs, argc - 1, argv + 1);
}
