// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault pause show: print the pauses, storms, counters and watchdogs of ports.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "show.h"
#include "units.h"
#include "words.h"

/**
 * rf_prios_text - format priorities in a form that rf_take_prios() accepts
 * @prios: bit n for priority n
 * @buf: room for the text
 *
 * Return: the text, for example "3,4" or "all".
 */
const char *rf_prios_text(uint32_t prios, char buf[RF_FMT_LEN])
{
	unsigned int i;
	size_t n = 0;

	if (prios == (1u << RDMAFAULT_PRIOS) - 1)
		return "all";
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (prios >> i & 1)
			n += snprintf(buf + n, RF_FMT_LEN - n, "%s%u",
				      n ? "," : "", i);
	return buf;
}

/**
 * rf_prios_phrase - format priorities for a sentence
 * @prios: bit n for priority n; 0: all
 * @buf: room for the text
 *
 * Return: "priority 3", "priorities 3,4" or "all priorities".
 */
const char *rf_prios_phrase(uint32_t prios, char buf[RF_FMT_LEN])
{
	char list[RF_FMT_LEN];
	const char *text = rf_prios_text(prios, list);

	if (!prios || text != list)
		return "all priorities";
	snprintf(buf, RF_FMT_LEN, "%s %.16s", text[1] ? "priorities" : "priority", text);
	return buf;
}

static void watchdog_json(const struct rf_watchdog_conf *dog)
{
	const char *action = rf_value_name(rf_guard_names, dog->action);

	rf_out_push_object("watchdog");
	rf_prios_json("prio", dog->prios);
	rf_out_u64("detect_ns", NULL, dog->detect);
	rf_out_u64("restore_ns", NULL, dog->restore);
	rf_out_u64("poll_ns", NULL, dog->poll);
	rf_out_str("action", NULL, action ? action : "unknown");
	rf_out_pop();
}

/* Print the settings of the watchdog; print nothing if the watchdog is off. */
static void watchdog_text(const struct rf_watchdog_conf *dog)
{
	const char *action = rf_value_name(rf_guard_names, dog->action);
	char buf[RF_FMT_LEN];

	if (!dog->prios)
		return;
	rf_out_text("  watchdog prio %s", rf_prios_text(dog->prios, buf));
	rf_out_text(" detect %s", rf_exact_time(dog->detect, buf));
	rf_out_text(" restore %s", rf_exact_time(dog->restore, buf));
	rf_out_text(" poll %s", rf_exact_time(dog->poll, buf));
	rf_out_text(" action %s\n", action ? action : "unknown");
}

/* Find the link partner of a port, if a storm of the port sends frames to it. */
static void find_partner(const struct rf_queue_info *info, struct rf_partner *partner)
{
	struct rf_nl *nl;
	uint32_t i;

	*partner = (struct rf_partner){ };
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (info->has_storm[i] && info->storm[i].spec.flags & RDMAFAULT_STORM_FLAG_FRAMES)
			break;
	if (i == RDMAFAULT_PRIOS || rf_open_module(&nl))
		return;
	rf_partner_find(nl, info->ifname, info->ifindex, partner);
	rf_nl_close(nl);
}

static void prio_json(const struct rf_queue_info *info, const struct rf_partner *partner,
		      uint32_t i)
{
	rf_out_push_object(NULL);
	rf_out_u64("prio", NULL, i);
	rf_prio_rows_json(rf_pause_rows, &info->stats[i]);
	rf_out_u64("watchdog_dropped", NULL, info->stats[i].watchdog_dropped);
	if (info->has_storm[i]) {
		rf_out_push_object("storm");
		rf_storm_json(&info->storm[i], partner);
		rf_out_pop();
	} else {
		rf_out_null("storm");
	}
	rf_out_pop();
}

static void prios_text_all(const struct rf_queue_info *info, const struct rf_partner *partner)
{
	uint32_t i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!info->has_storm[i])
			continue;
		rf_out_text("  prio %u ", i);
		rf_storm_text(&info->storm[i], partner, false);
	}
	rf_prio_rows_text(rf_pause_rows, info->stats);
}

static void print_pause(const struct rf_queue_info *info)
{
	struct rf_partner partner;
	uint32_t i;

	find_partner(info, &partner);
	rf_out_str("netdev", "%s", info->ifname);
	rf_out_u64("received", " received %" PRIu64, info->pauses_received);
	rf_out_u64("malformed", " malformed %" PRIu64, info->pauses_malformed);
	rf_out_u64("reserved", " reserved %" PRIu64, info->pauses_reserved);
	rf_out_u64("sent", " sent %" PRIu64 "\n", info->pauses_sent);
	if (!rf_json) {
		watchdog_text(&info->conf.watchdog);
		prios_text_all(info, &partner);
		return;
	}
	watchdog_json(&info->conf.watchdog);
	rf_out_push_array("prio");
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		prio_json(info, &partner, i);
	rf_out_pop();
}

/**
 * rf_pause_show - run "rdmafault pause show"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "show"
 *
 * Return: the exit status.
 */
int rf_pause_show(int argc, char **argv)
{
	if (rf_check_words(rf_pause_verbs, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	return rf_queues_show(argv, print_pause);
}
