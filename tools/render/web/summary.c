// SPDX-License-Identifier: GPL-2.0
/*
 * summary.json: the analysis of a run as one JSON object. Documentation/summary.schema.json
 * describes it. Times are in nanoseconds, except in the figures.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "tools/analysis/analysis.h"
#include "tools/render/words/words.h"
#include "tools/scenario/scenario.h"
#include "units.h"

typedef struct json_object *obj;

/* Add the time from the hit to a later event of a loss, such as the NAK. */
static void put_moment(obj o, const char *key, const struct rf_loss *l,
		       const struct rf_event *e)
{
	json_object_object_add(o, key, e ?
		json_object_new_int64((int64_t)(e->t_ns - l->hit->t_ns)) : NULL);
}

static void put_blast(obj array, const struct rf_run_case *p,
		      const struct rf_loss *l)
{
	struct rf_blast blast;
	uint32_t i;
	obj item;

	rf_blast_of(&p->rec, p->an, l, &blast);
	for (i = 0; i < blast.n; i++) {
		item = rf_list_object(array);
		rf_put_u64(item, "rank", blast.rank[i].rank);
		rf_put_u64(item, "idle_ns", blast.rank[i].idle_ns);
		rf_put_text(item, "waited_for",
			    rf_wait_kind_text(blast.rank[i].kind));
		rf_put_u64(item, "hops", blast.rank[i].hops);
	}
}

static void put_loss(obj o, const struct rf_run_case *p,
		     const struct rf_loss *l)
{
	const struct rf_timeline *tl = &p->rec.tl;

	json_object_object_add(o, "packet", rf_event_json(l->hit));
	if (l->qp) {
		rf_put_u64(o, "rank", l->qp->rank);
		rf_put_u64(o, "peer", l->qp->peer);
		rf_put_u64(o, "sender_qp", l->qp->qpn);
		rf_put_u64(o, "qp_ordinal", rf_timeline_ordinal(tl, l->qp));
	}
	rf_put_text(o, "action", rf_hit_participle(l->hit));
	json_object_object_add(o, "lost", json_object_new_boolean(l->lost));
	json_object_object_add(o, "detected_by", rf_loss_why_not_detected(l) ? NULL :
			       json_object_new_string(rf_value_name(rf_detected_names, l->found)));
	put_moment(o, "revealed_after_ns", l, l->revealed);
	put_moment(o, "nak_sent_after_ns", l, l->nak_sent);
	put_moment(o, "nak_after_ns", l, l->nak);
	put_moment(o, "first_resend_after_ns", l, l->first);
	put_moment(o, "lost_packet_retransmitted_after_ns", l, l->again);
	put_moment(o, "recovery_time_ns", l, l->recovery);
	put_moment(o, "last_resend_after_ns", l, l->last);
	rf_put_u64(o, "packets_retransmitted", l->packets);
	rf_put_u64(o, "bytes_retransmitted", l->bytes);
	put_blast(rf_put_list(o, "stalled"), p, l);
}

/* @waits: the waits are known */
static void put_wait(obj o, const struct rf_wait *w, bool waits)
{
	rf_put_u64(o, "step_ns", w->step);
	if (!waits)
		return;
	rf_put_u64(o, "wait_recv_ns", w->recv);
	rf_put_u64(o, "wait_send_ns", w->send);
	rf_put_u64(o, "wait_sync_ns", w->sync);
}

static void put_costs(obj array, const struct rf_price *price, uint64_t ns)
{
	double cost;
	size_t i;
	obj item;

	for (i = 0; i < price->ngpus; i++) {
		item = rf_list_object(array);
		rf_put_u64(item, "gpus", price->gpus[i]);
		cost = rf_cost(ns, price->gpus[i], price->rate);
		json_object_object_add(item, "dollars",
				       json_object_new_double(cost));
		cost = rf_cost_of_day(ns, price->gpus[i], price->rate, price->every_ns);
		json_object_object_add(item, "dollars_a_day",
				       json_object_new_double(cost));
	}
}

