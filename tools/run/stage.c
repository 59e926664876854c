// SPDX-License-Identifier: GPL-2.0
/* Add the rules of a case, and read counters before and after the case. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "port.h"
#include "runner.h"

/**
 * rf_stage_begin - apply the faults that are active from the start
 * @st: the stage; events must be recorded, because packets can pass that the job did not send
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_stage_begin(struct rf_stage *st)
{
	const struct rf_target *t;
	const struct rf_fault *f;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < st->test_case->nfaults; i++) {
		f = &st->test_case->faults[i];
		t = rf_cluster_find(st->cluster, f->port);
		if (!t) {
			err = rf_cluster_lacks(st->cluster);
			continue;
		}
		st->faults[i].ifindex = t->ifindex;
		if (f->when.clock == RF_CLOCK_NONE)
			err = rf_stage_do(st, i);
	}
	return err;
}

/* Set the step of each port to 0, because a killed rank leaves its last step there. */
static int forget_steps(struct rf_stage *st)
{
	const struct rf_job_step none = { 0 };
	const struct rf_target *t;
	int err = 0;
	uint32_t i;

	for (i = 0; !err && (t = rf_cluster_port(st->cluster, i)); i++)
		err = rf_nl_step_set(st->nl, t->ifindex, &none);
	if (err)
		rf_err("%s: cannot reset the step number of the port: %s",
		       t ? t->netdev : "", strerror(-err));
	return err;
}

static uint64_t read_flows_lost(struct rf_stage *st)
{
	struct rf_port_info port;
	const struct rf_target *t;
	uint64_t lost = 0;
	uint32_t i;

	for (i = 0; (t = rf_cluster_port(st->cluster, i)); i++)
		if (!rf_nl_port_get(st->nl, t->ifindex, &port))
			lost += port.dir[0].flows_lost + port.dir[1].flows_lost;
	return lost;
}

static void read_counters(const struct rf_stage *st,
			  uint64_t v[RF_RANKS_MAX][RF_COUNTERS])
{
	uint32_t i;
	int c;

	for (i = st->cluster->first; i < st->cluster->end && !st->cluster->remote; i++)
		for (c = 0; c < RF_COUNTERS; c++)
			v[i][c] = rf_rdma_counter(st->cluster->node[i].rdma,
						  rf_counter_names[c]);
}

/* Return: packets that the RDMA devices of the nodes have sent, also inside the machine */
static uint64_t read_sent(const struct rf_stage *st)
{
	uint64_t sent = 0;
	uint32_t i;

	for (i = st->cluster->first; i < st->cluster->end && !st->cluster->remote; i++)
		sent += rf_rdma_counter(st->cluster->node[i].rdma, "sent_pkts");
	return sent;
}

/* Record whether the processes of a command exchanged data over the ports of the nodes. */
static int read_traffic(struct rf_stage *st, struct rf_record *rec)
{
	const bool tx = rf_cluster_out(st->cluster) == RDMAFAULT_DIRECTION_TX;
	struct rf_traffic *traffic = &rec->traffic;
	uint64_t ports = 0;
	struct rf_rule_info rule;
	uint32_t i;
	int err;

	if (st->test_case->workload.kind != RF_WORK_COMMAND)
		return 0;
	for (i = 0; i < st->cluster->nodes; i++) {
		err = rf_nl_rule_get(st->nl, st->cluster->node[i].ifindex, st->cm_rule[i], &rule);
		if (err) {
			rf_err("port %s: a rule of the run was deleted during the case",
			       st->cluster->node[i].netdev);
			return err;
		}
		ports += tx ? rec->ports[i].tx_packets : rec->ports[i].rx_packets;
		traffic->cm += rule.counters.matched;
	}
	traffic->known = true;
	traffic->data = ports - traffic->cm;
	traffic->inside = read_sent(st) - st->sent;
	traffic->inside = traffic->inside > ports ? traffic->inside - ports : 0;
	return 0;
}

struct flow_reader {
	struct rf_record *rec;
	uint32_t direction;
};

