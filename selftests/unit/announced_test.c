// SPDX-License-Identifier: GPL-2.0
/* Test the timeline of a user's command: its announced steps, and its queue pairs. */
#include "../../tools/run/announced.c"
#include "tap.h"

#define MS 1000000ull

static struct rf_cluster cluster = {
	.nodes = 3,
	.node = {
		{ 1, "v1", "rxe1" }, { 2, "v2", "rxe2" }, { 3, "v3", "rxe3" },
	},
};

static uint32_t steps[3];		/* the steps of the ports */

int rf_nl_port_get(struct rf_nl *nl, uint32_t ifindex, struct rf_port_info *port)
{
	(void)nl;
	*port = (struct rf_port_info){ .step = steps[ifindex - 1] };
	return 0;
}

static struct {
	const char *rdma;
	struct rf_qp_info qp;
} qps[] = {
	{ "rxe1", { .qp = 17, .peer = 17 } },		/* with rxe2 */
	{ "rxe2", { .qp = 17, .peer = 17 } },
	{ "rxe1", { .qp = 18, .peer = 20 } },		/* with rxe3 */
	{ "rxe3", { .qp = 20, .peer = 18 } },
	{ "rxe2", { .qp = 21 } },			/* not connected */
	{ "rxe2", { .qp = 22, .peer = 99 } },		/* its peer has no device here */
	/* with rxe2 or rxe3: both have a queue pair 40 whose peer is 30 */
	{ "rxe1", { .qp = 30, .peer = 40 } },
	{ "rxe2", { .qp = 40, .peer = 30 } },
	{ "rxe3", { .qp = 40, .peer = 30 } },
};

int rf_rdma_qp_each(const char *rdma, void (*fn)(const struct rf_qp_info *qp, void *arg), void *arg)
{
	size_t i;

	for (i = 0; i < sizeof(qps) / sizeof(*qps); i++)
		if (!strcmp(qps[i].rdma, rdma))
			fn(&qps[i].qp, arg);
	return 0;
}

static struct rf_announced a;
static struct rf_events ev;
static struct rf_timeline tl;

static void begin(uint32_t n)
{
	free(tl.steps);
	free(tl.qps);
	tl = (struct rf_timeline){ .ranks = 1 };
	rf_announced_free(&a);
	rf_announced_begin(&a, &cluster, n);
	memset(steps, 0, sizeof(steps));
	rf_announced_read(&a, NULL, 5 * MS);
}

static void read_at(uint32_t step, uint64_t ms)
{
	steps[0] = step;
	rf_announced_read(&a, NULL, ms * MS);
}

static bool is_step(uint32_t rank, uint32_t step, uint64_t from_ms, uint64_t to_ms)
{
	const struct rf_step *s = &tl.steps[(step - 1) * tl.ranks + rank];

	return s->seen && s->start_ns == from_ms * MS && s->end_ns == to_ms * MS &&
	       s->sync_ns == s->end_ns;
}

static void steps_ok(void)
{
	begin(3);
	read_at(1, 10);
	read_at(1, 15);
	read_at(2, 20);
	read_at(3, 1000);
	rf_announced_end(&a, &ev, 1010 * MS, &tl);
	ok(tl.iters == 3 && is_step(0, 1, 10, 20) && is_step(0, 2, 20, 1000),
	   "a step lasts from its announcement to the next one");
	ok(is_step(0, 3, 1000, 1010), "the last step lasts until the job ends");
	ok(tl.ranks == 3 && is_step(1, 2, 20, 1000), "a node without announcements has the steps of node 1");
	begin(2);
	read_at(1, 10);
	read_at(2, 20);
	read_at(0, 30);
	read_at(0, 500);
	rf_announced_end(&a, &ev, 900 * MS, &tl);
	ok(is_step(0, 2, 20, 30), "the last step ends when step 0 is announced");
	begin(4);
	read_at(1, 10);
	steps[1] = 1;
	read_at(1, 20);
	steps[1] = 3;
	read_at(3, 26);
	rf_announced_end(&a, &ev, 100 * MS, &tl);
	ok(is_step(0, 1, 10, 23) && is_step(0, 2, 23, 26),
	   "a step that began between two readings begins in the middle");
	ok(is_step(1, 1, 20, 23), "a node with announcements has its own steps");
	ok(!tl.steps[3 * tl.ranks].seen && !tl.steps[2 * tl.ranks].seen,
	   "a job that ended early has no time for its last steps");
}

