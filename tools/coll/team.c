// SPDX-License-Identifier: GPL-2.0
/*
 * Join a job that another launcher started.
 *
 * own_rank.c determines the rank of this process, and rendezvous.c connects the ranks. Then the
 * ranks exchange what each must know before it opens its device: which ranks run on the
 * same machine, and their devices. A machine is a running kernel, identified by its boot
 * ID, because host names can be equal. The ranks of a machine are numbered from 0, in the
 * order of ranks. With R rails, number l uses the devices l * R to l * R + R - 1 of --device or,
 * without it, of rxe1, rxe2 and so on.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "coll.h"
#include "err.h"
#include "ranks.h"
#include "wire.h"

#define DEFAULT_RANKS	2

/* What a rank sends to all other ranks when it joins the job */
struct card {
	char boot[COLL_BOOT_LEN];
	char devices[COLL_RAILS_MAX][COLL_NAME_LEN];
};

static int count_machine(struct coll_team *team, struct coll_oob *oob,
			 struct card *mine, struct card *all)
{
	int ret;

	coll_boot_id(mine->boot);
	ret = coll_allgather(oob, mine, sizeof(*mine), all);
	team->local_rank = 0;
	team->local_ranks = 0;
	for (int r = 0; !ret && r < oob->ranks; r++) {
		if (strcmp(all[r].boot, mine->boot))
			continue;
		team->local_rank += r < oob->rank;
		team->local_ranks++;
	}
	return ret;
}

/* Choose the devices of this rank. If --device names those of one rank only, all ranks use them. */
static int choose_devices(struct coll_team *team, const struct coll_options *opt,
			  struct coll_oob *oob, struct card *mine)
{
	uint32_t rails = opt->verbs.rails, l = (uint32_t)team->local_rank;

	if (opt->n_devices == rails)
		l = 0;
	if (opt->n_devices && (opt->n_devices % rails || (l + 1) * rails > opt->n_devices))
		return coll_fail(oob->state, COLL_FAILED,
				 "--device: %u devices for %d ranks on %s; %s per rank",
				 opt->n_devices, team->local_ranks, team->host,
				 rails > 1 ? "two" : "one");
	for (uint32_t i = 0; i < rails; i++)
		if (opt->n_devices)
			memcpy(mine->devices[i], opt->devices[l * rails + i], COLL_NAME_LEN);
		else
			snprintf(mine->devices[i], COLL_NAME_LEN, "rxe%u", l * rails + i + 1);
	return 0;
}

/* Find a device that both ranks use. */
static const char *shared_device(const struct card *a, const struct card *b, uint32_t rails)
{
	for (uint32_t i = 0; i < rails && !strcmp(a->boot, b->boot); i++)
		for (uint32_t j = 0; j < rails; j++)
			if (!strcmp(a->devices[i], b->devices[j]))
				return a->devices[i];
	return NULL;
}

static int check_shared(const struct coll_options *opt, struct coll_oob *oob,
			const struct card *all)
{
	const char *shared;

	for (int r = 0; r < oob->ranks && !opt->allow_loopback; r++)
		for (int q = 0; q < r; q++) {
			shared = shared_device(&all[r], &all[q], opt->verbs.rails);
			if (shared)
				return coll_fail(oob->state, COLL_FAILED,
						 "device %s: used by ranks %d and %d, so their packets would not reach the netdev; one device per rank, or --allow-loopback",
						 shared, q, r);
		}
	return 0;
}

static int exchange_devices(struct coll_options *opt, struct coll_oob *oob)
{
	struct card mine = { .boot = "" }, all[COLL_RANKS_MAX];
	uint32_t rails = opt->verbs.rails, n = (uint32_t)oob->ranks * rails;
	int ret = count_machine(&opt->team, oob, &mine, all);

	if (!ret)
		ret = choose_devices(&opt->team, opt, oob, &mine);
	if (!ret)
		ret = coll_allgather(oob, &mine, sizeof(mine), all);
	for (uint32_t i = 0; !ret && i < n; i++)
		all[i / rails].devices[i % rails][COLL_NAME_LEN - 1] = '\0';
	if (!ret)
		ret = check_shared(opt, oob, all);
	for (uint32_t i = 0; !ret && i < n && i < COLL_RANKS_MAX; i++)
		memcpy(opt->devices[i], all[i / rails].devices[i % rails], COLL_NAME_LEN);
	if (!ret)
		opt->n_devices = n;
	return ret;
}