static int tally_flow(const struct rf_flow_info *f, void *arg)
{
	const int family = f->addr_len == 4 ? AF_INET : AF_INET6;
	const struct flow_reader *r = arg;
	struct rf_flow_tally flow = { .qp = f->qp, .packets = f->packets, .bytes = f->bytes };

	if (f->direction != r->direction)
		return 0;
	inet_ntop(family, f->saddr, flow.saddr, sizeof(flow.saddr));
	inet_ntop(family, f->daddr, flow.daddr, sizeof(flow.daddr));
	return rf_record_flow(r->rec, &flow);
}

/* The module tracks the flows of the nodes since before the job, for the rules that observe. */
static int read_flows(const struct rf_stage *st, struct rf_record *rec)
{
	struct flow_reader r = { .rec = rec, .direction = rf_cluster_out(st->cluster) };
	const struct rf_cluster *c = st->cluster;
	uint32_t i;
	int err = 0;

	for (i = c->first; !err && i < c->end; i++) {
		err = rf_nl_flow_each(st->nl, c->node[i].ifindex, tally_flow, &r);
		if (err)
			rf_err("%s: %s", c->node[i].netdev, rf_nl_why(st->nl, err));
	}
	return err;
}

/**
 * rf_stage_open - check that the ports are clean, read counters, add the rules that observe
 * @st: the stage
 * @cluster: the cluster
 * @s: the scenario
 * @test_case: the case
 * @faults: array that gets the state of each fault of the case
 *
 * Return: 0, or -errno after rf_err() and after cleaning up.
 */
int rf_stage_open(struct rf_stage *st, const struct rf_cluster *cluster,
		  const struct rf_scenario *s, const struct rf_case *test_case,
		  struct rf_fault_state *faults)
{
	int err;

	*st = (struct rf_stage){
		.cluster = cluster, .scenario = s, .test_case = test_case, .faults = faults,
	};
	memset(faults, 0, test_case->nfaults * sizeof(*faults));
	err = rf_nl_open(&st->nl);
	if (err) {
		rf_err_no_module();
		return err;
	}
	err = rf_cluster_check_clean(cluster, st->nl);
	if (!err)
		err = rf_balance_begin(st->nl, s, test_case);
	if (!err)
		err = rf_dcqcn_begin(st);
	if (!err) {
		read_counters(st, st->before);
		st->flows_lost = read_flows_lost(st);
		st->sent = read_sent(st);
		err = rf_tally_read(cluster, st->nl, &st->ports);
	}
	if (!err)
		err = rf_stage_observe(st, s);
	if (!err)
		err = forget_steps(st);
	if (err)
		rf_stage_close(st);
	return err;
}

static int record_rule(const struct rf_stage *st, size_t i, struct rf_record *rec)
{
	const struct rf_fault_state *state = &st->faults[i];
	const struct rf_fault *f = &st->test_case->faults[i];
	const struct rf_target *t = f->kind == RF_FAULT_LINK_DOWN ? &state->link.near :
				    rf_cluster_find(st->cluster, f->port);
	struct rf_rule_tally rule = {
		.fault = i, .id = state->id, .matched = state->counters.matched,
		.hits = state->counters.hits,
	};
	int err;

	if (!state->id || !t)
		return 0;
	memcpy(rule.netdev, t->netdev, sizeof(rule.netdev));
	memcpy(rule.missed, state->counters.missed, sizeof(rule.missed));
	err = rf_record_rule(rec, &rule);
	if (err)
		rf_err("no memory");
	return err;
}

/* Read the counters of a rule that still exists, and delete it: it must hit no more packets. */
static int end_rule(struct rf_stage *st, const struct rf_fault *f, struct rf_fault_state *state)
{
	int err = rf_stage_read_rule(st, state);

	if (err || f->kind != RF_FAULT_RULE)
		return err;
	state->there = false;
	return rf_nl_rule_del(st->nl, state->ifindex, &state->id, 1);
}

/*
 * Record the packets of each rule, and add up the hits. The counters of an undone rule were
 * read when it was undone.
 */
