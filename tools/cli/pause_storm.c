// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault pause ... storm: start a storm, wait for its end, and print its
 * coverage. The storm belongs to the socket of this process, so it ends with the
 * process, unless it is started with "persist".
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"
#include "text.h"
#include "tools/run/job.h"
#include "units.h"
#include "words.h"

#define LOOK_MS		500	/* time between checks whether another process stopped the storm */
#define END_MS		2	/* time between the last check and the end of the storm */
#define NS_PER_MS	1000000

/*
 * A storm of this process. @lease: the socket that owns the storm; closing this socket ends
 * the storm. @look: another socket, to read the result after the storm.
 */
struct storm {
	struct rf_nl *lease, *look;
	uint32_t owner;
	struct rf_target t;
	struct rf_partner partner;
	uint32_t paused;		/* ifindex of the port whose packets wait; 0: unknown */
	struct rf_queue_info before;	/* that port before the storm */
	uint32_t waited[RDMAFAULT_PRIOS];	/* most packets that were seen to wait */
};

/* Read the port that the storm pauses. @running: count the packets that wait for the storm */
static void look_at_queues(struct storm *st, struct rf_queue_info *now, bool running)
{
	uint32_t i;

	if (!st->paused || rf_nl_queue_get(st->look, st->paused, now)) {
		st->paused = 0;
		return;
	}
	for (i = 0; running && i < RDMAFAULT_PRIOS; i++)
		if (st->waited[i] < now->stats[i].backlog)
			st->waited[i] = now->stats[i].backlog;
}

/* The packets of a priority that the paused port sent since before the storm */
static uint64_t sent(const struct storm *st, const struct rf_queue_info *now, uint32_t prio)
{
	uint64_t before = st->before.stats[prio].packets, packets = now->stats[prio].packets;

	return packets > before ? packets - before : 0;
}

/* Append "N packets of priority P" to the list for each priority in @prios that has packets. */
static char *list_packets(uint32_t prios, const uint64_t *n)
{
	char packets[RF_THINGS_LEN], text[RF_THINGS_LEN + 32], *list = NULL;
	uint32_t i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1) || !n[i])
			continue;
		snprintf(text, sizeof(text), "%s of priority %u", rf_fmt_things(n[i], "packet", packets),
			 i);
		list = rf_text_list(list, text);
	}
	return list;
}

/*
 * Print how many packets waited. Packets that were sent, but not seen to wait, can have waited
 * between two looks. All packets are counted while a priority is paused; at other times, packets
 * can go past the queues.
 */
static void report_waits(const struct storm *st, const struct rf_queue_info *now, uint32_t prios)
{
	uint64_t waited[RDMAFAULT_PRIOS], all[RDMAFAULT_PRIOS];
	char *seen, *own, *other, buf[RF_FMT_LEN];
	uint32_t i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		waited[i] = st->waited[i];
		all[i] = sent(st, now, i);
	}
	seen = list_packets(prios, waited);
	own = list_packets(prios, all);
	other = list_packets(~prios, all);
	if (seen)
		rf_out_text("%s: %s waited at once\n", now->ifname, seen);
	else if (own)
		rf_out_text("%s: at most %s waited\n", now->ifname, own);
	else if (other)
		rf_out_text("%s: no packet waited; while paused, the port sent %s, none of %s\n",
			    now->ifname, other, rf_prios_phrase(prios, buf));
	else
		rf_out_text("%s: no packet waited; while paused, the port sent none\n",
			    now->ifname);
	free(seen);
	free(own);
	free(other);
}

static void report_storm(const struct storm *st, const struct rf_queue_info *info,
			 const struct rf_queue_info *now, uint32_t prios)
{
	uint32_t i;

	rf_out_begin_array();
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!(prios >> i & 1))
			continue;
		rf_out_push_object(NULL);
		rf_out_str("netdev", "%s ", info->ifname);
		rf_out_u64("prio", "prio %" PRIu64 " ", i);
		if (rf_json)
			rf_storm_json(&info->storm[i], &st->partner);
		else
			rf_storm_text(&info->storm[i], &st->partner, true);
		if (st->paused && (st->waited[i] || !sent(st, now, i)))
			rf_out_u64("waited", NULL, st->waited[i]);
		else
			rf_out_null("waited");
		rf_out_pop();
	}
	if (st->paused && prios)
		report_waits(st, now, prios);
	rf_out_end();
}

/* Return: the priorities with a storm that this process started. */
static uint32_t ours(const struct storm *st, const struct rf_queue_info *info,
		     uint32_t prios)
{
	uint32_t i, mine = 0;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (prios >> i & 1 && info->has_storm[i] &&
		    info->storm[i].owner == st->owner)
			mine |= 1u << i;
	return mine;
}

/*
 * Return: ms until the storms on the priorities @mine must be checked again; 0: they are over.
 * One check is just before the end, when most packets wait.
 */
static int time_left(const struct rf_queue_info *info, uint32_t mine)
{
	uint64_t left = 0;
	uint32_t i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		const struct rf_storm_info *s = &info->storm[i];

		if (!(mine >> i & 1) || !s->running)
			continue;
		if (!s->spec.duration)
			return LOOK_MS;
		if (left < s->left / NS_PER_MS + 1)
			left = s->left / NS_PER_MS + 1;
	}
	if (left > 2 * END_MS)
		left -= END_MS;
	return left < LOOK_MS ? (int)left : LOOK_MS;
}

