// SPDX-License-Identifier: GPL-2.0
/*
 * Test the reaction point of DCQCN: the algebra of cuts, recovery and alpha; random traces of
 * CNPs against a second implementation in floating point, which is written from the paper and
 * from the published model for ns-3; and the time scale.
 */
#include <math.h>

#include "../../kmod/rand.c"
#include "../../kmod/dcqcn/rp.c"
#include "tap.h"

#define GBIT	1000000000ULL
#define MS	1000000ULL
#define S	(1000 * MS)
#define START	(3600 * S)
#define LINE	(40 * GBIT)
#define TRACES	10000
#define ACTIONS	80

static struct rf_rp_conf conf_of(enum rf_rp_sets set)
{
	return rf_rp_sets[set].conf;
}

static void start(struct rf_rp *rp, struct rf_rp_scaled *scaled, const struct rf_rp_conf *conf)
{
	rf_rp_scale(scaled, conf, LINE / conf->scale);
	rf_rp_init(rp, scaled);
}

static double real(u64 fraction)
{
	return fraction / (double)RF_RP_ONE;
}

/* The algebra */

static void cuts_ok(void)
{
	struct rf_rp_conf conf = conf_of(RF_RP_PAPER);
	struct rf_rp_scaled scaled;
	struct rf_rp rp;
	u32 i, wrong = 0;

	conf.min_rate = LINE >> 12;
	start(&rp, &scaled, &conf);
	for (i = 1; i <= 12; i++) {
		rf_rp_cnp(&rp, &scaled, START + i);
		wrong += rp.rate != RF_RP_ONE >> i || rp.target != RF_RP_ONE >> (i - 1);
	}
	ok(!wrong, "the k-th cut with alpha 1 leaves exactly 2^-k, and its target is 2^-(k-1)");
	rf_rp_cnp(&rp, &scaled, START + i);
	ok(rp.rate == RF_RP_ONE >> 12, "no cut goes below the lowest rate");
	ok(rp.cuts == 13, "each CNP is one cut");
}

static void cut_sizes_ok(void)
{
	struct rf_rp_conf conf = conf_of(RF_RP_PAPER);
	struct rf_rp_scaled scaled;
	struct rf_rp rp;

	conf.initial_alpha_value = 512;
	start(&rp, &scaled, &conf);
	rf_rp_cnp(&rp, &scaled, START);
	ok(rp.rate == RF_RP_ONE / 4 * 3, "with alpha .5, a cut leaves .75");
	ok(fabs(real(rp.alpha) - (.5 * 255 / 256 + 1 / 256.)) < 1e-12,
	   "the CNP increases alpha after the cut");
	conf.gd = 10;
	conf.min_dec_fac = 10;
	start(&rp, &scaled, &conf);
	rf_rp_cnp(&rp, &scaled, START);
	ok(rp.rate == RF_RP_ONE / 2, "with gd 10, a cut with alpha .5 leaves .5");
	conf.min_dec_fac = 60;
	start(&rp, &scaled, &conf);
	rf_rp_cnp(&rp, &scaled, START);
	ok(fabs(real(rp.rate) - .6) < 1e-12, "with min_dec_fac 60, it leaves .6");
	conf.min_dec_fac = 100;
	start(&rp, &scaled, &conf);
	rf_rp_cnp(&rp, &scaled, START);
	ok(rp.rate == RF_RP_ONE, "with min_dec_fac 100, it leaves all");
	conf = conf_of(RF_RP_PAPER);
	conf.rate_to_set_on_first_cnp = LINE / 8;
	start(&rp, &scaled, &conf);
	rf_rp_cnp(&rp, &scaled, START);
	ok(rp.rate == RF_RP_ONE / 16 && rp.target == RF_RP_ONE / 8,
	   "the first CNP sets the rate, and then cuts it");
	rf_rp_cnp(&rp, &scaled, START + 1);
	ok(rp.rate == RF_RP_ONE / 32, "the second only cuts it");
}

/* Return: the number of periods without CNPs until alpha is at most @below of its first value. */
static u32 decay(enum rf_rp_sets set, double below, double *error)
{
	struct rf_rp_conf conf = conf_of(set);
	double g = 1 - conf.dce_tcp_g / 1024., first, now;
	struct rf_rp_scaled scaled;
	struct rf_rp rp;
	u32 n = 0;

	conf.time_reset = S;
	start(&rp, &scaled, &conf);
	rf_rp_cnp(&rp, &scaled, START);
	first = real(rp.alpha);
	*error = 0;
	do {
		n++;
		rf_rp_advance(&rp, &scaled, START + n * conf.dce_tcp_rtt);
		now = real(rp.alpha) / first;
		*error = fmax(*error, fabs(now - pow(1 - g, n)));
	} while (now > below);
	return n;
}

