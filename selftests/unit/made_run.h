/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run made by hand, for tests of reports: four ranks in a ring, steps of 10 ms, one clean
 * case and three cases with faults:
 *
 *   tail    one packet of step STEP_HIT is lost, detected by a timer after 60 ms
 *   many    every 10th step loses a packet, detected by a NAK after 1 ms
 *   storm   priority 3 of port v2 is paused twice, for 20 ms and 30 ms
 */
#ifndef UNIT_MADE_RUN_H
#define UNIT_MADE_RUN_H

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/analysis.h"

#define MS		1000000ull
#define MADE_CASES	4
#define STEP_HIT	20

struct made_run {
	struct rf_case cases[MADE_CASES];
	struct rf_scenario scenario;
	struct rf_run run;
};

/*
 * Add an expectation to a case. This function and the next one are not used by every test that
 * includes this file.
 */
static __attribute__((unused)) void made_expect(struct rf_case *test_case, const char *text)
{
	unsigned int column;
	struct rf_why why;

	test_case->checks = reallocarray(test_case->checks, test_case->nchecks + 1,
					 sizeof(*test_case->checks));
	if (rf_check_parse(text, &rf_metrics, &test_case->checks[test_case->nchecks++],
			   &why, &column))
		abort();
}

static __attribute__((unused)) void made_expect_nothing(struct rf_case *test_case)
{
	while (test_case->nchecks)
		rf_check_free(&test_case->checks[--test_case->nchecks]);
	free(test_case->checks);
	test_case->checks = NULL;
}

static char made_text[] = "# not loaded\n";
static char made_title[128] = "One <b>packet</b> & \"its\" stall";

/* Rank r sends to rank r + 1. Each rank has one queue pair, with the number 16 + rank. */
static void made_qps(struct rf_timeline *tl)
{
	uint32_t r, to;

	tl->qps = calloc(tl->ranks, sizeof(*tl->qps));
	tl->nqps = tl->ranks;
	for (r = 0; r < tl->ranks; r++) {
		to = (r + 1) % tl->ranks;
		tl->qps[r] = (struct rf_qp){ .rank = r, .peer = to,
			.qpn = 16 + r, .peer_qpn = 16 + to };
		snprintf(tl->qps[r].device, sizeof(tl->qps[r].device), "rxe%u", r + 1);
		snprintf(tl->qps[r].netdev, sizeof(tl->qps[r].netdev), "v%u", r + 1);
		snprintf(tl->qps[r].addr, sizeof(tl->qps[r].addr), "10.77.0.%u", r + 1);
		snprintf(tl->qps[r].peer_addr, sizeof(tl->qps[r].peer_addr),
			 "10.77.0.%u", to + 1);
	}
}

/* Return: the duration of step @step in a case of the kind @kind */
static uint64_t made_step_ns(int kind, uint32_t step)
{
	uint64_t ns = 10 * MS + step * 7919 % 500000;

	if (kind == 1 && step == STEP_HIT)
		ns += 60 * MS;
	if (kind == 2 && step % 10 == 0)
		ns += 5 * MS;
	return ns;
}

/* Each rank waits for data from the rank before it, rank 2 first, and then for ACKs. */
static void made_waits(struct rf_timeline *tl, struct rf_step *s, uint32_t rank)
{
	uint64_t at = s->start_ns + MS + (rank + tl->ranks - 2) % tl->ranks * 10000;
	struct rf_wait_span *w = tl->waits + tl->nwaits;

	s->wait = tl->nwaits;
	s->nwaits = 2;
	tl->nwaits += 2;
	w[0] = (struct rf_wait_span){ RF_WAIT_RECV, (rank + tl->ranks - 1) % tl->ranks, at,
				      at + s->wait_recv_ns };
	w[1] = (struct rf_wait_span){ RF_WAIT_SEND, (rank + 1) % tl->ranks, w[0].end_ns,
				      w[0].end_ns + s->wait_send_ns };
}

static void made_timeline(struct rf_timeline *tl, int kind, uint32_t ranks,
			  uint32_t steps, uint64_t t)
{
	struct rf_step *s;
	uint32_t step, r;
	uint64_t ns;

	*tl = (struct rf_timeline){ .ranks = ranks, .iters = steps, .bytes = 1 << 18 };
	tl->steps = calloc((size_t)ranks * steps, sizeof(*s));
	tl->waits = calloc((size_t)ranks * steps * 2, sizeof(*tl->waits));
	made_qps(tl);
	for (step = 1; step <= steps; step++) {
		ns = made_step_ns(kind, step);
		for (r = 0; r < ranks; r++) {
			s = &tl->steps[(step - 1) * ranks + r];
			*s = (struct rf_step){ .seen = true,
				.start_ns = t + r * 1000,
				.end_ns = t + ns - 5 * MS, .sync_ns = t + ns - r * 900,
				.wait_recv_ns = ns - 9 * MS + r * 10000,
				.wait_send_ns = MS / 2,
				.wait_sync_ns = r * MS / 4 };
			if (ranks > 1)
				made_waits(tl, s, r);
		}
		t += ns;
	}
	for (r = 0; r < ranks; r++)
		tl->end[r] = (struct rf_rank_end){ .seen = true };
}