static void put_stall(obj o, const struct rf_run_case *p)
{
	const struct rf_analysis *an = p->an;
	bool waits = !p->rec.tl.of_command;
	obj array, item;
	size_t i;

	rf_put_u64(o, "step", an->step);
	if (rf_measure_is_known(an, RF_STEP_EVERY_RANK))
		rf_put_u64(o, "step_ns", an->step_ns);
	array = rf_put_list(o, "ranks");
	for (i = 0; i < an->ranks; i++) {
		item = rf_list_object(array);
		rf_put_u64(item, "rank", i);
		put_wait(rf_put_object(item, "step"), &an->rank[i].now, waits);
		put_wait(rf_put_object(item, "clean_median"),
			 &an->rank[i].clean, waits);
	}
}

/* Omit costs that are not known: 0 dollars would mean that the case lost no time. */
static void put_lost_time(obj o, const struct rf_run *run, const struct rf_run_case *p)
{
	uint64_t ns = rf_case_impact_ns(run, p);
	obj costs;

	if (rf_case_is_clean(p->test_case) || !rf_case_impact_is_known(run, p)) {
		json_object_object_add(o, "lost_ns", NULL);
		return;
	}
	rf_put_u64(o, "lost_ns", ns);
	costs = rf_put_list(o, "cost");
	if (rf_case_has_cost(run, p))
		put_costs(costs, run->price, ns);
}

static void put_counters(obj o, const struct rf_record *rec)
{
	unsigned int c;

	for (c = 0; c < RF_COUNTERS && !rec->remote; c++)
		rf_put_u64(o, rf_counter_names[c], rf_record_counter(rec, c));
}

static void put_breach(obj o, const struct rf_gbn_flow *flow,
		       enum rf_gbn_rule rule)
{
	rf_put_text(o, "rule", rf_gbn_rule_name(rule));
	rf_put_text(o, "wants", rf_gbn_rule_text(rule));
	rf_put_u64(o, "times", flow->broken[rule]);
	rf_put_u64(o, "first_t_ns", flow->where[rule]->t_ns);
	rf_put_u64(o, "psn", flow->where[rule]->psn);
	rf_put_u64(o, "wanted_psn", flow->want[rule]);
}

static void put_flow(obj o, const struct rf_gbn_flow *flow)
{
	char addr[48];
	obj breaches;
	int rule;

	rf_put_text(o, "source",
		    rf_event_addr(flow->data, flow->data->saddr, addr,
				  sizeof(addr)));
	rf_put_text(o, "destination",
		    rf_event_addr(flow->data, flow->data->daddr, addr,
				  sizeof(addr)));
	rf_put_u64(o, "qp", flow->data->qp);
	if (flow->qp) {
		rf_put_u64(o, "rank", flow->qp->rank);
		rf_put_u64(o, "peer", flow->qp->peer);
	}
	rf_put_text(o, "verdict", rf_gbn_verdict_name(flow->verdict));
	if (flow->verdict == RF_GBN_UNJUDGED) {
		rf_put_text(o, "unjudged_for", rf_gbn_why_name(flow->why));
		rf_put_text(o, "unjudged_text", rf_gbn_why_text(flow->why));
	}
	json_object_object_add(o, "arrivals_seen",
			       json_object_new_boolean(flow->whole));
	rf_put_u64(o, "packets", flow->packets);
	rf_put_u64(o, "lost", flow->lost);
	rf_put_u64(o, "naks", flow->naks);
	rf_put_u64(o, "restarts", flow->restarts);
	rf_put_u64(o, "timeouts", flow->timeouts);
	rf_put_u64(o, "retransmitted", flow->retransmitted);
	breaches = rf_put_list(o, "breaches");
	for (rule = 0; rule < RF_GBN_RULES; rule++)
		if (flow->broken[rule])
			put_breach(rf_list_object(breaches), flow, rule);
}

static void put_flows(obj array, const struct rf_gbn *gbn)
{
	size_t i;

	for (i = 0; i < gbn->n; i++)
		put_flow(rf_list_object(array), &gbn->flows[i]);
}