static void alpha_ok(void)
{
	double error;
	u32 n;

	n = decay(RF_RP_PAPER, 1e-6, &error);
	ok(n == (u32)ceil(log(1e-6) / log(255 / 256.)) && error < 1e-9,
	   "alpha decays to 1e-6 in %u periods of the paper's set, error %.1g", n, error);
	n = decay(RF_RP_MLX5, .5, &error);
	ok(n == 142, "mlx5's alpha halves in %u us", n);
	n = decay(RF_RP_PAPER, .5, &error);
	ok(n * 55 == 9790, "the paper's alpha halves in %u us", n * 55);
}

static void frozen_ok(void)
{
	struct rf_rp_conf conf = conf_of(RF_RP_PAPER);
	struct rf_rp_scaled scaled;
	struct rf_rp rp;
	u32 i;

	conf.dce_tcp_g = 1024;
	conf.initial_alpha_value = 256;
	start(&rp, &scaled, &conf);
	for (i = 0; i < 10; i++)
		rf_rp_cnp(&rp, &scaled, START + i * MS);
	rf_rp_advance(&rp, &scaled, START + S);
	ok(rp.alpha == RF_RP_ONE / 4, "with dce_tcp_g 1024, alpha is frozen");
}

static void recovery_ok(void)
{
	struct rf_rp_conf conf = conf_of(RF_RP_PAPER);
	struct rf_rp_scaled scaled;
	struct rf_rp rp;
	u32 i, wrong = 0;

	start(&rp, &scaled, &conf);
	rf_rp_cnp(&rp, &scaled, START);
	ok(real(rp.rate) == .5, "a first cut leaves .5");
	rf_rp_advance(&rp, &scaled, START + conf.time_reset - 1);
	ok(real(rp.rate) == .5, "the rate stays until the increase timer");
	for (i = 1; i <= 5; i++) {
		rf_rp_advance(&rp, &scaled, START + i * conf.time_reset);
		wrong += rp.rate != RF_RP_ONE - (RF_RP_ONE >> (i + 1));
	}
	ok(!wrong && real(rp.rate) == .984375, "five fast recoveries give .75, .875, ... .984375");
	rf_rp_advance(&rp, &scaled, START + S);
	ok(rp.rate == RF_RP_ONE && rp.target == RF_RP_ONE, "the rate reaches the link rate");
}

/* Two cuts to .25 with the target .5, then events of the timer, and of the byte counter */
static void increase_ok(enum rdmafault_dcqcn_order order, u32 timers, u32 packets, double target)
{
	struct rf_rp_conf conf = conf_of(RF_RP_PAPER);
	struct rf_rp_scaled scaled;
	struct rf_rp rp;
	u32 i;

	conf.threshold = 2;
	conf.byte_reset = 1000;
	start(&rp, &scaled, &conf);
	scaled.cut_period = S;
	scaled.order = RDMAFAULT_DCQCN_ORDER_CUT_FIRST;
	rf_rp_cnp(&rp, &scaled, START);
	rf_rp_cnp(&rp, &scaled, START);
	scaled.order = order;
	for (i = 0; i < packets; i++)
		rf_rp_sent(&rp, &scaled, 1000, START);
	rf_rp_advance(&rp, &scaled, START + timers * conf.time_reset);
	/* 40 and 400 Mbit/s of 40 Gbit/s are .001 and .01. */
	ok(fabs(real(rp.target) - target) < 1e-12,
	   "order %d: after %u events of the timer and %u of the byte counter, the target is %g",
	   order, timers, packets, target);
}

static void bytes_ok(void)
{
	struct rf_rp_conf conf = conf_of(RF_RP_PAPER);
	struct rf_rp_scaled scaled;
	struct rf_rp rp;

	conf.byte_reset = 10000;
	start(&rp, &scaled, &conf);
	rf_rp_sent(&rp, &scaled, 9000, START);
	rf_rp_cnp(&rp, &scaled, START);
	rf_rp_sent(&rp, &scaled, 9999, START);
	ok(real(rp.rate) == .5, "bytes sent before the first CNP do not count");
	rf_rp_sent(&rp, &scaled, 1, START);
	ok(real(rp.rate) == .75, "the byte counter increases the rate after byte_reset bytes");
	rf_rp_sent(&rp, &scaled, 9999, START);
	rf_rp_cnp(&rp, &scaled, START);
	rf_rp_sent(&rp, &scaled, 9999, START);
	ok(rp.byte_stage == 0, "a cut resets the byte counter");
	rf_rp_sent(&rp, &scaled, 35000, START);
	ok(rp.byte_stage == 1 && rp.bytes == 9999, "a packet is at most one event");
}