static struct rf_event made_write(uint64_t t_ns, uint32_t psn, uint32_t attempt,
				  uint32_t step)
{
	struct rf_event e = {
		.kind = RF_EVENT_HIT, .t_ns = t_ns, .dev = "v2", .ifindex = 3,
		.rule = 1, .dir = RDMAFAULT_DIRECTION_TX, .family = AF_INET,
		.action = RDMAFAULT_ACTION_OBSERVE, .count = 1,
		.types = { RDMAFAULT_ACTION_OBSERVE }, .qp = 18, .psn = psn,
		.psn_rel = psn - 4096, .opcode = 0x07, .attempt = attempt,
		.step = step, .class = RDMAFAULT_CLASS_WRITE, .len = 4140,
		.position = RDMAFAULT_POSITION_MIDDLE, .flow = 1,
	};

	inet_pton(AF_INET, "10.77.0.2", e.saddr);
	inet_pton(AF_INET, "10.77.0.3", e.daddr);
	return e;
}

static void made_drop(struct rf_record *rec, uint64_t t_ns, uint32_t psn,
		      uint32_t step)
{
	struct rf_event e = made_write(t_ns, psn, 1, step);

	e.action = RDMAFAULT_ACTION_DROP;
	e.types[0] = RDMAFAULT_ACTION_DROP;
	e.rule = 2;
	e.fault = true;
	rf_events_add(&rec->ev, &e);
	rec->rule_hits++;
}

static void made_nak(struct rf_record *rec, uint64_t t_ns, uint32_t psn)
{
	struct rf_event e = made_write(t_ns, psn, 1, 0);

	e.dir = RDMAFAULT_DIRECTION_RX;
	e.class = RDMAFAULT_CLASS_NAK;
	e.opcode = 0x11;
	e.syndrome = 0x60;
	e.qp = 17;
	inet_pton(AF_INET, "10.77.0.3", e.saddr);
	inet_pton(AF_INET, "10.77.0.2", e.daddr);
	rf_events_add(&rec->ev, &e);
}

static void made_retransmissions(struct rf_record *rec, uint64_t t_ns,
				 uint32_t psn, uint32_t n, uint32_t step)
{
	struct rf_event e;
	uint32_t i;

	for (i = 0; i < n; i++) {
		e = made_write(t_ns + i * 20000, psn + i, 2, step);
		rf_events_add(&rec->ev, &e);
	}
}

static void made_pause(struct rf_record *rec, uint64_t t_ns, uint64_t ns)
{
	struct rf_event e = {
		.kind = RF_EVENT_PAUSE, .t_ns = t_ns, .dev = "v2", .ifindex = 3,
		.prio = 3, .source = 1, .paused = 1, .until = t_ns + ns, .ns = ns,
	};

	rf_events_add(&rec->ev, &e);
	e.paused = 0;
	e.t_ns = t_ns + ns;
	rf_events_add(&rec->ev, &e);
}

static uint64_t made_start(const struct rf_record *rec, uint32_t step)
{
	return rf_timeline_step(&rec->tl, 1, step)->start_ns;
}

static void made_faults(struct rf_record *rec, int kind, uint32_t steps)
{
	uint32_t step;
	uint64_t t;

	if (kind == 1 && steps >= STEP_HIT) {
		t = made_start(rec, STEP_HIT) + 2 * MS;
		made_drop(rec, t, 4196, STEP_HIT);
		made_retransmissions(rec, t + 60 * MS, 4190, 7, STEP_HIT);
	}
	for (step = 10; kind == 2 && step <= steps; step += 10) {
		t = made_start(rec, step) + 2 * MS;
		made_drop(rec, t, 4096 + step * 16, step);
		made_nak(rec, t + MS, 4096 + step * 16);
		made_retransmissions(rec, t + 3 * MS / 2, 4096 + step * 16, 5, step);
	}
	if (kind == 1 || kind == 2)
		rf_record_rule(rec, &(struct rf_rule_tally){
			.netdev = "v2", .id = 2, .matched = 100, .hits = rec->rule_hits });
	if (kind == 3) {
		made_pause(rec, made_start(rec, 2), 20 * MS);
		made_pause(rec, made_start(rec, 10), 30 * MS);
	}
	rf_events_sort(&rec->ev);
}

