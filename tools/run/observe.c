// SPDX-License-Identifier: GPL-2.0
/*
 * Add rules with the action "observe" to record the packets of a case.
 *
 * Retransmitted packets are observed when they leave a node. NAKs are observed when they
 * leave a node, and when they arrive at the sender of the data. In the steps that a fault
 * selects, every packet is observed on every port, unless the trace buffer is too small for
 * these packets. These events show which rank waited for which message, and whether
 * retransmissions followed the go-back-N rules. Other steps without losses cause no events.
 *
 * Steps are observed in every case, also in clean ones, so that observation costs all
 * cases the same time.
 */

#include "err.h"
#include "genl.h"
#include "runner.h"

#define PACKETS_MAX	10000ull	/* maximum number of records for the steps of a fault */
#define RECORDS		5ull		/* most records per data packet */

#define OBSERVE .actions = 1, .action = {{ .type = RDMAFAULT_ACTION_OBSERVE }}

static const struct rf_rule_spec retransmissions = {
	.match = { .set = RF_MATCH_BIT(ATTEMPT_MIN), .attempt_min = 2 },
	OBSERVE,
};

static const struct rf_rule_spec naks = {
	.match = {
		.set = RF_MATCH_BIT(CLASS),
		.classes = RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR,
	},
	OBSERVE,
};

static int add_rule(struct rf_stage *st, const struct rf_target *t, uint32_t dir,
		    const struct rf_rule_spec *spec, uint32_t *id)
{
	int err = rf_nl_rule_new(st->nl, t->ifindex, dir, 0, spec, 1, id);

	if (err)
		rf_err("%s: %s", t->netdev, rf_nl_why(st->nl, err));
	return err;
}

static int add_observer(struct rf_stage *st, const struct rf_target *t, uint32_t dir,
			const struct rf_rule_spec *spec)
{
	uint32_t id;

	return add_rule(st, t, dir, spec, &id);
}

/*
 * A rule counts the packets of the connection management, without a record. Other packets mean
 * that the processes of a command exchanged data over the ports.
 */
static int count_cm(struct rf_stage *st)
{
	static const struct rf_rule_spec spec = {
		.match = { .set = RF_MATCH_BIT(CLASS), .classes = RDMAFAULT_CLASS_CM },
		.trigger = { .set = RF_TRIGGER_BIT(NTH), .nth = UINT32_MAX },
		OBSERVE,
	};
	uint32_t i;
	int err = 0;

	for (i = 0; !err && i < st->cluster->nodes; i++)
		err = add_rule(st, &st->cluster->node[i], rf_cluster_out(st->cluster), &spec,
			       &st->cm_rule[i]);
	return err;
}

/* Add a rule on every port, in both directions or for packets that leave the node. */
static int add_everywhere(struct rf_stage *st, const struct rf_rule_spec *spec,
			  bool arriving)
{
	const uint32_t out = rf_cluster_out(st->cluster);
	const struct rf_target *t;
	uint32_t i;
	int err = 0;

	for (i = st->cluster->first; !err && i < st->cluster->end; i++) {
		t = &st->cluster->node[i];
		err = add_observer(st, t, out, spec);
		if (!err && arriving)
			err = add_observer(st, t, RDMAFAULT_DIRECTION_TX +
					   RDMAFAULT_DIRECTION_RX - out, spec);
	}
	return err;
}

static bool names_steps(const struct rf_match *m)
{
	return RF_ASKS(m, STEP_MIN) && RF_ASKS(m, STEP_MAX);
}

static uint64_t packets_of_job(const struct rf_case *job)
{
	const struct rf_workload *w = &job->workload;

	return w->size ? (w->size / job->qp.mtu + 1) * w->ranks : 0;
}

/* Return: the largest number of data packets per step in any case (estimate); 0: unknown */
static uint64_t packets_of_step(const struct rf_scenario *s)
{
	uint64_t n, all, most = 0;
	size_t i, k;

	for (i = 0; i < s->ncases; i++) {
		all = n = packets_of_job(&s->cases[i]);
		for (k = 0; n && k < s->cases[i].nothers; k++) {
			n = packets_of_job(&s->cases[i].others[k]);
			all += n;
		}
		if (!n)
			return 0;
		most = all > most ? all : most;
	}
	return most;
}

static bool fits_recording(const struct rf_scenario *s, const struct rf_match *m)
{
	uint64_t steps = (uint64_t)m->step_max - m->step_min + 1;
	uint64_t packets = packets_of_step(s);

	return packets && packets <= PACKETS_MAX && steps <= PACKETS_MAX &&
	       steps * packets * RECORDS <= PACKETS_MAX;
}

static int observe_steps(struct rf_stage *st, const struct rf_match *m)
{
	struct rf_rule_spec spec = {
		.match = {
			.set = RF_MATCH_BIT(STEP_MIN) | RF_MATCH_BIT(STEP_MAX),
			.step_min = m->step_min, .step_max = m->step_max,
		},
		OBSERVE,
	};

	return add_everywhere(st, &spec, true);
}

/* Check whether the steps of a fault are already observed because of an earlier fault. */
static bool is_watched(const struct rf_scenario *s, const struct rf_match *m)
{
	const struct rf_match *other;
	size_t i, n;

	for (i = 0; i < s->ncases; i++)
		for (n = 0; n < s->cases[i].nfaults; n++) {
			other = &s->cases[i].faults[n].spec.match;
			if (other == m)
				return false;
			if (names_steps(other) &&
			    other->step_min == m->step_min &&
			    other->step_max == m->step_max)
				return true;
		}
	return false;
}

static int observe_case(struct rf_stage *st, const struct rf_scenario *s,
			const struct rf_case *test_case)
{
	const struct rf_match *m;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < test_case->nfaults; i++) {
		m = &test_case->faults[i].spec.match;
		if (names_steps(m) && fits_recording(s, m) && !is_watched(s, m))
			err = observe_steps(st, m);
	}
	return err;
}

/*
 * The module counts RoCE packets of a port only in directions that have a rule. The counters
 * of switch ports are needed, so each switch port gets a rule. The rule matches no packet and
 * records none, because the ports of ranks record the same packets.
 */
static int count_at_switches(struct rf_stage *st)
{
	static const struct rf_rule_spec never = {
		.match = {
			.set = RF_MATCH_BIT(STEP_MIN) | RF_MATCH_BIT(STEP_MAX),
			.step_min = UINT32_MAX, .step_max = UINT32_MAX,
		},
		OBSERVE,
	};
	const struct rf_target *t;
	uint32_t i = st->cluster->end - st->cluster->first;
	int err = 0;

	for (; !err && (t = rf_cluster_port(st->cluster, i)); i++) {
		err = add_observer(st, t, RDMAFAULT_DIRECTION_TX, &never);
		if (!err)
			err = add_observer(st, t, RDMAFAULT_DIRECTION_RX, &never);
	}
	return err;
}

/**
 * rf_stage_observe - add the rules that observe packets
 * @st: the stage
 * @s: the scenario
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_stage_observe(struct rf_stage *st, const struct rf_scenario *s)
{
	size_t i;
	int err;

	err = add_everywhere(st, &retransmissions, false);
	if (!err)
		err = add_everywhere(st, &naks, true);
	for (i = 0; !err && i < s->ncases; i++)
		err = observe_case(st, s, &s->cases[i]);
	if (!err && st->test_case->workload.kind == RF_WORK_COMMAND)
		err = count_cm(st);
	return err ? err : count_at_switches(st);
}