static void alpha_first_ok(void)
{
	struct rf_rp_conf conf = conf_of(RF_RP_NS3);
	struct rf_rp_scaled scaled;
	struct rf_rp rp;

	start(&rp, &scaled, &conf);
	rf_rp_cnp(&rp, &scaled, START);
	rf_rp_advance(&rp, &scaled, START + 4 * US - 1);
	ok(rp.rate == RF_RP_ONE, "alpha first: a CNP does not reduce the rate within the period");
	rf_rp_advance(&rp, &scaled, START + 4 * US);
	ok(real(rp.rate) == .5, "alpha first: the end of the period reduces it");
	rf_rp_advance(&rp, &scaled, START + 8 * US);
	ok(real(rp.rate) == .5, "alpha first: a period without a CNP leaves it");
	ok(rp.alpha == RF_RP_ONE, "alpha first: alpha stays until its period ends");
	rf_rp_advance(&rp, &scaled, START + 55 * US);
	ok(real(rp.alpha) == 15 / 16., "alpha first: the first CNP does not count for alpha");
	rf_rp_cnp(&rp, &scaled, START + 56 * US);
	rf_rp_advance(&rp, &scaled, START + 110 * US);
	ok(fabs(real(rp.alpha) - (15 / 16. * 15 / 16 + 1 / 16.)) < 1e-12,
	   "alpha first: a later CNP increases alpha at the end of the period");
	ok(fabs(real(rp.rate) - .5 * (1 - 15 / 32.)) < 1e-12 && rp.target == RF_RP_ONE,
	   "alpha first: without an increase since the last cut, the target stays");
	rf_rp_advance(&rp, &scaled, START + 60 * US + conf.time_reset);
	rf_rp_cnp(&rp, &scaled, START + 60 * US + conf.time_reset);
	rf_rp_advance(&rp, &scaled, START + 64 * US + conf.time_reset);
	ok(rp.target < RF_RP_ONE, "alpha first: with one, the target becomes the rate");
}

static void both_at_once_ok(void)
{
	struct rf_rp_conf conf = conf_of(RF_RP_NS3);
	struct rf_rp_scaled scaled;
	struct rf_rp rp;

	conf.dce_tcp_rtt = 4 * US;
	start(&rp, &scaled, &conf);
	rf_rp_cnp(&rp, &scaled, START);
	rf_rp_advance(&rp, &scaled, START + 4 * US);
	ok(fabs(real(rp.rate) - (1 - 15 / 32.)) < 1e-12,
	   "if both periods end at once, the cut has the new alpha");
}

/* After CNPs, go from one change of the rate to the next, until there is none. */
static void next_ok(enum rf_rp_sets set, u32 changes)
{
	struct rf_rp_conf conf = conf_of(set);
	struct rf_rp_scaled scaled;
	u32 n, early = 0, none = 0;
	struct rf_rp rp, other;
	u64 next;

	start(&rp, &scaled, &conf);
	ok(rf_rp_next(&rp, &scaled) == U64_MAX, "%s: without a CNP, the rate does not change",
	   rf_rp_sets[set].name);
	rf_rp_cnp(&rp, &scaled, START);
	for (n = 0; (next = rf_rp_next(&rp, &scaled)) != U64_MAX && n < changes; n++) {
		other = rp;
		rf_rp_advance(&rp, &scaled, next - 1);
		early += rp.rate != other.rate || rp.cuts != other.cuts;
		rf_rp_advance(&rp, &scaled, next);
		none += rp.rate == other.rate;
	}
	ok(!early, "%s: the rate does not change before the next time", rf_rp_sets[set].name);
	ok(!none, "%s: it changes at the next time", rf_rp_sets[set].name);
	ok(n < changes && rp.rate == scaled.max, "%s: after %u changes it is the highest rate",
	   rf_rp_sets[set].name, n);
}

/* The second implementation: one event after the other, in floating point */