static void made_case(struct made_run *m, int kind, uint32_t ranks,
		      uint32_t steps)
{
	static char *const names[MADE_CASES] = { "clean", "tail", "many", "storm" };
	static struct rf_fault fault = { .port = "v2", .words = "drop v2 tx all" };
	static struct rf_fault storm = {
		.kind = RF_FAULT_STORM, .port = "v2",
		.words = "pause v2 prio 3 storm <for> 20ms",
		.when = { .clock = RF_CLOCK_STEP, .begin = 2, .end = 4 },
	};
	struct rf_run_case *p = &m->run.cases[kind];

	m->cases[kind] = (struct rf_case){ .name = names[kind],
		.workload = m->scenario.workload, .qp = m->scenario.qp,
		.faults = kind == 3 ? &storm : &fault, .nfaults = kind != 0 };
	*p = (struct rf_run_case){ .test_case = &m->cases[kind], .round = 1,
		.an = calloc(1, sizeof(*p->an)) };
	snprintf(p->label, sizeof(p->label), "%s", names[kind]);
	made_timeline(&p->rec.tl, kind, ranks, steps, 1000000 * MS * (kind + 1));
	made_faults(&p->rec, kind, steps);
	rf_analyse(&p->rec, &m->run.cases[0].rec, p->an);
	/*
	 * The verdict is computed with the recorded time of the fault. The recorded time is then
	 * removed, so that the reports are tested with the planned time of the fault.
	 */
	rf_record_done(&p->rec, &(struct rf_done){ .t_ns = made_start(&p->rec, 2) });
	rf_case_set_verdict(p);
	p->rec.ndone = 0;
}

static void make_run(struct made_run *m, uint32_t ranks, uint32_t steps)
{
	static uint32_t gpus[] = { 256, 1024 };
	int kind;

	*m = (struct made_run){ };
	m->scenario = (struct rf_scenario){
		.path = "made.yaml", .text = made_text, .length = strlen(made_text),
		.name = "made", .title = made_title,
		.fabric.nodes = ranks, .cases = m->cases, .ncases = MADE_CASES,
		.workload = { .collective = "all_reduce", .ranks = ranks,
			      .size = 1 << 18, .steps = steps },
		.qp = { .timeout = 14, .retry_cnt = 6, .mtu = 4096 },
		.price = { .gpus = gpus, .ngpus = 2, .rate = 30,
			   .every_ns = 60000 * MS },
	};
	m->run = (struct rf_run){ .scenario = &m->scenario,
		.price = &m->scenario.price, .rounds = 1, .cpus = 2,
		.cases = calloc(MADE_CASES, sizeof(*m->run.cases)),
		.ncases = MADE_CASES, .kernel = "6.12.0-made", .dir = "made",
		.env = { "x86_64", "Made CPU", "tsc", RF_TIME_VIRTUAL } };
	for (kind = 0; kind < RF_FABRIC_MAX; kind++)
		m->scenario.workload.placement.node[kind] = kind + 1;
	for (kind = 0; kind < MADE_CASES; kind++)
		made_case(m, kind, ranks, steps);
	rf_run_set_verdict(&m->run);
}

/* Add the counters of port v2 after the storm. */
static inline void made_ports(struct made_run *m)
{
	static const struct rf_load load[] = {
		{ 0, 0 }, { 20000, 4096 }, { 45000, 8192 }, { 45000, 0 },
	};
	struct rf_record *rec = &m->run.cases[3].rec;
	size_t i;

	rec->ports = calloc(1, sizeof(*rec->ports));
	rec->nports = 1;
	snprintf(rec->ports->netdev, sizeof(rec->ports->netdev), "v2");
	rec->ports->prio[3] = (struct rf_prio_tally){
		.packets = 1000, .bytes = 4140000, .pauses = 2,
		.paused_ns = 50 * MS,
	};
	for (i = 0; i < 4; i++)
		rf_samples_add(&rec->samples, rec->tl.steps->start_ns + i * 10 * MS, &load[i], 1);
}

/* Remove the directory to which a run was written. */
static inline void made_clean_up(const char *dir)
{
	char command[160];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command))
		puts("# the test's directory could not be removed");
}

static void free_run(struct made_run *m)
{
	size_t i;

	for (i = 0; i < m->run.ncases; i++) {
		rf_reasons_free(&m->run.cases[i]);
		rf_analysis_free(m->run.cases[i].an);
		free(m->run.cases[i].an);
		rf_record_free(&m->run.cases[i].rec);
	}
	free(m->run.cases);
}

#endif