/* Add the priorities with a counter that is not 0. */
static void put_ports(obj array, const struct rf_record *rec)
{
	static const struct rf_prio_tally nothing;
	const struct rf_prio_tally *t;
	obj port, prios;
	unsigned int prio;
	size_t i;

	for (i = 0; i < rec->nports; i++) {
		port = rf_list_object(array);
		rf_put_text(port, "port", rec->ports[i].netdev);
		rf_put_u64(port, "pauses_received",
			   rec->ports[i].pauses_received);
		rf_put_u64(port, "pauses_sent", rec->ports[i].pauses_sent);
		rf_put_u64(port, "tx_packets", rec->ports[i].tx_packets);
		rf_put_u64(port, "tx_bytes", rec->ports[i].tx_bytes);
		rf_put_u64(port, "rx_packets", rec->ports[i].rx_packets);
		rf_put_u64(port, "rx_bytes", rec->ports[i].rx_bytes);
		rf_put_u64(port, "rule_dropped", rec->ports[i].rule_dropped);
		rf_put_u64(port, "cnps_sent", rec->ports[i].cnps_sent);
		rf_put_u64(port, "cnps_received", rec->ports[i].cnps_received);
		rf_put_u64(port, "cnps_refused", rec->ports[i].cnps_refused);
		prios = rf_put_list(port, "prios");
		for (prio = 0; prio < RDMAFAULT_PRIOS; prio++) {
			t = &rec->ports[i].prio[prio];
			if (memcmp(t, &nothing, sizeof(nothing)))
				json_object_array_add(prios,
						      rf_tally_json(t, prio));
		}
	}
}

static void put_reasons(obj array, const struct rf_run_case *p)
{
	unsigned int i;

	for (i = 0; i < p->nreasons; i++)
		json_object_array_add(array,
				      json_object_new_string(p->reason[i]));
}

static void put_expectations(obj array, const struct rf_run *run,
			     const struct rf_run_case *p)
{
	struct rf_metric_case mp = { .run = run, .run_case = p };
	struct rf_check_result r;
	char measured[256];
	size_t i;
	obj item;

	for (i = 0; i < p->test_case->nchecks; i++) {
		rf_check_eval(&p->test_case->checks[i], &rf_metrics, &mp, &r);
		item = rf_list_object(array);
		rf_put_text(item, "expectation", p->test_case->checks[i].text);
		json_object_object_add(item, "met",
				       json_object_new_boolean(r.holds));
		rf_put_text(item, "measured",
			    rf_check_measured(&p->test_case->checks[i], &r, measured,
					      sizeof(measured)));
	}
}

static void put_processes_of(obj array, const struct rf_run *run, const struct rf_run_case *p)
{
	const struct rf_processes *all = &p->test_case->workload.processes;
	char text[512];
	size_t i;
	obj item;

	for (i = 0; i < all->n; i++) {
		item = rf_list_object(array);
		rf_put_text(item, "name", all->p[i].name);
		rf_put_text(item, "text",
			    rf_process_text(run, p, &all->p[i], text, sizeof(text)));
	}
}

/* Add the packets of a fault's rule; nothing if the fault is no rule, or was not applied. */
static void put_rule(obj o, const struct rf_run_case *p, size_t fault)
{
	const struct rf_rule_tally *rule = rf_record_find_rule(&p->rec, fault);

	if (!rule)
		return;
	rf_put_u64(o, "matched", rule->matched);
	rf_put_u64(o, "hits", rule->hits);
	json_object_object_add(o, "hit_share", rule->matched ?
			       json_object_new_double((double)rule->hits / rule->matched) : NULL);
}

static void put_fault_time(obj o, const struct rf_run *run, const struct rf_run_case *p,
			   size_t fault)
{
	char name[40];
	double v;

	snprintf(name, sizeof(name), "fault[%zu].lost_time", fault + 1);
	json_object_object_add(o, "lost_ns", rf_metric_value(run, p, name, &v) ? NULL :
			       json_object_new_int64((int64_t)v));
}

