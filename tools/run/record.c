// SPDX-License-Identifier: GPL-2.0
/* The record of a case */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

const char *const rf_counter_names[RF_COUNTERS] = {
	[RF_SEND_ERR] = "send_err",
	[RF_RETRY_ERR] = "completer_retry_err",
	[RF_SEQ_ERR] = "rcvd_seq_err",
	[RF_OUT_OF_SEQ] = "out_of_seq_request",
	[RF_DUPLICATE] = "duplicate_request",
	[RF_RETRY_EXCEEDED] = "retry_exceeded_err",
	[RF_RNR] = "rcvd_rnr_err",
	[RF_RNR_EXCEEDED] = "retry_rnr_exceeded_err",
};

/* Append a copy of *@_one to the array @_all with @_n elements. Value: 0, or -ENOMEM */
#define APPEND(_all, _n, _one) ({					\
	typeof(_all) more = reallocarray(_all, (_n) + 1, sizeof(*more)); \
									\
	if (more) {							\
		_all = more;						\
		more[(_n)++] = *(_one);					\
	}								\
	more ? 0 : -ENOMEM;						\
})

/** rf_record_port - find the counters of a port; NULL: not read */
const struct rf_port_tally *rf_record_port(const struct rf_record *rec, const char *netdev)
{
	size_t i;

	for (i = 0; i < rec->nports; i++)
		if (!strcmp(rec->ports[i].netdev, netdev))
			return &rec->ports[i];
	return NULL;
}

/**
 * rf_samples_add - add the loads of the ports at a time
 * @s: the samples
 * @t_ns: the time
 * @row: the loads
 * @ports: the number of loads, which is the same each time
 *
 * Return: 0, or -ENOMEM.
 */
int rf_samples_add(struct rf_samples *s, uint64_t t_ns, const struct rf_load *row, size_t ports)
{
	struct rf_load *load = reallocarray(s->load, (s->n + 1) * ports, sizeof(*load));
	size_t n = s->n;

	if (!load)
		return -ENOMEM;
	s->load = load;
	memcpy(load + n * ports, row, ports * sizeof(*row));
	return APPEND(s->t_ns, s->n, &t_ns);
}

/**
 * rf_record_has_holes - check whether events of the trace were lost
 * @rec: the record
 *
 * Return: true if records were lost. In this case, the record does not contain all events.
 */
bool rf_record_has_holes(const struct rf_record *rec)
{
	return rec->ev.lost || rec->flows_lost;
}

/**
 * rf_record_line_counts - count the records of a case
 * @rec: the record
 *
 * Return: the numbers of events, of queue pairs, of steps, and of ranks that ended, of all jobs.
 */
struct rf_line_counts rf_record_line_counts(const struct rf_record *rec)
{
	const struct rf_timeline *tl = &rec->tl;
	struct rf_line_counts n = { .events = rec->ev.n, .qps = tl->nqps }, other;
	uint32_t step, rank;
	size_t i;

	for (rank = 0; rank < tl->ranks; rank++) {
		n.ends += tl->end[rank].seen;
		for (step = 1; step <= tl->iters; step++)
			n.steps += !!rf_timeline_step(tl, rank, step);
	}
	for (i = 0; i < rec->nothers; i++) {
		other = rf_record_line_counts(&rec->others[i]);
		n.events += other.events;
		n.qps += other.qps;
		n.steps += other.steps;
		n.ends += other.ends;
	}
	return n;
}

/** rf_process_end_free - free the end of a process */
void rf_process_end_free(struct rf_process_end *end)
{
	while (end->nvalues)
		free(end->values[--end->nvalues].why);
	free(end->values);
	free(end->last_line);
}

/** rf_record_free - free a record */
void rf_record_free(struct rf_record *rec)
{
	while (rec->nprocesses)
		rf_process_end_free(&rec->processes[--rec->nprocesses]);
	while (rec->nothers)
		rf_record_free(&rec->others[--rec->nothers]);
	free(rec->others);
	free(rec->processes);
	rf_timeline_free(&rec->tl);
	rf_events_free(&rec->ev);
	free(rec->ports);
	free(rec->flows);
	free(rec->samples.t_ns);
	free(rec->samples.load);
	free(rec->rules);
	free(rec->done);
	free(rec->clocks);
	*rec = (struct rf_record){ };
}

/* Check whether a packet left, or was sent to, an address of a job. */
static bool is_of_job(const struct rf_timeline *tl, const struct rf_event *e)
{
	uint8_t addr[16];
	size_t i;

	for (i = 0; i < tl->nqps; i++) {
		memset(addr, 0, sizeof(addr));
		if (inet_pton(strchr(tl->qps[i].addr, ':') ? AF_INET6 : AF_INET, tl->qps[i].addr,
			      addr) == 1 &&
		    (!memcmp(addr, e->saddr, sizeof(addr)) ||
		     !memcmp(addr, e->daddr, sizeof(addr))))
			return true;
	}
	return false;
}

static struct rf_record *job_of_event(struct rf_record *rec, const struct rf_event *e)
{
	size_t i;

	for (i = 0; e->kind == RF_EVENT_HIT && i < rec->nothers; i++)
		if (is_of_job(&rec->others[i].tl, e))
			return &rec->others[i];
	return NULL;
}

