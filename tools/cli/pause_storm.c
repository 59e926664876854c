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
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"
#include "tools/run/job.h"
#include "units.h"
#include "words.h"

#define LOOK_MS		500	/* time between checks whether another process stopped the storm */
#define NS_PER_MS	1000000

/*
 * A storm of this process. @lease: the socket that owns the storm; closing this socket ends
 * the storm. @look: another socket, to read the result after the storm.
 */
struct storm {
	struct rf_nl *lease, *look;
	uint32_t owner;
	struct rf_target t;
};

static void report_storm(const struct rf_queue_info *info, uint32_t prios)
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
			rf_storm_json(&info->storm[i]);
		else
			rf_storm_text(&info->storm[i], true);
		rf_out_pop();
	}
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

/* Return: ms until the storms on the priorities @mine must be checked again; 0: they are over. */
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
static int stay(struct storm *st, uint32_t prios, struct rf_queue_info *info)
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
		if (!ms || !st->lease)
			break;
		poll(&wake, 1, ms);
		rf_signals_read(&signals);
		if (signals.aborted)
			end_storm(st);
	}
	rf_signals_close(&signals);
	return err;
}

/*
 * Return: the index of the netdev at the other end of a veth pair; that of the netdev itself if
 * it is no veth and has no lower netdev; 0: unknown.
 */
static uint32_t iflink(const char *netdev)
{
	uint32_t ifindex = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/iflink", netdev);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%" SCNu32, &ifindex) != 1)
		ifindex = 0;
	fclose(f);
	return ifindex;
}

/*
 * Warn if PFC is off on the link partner. PFC can be off on purpose, so this is not an
 * error. iflink() returns the ifindex of the partner, but the partner can be in another
 * network namespace. A local netdev with the same ifindex is then a different one. The local
 * netdev is the partner only if iflink() of this netdev returns the ifindex of our port.
 */
static void warn_if_ignored(const struct storm *st,
			    const struct rf_storm_spec *spec)
{
	uint32_t i, peer = iflink(st->t.netdev), off = 0;
	struct rf_queue_info info;
	char buf[RF_FMT_LEN];

	if (!(spec->flags & RDMAFAULT_STORM_FLAG_FRAMES) || !peer ||
	    peer == st->t.ifindex || rf_nl_queue_get(st->look, peer, &info) ||
	    iflink(info.ifname) != st->t.ifindex)
		return;
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (spec->prios >> i & 1 && !info.conf.prio[i].pfc)
			off |= 1u << i;
	if (off)
		rf_note("warning: the link partner %s has PFC off for priority %s, and ignores the storm",
			info.ifname, rf_prios_text(off, buf));
}

static int begin_and_stay(struct storm *st, const struct rf_storm_spec *spec)
{
	struct rf_queue_info info;
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
	err = stay(st, spec->prios, &info);
	if (err)
		return rf_nl_failed(st->look, st->t.netdev, err);
	mine = ours(st, &info, spec->prios);
	report_storm(&info, mine);
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
		warn_if_ignored(&st, &spec);
		status = begin_and_stay(&st, &spec);
		end_storm(&st);
	}
	rf_nl_close(st.look);
	return status;
}