/* Return: the last step that had started at this time; 0: none */
static uint32_t step_at(const struct rf_timeline *tl, uint64_t ns)
{
	uint32_t step = tl->iters;
	uint64_t from, to;

	while (step && (!rf_timeline_span(tl, step, step, &from, &to) || from > ns))
		step--;
	return step;
}

/* Add when a fault began to have an effect; null: it had none */
static void put_fault_begin(obj o, const struct rf_run_case *p, size_t fault)
{
	const struct rf_timeline *tl = &p->rec.tl;
	uint64_t first, to, ns;
	bool known = !rf_fault_began(p, fault, &ns) &&
		     rf_timeline_span(tl, 1, tl->iters, &first, &to);

	json_object_object_add(o, "began_ns", known ?
			       json_object_new_int64((int64_t)(ns - first)) : NULL);
	if (known)
		rf_put_u64(o, "step", step_at(tl, ns));
}

static void put_fault_list(obj list, const struct rf_run *run, const struct rf_run_case *p)
{
	const struct rf_case *test_case = p->test_case;
	char name[48];
	size_t i;
	obj o;

	for (i = 0; i < test_case->nfaults; i++) {
		o = rf_list_object(list);
		rf_put_text(o, "do", test_case->faults[i].words);
		rf_put_text(o, "name", rf_fault_name(&test_case->faults[i], name, sizeof(name)));
		rf_put_text(o, "port", test_case->faults[i].port);
		put_rule(o, p, i);
		put_fault_begin(o, p, i);
		put_fault_time(o, run, p, i);
	}
}

/* Add the longest step that the faults can explain; null: there is none */
static void put_worst_step(obj o, const struct rf_run *run, const struct rf_run_case *p)
{
	struct rf_worst_step w;
	uint64_t now, clean;

	if (rf_case_is_clean(p->test_case) || !rf_case_worst_step(p, &w)) {
		json_object_object_add(o, "worst_step", NULL);
		return;
	}
	o = rf_put_object(o, "worst_step");
	rf_put_u64(o, "step", w.step);
	rf_put_u64(o, "step_ns", w.took);
	rf_put_u64(o, "clean_ns", p->an->clean_ns);
	rf_put_u64(o, "over_ns", w.over);
	rf_put_u64(o, "over_every_rank_ns", w.over_every_rank);
	if (!rf_case_network(run, p, w.step, &now, &clean))
		return;
	rf_put_u64(o, "network_ns", now);
	rf_put_u64(o, "network_clean_ns", clean);
}

/*
 * Add the losses: first the packets that faults hit, then those that were lost without a hit.
 * The metrics describe one of them, the first loss.
 */
static void put_losses(obj o, const struct rf_run_case *p)
{
	const struct rf_loss *first = rf_first_loss(p->an);
	struct rf_impact impact;
	struct rf_blast blast;
	obj list;
	size_t i;

	rf_put_u64(o, "hits", p->an->nhits);
	list = rf_put_list(o, "losses");
	for (i = 0; i < p->an->nlosses; i++)
		put_loss(rf_list_object(list), p, &p->an->losses[i]);
	if (!p->an->nlosses)
		return;
	rf_put_u64(o, "first_loss", first - p->an->losses);
	rf_blast_of(&p->rec, p->an, first, &blast);
	json_object_object_add(o, "stalled_in_order", json_object_new_boolean(blast.ordered));
	rf_impact_of(&p->rec, p->an, &impact);
	if (!p->rec.tl.of_command)
		rf_put_u64(o, "idle_ns", impact.idle_ns);
	rf_put_u64(o, "lost_bytes", impact.lost_bytes);
}

/* Add the rank that waited first in the step with the greatest loss of time, if it is known. */
static void put_first_wait(obj o, const struct rf_run_case *p)
{
	struct rf_first_wait first;

	if (!rf_first_wait(p, &first))
		return;
	o = rf_put_object(o, "first_wait");
	rf_put_u64(o, "step", first.step);
	rf_put_u64(o, "rank", first.rank);
	rf_put_text(o, "for", rf_wait_kind_names[first.wait.kind]);
	if (first.wait.peer != UINT32_MAX)
		rf_put_u64(o, "peer", first.wait.peer);
	rf_put_u64(o, "start_ns", first.wait.start_ns);
	rf_put_u64(o, "end_ns", first.wait.end_ns);
}