struct model {
	const struct rf_rp_conf *conf;
	double line, rate, target, alpha, g;
	double alpha_due, cut_due, timer_due, bytes;
	unsigned int timer_events, byte_events;
	bool limited, cnp_for_alpha, cnp_for_cut;
};

static double model_most(const struct model *m)
{
	return m->conf->max_rate ? fmin(m->conf->max_rate, m->line) : m->line;
}

static void model_init(struct model *m, const struct rf_rp_conf *conf)
{
	*m = (struct model){ .conf = conf, .line = LINE, .alpha_due = INFINITY,
			     .cut_due = INFINITY, .timer_due = INFINITY };
	m->g = 1 - conf->dce_tcp_g / 1024.;
	m->alpha = conf->initial_alpha_value / 1024.;
	m->rate = m->target = model_most(m);
}

static void model_increase(struct model *m, unsigned int *events)
{
	unsigned int a = m->timer_events, b = m->byte_events, f = m->conf->threshold;
	bool counter = m->conf->byte_reset;
	bool above_both = a > f && (!counter || b > f);
	bool below_both = a < f && b < f;
	double i = 1;

	if (above_both && m->conf->order == RDMAFAULT_DCQCN_ORDER_CUT_FIRST)
		i = counter && b < a ? b - f : a - f;
	if (above_both)
		m->target += i * m->conf->hai_rate;
	else if (!below_both)
		m->target += m->conf->ai_rate;
	m->target = fmin(m->target, model_most(m));
	m->rate = (m->rate + m->target) / 2;
	++*events;
}

static void model_cut(struct model *m, double at)
{
	double old = m->rate, cut = old * (1 - m->alpha / pow(2, m->conf->gd - 10.));

	if (m->conf->clamp_tgt_rate || m->byte_events ||
	    (m->timer_events && m->conf->clamp_tgt_rate_ati))
		m->target = old;
	cut = fmax(cut, old * m->conf->min_dec_fac / 100);
	m->rate = fmin(old, fmax(cut, m->conf->min_rate));
	m->timer_events = m->byte_events = 0;
	m->bytes = 0;
	m->timer_due = at + m->conf->time_reset;
}

static void model_run(struct model *m, double until)
{
	double at;

	for (;;) {
		at = fmin(fmin(m->alpha_due, m->timer_due), m->cut_due);
		if (at > until)
			return;
		if (m->alpha_due == at) {
			m->alpha = (1 - m->g) * m->alpha + (m->cnp_for_alpha ? m->g : 0);
			m->cnp_for_alpha = false;
			m->alpha_due = at + m->conf->dce_tcp_rtt;
		} else if (m->timer_due == at) {
			model_increase(m, &m->timer_events);
			m->timer_due = at + m->conf->time_reset;
		} else {
			if (m->cnp_for_cut)
				model_cut(m, at);
			m->cnp_for_cut = false;
			m->cut_due = at + m->conf->rate_reduce_monitor_period;
		}
	}
}

static void model_cnp(struct model *m, double now)
{
	bool first = !m->limited;

	model_run(m, now);
	m->limited = true;
	if (first && m->conf->rate_to_set_on_first_cnp)
		m->rate = m->target = fmin(fmax(m->conf->rate_to_set_on_first_cnp,
						m->conf->min_rate), m->line);
	if (m->conf->order == RDMAFAULT_DCQCN_ORDER_CUT_FIRST) {
		model_cut(m, now);
		m->alpha = (1 - m->g) * m->alpha + m->g;
		m->alpha_due = now + m->conf->dce_tcp_rtt;
		return;
	}
	m->cnp_for_cut = true;
	if (first) {
		m->alpha_due = now + m->conf->dce_tcp_rtt;
		m->cut_due = now + m->conf->rate_reduce_monitor_period;
	} else {
		m->cnp_for_alpha = true;
	}
}

static void model_sent(struct model *m, double bytes, double now)
{
	model_run(m, now);
	if (!m->limited || !m->conf->byte_reset)
		return;
	m->bytes += bytes;
	if (m->bytes >= m->conf->byte_reset) {
		m->bytes = fmin(m->bytes - m->conf->byte_reset, m->conf->byte_reset - 1);
		model_increase(m, &m->byte_events);
	}
}

/* Random traces */

struct dice {
	u64 seed, count;
};

static u64 roll(struct dice *dice, u64 n)
{
	return rf_draw_below(rf_splitmix64(dice->seed, dice->count++), n);
}

