// SPDX-License-Identifier: GPL-2.0
/*
 * Simulate DCQCN: flows with endless data share a link behind a queue with an ECN profile. The
 * marking probability in balance is compared with the formula for the fixed point of "ECN or
 * Delay: Lessons Learnt from Analysis of DCQCN and TIMELY" (Y. Zhu et al., CoNEXT 2016). The
 * rates must be fair, and the queue must be the one that the ECN profile has at this
 * probability.
 *
 *    flow 1: rp, pace --+
 *    flow 2: rp, pace --+--> queue with ECN profile --> link --> np --> CNP to the flow
 *    ...                |
 */
#include <math.h>
#include <stdlib.h>

#include "../../kmod/rand.c"
#include "../../kmod/queue/ecn.c"
#include "../../kmod/dcqcn/rp.c"
#include "../../kmod/dcqcn/np.c"
#include "../../kmod/dcqcn/pace.c"
#include "tap.h"

#define LINE		40000000000ULL
#define PACKET		1000
#define FLOWS_MAX	16
/* From the link to the receiver, and back to the sender */
#define PROPAGATION	1000ULL
#define PENDING_MAX	4096

struct sim {
	u32 flows, scale;
	u64 line, now, free_at, packets, marks, draws;
	struct rf_rp_scaled scaled;
	struct rf_ecn_conf ecn;
	u64 interval;
	struct rf_np np;
	double queue;
	struct {
		struct rf_rp rp;
		struct rf_pace pace;
		u64 packets;
	} flow[FLOWS_MAX];
	/* CNPs on the way, in the order of their arrival */
	struct {
		u64 at;
		u32 flow;
	} cnp[PENDING_MAX];
	u32 first, last;
};

static void sim_init(struct sim *sim, u32 flows, u64 ai, u32 scale)
{
	struct rf_rp_conf conf = rf_rp_sets[RF_RP_PAPER].conf;
	u32 i;

	memset(sim, 0, sizeof(*sim));
	conf.ai_rate = ai;
	conf.scale = scale;
	sim->flows = flows;
	sim->scale = scale;
	sim->line = LINE / scale;
	sim->interval = rf_rp_sets[RF_RP_PAPER].cnp_interval * scale;
	/* The profile of the paper */
	sim->ecn = (struct rf_ecn_conf){
		.kmin = 5000, .kmax = 200000, .pmax = RDMAFAULT_PROBABILITY_ONE / 100,
	};
	rf_rp_scale(&sim->scaled, &conf, sim->line);
	sim->now = 1;
	for (i = 0; i < flows; i++)
		rf_rp_init(&sim->flow[i].rp, &sim->scaled);
}

/* A packet leaves the queue at @at. If it causes a CNP, this arrives later. */
static void notify(struct sim *sim, u32 flow, u64 at)
{
	at += PROPAGATION * sim->scale;
	if (rf_np_mark(&sim->np, flow + 1, sim->interval, at) != RF_NP_SEND)
		return;
	sim->cnp[sim->last % PENDING_MAX].at = at + PROPAGATION * sim->scale;
	sim->cnp[sim->last++ % PENDING_MAX].flow = flow;
	if (sim->last - sim->first > PENDING_MAX)
		abort();
}

static void enqueue(struct sim *sim, u32 flow)
{
	u64 wait = sim->free_at > sim->now ? sim->free_at - sim->now : 0;
	u64 bytes = mul_u64_u64_div_u64(wait, sim->line, 8000000000ULL);

	sim->free_at = sim->now + wait + PACKET * 8000000000ULL / sim->line;
	sim->packets++;
	sim->flow[flow].packets++;
	sim->queue += bytes;
	if (!rf_chance(rf_splitmix64(7, sim->draws++), rf_ecn_probability(&sim->ecn, bytes)))
		return;
	sim->marks++;
	notify(sim, flow, sim->free_at);
}

