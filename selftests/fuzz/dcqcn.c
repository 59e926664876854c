// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the arithmetic of DCQCN with parameters, packets and CNPs of one flow. Rates and alpha
 * must keep their limits, also after a long time, and the course must be the same with another
 * time scale and if the flow is brought up to date more often. Two CNPs of a scope must be
 * separated by the interval. Packets must keep their pace.
 */
#include "fuzz.h"

#include "../../kmod/rand.c"
#include "../../kmod/dcqcn/rp.c"
#include "../../kmod/dcqcn/np.c"
#include "../../kmod/dcqcn/pace.c"

#define LINE		40000000000ULL
#define SCALE		200
#define KEYS		4

/* One action: what is done, and how much later */
struct action {
	uint8_t what;
	uint8_t shift;
	uint16_t time;
	uint16_t bytes;
};

static struct rf_np np;
static u64 last_cnp[KEYS];
static bool had_cnp[KEYS];

static u64 between(u64 value, u64 least, u64 most)
{
	return least + value % (most - least + 1);
}

/* Values beyond their ranges are refused before they arrive here. */
static struct rf_rp_conf conf_from(const uint8_t **data, size_t *size)
{
	struct rf_rp_conf conf;

	fuzz_take(data, size, &conf, sizeof(conf));
	conf.order = between(conf.order, RDMAFAULT_DCQCN_ORDER_CUT_FIRST,
			     RDMAFAULT_DCQCN_ORDER_ALPHA_FIRST);
	conf.ai_rate = between(conf.ai_rate, LINE / RF_RP_STEPS_MAX, LINE);
	conf.hai_rate = between(conf.hai_rate, 1, LINE);
	conf.min_rate = between(conf.min_rate, 1, LINE);
	conf.max_rate = conf.max_rate % 4 ? between(conf.max_rate, conf.min_rate, 2 * LINE) : 0;
	conf.rate_to_set_on_first_cnp = between(conf.rate_to_set_on_first_cnp, 0,
						conf.max_rate ?: LINE);
	conf.dce_tcp_rtt = between(conf.dce_tcp_rtt, 100, 1000000000);
	conf.rate_reduce_monitor_period = between(conf.rate_reduce_monitor_period, 100, 1000000000);
	conf.time_reset = between(conf.time_reset, 100, 1000000000);
	conf.byte_reset = between(conf.byte_reset, 0, UINT32_MAX);
	conf.threshold = between(conf.threshold, 1, 31);
	conf.dce_tcp_g = between(conf.dce_tcp_g, 1, RF_RP_ALPHA_ONE);
	conf.initial_alpha_value = between(conf.initial_alpha_value, 0, RF_RP_ALPHA_ONE);
	conf.min_dec_fac = between(conf.min_dec_fac, 1, 100);
	conf.gd = between(conf.gd, RF_RP_GD_MIN, RF_RP_GD_MIN + 10);
	conf.clamp_tgt_rate %= 2;
	conf.clamp_tgt_rate_ati %= 2;
	conf.scale = 1;
	return conf;
}

static void limits(const struct rf_rp *rp, const struct rf_rp_scaled *scaled, u64 now)
{
	must(rp->rate >= scaled->min && rp->rate <= rp->target && rp->target <= scaled->max);
	must(rp->alpha <= RF_RP_ONE);
	must(rf_rp_rate(scaled, rp->rate) <= scaled->line);
	if (!rp->active)
		return;
	must(rp->alpha_at > now && rp->time_at > now);
	must(!scaled->bytes || rp->bytes < scaled->bytes);
}

static void same(const struct rf_rp *a, const struct rf_rp *b)
{
	must(a->rate == b->rate && a->target == b->target && a->alpha == b->alpha);
	must(a->bytes == b->bytes && a->cuts == b->cuts);
	must(a->time_stage == b->time_stage && a->byte_stage == b->byte_stage);
}

static void act(struct rf_rp *rp, const struct rf_rp_scaled *scaled, const struct action *action,
		u64 now)
{
	u64 rate;

	switch (action->what % 3) {
	case 0:
		rf_rp_sent(rp, scaled, action->bytes, now);
		break;
	case 1:
		rf_rp_advance(rp, scaled, now);
		rate = rp->rate;
		rf_rp_cnp(rp, scaled, now);
		must(rp->rate <= rate);
		break;
	default:
		rf_rp_advance(rp, scaled, now);
	}
	limits(rp, scaled, now);
}

static void mark(const struct action *action, u64 interval, u64 now)
{
	u32 key = action->what / 3 % KEYS;
	bool due = !had_cnp[key] || now - last_cnp[key] > interval;

	must(rf_np_mark(&np, key + 1, interval, now) == (due ? RF_NP_SEND : RF_NP_TOO_SOON));
	if (!due)
		return;
	had_cnp[key] = true;
	last_cnp[key] = now;
}

static void pace_on(struct rf_pace *pace, u64 rate, u32 bytes, u64 now)
{
	u64 depart = rf_pace_depart(pace, now, now);

	must(depart >= now && depart >= pace->next);
	rf_pace_sent(pace, rate, bytes, depart);
	must(pace->next >= depart && pace->rest < rate);
	must((__uint128_t)(pace->next - depart + 1) * rate >= (__uint128_t)bytes * 8 * NS_PER_S);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rf_rp_conf conf = conf_from(&data, &size);
	struct rf_rp_scaled scaled, slow;
	struct rf_pace pace = {};
	struct rf_rp rp, other;
	struct action action;
	u64 now = 0, then, interval = conf.dce_tcp_rtt;

	memset(&np, 0, sizeof(np));
	memset(had_cnp, 0, sizeof(had_cnp));
	rf_rp_scale(&scaled, &conf, LINE);
	conf.scale = SCALE;
	rf_rp_scale(&slow, &conf, LINE / SCALE);
	rf_rp_init(&rp, &scaled);
	rf_rp_init(&other, &slow);
	while (size) {
		fuzz_take(&data, &size, &action, sizeof(action));
		then = now + ((u64)action.time << action.shift % 24);
		rf_rp_advance(&other, &slow, (now + (then - now) / 3) * SCALE);
		now = then;
		act(&rp, &scaled, &action, now);
		act(&other, &slow, &action, now * SCALE);
		same(&rp, &other);
		mark(&action, interval, now);
		pace_on(&pace, rf_rp_rate(&scaled, rp.rate), action.bytes, now);
	}
	return 0;
}