static void take_star(struct coll_team *team, const struct coll_oob *oob)
{
	memset(team->star, -1, sizeof(team->star));
	for (int r = 1; r < oob->ranks; r++)
		team->star[r][0] = oob->fds[r];
	if (oob->rank)
		team->star[oob->rank][1] = oob->fds[0];
}

static int meet_ranks(struct coll_options *opt, const struct coll_own_rank *own,
		      struct coll_waiter *waiter, struct coll_state *st,
		      const char *arguments)
{
	struct coll_rendezvous_state m = {
		.own = own, .waiter = waiter, .state = st,
		.arguments = arguments,
	};
	struct coll_oob oob = {
		.rank = own->rank, .ranks = own->ranks,
		.state = st, .waiter = waiter,
	};
	int ret;

	rf_waiting_shown = isatty(STDERR_FILENO);
	ret = coll_rendezvous(&m);
	rf_waiting_end();
	rf_waiting_shown = false;
	if (ret)
		return ret;
	memcpy(oob.fds, m.fds, sizeof(oob.fds));
	coll_at(st, "choice of the devices", 0, 0);
	ret = exchange_devices(opt, &oob);
	if (ret)
		coll_star_close(&oob);
	else
		take_star(&opt->team, &oob);
	return ret;
}

static enum rf_exit print_reason(const struct coll_own_rank *own,
				 const struct coll_state *st)
{
	rf_err("rank %d on %s: %s", own->rank, st->host, st->error);
	return coll_exit_status(st->status);
}

/* End this rank when its launcher ends, unless the rank was started with --rank. */
static void watch_launcher(const struct coll_options *opt)
{
	coll_wait_alone(opt->rank == COLL_NO_RANK ?
			(int)syscall(SYS_pidfd_open, getppid(), 0) : -1);
}

/**
 * coll_team_join() - if another launcher started this rank, join its job
 * @opt: options of the transport; gets the team and the devices
 * @ranks: value of --ranks, or 0; gets the number of ranks
 * @arguments: arguments that must be equal in all ranks, one per line
 *
 * Return: RF_EXIT_OK, or another exit status after a message.
 */
enum rf_exit coll_team_join(struct coll_options *opt, uint32_t *ranks,
			    const char *arguments)
{
	struct coll_state st = { .pid = getpid() };
	struct coll_team *team = &opt->team;
	struct coll_waiter waiter;
	struct coll_own_rank own;
	enum coll_launcher by = coll_own_rank_launcher(opt);

	if (by == COLL_NO_LAUNCHER) {
		if (!*ranks)
			*ranks = DEFAULT_RANKS;
		return RF_EXIT_OK;
	}
	watch_launcher(opt);
	if (coll_waiter_init(&waiter, opt->deadline_ns) ||
	    coll_own_rank_find(&own, by, opt, *ranks))
		return RF_EXIT_NO_RESULT;
	gethostname(st.host, sizeof(st.host) - 1);
	team->rank = own.rank;
	team->ranks = own.ranks;
	memcpy(team->host, st.host, sizeof(team->host));
	if (meet_ranks(opt, &own, &waiter, &st, arguments))
		return print_reason(&own, &st);
	close(waiter.stop_fd);
	team->joined = true;
	*ranks = (uint32_t)own.ranks;
	return RF_EXIT_OK;
}

/**
 * coll_team_leave() - report to the other ranks that this rank ends with an error
 * @team: the team, joined or not
 */
void coll_team_leave(struct coll_team *team)
{
	struct coll_state st = { .status = COLL_OK };
	struct coll_oob oob = {
		.rank = team->rank, .ranks = team->ranks, .state = &st,
	};

	if (!team->joined)
		return;
	memcpy(st.host, team->host, sizeof(st.host));
	coll_star_init(&oob, team->star);
	coll_fail(&st, COLL_FAILED, "its options are not valid on its machine; see its own message");
	coll_star_close(&oob);
}