/* Send the next packet of any flow, after the CNPs that arrive before it. */
static void step(struct sim *sim)
{
	struct rf_rp *rp;
	u32 i, flow = 0;
	u64 next;

	for (i = 1; i < sim->flows; i++)
		if (sim->flow[i].pace.next < sim->flow[flow].pace.next)
			flow = i;
	next = max(sim->flow[flow].pace.next, sim->now);
	while (sim->first != sim->last && sim->cnp[sim->first % PENDING_MAX].at <= next) {
		i = sim->first++ % PENDING_MAX;
		rf_rp_cnp(&sim->flow[sim->cnp[i].flow].rp, &sim->scaled, sim->cnp[i].at);
	}
	sim->now = next;
	rp = &sim->flow[flow].rp;
	rf_rp_sent(rp, &sim->scaled, PACKET, next);
	rf_pace_sent(&sim->flow[flow].pace, rf_rp_rate(&sim->scaled, rp->rate), PACKET, next);
	enqueue(sim, flow);
}

static void run_until(struct sim *sim, u64 end)
{
	while (sim->now < end)
		step(sim);
}

static void forget(struct sim *sim)
{
	u32 i;

	sim->packets = 0;
	sim->marks = 0;
	sim->queue = 0;
	for (i = 0; i < sim->flows; i++)
		sim->flow[i].packets = 0;
}

static double jain(const struct sim *sim)
{
	double sum = 0, squares = 0, x;
	u32 i;

	for (i = 0; i < sim->flows; i++) {
		x = sim->flow[i].packets;
		sum += x;
		squares += x * x;
	}
	return sum * sum / sim->flows / squares;
}

/* p^3 = R_AI N^2 / (K C^2) (1/B + N / (T C))^2, in packets and seconds */
static double fixed_point(u32 flows, u64 ai_rate)
{
	double c = LINE / 8. / PACKET, ai = ai_rate / 8. / PACKET, k = 55 / 1e6, t = 55 / 1e6;
	double b = 10e6 / PACKET;

	return cbrt(ai * flows * flows / (k * c * c) * pow(1 / b + flows / (t * c), 2));
}

/* A flow with a small R_AI takes longer to reach the balance. */
static void balance_ok(u32 flows, u64 ai, u32 scale)
{
	static struct sim sim;
	u64 ms = 1000000ULL * scale, warm_up = 2000 * MBIT / ai * ms;
	double p, expected = fixed_point(flows, ai), queue, queue_expected, use;

	sim_init(&sim, flows, ai, scale);
	run_until(&sim, warm_up);
	forget(&sim);
	run_until(&sim, warm_up + 200 * ms);
	p = (double)sim.marks / sim.packets;
	queue = sim.queue / sim.packets;
	queue_expected = sim.ecn.kmin + expected * 100 * (sim.ecn.kmax - sim.ecn.kmin);
	use = sim.packets * 8. * PACKET / LINE / .2;
	ok(fabs(p / expected - 1) < .2,
	   "%u flows, R_AI %llu Mbit/s, time scale %u: p %.2e, formula %.2e", flows,
	   (unsigned long long)ai / MBIT, scale, p, expected);
	ok(fabs(queue / queue_expected - 1) < .2, "the mean queue is %.1f KB, formula %.1f KB",
	   queue / 1000, queue_expected / 1000);
	ok(jain(&sim) > .95 && use > .9, "Jain's index is %.3f, and %.1f %% of the link are used",
	   jain(&sim), use * 100);
}

int main(void)
{
	balance_ok(2, 40 * MBIT, 1);
	balance_ok(2, 5 * MBIT, 1);
	balance_ok(3, 20 * MBIT, 1);
	balance_ok(4, 10 * MBIT, 1);
	balance_ok(4, 5 * MBIT, 1);
	balance_ok(6, 5 * MBIT, 1);
	balance_ok(8, 5 * MBIT, 1);
	balance_ok(2, 40 * MBIT, 200);
	return done_testing();
}
