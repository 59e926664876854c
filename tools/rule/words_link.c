// SPDX-License-Identifier: GPL-2.0
/* Parse the words of "link set", which set the properties of the link and the buffer of a port. */
#include <errno.h>
#include <string.h>

#include "units.h"
#include "words.h"

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

const struct rf_arg rf_link_args[] = {
	{ "rate", "none or 1mbit to 10tbit, for example 10gbit", take_link_rate,
	  "rate of the link in bits per second", "none" },
	{ "delay", "0s to 20s, for example 5us", take_link_delay,
	  "propagation delay", "0s" },
	{ "jitter", "0s to 20s, for example 1us", take_link_jitter,
	  "maximum of a random delay of each packet", "0s" },
	{ "overhead", "0 to 256", take_link_overhead,
	  "bytes of a frame outside of its header and payload", "24" },
	{ "seed", "0 to 18446744073709551615", take_link_seed,
	  "seed of the random decisions for jitter and ECN marks", "0" },
	{ "buffer", "none or 1 byte to 1TiB, for example 1MiB", take_link_buffer,
	  "size of the buffer for packets that arrive at this port", "none" },
	{ }
};

/**
 * rf_link_words - parse the words of "link set"
 * @argv: the words; a NULL follows the last one
 * @c: the changed settings; gets the values of the words
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_link_words(char **argv, struct rf_queue_change *c, struct rf_why *why)
{
	return rf_args_take(rf_link_args, argv, c, why);
}