/* One of the sets, or with different values of some parameters */
static struct rf_rp_conf random_conf(struct dice *dice)
{
	struct rf_rp_conf conf = conf_of(roll(dice, RF_RP_SETS));

	if (roll(dice, 2))
		return conf;
	conf.dce_tcp_g = 1 + roll(dice, 1024);
	conf.initial_alpha_value = roll(dice, 1025);
	conf.min_dec_fac = 1 + roll(dice, 100);
	conf.gd = RF_RP_GD_MIN + roll(dice, 6);
	conf.threshold = 1 + roll(dice, 8);
	conf.clamp_tgt_rate = roll(dice, 2);
	conf.clamp_tgt_rate_ati = roll(dice, 2);
	conf.byte_reset = roll(dice, 2) ? 0 : 1 + roll(dice, 100000);
	conf.max_rate = roll(dice, 2) ? 0 : conf.min_rate + roll(dice, LINE);
	conf.rate_to_set_on_first_cnp = roll(dice, 2) ? 0 : 1 + roll(dice, conf.max_rate ?: LINE);
	conf.dce_tcp_rtt = 1 + roll(dice, 100 * US);
	conf.time_reset = 1 + roll(dice, 100 * US);
	if (conf.order == RDMAFAULT_DCQCN_ORDER_ALPHA_FIRST)
		conf.rate_reduce_monitor_period = 1 + roll(dice, 100 * US);
	return conf;
}

/* Return: a time that is short, long, or equal to a period of the flow. */
static u64 random_time(struct dice *dice, const struct rf_rp_conf *conf)
{
	switch (roll(dice, 4)) {
	case 0:
		return roll(dice, 2 * US);
	case 1:
		return roll(dice, 100 * US);
	case 2:
		return roll(dice, 1000 * US);
	default:
		return conf->time_reset;
	}
}

static double distance(const struct rf_rp *rp, const struct model *m)
{
	return fmax(fmax(fabs(real(rp->rate) - m->rate / LINE),
			 fabs(real(rp->target) - m->target / LINE)),
		    fabs(real(rp->alpha) - m->alpha));
}

static double trace(u64 seed, u32 *wrong)
{
	struct dice dice = { .seed = seed };
	struct rf_rp_conf conf = random_conf(&dice);
	struct rf_rp_scaled scaled;
	double worst = 0;
	struct model m;
	struct rf_rp rp;
	u64 now = 0;
	u32 i, bytes;

	start(&rp, &scaled, &conf);
	model_init(&m, &conf);
	for (i = 0; i < ACTIONS; i++) {
		now += random_time(&dice, &conf);
		bytes = roll(&dice, 5000);
		if (roll(&dice, 3)) {
			rf_rp_sent(&rp, &scaled, bytes, now);
			model_sent(&m, bytes, now);
		} else {
			rf_rp_cnp(&rp, &scaled, now);
			model_cnp(&m, now);
		}
		worst = fmax(worst, distance(&rp, &m));
		*wrong += rp.time_stage != min(m.timer_events, STAGE_MAX + 0u) ||
			  rp.byte_stage != m.byte_events;
	}
	return worst;
}

static void traces_ok(void)
{
	double worst = 0;
	u32 i, wrong = 0;

	for (i = 0; i < TRACES; i++)
		worst = fmax(worst, trace(i, &wrong));
	ok(worst < 1e-8 && !wrong,
	   "%d random traces agree with the second implementation: error %.1g of the link rate",
	   TRACES, worst);
}

static bool equal(const struct rf_rp *a, const struct rf_rp *b)
{
	return a->rate == b->rate && a->target == b->target && a->alpha == b->alpha &&
	       a->bytes == b->bytes && a->time_stage == b->time_stage &&
	       a->byte_stage == b->byte_stage && a->cuts == b->cuts;
}

/* Run a trace with a time scale, and bring the flow up to date @more times between actions. */
static struct rf_rp scaled_trace(u64 seed, u32 scale, u32 more)
{
	struct dice dice = { .seed = seed };
	struct rf_rp_conf conf = random_conf(&dice);
	struct rf_rp_scaled scaled;
	u64 now = 0, then;
	struct rf_rp rp;
	u32 i, k;

	conf.scale = scale;
	start(&rp, &scaled, &conf);
	for (i = 0; i < ACTIONS; i++) {
		then = now + random_time(&dice, &conf);
		for (k = 1; k <= more; k++)
			rf_rp_advance(&rp, &scaled, (now + (then - now) * k / more) * scale);
		now = then;
		if (roll(&dice, 3))
			rf_rp_sent(&rp, &scaled, roll(&dice, 5000), now * scale);
		else
			rf_rp_cnp(&rp, &scaled, now * scale);
	}
	return rp;
}

