// SPDX-License-Identifier: GPL-2.0
/*
 * Test that the faults of a case restore the settings of a port when they end, in any order.
 * After the last fault has ended, the port has the settings from before the first fault. Until
 * then, the port has the seed of the faults.
 */
#include "said.h"
#include "tap.h"
#include "tools/run/act.c"

#define V2 7				/* an ifindex */

static struct rf_conf port;		/* the settings of the port */

int rf_nl_queue_get(struct rf_nl *nl, uint32_t ifindex,
		    struct rf_queue_info *info)
{
	(void)nl;
	(void)ifindex;
	info->conf = port;
	return 0;
}

int rf_nl_queue_set(struct rf_nl *nl, uint32_t ifindex,
		    const struct rf_queue_change *c)
{
	(void)nl;
	(void)ifindex;
	if (c->link & RF_LINK_BIT(SEED))
		port.link.seed = c->conf.link.seed;
	if (c->link & RF_LINK_BIT(JITTER))
		port.link.jitter = c->conf.link.jitter;
	if (c->ecn[3] & RF_ECN_BIT(KMIN))
		port.prio[3].ecn.kmin = c->conf.prio[3].ecn.kmin;
	if (c->ecn[4] & RF_ECN_BIT(KMIN))
		port.prio[4].ecn.kmin = c->conf.prio[4].ecn.kmin;
	return 0;
}

/* Stubs: the faults in this test do not need these functions. */
int rf_nl_rule_new(struct rf_nl *nl, uint32_t ifindex, uint32_t dir,
		   uint32_t batch_flags, const struct rf_rule_spec *rules,
		   size_t n, uint32_t *ids)
{
	return !nl + !ifindex + !dir + !batch_flags + !rules + !n + !ids;
}

int rf_nl_rule_get(struct rf_nl *nl, uint32_t ifindex, uint32_t id,
		   struct rf_rule_info *rule)
{
	(void)nl;
	*rule = (struct rf_rule_info){ .counters = { .matched = 8, .hits = 3 } };
	return !ifindex + !id;
}

int rf_nl_rule_del(struct rf_nl *nl, uint32_t ifindex, const uint32_t *ids,
		   size_t n)
{
	(void)nl;
	return !ifindex + !ids + !n;
}

int rf_nl_pause_send(struct rf_nl *nl, uint32_t ifindex, uint32_t prios,
		     uint32_t quanta)
{
	return !nl + !ifindex + !prios + !quanta;
}

int rf_nl_storm_start(struct rf_nl *nl, uint32_t ifindex,
		      const struct rf_storm_spec *storm)
{
	return !nl + !ifindex + !storm;
}

int rf_nl_storm_stop(struct rf_nl *nl, uint32_t ifindex, uint32_t prios)
{
	return !nl + !ifindex + !prios;
}

const struct rf_target *rf_cluster_find(const struct rf_cluster *c, const char *name)
{
	static const struct rf_target v2 = { .ifindex = V2, .netdev = "v2" };

	(void)c;
	(void)name;
	return &v2;
}

static const char *link_fails;		/* reason; NULL: the link can be taken down */
static int links_down;

int rf_link_ends_find(const struct rf_target *t, struct rf_link_ends *l, struct rf_why *why)
{
	(void)why;
	*l = (struct rf_link_ends){ .near = *t, .far = { .ifindex = V2 + 1, .netdev = "p2" } };
	return 0;
}

int rf_link_take_down(struct rf_nl *nl, const struct rf_link_ends *l, uint32_t *rule,
		      struct rf_why *why)
{
	(void)nl;
	(void)l;
	why->text = link_fails;
	if (link_fails)
		return -EINVAL;
	*rule = 1;
	links_down++;
	return 0;
}

int rf_link_bring_up(const struct rf_link_ends *l, struct rf_why *why)
{
	(void)l;
	(void)why;
	links_down--;
	return 0;
}

const char *rf_nl_why(const struct rf_nl *nl, int err)
{
	(void)nl;
	return strerror(-err);
}

/*
 * Two faults set the ECN profiles of two priorities, and one fault sets a jitter. All of them
 * make random decisions with seed 42.
 */
