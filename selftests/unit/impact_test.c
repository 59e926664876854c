// SPDX-License-Identifier: GPL-2.0
/*
 * Test the impact of a loss: which ranks stall one after the other, how long they are idle,
 * and the goodput compared with the upper bound for go-back-N. The run is made by hand: in the
 * case "tail", a packet from rank 1 to rank 2 is lost in step STEP_HIT.
 */
#include <math.h>
#include <string.h>

#include "tools/analysis/analysis.h"
#include "made_run.h"
#include "said.h"
#include "tap.h"

static struct made_run m;

static struct rf_step *step_of(int case_index, uint32_t rank)
{
	return &m.run.cases[case_index].rec.tl.steps[(STEP_HIT - 1) * 4 + rank];
}

/* All ranks wait for 60 ms: rank 2 for data, rank 1 for ACKs, the other ranks in the barrier. */
static void wait_by_kind(void)
{
	struct rf_step *clean, *s;
	uint32_t r;

	for (r = 0; r < 4; r++) {
		s = step_of(1, r);
		clean = step_of(0, r);
		s->wait_recv_ns = clean->wait_recv_ns + (r == 2) * 60 * MS;
		s->wait_send_ns = clean->wait_send_ns + (r == 1) * 61 * MS;
		s->wait_sync_ns = clean->wait_sync_ns +
				  (r == 0 || r == 3) * 59 * MS;
	}
}

static void chain_ok(void)
{
	const struct rf_run_case *p = &m.run.cases[1];
	struct rf_blast b;

	rf_blast_of(&p->rec, p->an, p->an->losses, &b);
	ok(b.n == 4 && b.rank[0].rank == 2 && b.rank[1].rank == 1 &&
	   b.rank[2].rank == 3 && b.rank[3].rank == 0,
	   "stalled ranks are the receiver, then the sender, then the others by distance");
	ok(b.rank[0].kind == RF_WAIT_RECV && b.rank[1].kind == RF_WAIT_SEND &&
	   b.rank[2].kind == RF_WAIT_SYNC, "each stalled rank has the reason for its waiting");
	ok(fabs(b.idle_ns - 239e6) < 4e6, "the idle time of all stalled ranks is 239 ms: %.1f ms",
	   b.idle_ns / 1e6);
	step_of(1, 3)->wait_sync_ns = step_of(0, 3)->wait_sync_ns;
	rf_blast_of(&p->rec, p->an, p->an->losses, &b);
	ok(b.n == 3 && b.rank[2].rank == 0, "a rank that did not wait is not among the stalled ranks");
	step_of(1, 3)->wait_sync_ns += 59 * MS;
}

/*
 * In the case "tail", the steps of the hit and step 30 are slow. A priority of port v2 is paused in
 * step 30, in which rank 3 waits 40 ms longer for data.
 */
static void pause_waits_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_step *last = &p->rec.tl.steps[29 * 4 + 3];
	struct rf_port_tally port = { .netdev = "v2", .prio[3].packets = 1 };
	struct rf_event *e;
	uint64_t idle[RF_RANKS_MAX];
	size_t n = p->rec.ev.n;
	double v;

	ok(rf_metric(&m.run, p, "pause.ranks") == 0, "without a pause, no rank waited because of one");
	last->sync_ns += 40 * MS;
	last->wait_recv_ns += 40 * MS;
	made_pause(&p->rec, last->start_ns + MS, 30 * MS);
	rf_pause_waits(&p->rec, p->an, idle);
	ok(!idle[0] && !idle[1] && !idle[2] && fabs(idle[3] - 40e6) < 1e6,
	   "only rank 3 waited because of the pause: %.1f ms", idle[3] / 1e6);
	ok(rf_metric(&m.run, p, "pause.ranks") == 1 &&
	   rf_metric(&m.run, p, "rank[3].pause.wait") == idle[3] &&
	   rf_metric(&m.run, p, "rank[0].pause.wait") == 0, "the metrics have the ranks that waited because of a pause");
	p->rec.ports = &port;
	p->rec.nports = 1;
	ok(rf_metric(&m.run, p, "pause.ranks") == 1, "control: the paused priority has traffic");
	port.prio[3].packets = 0;
	ok(rf_metric(&m.run, p, "pause.ranks") == 0, "a pause of a priority without traffic makes no rank wait");
	p->rec.ports = NULL;
	p->rec.nports = 0;
	for (e = p->rec.ev.e + n; e < p->rec.ev.e + p->rec.ev.n; e++)
		e->until += 1000 * MS;
	ok(rf_metric(&m.run, p, "pause.ranks") == 0, "a pause in steps that are not slow makes no rank wait");
	n = p->an->clean_ns;
	p->an->clean_ns = 0;
	ok(rf_metric_value(&m.run, p, "pause.ranks", &v), "pause.ranks has no value without clean steps");
	p->an->clean_ns = n;
	p->rec.ev.n -= 2;
	last->sync_ns -= 40 * MS;
	last->wait_recv_ns -= 40 * MS;
}

