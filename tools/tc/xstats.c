// SPDX-License-Identifier: GPL-2.0
/*
 * Print the statistics of a port for "tc -s qdisc show". Text output has a line for the port
 * and a line for each priority with a counter that is not 0. JSON output has all priorities
 * and all counters. The module can be older or newer than this plugin: counters that only
 * one of them knows are omitted.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rdmafault/tc.h>

#include "iproute2.h"
#include "units.h"
#include "xstats.h"

struct member {
	const char *key;
	size_t at;
	bool is_time;
};

#define PORT(member) { #member, offsetof(struct rdmafault_tc_stats, member), false }
#define PRIO(member) { #member, offsetof(struct rdmafault_tc_prio, member), false }

static const struct member port_members[] = {
	PORT(roce), PORT(hits), PORT(rule_dropped), PORT(held),
	PORT(in_flight), PORT(in_flight_bytes),
	{ }
};

static const struct member prio_members[] = {
	PRIO(packets), PRIO(bytes), PRIO(backlog), PRIO(backlog_bytes),
	PRIO(peak_bytes), PRIO(full), PRIO(no_buffer), PRIO(expired),
	PRIO(watchdog_dropped), PRIO(marked), PRIO(mark_dropped), PRIO(paused),
	{ "paused_total_ns", offsetof(struct rdmafault_tc_prio, paused_total),
	  true },
	PRIO(pauses), PRIO(xoff_rx), PRIO(xon_rx), PRIO(xoff_tx),
	PRIO(xon_tx), PRIO(buffer_used), PRIO(buffer_peak), PRIO(detected),
	PRIO(restored), PRIO(xoff_ignored),
	{ }
};

/* One struct in the data that the module sent; its size depends on the module's version */
struct span {
	const char *at;
	size_t size;
};

static bool has(const struct span *s, const struct member *m)
{
	return m->at + sizeof(uint64_t) <= s->size;
}

static uint64_t member_value(const struct span *s, const struct member *m)
{
	uint64_t v;

	/* The value can be unaligned: netlink aligns attributes to four bytes. */
	memcpy(&v, s->at + m->at, sizeof(v));
	return v;
}

/* Print one counter. Text output has the unit of a time after the value, not in the name. */
static void print_tc_counter(const struct member *m, uint64_t v)
{
	char text[RF_FMT_LEN];

	print_color_u64(PRINT_JSON, COLOR_NONE, m->key, NULL, v);
	if (m->is_time) {
		print_color_string(PRINT_FP, COLOR_NONE, NULL, " paused_total %s",
				   rf_exact_time(v, text));
		return;
	}
	print_color_string(PRINT_FP, COLOR_NONE, NULL, " %s", m->key);
	print_color_u64(PRINT_FP, COLOR_NONE, NULL, " %" PRIu64, v);
}

static bool has_something(const struct span *prio)
{
	const struct member *m;

	for (m = prio_members; m->key; m++)
		if (has(prio, m) && member_value(prio, m))
			return true;
	return false;
}

/* Print the counters of a priority. In text, counters that are 0 are omitted. */
static void print_prio_counters(uint32_t number, const struct span *prio)
{
	const struct member *m;

	open_json_object(NULL);
	print_color_u64(PRINT_JSON, COLOR_NONE, "prio", NULL, number);
	if (has_something(prio)) {
		print_nl();
		print_color_u64(PRINT_FP, COLOR_NONE, NULL, " prio %" PRIu64,
				number);
	}
	for (m = prio_members; m->key; m++)
		if (has(prio, m) && (is_json_context() || member_value(prio, m)))
			print_tc_counter(m, member_value(prio, m));
	close_json_object();
}

static void print_all_prios(const struct rdmafault_tc_stats *head, const char *at)
{
	struct span prio = { at, head->prio_size };
	uint32_t i;

	open_json_array(PRINT_JSON, "priorities");
	for (i = 0; i < head->prios; i++, prio.at += prio.size)
		print_prio_counters(i, &prio);
	close_json_array(PRINT_JSON, NULL);
}

/* Check that all structs, with the sizes that the module sent, fit into the data. */
static bool is_complete_stats(const struct rdmafault_tc_stats *head, size_t len)
{
	size_t least = offsetof(struct rdmafault_tc_stats, roce);

	return head->size >= least && head->size <= len &&
	       (!head->prios ||
		(head->prio_size &&
		 head->prios <= (len - head->size) / head->prio_size));
}

/**
 * rf_xstats_print - print the statistics with the functions of tc
 * @data: attribute TCA_STATS_APP
 * @len: its size
 *
 * Return: 0, or -1 if the data is truncated.
 */
int rf_xstats_print(const void *data, size_t len)
{
	struct rdmafault_tc_stats head = {};
	const struct member *m;
	struct span port;

	memcpy(&head, data, len < sizeof(head) ? len : sizeof(head));
	if (len < offsetof(struct rdmafault_tc_stats, roce) ||
	    !is_complete_stats(&head, len))
		return -1;
	port = (struct span){ data, head.size };
	for (m = port_members; m->key; m++)
		if (has(&port, m))
			print_tc_counter(m, member_value(&port, m));
	print_all_prios(&head, port.at + head.size);
	return 0;
}