static void last_steps_ok(void)
{
	begin(4);
	read_at(2, 10);
	steps[0] = 4;
	rf_announced_last(&a, NULL, 0, 14 * MS);
	rf_announced_end(&a, &ev, 14 * MS, &tl);
	ok(is_step(0, 3, 12, 14) && is_step(0, 4, 14, 14), "steps that begin after the last reading are found");
	begin(4);
	read_at(2, 10);
	steps[0] = 0;
	rf_announced_last(&a, NULL, 0, 16 * MS);
	rf_announced_end(&a, &ev, 16 * MS, &tl);
	ok(is_step(0, 3, 12, 14) && is_step(0, 4, 14, 16), "a job with status 0 that announces step 0 has all steps");
	begin(4);
	read_at(2, 10);
	steps[0] = 0;
	rf_announced_last(&a, NULL, 1, 16 * MS);
	rf_announced_end(&a, &ev, 16 * MS, &tl);
	ok(!tl.steps[2 * tl.ranks].seen, "a job with status 1 that announces step 0 has no further step");
}

static void no_steps_ok(void)
{
	begin(3);
	rf_announced_end(&a, &ev, 100 * MS, &tl);
	ok(!tl.iters && tl.nqps == 4, "a job that announces nothing has queue pairs, but no steps");
	begin(0);
	rf_announced_end(&a, &ev, 100 * MS, &tl);
	ok(!tl.iters && tl.ranks == 3 && tl.end[2].seen, "a job without steps has a rank per node with queue pairs");
}

static void queue_pairs_ok(void)
{
	const struct rf_qp *qp;

	begin(1);
	read_at(1, 10);
	read_at(1, 2000);
	rf_announced_end(&a, &ev, 2010 * MS, &tl);
	ok(tl.nqps == 4, "each connected queue pair of the nodes is found once");
	qp = &tl.qps[2];
	ok(qp->rank == 1 && qp->peer == 0 && qp->qpn == 17 && !strcmp(qp->netdev, "v2") &&
	   !strcmp(qp->addr, "10.77.0.2") && !strcmp(qp->peer_addr, "10.77.0.1"),
	   "a queue pair has its nodes and addresses");
}

/* Packets of node @from to queue pair @qp of node @to */
static void packet_from(uint8_t from, uint8_t to, uint32_t qp)
{
	static struct rf_event e;

	e = (struct rf_event){
		.kind = RF_EVENT_HIT, .saddr = { 10, 77, 0, from }, .daddr = { 10, 77, 0, to },
		.qp = qp,
	};
	ev = (struct rf_events){ .e = &e, .n = 1 };
}

static void ambiguous_ok(void)
{
	begin(1);
	read_at(1, 10);
	packet_from(3, 1, 30);
	rf_announced_end(&a, &ev, 20 * MS, &tl);
	ok(tl.nqps == 6 && tl.qps[2].rank == 0 && tl.qps[2].peer == 2 && tl.qps[2].qpn == 30 &&
	   tl.qps[2].peer_qpn == 40 && tl.qps[5].rank == 2 && !tl.qps[5].peer,
	   "of two queue pairs that fit to a peer, the one that sent a packet is found");
	begin(1);
	read_at(1, 10);
	packet_from(2, 3, 30);
	rf_announced_end(&a, &ev, 20 * MS, &tl);
	ok(tl.nqps == 4, "packets between other nodes do not show which one it is");
	ev = (struct rf_events){ };
}

int main(void)
{
	steps_ok();
	last_steps_ok();
	no_steps_ok();
	queue_pairs_ok();
	ambiguous_ok();
	free(tl.steps);
	free(tl.qps);
	rf_announced_free(&a);
	return done_testing();
}