/*
 * End the storm by closing its socket. The module then ends only the storms of this socket.
 * If another process has replaced this storm by a new one on the same priority, the new
 * storm continues.
 */
static void end_storm(struct storm *st)
{
	rf_nl_close(st->lease);
	st->lease = NULL;
}

/* Wait until the storm is over. Stop the storm on a signal. Return: 0, or -errno. */
static int stay(struct storm *st, uint32_t prios, struct rf_queue_info *info,
		struct rf_queue_info *now)
{
	struct rf_signals signals;
	struct pollfd wake;
	int ms, err;

	if (rf_signals_open(&signals))
		return -EIO;
	wake = (struct pollfd){ .fd = signals.fd, .events = POLLIN };
	for (;;) {
		err = rf_nl_queue_get(st->look, st->t.ifindex, info);
		if (err)
			break;
		ms = time_left(info, ours(st, info, prios));
		look_at_queues(st, now, ms);
		if (!ms || !st->lease)
			break;
		poll(&wake, 1, ms);
		rf_signals_read(&signals);
		if (signals.aborted) {
			look_at_queues(st, now, true);
			end_storm(st);
		}
	}
	rf_signals_close(&signals);
	return err;
}

/*
 * Warn if the link partner ignores the frames of the storm. This can be intended, so it is not
 * an error.
 */
static void warn_if_ignored(const struct storm *st, const struct rf_storm_spec *spec)
{
	const struct rf_partner *p = &st->partner;
	uint32_t off = rf_partner_deaf(p, spec->prios);
	char phrase[RF_FMT_LEN], list[RF_FMT_LEN];

	if (!(spec->flags & RDMAFAULT_STORM_FLAG_FRAMES) || !p->known || !off)
		return;
	if (!p->is_port)
		rf_note("warning: the link partner %s is no port, and nothing obeys the frames of the storm; \"rdmafault port add %s\" makes it one",
			p->netdev, p->netdev);
	else
		rf_note("warning: the link partner %s has PFC off for %s, and ignores the storm; \"rdmafault prio set %s prio-pfc %s:on\" turns it on",
			p->netdev, rf_prios_phrase(off, phrase), p->netdev,
			off & (off - 1) ? "PRIO" : rf_prios_text(off, list));
}

/* Find the port whose packets wait, and read its counters before the storm. */
static void find_paused(struct storm *st, const struct rf_storm_spec *spec)
{
	const struct rf_partner *p = &st->partner;

	if (!(spec->flags & RDMAFAULT_STORM_FLAG_FRAMES))
		st->paused = st->t.ifindex;
	else if (p->known && rf_partner_deaf(p, spec->prios) != spec->prios)
		st->paused = p->info.ifindex;
	look_at_queues(st, &st->before, false);
}

static int begin_and_stay(struct storm *st, const struct rf_storm_spec *spec)
{
	struct rf_queue_info info, now;
	char text[RF_FMT_LEN];
	uint32_t mine;
	int err = rf_nl_storm_start(st->lease, st->t.ifindex, spec);

	if (err)
		return rf_nl_failed(st->lease, st->t.netdev, err);
	if (spec->flags & RDMAFAULT_STORM_FLAG_PERSIST) {
		rf_out_done("%s: storm started on %s; \"rdmafault pause %s stop\" ends it",
			    st->t.netdev, rf_prios_phrase(spec->prios, text), st->t.netdev);
		return RF_EXIT_OK;
	}
	rf_hint("%s: storm on %s; Ctrl-C ends it", st->t.netdev,
		rf_prios_phrase(spec->prios, text));
	st->owner = rf_nl_portid(st->lease);
	err = stay(st, spec->prios, &info, &now);
	if (err)
		return rf_nl_failed(st->look, st->t.netdev, err);
	mine = ours(st, &info, spec->prios);
	report_storm(st, &info, &now, mine);
	if (mine == spec->prios)
		return RF_EXIT_OK;
	rf_err("%s: another command replaced this storm by a new one",
	       st->t.netdev);
	return RF_EXIT_FAILED;
}

/**
 * rf_pause_storm - run "rdmafault pause DEV prio PRIO storm"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "pause"
 *
 * Return: the exit status.
 */
int rf_pause_storm(int argc, char **argv)
{
	struct rf_storm_spec spec = {};
	char **rest = rf_pause_take(argv, &spec.prios);
	struct storm st = { };
	struct rf_why why;
	int status;

	(void)argc;
	if (!rest)
		return RF_EXIT_USAGE;
	if (!spec.prios)
		return rf_missing(rf_pause_verbs, "storm", "prio PRIO");
	if (rf_storm_words(rest, &spec, &why))
		return rf_refuse_words(&why);
	status = rf_open_queues(argv[1], &st.t, &st.look);
	if (status)
		return status;
	status = rf_open_module(&st.lease);
	if (!status) {
		rf_partner_find(st.look, st.t.netdev, st.t.ifindex, &st.partner);
		warn_if_ignored(&st, &spec);
		find_paused(&st, &spec);
		status = begin_and_stay(&st, &spec);
		end_storm(&st);
	}
	rf_nl_close(st.look);
	return status;
}