/* Add the job of a case, if it differs from that of the scenario. */
static void put_other_job(obj o, const struct rf_scenario *s, const struct rf_case *test_case)
{
	char own[512], usual[512];

	rf_job_sentence(&test_case->workload, &test_case->qp, own, sizeof(own));
	rf_job_sentence(&s->workload, &s->qp, usual, sizeof(usual));
	if (strcmp(own, usual))
		rf_put_text(o, "job", own);
}

static void put_figure(obj o, const char *key, obj figure)
{
	if (figure)
		json_object_object_add(o, key, figure);
}

static void put_figures(obj o, const struct rf_run *run, const struct rf_run_case *p)
{
	put_figure(o, "ranks", rf_figure_ranks(p));
	put_figure(o, "ladder", rf_figure_ladder(p));
	put_figure(o, "steps", rf_figure_steps(run, p));
	put_figure(o, "waits", rf_figure_waits(run, p));
	rf_figure_flows(o, p);
	put_figure(o, "pauses", rf_figure_pauses(p));
	put_figure(o, "rates", rf_figure_rates(p));
	put_figure(o, "loads", rf_figure_loads(p));
	put_figure(o, "dcqcn", rf_figure_dcqcn(run, p));
	rf_activities_json(rf_put_object(o, "activities"), &p->rec.tl);
}

/* Put the nodes of each rank: one per rail. */
static void put_nodes(obj list, const struct rf_workload *w)
{
	uint32_t rank, rail, node;
	obj nodes;

	for (rank = 0; rank < w->ranks; rank++) {
		nodes = json_object_new_array();
		for (rail = 0; rail < rf_workload_rails(w); rail++) {
			node = rf_workload_node(w, rank, rail);
			json_object_array_add(nodes, json_object_new_int64(node));
		}
		json_object_array_add(list, nodes);
	}
}

/* Put the queue pairs whose packets always take the same uplink. */
static void put_flow_links(obj list, const struct rf_run *run, const struct rf_run_case *p,
			   const struct rf_timeline *tl, const char *job)
{
	struct rf_flow_link link;
	const struct rf_qp *qp;
	obj o;

	for (qp = tl->qps; qp < tl->qps + tl->nqps; qp++) {
		if (!rf_flow_link(run->scenario, p->test_case, qp, &link))
			continue;
		o = rf_list_object(list);
		rf_put_text(o, "uplink", link.port);
		if (job)
			rf_put_text(o, "job", job);
		rf_put_u64(o, "rank", qp->rank);
		rf_put_u64(o, "peer", qp->peer);
		rf_put_u64(o, "qp", qp->qpn);
		rf_put_u64(o, "peer_qp", qp->peer_qpn);
		rf_put_u64(o, "udp_port", link.udp_port);
	}
}

static void put_uplinks(obj list, const struct rf_run *run, const struct rf_run_case *p)
{
	size_t i;

	put_flow_links(list, run, p, &p->rec.tl, p->test_case->workload.name);
	for (i = 0; i < p->rec.nothers; i++)
		put_flow_links(list, run, p, &p->rec.others[i].tl, p->others[i].label);
}

static void put_dcqcn(obj o, const struct rf_scenario *s, const struct rf_case *test_case)
{
	char *words = rf_case_dcqcn_words(s, test_case);

	if (words)
		rf_put_text(o, "dcqcn", words);
	free(words);
}