static void scale_ok(void)
{
	static const u32 scales[] = { 2, 5, 200, 1000, 40000 };
	struct rf_rp one, other;
	u32 i, k, wrong = 0;

	for (i = 0; i < 1000; i++) {
		one = scaled_trace(i, 1, 0);
		for (k = 0; k < sizeof(scales) / sizeof(*scales); k++) {
			other = scaled_trace(i, scales[k], 0);
			wrong += !equal(&one, &other);
		}
	}
	ok(!wrong, "the course of a flow is exactly the same with each time scale");
}

static void idempotent_ok(void)
{
	struct rf_rp one, other;
	u32 i, wrong = 0;

	for (i = 0; i < 1000; i++) {
		one = scaled_trace(i, 1, 0);
		other = scaled_trace(i, 1, 1 + i % 7);
		wrong += !equal(&one, &other);
	}
	ok(!wrong, "it does not depend on how often a flow is brought up to date");
}

static void idle_ok(void)
{
	struct rf_rp_scaled scaled;
	struct rf_rp_conf conf;
	struct rf_rp rp;
	u32 i, set, wrong = 0;

	for (set = 0; set < RF_RP_SETS; set++) {
		conf = conf_of(set);
		start(&rp, &scaled, &conf);
		for (i = 0; i < 100; i++)
			rf_rp_cnp(&rp, &scaled, START + i * 10 * US);
		/* With periods of 1 us, these are 3.6 * 10^12 of them. */
		rf_rp_advance(&rp, &scaled, START + 1000 * 3600 * S);
		wrong += rp.rate != RF_RP_ONE || real(rp.alpha) > 1e-9 ||
			 rp.time_at <= START + 1000 * 3600 * S;
	}
	ok(!wrong, "after 1000 idle hours, a flow has the link rate and is up to date at once");
}

static void rates_ok(void)
{
	struct rf_rp_conf conf = conf_of(RF_RP_PAPER);
	struct rf_rp_scaled scaled;

	rf_rp_scale(&scaled, &conf, LINE);
	ok(rf_rp_rate(&scaled, RF_RP_ONE) == LINE && rf_rp_rate(&scaled, RF_RP_ONE / 2) == LINE / 2,
	   "rates are fractions of the link rate");
	ok(rf_rp_rate(&scaled, 0) == 1, "no rate is 0");
	conf.max_rate = 10 * GBIT;
	rf_rp_scale(&scaled, &conf, LINE);
	ok(rf_rp_rate(&scaled, scaled.max) == 10 * GBIT, "max_rate limits the rate");
	conf.max_rate = 2 * LINE;
	rf_rp_scale(&scaled, &conf, LINE);
	ok(rf_rp_rate(&scaled, scaled.max) == LINE, "so does the link");
}

int main(void)
{
	cuts_ok();
	cut_sizes_ok();
	alpha_ok();
	frozen_ok();
	recovery_ok();
	increase_ok(RDMAFAULT_DCQCN_ORDER_CUT_FIRST, 2, 0, .5);
	increase_ok(RDMAFAULT_DCQCN_ORDER_CUT_FIRST, 3, 0, .501);
	increase_ok(RDMAFAULT_DCQCN_ORDER_CUT_FIRST, 5, 0, .503);
	increase_ok(RDMAFAULT_DCQCN_ORDER_CUT_FIRST, 0, 4, .502);
	/* Events 3 of the byte counter and 1 to 3 of the timer are additive, the others hyper. */
	increase_ok(RDMAFAULT_DCQCN_ORDER_CUT_FIRST, 3, 3, .504);
	increase_ok(RDMAFAULT_DCQCN_ORDER_CUT_FIRST, 6, 5, .506 + .01 + .02 + .03);
	increase_ok(RDMAFAULT_DCQCN_ORDER_ALPHA_FIRST, 6, 5, .506 + 3 * .01);
	bytes_ok();
	alpha_first_ok();
	both_at_once_ok();
	next_ok(RF_RP_PAPER, 1000);
	next_ok(RF_RP_NS3, 1000);
	next_ok(RF_RP_MLX5, 1000);
	traces_ok();
	scale_ok();
	idempotent_ok();
	idle_ok();
	rates_ok();
	return done_testing();
}