static struct rf_fault faults[] = {
	{ .kind = RF_FAULT_CHANGE, .seeded = true,
	  .change = { .link = RF_LINK_BIT(SEED), .ecn[3] = RF_ECN_BIT(KMIN),
		      .conf = { .link.seed = 42, .prio[3].ecn.kmin = 3000 } } },
	{ .kind = RF_FAULT_CHANGE, .seeded = true,
	  .change = { .link = RF_LINK_BIT(SEED), .ecn[4] = RF_ECN_BIT(KMIN),
		      .conf = { .link.seed = 42, .prio[4].ecn.kmin = 4000 } } },
	{ .kind = RF_FAULT_CHANGE, .seeded = true,
	  .change = { .link = RF_LINK_BIT(SEED) | RF_LINK_BIT(JITTER),
		      .conf = { .link = { .seed = 42, .jitter = 5000 } } } },
};

static const struct rf_case test_case = { .faults = faults, .nfaults = 3 };
static struct rf_fault_state states[3];
static struct rf_stage st = { .test_case = &test_case, .faults = states };

static void put_all(void)
{
	size_t i;

	memset(states, 0, sizeof(states));
	port = (struct rf_conf){ .link.seed = 7 };
	for (i = 0; i < 3; i++) {
		states[i].ifindex = V2;
		rf_stage_do(&st, i);
	}
}

static void any_order_ok(void)
{
	static const size_t order[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};
	size_t i, k;

	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		put_all();
		for (k = 0; k < 3; k++) {
			ok(port.link.seed == 42, "the port has the seed of the faults while %zu of 3 are active",
			   3 - k);
			rf_stage_undo(&st, order[i][k]);
		}
		ok(port.link.seed == 7 && !port.link.jitter &&
		   !port.prio[3].ecn.kmin && !port.prio[4].ecn.kmin,
		   "the port has its first settings after faults %zu, %zu and %zu have ended", order[i][0],
		   order[i][1], order[i][2]);
	}
}

/*
 * When the last fault of a port ends, the seed of this port is restored, even if faults of
 * another port are still in effect.
 */
static void other_port_ok(void)
{
	put_all();
	states[1].ifindex = states[2].ifindex = V2 + 1;
	rf_stage_undo(&st, 0);
	ok(port.link.seed == 7, "the last fault of a port restores the port's seed");
}

/*
 * One fault has an explicit seed in the scenario. When this fault ends, the port gets back the
 * seed that it had before.
 */
static void own_seed_ok(void)
{
	put_all();
	faults[0].seeded = false;
	rf_stage_undo(&st, 0);
	ok(port.link.seed == 7, "a fault with an explicit seed restores the port's seed when it ends");
}

/* The counters of a rule are read before the rule is deleted. */
static void counters_stay_ok(void)
{
	struct rf_fault rule = { .kind = RF_FAULT_RULE };
	const struct rf_case one = { .faults = &rule, .nfaults = 1 };
	struct rf_fault_state state = { .ifindex = V2, .id = 1, .there = true };
	struct rf_stage stage = { .test_case = &one, .faults = &state };

	ok(!rf_stage_undo(&stage, 0) && state.counters.matched == 8 &&
	   state.counters.hits == 3,
	   "a rule that has ended keeps its counters");
}

/* The link is up again before the rule is deleted, and after a run was killed without a rule. */
static void link_down_ok(void)
{
	struct rf_fault down = { .kind = RF_FAULT_LINK_DOWN, .port = "rxe2",
		.words = "link down rxe2 for 1s" };
	const struct rf_case one = { .faults = &down, .nfaults = 1 };
	struct rf_fault_state state = { };
	struct rf_stage stage = { .test_case = &one, .faults = &state };

	ok(!rf_stage_do(&stage, 0) && links_down == 1 && state.ifindex == V2 && state.id == 1,
	   "the link is down");
	ok(!rf_stage_undo(&stage, 0) && !links_down && state.counters.hits == 3,
	   "the link is up, and the counters of its rule were read");
	rf_stage_restore(&stage, 0);
	ok(!links_down, "a link that is up is not set up again");
	rf_stage_do(&stage, 0);
	rf_stage_restore(&stage, 0);
	ok(!links_down && !state.there, "a link that is down at the end of the case is set up");
	link_fails = "v2: is down";
	ok(rf_stage_do(&stage, 0) && !state.there && strstr(said, "link down rxe2 for 1s: v2: is down"),
	   "a link that cannot be taken down is an error");
}

int main(void)
{
	link_down_ok();
	any_order_ok();
	other_port_ok();
	own_seed_ok();
	counters_stay_ok();
	return done_testing();
}