/* Put a row for each rank that sent: the bytes to each rank; nothing if they are not known. */
static void put_traffic(obj o, const struct rf_record *rec, const struct rf_timeline *tl)
{
	uint64_t *bytes = rf_traffic_matrix(rec, tl);
	const uint64_t *next = bytes;
	uint32_t rank, peer;
	obj list, row;

	if (!bytes)
		return;
	list = rf_put_list(o, "traffic_bytes");
	for (rank = 0; rank < tl->ranks; rank++) {
		row = json_object_new_array();
		for (peer = 0; peer < tl->ranks; peer++)
			json_object_array_add(row, json_object_new_int64(*next++));
		json_object_array_add(list, row);
	}
	free(bytes);
}

/* Put the nodes, the sentence and the metrics of each other job. */
static void put_others(obj list, const struct rf_run *run, const struct rf_run_case *p)
{
	const struct rf_run_case *other;
	char text[512];
	obj o;

	for (other = p->others; other < p->others + p->rec.nothers; other++) {
		o = rf_list_object(list);
		rf_put_text(o, "name", other->label);
		rf_put_text(o, "text", rf_other_job_text(other, text, sizeof(text)));
		put_nodes(rf_put_list(o, "nodes"), &other->test_case->workload);
		put_traffic(o, &p->rec, &other->rec.tl);
		json_object_object_add(o, "metrics", rf_metrics_json(run, other));
		json_object_object_add(o, "no_value", rf_metrics_unknown_json(run, other));
	}
}

static void put_case_summary(obj o, const struct rf_run *run,
			     const struct rf_run_case *p)
{
	const struct rf_run_case *clean = rf_run_clean_step(run, p);
	const struct rf_run_case *whole = rf_run_clean_whole(run, p);
	char text[1024];

	rf_put_text(o, "name", p->test_case->name);
	rf_put_text(o, "label", p->label);
	rf_put_text(o, "text", rf_case_text(p, text, sizeof(text)));
	if (p->test_case->explain)
		rf_put_text(o, "explain", p->test_case->explain);
	if (p->rec.tl.failover.rail)
		rf_put_text(o, "failover", rf_failover_text(&p->rec.tl.failover, text,
							    sizeof(text)));
	put_other_job(o, run->scenario, p->test_case);
	put_dcqcn(o, run->scenario, p->test_case);
	rf_put_u64(o, "round", p->round);
	put_fault_list(rf_put_list(o, "faults"), run, p);
	if (clean && clean != p)
		rf_put_u64(o, "clean_case", clean - run->cases);
	if (whole)
		rf_put_u64(o, "clean_job_case", whole - run->cases);
	rf_put_u64(o, "time_ns", rf_case_ns(p));
	rf_put_text(o, "verdict", rf_verdict_name(p->verdict));
	put_reasons(rf_put_list(o, "not_met"), p);
	put_expectations(rf_put_list(o, "expectations"), run, p);
	if (p->rec.nprocesses)
		put_processes_of(rf_put_list(o, "processes"), run, p);
	put_counters(rf_put_object(o, "rxe_counters"), &p->rec);
	json_object_object_add(o, "metrics", rf_metrics_json(run, p));
	json_object_object_add(o, "no_value", rf_metrics_unknown_json(run, p));
	put_ports(rf_put_list(o, "ports"), &p->rec);
	rf_put_u64(o, "events", p->rec.ev.n);
	rf_put_u64(o, "events_lost", p->rec.ev.lost);
	rf_put_u64(o, "flows_lost", p->rec.flows_lost);
	put_flows(rf_put_list(o, "flows"), &p->an->gbn);
	if (run->scenario->fabric.shape == RF_SHAPE_LEAF_SPINE)
		put_uplinks(rf_put_list(o, "flow_links"), run, p);
	rf_put_u64(o, "clean_median_ns", p->an->clean_ns);
	put_losses(o, p);
	if (p->an->step && p->an->clean_ns)
		put_stall(rf_put_object(o, "stall"), p);
	put_lost_time(o, run, p);
	put_worst_step(o, run, p);
	put_first_wait(o, p);
	put_nodes(rf_put_list(o, "nodes"), &p->test_case->workload);
	put_traffic(o, &p->rec, &p->rec.tl);
	if (p->test_case->workload.name)
		rf_put_text(o, "measured_job", p->test_case->workload.name);
	if (p->rec.nothers)
		put_others(rf_put_list(o, "other_jobs"), run, p);
	if (!rf_case_is_detailed(run, p))
		return;
	put_figures(rf_put_object(o, "figures"), run, p);
	rf_captions_json(rf_put_object(o, "captions"), run, p);
}

