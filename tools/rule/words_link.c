// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the words of "link set", which set the properties of the link and the buffer of a port,
 * and of "link down".
 */
#include <stddef.h>

#include "words.h"

#define CHANGE_AT(member) offsetof(struct rf_queue_change, member)
#define L(attr, member) \
	.set = CHANGE_AT(link), .bit = RDMAFAULT_A_LINK_ ## attr, .at = CHANGE_AT(conf.link.member)

const struct rf_key rf_link_args[] = {
	{ "rate", "none or 1mbit to 10tbit, for example 10gbit",
	  &rf_kind_rate, L(RATE, rate), RDMAFAULT_RATE_MIN, RDMAFAULT_RATE_MAX, rf_none_names,
	  "rate of the link in bits per second; default: none" },
	{ "delay", "0s to 20s, for example 5us",
	  &rf_kind_time, L(DELAY, delay), 0, RDMAFAULT_HOLD_MAX,
	  .help = "propagation delay; default: 0s" },
	{ "jitter", "0s to 20s, for example 1us",
	  &rf_kind_time, L(JITTER, jitter), 0, RDMAFAULT_HOLD_MAX,
	  .help = "maximum of a random delay of each packet; default: 0s" },
	{ "overhead", "0 to 256",
	  &rf_kind_u32, L(OVERHEAD, overhead), 0, RDMAFAULT_OVERHEAD_MAX,
	  .help = "bytes of a frame outside of its header and payload; default: 24" },
	{ "seed", "0 to 18446744073709551615",
	  &rf_kind_u64, L(SEED, seed), 0, UINT64_MAX,
	  .help = "seed of the random decisions for jitter and ECN marks; default: 0" },
	{ "buffer", "none or 1 byte to 1TiB, for example 1MiB",
	  &rf_kind_bytes, .set = CHANGE_AT(buffer), .bit = 1, .at = CHANGE_AT(conf.buffer),
	  1, RDMAFAULT_BYTES_MAX, rf_none_names,
	  "size of the buffer for packets that arrive at this port; default: none" },
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
	return rf_args_take(rf_link_args, argv, c, rf_key_take, why);
}

const struct rf_key rf_link_down_args[] = {
	{ "for", "1ms to 86400s, for example 300ms",
	  &rf_kind_time, .min = 1000000, .max = RDMAFAULT_TIME_MAX,
	  .help = "time without a carrier; required" },
	{ }
};

/**
 * rf_link_down_words - parse the words of "link down"
 * @argv: the words after the port; a NULL follows the last one
 * @ns: gets the time without a carrier
 * @why: gets the text of an error
 *
 * Return: 0, or -EINVAL.
 */
int rf_link_down_words(char **argv, uint64_t *ns, struct rf_why *why)
{
	*ns = 0;
	if (!argv[0])
		return rf_why_refuse(why, "link down: time missing; for TIME, for example for 300ms");
	return rf_args_take(rf_link_down_args, argv, ns, rf_key_take, why);
}
