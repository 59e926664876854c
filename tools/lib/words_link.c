// SPDX-License-Identifier: GPL-2.0
/* The words for the wire behind a port, and for the buffer before it. */
#include <errno.h>
#include <string.h>

#include "queuewords.h"
#include "units.h"

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

/**
 * rf_link_words - the settings of a link
 * @argv: the words, up to a NULL
 * @c: what they say is added to this
 * @why: gets what is wrong with them
 *
 * Return: 0, or -EINVAL.
 */
int rf_link_words(char **argv, struct rf_queue_change *c, struct rf_why *why)
{
	return rf_args_take(link_args, argv, c, why);
}