static void noise_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	uint64_t max = p->an->clean_max_ns;
	struct rf_blast b;

	p->an->clean_max_ns = p->an->clean_ns + 100 * MS;
	rf_blast_of(&p->rec, p->an, p->an->losses, &b);
	ok(!b.n && !b.idle_ns, "waiting within the variation of clean steps is not a stall");
	p->an->clean_max_ns = max;
}

/*
 * Test borderline cases: a loss in the last step of the case or after it, and a loss in a step
 * that is as long as the longest clean step, or longer by one nanosecond.
 */
static void bounds_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	uint64_t max = p->an->clean_max_ns;
	struct rf_event hit = *p->an->losses->hit;
	struct rf_loss loss = p->an->losses[0];
	uint32_t iters = p->rec.tl.iters;
	struct rf_blast b;

	p->rec.tl.iters = STEP_HIT;
	rf_blast_of(&p->rec, p->an, &loss, &b);
	ok(b.n == 4, "a loss in the last step has stalled ranks");
	hit.step = STEP_HIT + 1;
	loss.hit = &hit;
	rf_blast_of(&p->rec, p->an, &loss, &b);
	ok(!b.n, "a loss in a step after the last has no stalled ranks");
	p->rec.tl.iters = iters;
	loss.hit = p->an->losses->hit;
	p->an->clean_max_ns = rf_timeline_step_ns(&p->rec.tl, STEP_HIT);
	p->an->clean_ns = p->an->clean_max_ns - 1;
	rf_blast_of(&p->rec, p->an, &loss, &b);
	ok(!b.n, "a loss in a step as long as the longest clean one has no stalled ranks");
	p->an->clean_max_ns--;
	p->an->clean_ns--;
	rf_blast_of(&p->rec, p->an, &loss, &b);
	ok(b.n == 4, "a loss in a step a nanosecond longer than the longest clean one has stalled ranks");
	p->an->clean_ns = m.run.cases[2].an->clean_ns;
	p->an->clean_max_ns = max;
}

static void no_queue_pair_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_loss loss = p->an->losses[0];
	const struct rf_qp *was = loss.qp;
	struct rf_blast b;

	loss.qp = NULL;
	rf_blast_of(&p->rec, p->an, &loss, &b);
	ok(b.n == 4 && !b.ordered, "a loss of an unknown queue pair has stalled ranks, without an order");
	ok(b.rank[0].hops == b.rank[3].hops, "stalled ranks of a loss of an unknown queue pair have the same distance");
	p->an->losses[0].qp = NULL;
	ok(isnan(rf_metric(&m.run, p, "blast.first")) &&
	   rf_metric(&m.run, p, "blast.ranks") == 4, "blast.first has no value for a loss of an unknown queue pair");
	p->an->losses[0].qp = was;
}

static double get(int case_index, const char *name)
{
	return rf_metric(&m.run, &m.run.cases[case_index], name);
}

static void metrics_ok(void)
{
	ok(get(1, "blast.ranks") == 4 && get(1, "blast.first") == 2 &&
	   get(1, "blast.last") == 0, "blast.ranks, blast.first and blast.last give the chain of stalled ranks");
	ok(isnan(get(0, "blast.ranks")) && isnan(get(0, "amplification")) &&
	   get(0, "idle") == 0, "a case without a loss has no stalled ranks and no amplification");
	ok(fabs(get(1, "amplification") * 4140 - get(1, "idle")) < 1,
	   "amplification is the idle time per lost byte: %.0f ns", get(1, "amplification"));
}