static void put_summary_text(obj o, const struct rf_run *run)
{
	const struct rf_run_case *slowest = rf_run_slowest(run);
	const struct rf_run_case *worst = slowest ? slowest : rf_run_worst(run);
	size_t *order = calloc(run->ncases + 1, sizeof(*order)), n, i;
	struct rf_summary_text t;
	obj list;

	rf_summarize(run, &t);
	rf_put_text(o, "impact", t.impact);
	rf_put_text(o, "lead", t.lead);
	rf_put_text(o, "verdict", t.verdict);
	if (worst)
		rf_put_u64(o, "case", worst - run->cases);
	list = rf_put_list(o, "order");
	n = order ? rf_run_order(run, order) : 0;
	for (i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_int64(order[i]));
	free(order);
}

static void put_scenario_summary(obj o, const struct rf_scenario *s)
{
	char job[512];

	rf_put_text(o, "file", s->path);
	rf_put_text(o, "name", s->name);
	rf_put_text(o, "title", s->title);
	rf_put_text(o, "job", rf_job_sentence(&s->workload, &s->qp, job, sizeof(job)));
	rf_put_text(o, "collective", s->workload.collective);
	rf_put_u64(o, "ranks", s->workload.ranks);
	rf_put_u64(o, "bytes", s->workload.size);
	rf_put_u64(o, "steps", s->workload.steps);
	rf_put_u64(o, "compute_ns", s->workload.compute_ns);
	if (s->qp.timeout) {
		rf_put_u64(o, "timeout", s->qp.timeout);
		rf_put_u64(o, "timeout_ns", rf_qp_timeout_ns(s->qp.timeout));
	}
	rf_put_u64(o, "retry_cnt", s->qp.retry_cnt);
	rf_put_u64(o, "mtu", s->qp.mtu);
	json_object_object_add(o, "priced", json_object_new_boolean(s->priced));
}

/**
 * rf_summary_json - build the summary of a run
 * @run: the run
 *
 * Return: the object; release it with json_object_put().
 */
struct json_object *rf_summary_json(const struct rf_run *run)
{
	obj o = json_object_new_object(), cases;
	char machine[512], *ports = rf_ports_sentence(run);
	size_t i;

	rf_put_u64(o, "version", RF_SUMMARY_VERSION);
	rf_put_text(o, "program", "rdmafault " RF_VERSION);
	put_summary_text(rf_put_object(o, "summary"), run);
	put_scenario_summary(rf_put_object(o, "scenario"), run->scenario);
	rf_put_text(o, "verdict", rf_verdict_name(run->verdict));
	rf_put_text(o, "kernel", run->kernel);
	rf_put_u64(o, "cpus", run->cpus);
	rf_put_text(o, "time", rf_time_name(run->env.time));
	rf_put_text(o, "machine", rf_environment_text(run, machine, sizeof(machine)));
	if (ports)
		rf_put_text(o, "ports", ports);
	free(ports);
	rf_put_u64(o, "rounds", run->rounds);
	json_object_object_add(o, "rate",
			       json_object_new_double(run->price->rate));
	rf_put_u64(o, "stall_every_ns", run->price->every_ns);
	rf_put_text(o, "directory", run->dir);
	if (run->differs[0])
		rf_put_text(o, "differs", run->differs);
	json_object_object_add(o, "fabric", rf_figure_fabric(run));
	cases = rf_put_list(o, "cases");
	for (i = 0; i < run->ncases; i++)
		put_case_summary(rf_list_object(cases), run, &run->cases[i]);
	return o;
}

/**
 * rf_summary_write - write summary.json
 * @path: the file
 * @run: the run
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_summary_write(const char *path, const struct rf_run *run)
{
	return rf_json_write(path, rf_summary_json(run));
}