/**
 * rf_record_split - move the packets of the other jobs to their records
 * @rec: the record of the case, with the timelines of all its jobs
 *
 * The jobs of a case have no common node, so an address belongs to one job.
 *
 * Return: 0, or -ENOMEM.
 */
int rf_record_split(struct rf_record *rec)
{
	struct rf_events *ev = &rec->ev;
	struct rf_record *job;
	size_t i, n = 0;
	int err = 0;

	for (i = 0; i < ev->n; i++) {
		job = err ? NULL : job_of_event(rec, &ev->e[i]);
		if (job)
			err = rf_events_add(&job->ev, &ev->e[i]);
		if (!job || err)
			ev->e[n++] = ev->e[i];
	}
	ev->n = n;
	return err;
}

/** rf_record_counter - get how much a counter of rxe increased during the case, on all devices */
uint64_t rf_record_counter(const struct rf_record *rec, enum rf_counter c)
{
	uint64_t sum = 0;
	int rank;

	for (rank = 0; rank < RF_RANKS_MAX; rank++)
		sum += rec->counters[rank][c];
	return sum;
}

/**
 * rf_record_flow - record the packets of a flow
 * @rec: the record
 * @flow: the flow
 *
 * Return: 0, or -ENOMEM.
 */
int rf_record_flow(struct rf_record *rec, const struct rf_flow_tally *flow)
{
	return APPEND(rec->flows, rec->nflows, flow);
}

/**
 * rf_record_done - record the begin or end of a fault
 * @rec: the record of the case
 * @done: the fault and the time
 *
 * Return: 0, or -ENOMEM.
 */
int rf_record_done(struct rf_record *rec, const struct rf_done *done)
{
	return APPEND(rec->done, rec->ndone, done);
}

/**
 * rf_record_rule - record the packets of a rule
 * @rec: the record of the case
 * @rule: the fault and its packets
 *
 * Return: 0, or -ENOMEM.
 */
int rf_record_rule(struct rf_record *rec, const struct rf_rule_tally *rule)
{
	return APPEND(rec->rules, rec->nrules, rule);
}

/**
 * rf_record_clock - record the clock of a machine
 * @rec: the record of the case
 * @clock: the clock
 *
 * Return: 0, or -ENOMEM.
 */
int rf_record_clock(struct rf_record *rec, const struct rf_clock_tally *clock)
{
	return APPEND(rec->clocks, rec->nclocks, clock);
}

/**
 * rf_record_clock_error - get the largest error of a time between two machines
 * @rec: the record of the case
 *
 * Each of the two clocks has an error, compared with that of process 0.
 *
 * Return: the error in ns; 0 if all ranks are on one machine.
 */
uint64_t rf_record_clock_error(const struct rf_record *rec)
{
	uint64_t error = 0;
	size_t i;

	for (i = 0; i < rec->nclocks; i++)
		if (rec->clocks[i].error_ns > error)
			error = rec->clocks[i].error_ns;
	return 2 * error;
}

/**
 * rf_record_process - record how a process ended
 * @rec: the record of the case
 * @end: the end; its memory is moved, and freed after an error
 *
 * Return: 0, or -ENOMEM.
 */
int rf_record_process(struct rf_record *rec, struct rf_process_end *end)
{
	int err = APPEND(rec->processes, rec->nprocesses, end);

	if (err)
		rf_process_end_free(end);
	return err;
}

/** rf_process_failed - check whether a process failed; one that the run has stopped did not */
bool rf_process_failed(const struct rf_process_end *end)
{
	return end->status && !end->stopped;
}

/**
 * rf_record_failed - find the process that failed first
 * @rec: the record of the case
 *
 * Return: the process; NULL if none failed.
 */
const struct rf_process_end *rf_record_failed(const struct rf_record *rec)
{
	const struct rf_process_end *first = NULL, *end;

	for (end = rec->processes; end < rec->processes + rec->nprocesses; end++)
		if (rf_process_failed(end) && (!first || end->end_ns < first->end_ns))
			first = end;
	return first;
}

/**
 * rf_record_find_rule - find the packets of a fault's rule
 * @rec: the record of the case
 * @fault: index of the fault
 *
 * Return: the packets; NULL if the fault is no rule, or if its counters were not read.
 */
const struct rf_rule_tally *rf_record_find_rule(const struct rf_record *rec, size_t fault)
{
	size_t i;

	for (i = 0; i < rec->nrules; i++)
		if (rec->rules[i].fault == fault)
			return &rec->rules[i];
	return NULL;
}

/**
 * rf_record_rule_of - find the rule that hit a packet
 * @rec: the record of the case
 * @hit: the hit
 *
 * Return: the rule; NULL if it is no fault of the case.
 */
const struct rf_rule_tally *rf_record_rule_of(const struct rf_record *rec,
					      const struct rf_event *hit)
{
	const struct rf_rule_tally *rule;

	for (rule = rec->rules; hit->fault && rule < rec->rules + rec->nrules; rule++)
		if (rule->id == hit->rule && !strcmp(rule->netdev, hit->dev))
			return rule;
	return NULL;
}