/* In each step, 256 KiB are transferred in about 5 ms. The rest of the step is the barrier. */
static void goodput_ok(void)
{
	struct rf_timeline tl = m.run.cases[0].rec.tl;
	double bits = 0, one;

	tl.iters = 1;
	ok(rf_timeline_transfer_ns(&tl, 1) == tl.steps[0].end_ns - tl.steps[0].start_ns,
	   "the transfer time of a step ends before the barrier");
	one = (1 << 18) * 8e9 / rf_timeline_transfer_ns(&tl, 1);
	ok(rf_goodput(&tl, &bits) && fabs(bits - one) < 1, "goodput is the bits per transfer time: %.4g bit/s",
	   bits);
	tl.iters = 2;
	tl.steps[5].broken = true;
	ok(rf_goodput(&tl, &bits) && fabs(bits - one) < 1,
	   "goodput excludes a step in which a rank failed");
	tl.steps[5].broken = false;
	tl.iters = 0;
	ok(!rf_goodput(&tl, &bits), "goodput has no value without steps");
	ok(get(1, "goodput.share") < 1 && fabs(get(0, "goodput.share") - 1) < 1e-9,
	   "goodput.share of the faulted case is less than 1: %.0f %%",
	   get(1, "goodput.share") * 100);
}

/*
 * 4 of 4000 packets are lost, and each loss causes 5 retransmissions. Packets that leave p2, a
 * port of a switch, are not included in the 4000.
 */
static void bound_ok(void)
{
	struct rf_run_case *p = &m.run.cases[2];
	double share = 0, want = (1 - 0.001) / (1 + 4 * 0.001);

	ok(!rf_gbn_bound(&p->rec, p->an, &share) &&
	   isnan(get(2, "goodput.bound")),
	   "goodput.bound has no value without counters of packets");
	p->rec.ports = calloc(3, sizeof(*p->rec.ports));
	p->rec.nports = 3;
	strcpy(p->rec.ports[0].netdev, "v1");
	strcpy(p->rec.ports[1].netdev, "v2");
	strcpy(p->rec.ports[2].netdev, "p2");
	p->rec.ports[0].tx_packets = 3000;
	p->rec.ports[1].tx_packets = 1000;
	p->rec.ports[2].tx_packets = 3000;
	ok(rf_gbn_bound(&p->rec, p->an, &share) && fabs(share - want) < 1e-9,
	   "goodput.bound is what go-back-N can reach: %.4f", share);
	p->rec.ports[0].tx_packets = 2;
	p->rec.ports[1].tx_packets = 1;
	ok(!rf_gbn_bound(&p->rec, p->an, &share),
	   "goodput.bound has no value if there are more losses than packets");
}

static void shared_step_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	struct rf_impact once, twice, turns;
	struct rf_event next = *p->an->losses->hit;
	struct rf_loss *one = p->an->losses, both[3] = { one[0], one[0], one[0] };

	rf_impact_of(&p->rec, p->an, &once);
	p->an->losses = both;
	p->an->nlosses = 2;
	rf_impact_of(&p->rec, p->an, &twice);
	ok(once.idle_ns == twice.idle_ns && twice.lost_bytes == 2 * 4140 &&
	   once.lost_bytes == 4140 && once.most_ranks == 4,
	   "the idle time of a step with two losses is counted once");
	next.step = STEP_HIT + 1;
	both[1].hit = &next;
	p->an->nlosses = 3;
	rf_impact_of(&p->rec, p->an, &turns);
	ok(once.idle_ns == turns.idle_ns && turns.lost_bytes == 3 * 4140,
	   "the idle time of a step is counted once if a loss of another step is between its losses");
	p->an->losses = one;
	p->an->nlosses = 1;
}

/* A command without steps is no training. */
static void cost_ok(void)
{
	struct rf_run_case *p = &m.run.cases[1];
	uint32_t n = p->rec.tl.iters;

	ok(rf_case_has_cost(&m.run, p) && !isnan(get(1, "case.cost")),
	   "a job with steps has a cost");
	p->rec.tl.iters = 0;
	ok(!rf_case_has_cost(&m.run, p) && isnan(get(1, "case.cost")),
	   "a job without steps has no cost");
	m.scenario.priced = true;
	ok(rf_case_has_cost(&m.run, p),
	   "a job without steps has a cost if the scenario has a price");
	m.scenario.priced = false;
	p->rec.tl.iters = n;
}

int main(void)
{
	make_run(&m, 4, 40);
	wait_by_kind();
	chain_ok();
	pause_waits_ok();
	noise_ok();
	bounds_ok();
	no_queue_pair_ok();
	metrics_ok();
	goodput_ok();
	bound_ok();
	shared_step_ok();
	cost_ok();
	free_run(&m);
	return done_testing();
}