static int read_case_rules(struct rf_stage *st, struct rf_record *rec)
{
	struct rf_fault_state *state = st->faults;
	size_t i;
	int err;

	for (i = 0; i < st->test_case->nfaults; i++, state++) {
		err = state->id && state->there ?
		      end_rule(st, &st->test_case->faults[i], state) : 0;
		if (err) {
			rf_err("port %s: a rule of the case was deleted during the case",
			       st->test_case->faults[i].port);
			return err;
		}
		rec->rule_hits += state->counters.hits;
		err = record_rule(st, i, rec);
		if (err)
			return err;
	}
	return 0;
}

/**
 * rf_stage_read - read the counters, store how much they increased in the case, delete the rules
 * @st: the stage
 * @rec: the record
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_stage_read(struct rf_stage *st, struct rf_record *rec)
{
	uint32_t i;
	int c, err;

	memcpy(rec->before, st->before, sizeof(rec->before));
	read_counters(st, rec->counters);
	for (i = 0; i < st->cluster->nodes; i++)
		for (c = 0; c < RF_COUNTERS; c++)
			rec->counters[i][c] -= st->before[i][c];
	rec->flows_lost = read_flows_lost(st) - st->flows_lost;
	err = rf_tally_read(st->cluster, st->nl, &rec->ports);
	if (err)
		return err;
	while (rf_cluster_port(st->cluster, rec->nports))
		rec->nports++;
	rf_tally_since(rec->ports, st->ports, rec->nports);
	err = read_traffic(st, rec);
	if (!err)
		err = read_flows(st, rec);
	return err ? err : read_case_rules(st, rec);
}

static bool is_by_fault(const struct rf_stage *st, size_t fault, const struct rf_event *e)
{
	return st->faults[fault].id && st->faults[fault].ifindex == e->ifindex &&
	       st->faults[fault].id == e->rule;
}

/* Packets can be hit after the counters of a rule were read and before it was deleted. */
static void add_late_hits(const struct rf_stage *st, struct rf_record *rec)
{
	const struct rf_events *ev = &rec->ev;
	struct rf_rule_tally *rule;
	const struct rf_event *e;
	uint64_t hits;

	for (rule = rec->rules; rule < rec->rules + rec->nrules; rule++) {
		hits = 0;
		for (e = ev->e; e < ev->e + ev->n; e++)
			hits += e->fault && is_by_fault(st, rule->fault, e);
		if (hits <= rule->hits)
			continue;
		rec->rule_hits += hits - rule->hits;
		rule->matched += hits - rule->hits;
		rule->hits = hits;
	}
}

/**
 * rf_stage_mark_faults - set e->fault of an event only if its rule is a fault of the case
 * @st: the stage
 * @rec: the record, with all events; hits that the counters of the rules lack are added to them
 */
void rf_stage_mark_faults(const struct rf_stage *st, struct rf_record *rec)
{
	struct rf_events *ev = &rec->ev;
	struct rf_event *e;
	size_t i;

	for (e = ev->e; e < ev->e + ev->n; e++) {
		e->fault = false;
		for (i = 0; i < st->test_case->nfaults; i++)
			if (is_by_fault(st, i, e))
				e->fault = true;
	}
	rf_events_unique(ev);
	add_late_hits(st, rec);
}

/** rf_stage_close - restore settings and links, close the socket, which ends rules and storms */
void rf_stage_close(struct rf_stage *st)
{
	size_t i;

	for (i = st->test_case->nfaults; i; i--)
		rf_stage_restore(st, i - 1);
	rf_dcqcn_end(st);
	rf_balance_end(st->nl, st->scenario, st->test_case);
	rf_nl_close(st->nl);
	free(st->ports);
	*st = (struct rf_stage){ };
}

/**
 * rf_stage_clear - restore the settings and links that a killed run had changed
 * @s: the scenario
 * @test_case: the case that was running
 * @faults: the state of each fault of that case
 */
void rf_stage_clear(const struct rf_scenario *s, const struct rf_case *test_case,
		    struct rf_fault_state *faults)
{
	struct rf_stage st = { .scenario = s, .test_case = test_case, .faults = faults };

	if (!rf_nl_open(&st.nl))
		rf_stage_close(&st);
}
