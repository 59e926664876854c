// SPDX-License-Identifier: GPL-2.0
/* One or two sentences per case, for a first-time reader. */
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/analysis.h"
#include "tools/scenario/scenario.h"
#include "units.h"
#include "words.h"

#define RANK_FAILED	3	/* a greater exit status: the rank failed because of another one */

static void packet_path(const struct rf_loss *l, char *buf, size_t len)
{
	if (l->qp)
		snprintf(buf, len, "from rank %u to rank %u", l->qp->rank,
			 l->qp->peer);
	else
		snprintf(buf, len, "at port %s", l->hit->dev);
}

/**
 * rf_event_place - write the place of a packet in its message
 * @e: an event of the packet
 * @buf: filled in, for example "middle packet of its message"; empty for a packet without a
 *	message, such as an ACK
 *
 * Return: @buf.
 */
char *rf_event_place(const struct rf_event *e, char buf[48])
{
	buf[0] = '\0';
	if (e->position)
		snprintf(buf, 48, "%s packet of its message", rf_event_position(e));
	return buf;
}

static void how_if_known(const struct rf_loss *l, char *buf, size_t len)
{
	char after[RF_FMT_LEN];

	snprintf(buf, len, "The retransmission of the packet was not recorded.");
	if (l->again)
		snprintf(buf, len, "The packet was retransmitted after %s; how the loss was detected was not recorded.",
			 rf_fmt_time(l->again->t_ns - l->hit->t_ns, after));
}

/* Return: why a packet that was hit was not retransmitted */
static const char *why_not(const struct rf_record *rec, const struct rf_loss *l)
{
	uint32_t step;

	if (l->early)
		return "The packet had been retransmitted before it was lost.";
	if (l->covered)
		return "The next ACK also acknowledged the packets of this ACK.";
	if (l->found != RF_DETECTED_NOT)
		return "The receiver rejected the packet, and the sender never retransmitted it.";
	if (rf_loss_in_blackhole(l->hit))
		return "No retransmission passed the blackhole.";
	if (l->lost && !rf_loss_of_rc(l))
		return "RoCE retransmits only the packets of reliable connections (RC).";
	if (l->lost && rf_loss_of_answer(l))
		return "No packet was retransmitted because of it.";
	if (l->lost)
		return "The packet was never retransmitted.";
	return rf_timeline_ended(&rec->tl, &step) ? "The packet was never retransmitted." :
						    "The packet was not lost.";
}

/**
 * rf_timer_expires - describe the timer that detected a loss
 * @p: the case
 * @l: one of its losses
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf: "the sender's timer expires (nominally 67.1 ms)"; without the time if the timer is
 * not known.
 */
char *rf_timer_expires(const struct rf_run_case *p, const struct rf_loss *l, char *buf, size_t len)
{
	const char *whose = rf_loss_of_response(l) ? "requester" : "sender";
	uint64_t ns = rf_case_timer_ns(p->test_case);
	char timer[RF_FMT_LEN];

	if (ns)
		snprintf(buf, len, "the %s's timer expires (nominally %s)", whose,
			 rf_fmt_time(ns, timer));
	else
		snprintf(buf, len, "the %s's timer expires", whose);
	return buf;
}

static bool is_late_answer(const struct rf_loss *l)
{
	return l->found == RF_DETECTED_TIMEOUT && rf_loss_of_answer(l);
}

static void how(const struct rf_run_case *p, const struct rf_loss *l, char *buf,
		size_t len)
{
	static const char *const hows[] = {
		[RF_DETECTED_NAK] = "The receiver requested the packet by a NAK",
		[RF_DETECTED_TIMEOUT] = "No NAK was sent: the sender's timer detected the loss",
		[RF_DETECTED_IMPLIED] = "A response to a later request arrived, and the sender repeated the request",
		[RF_DETECTED_RNR] = "The receiver was not ready: its RNR NAK reached the sender, which retransmitted",
	};
	const struct rf_event *found = l->found == RF_DETECTED_NAK && l->nak ?
				       l->nak : l->first;
	uint32_t n = rf_loss_timers(l, p->test_case->qp.timeout);
	const struct rf_record *rec = &p->rec;
	char after[RF_FMT_LEN], again[RF_THINGS_LEN], timers[RF_THINGS_LEN + 4] = "";
	char things[RF_THINGS_LEN], nominal[RF_FMT_LEN];

	if ((rf_record_has_holes(rec) && !l->nak && !l->rnr) || (!l->first && l->again)) {
		how_if_known(l, buf, len);
		return;
	}
	if (l->found == RF_DETECTED_NOT || !l->first) {
		snprintf(buf, len, "%s", why_not(rec, l));
		return;
	}
	rf_fmt_time(found->t_ns - l->hit->t_ns, after);
	if (l->found == RF_DETECTED_RNR && l->rnr)
		snprintf(timers, sizeof(timers), " (RNR timer: nominally %s)",
			 rf_fmt_time(rf_rnr_ns(l->rnr->syndrome), nominal));
	if (l->found == RF_DETECTED_TIMEOUT && n > 1)
		snprintf(timers, sizeof(timers), " (%s)", rf_fmt_things(n, "timeout", things));
	if (l->found == RF_DETECTED_TIMEOUT && rf_loss_of_response(l)) {
		snprintf(buf, len, "Without this response, the requester's timer expired after %s%s, and it sent its request again%s.",
			 after, timers, l->recovery ? "" : ", but the packet was never delivered");
		return;
	}
	snprintf(buf, len, "%s after %s%s; go-back-N retransmitted %s%s%s.",
		 is_late_answer(l) ? "Without this response, the sender's timer expired" :
		 hows[l->found], after, timers, rf_fmt_things(l->packets, "packet", again),
		 p->an->nhits > 1 ? " for it" : "", l->recovery ? "" : ", but the packet was never delivered");
}

/* Return: true if a clean step took as long as the step of the hit */
static bool stall_is_noise(const struct rf_analysis *an)
{
	return an->step_ns <= an->clean_max_ns;
}

/* Add a sentence about the longest step if it took 10 % longer than the first step with a hit. */
static void add_worst(const struct rf_run_case *p, char *buf, size_t len)
{
	struct rf_worst_step w;
	char took[RF_FMT_LEN];
	size_t n = strlen(buf);

	if (rf_case_worst_step(p, &w) && w.took > p->an->step_ns + p->an->step_ns / 10)
		snprintf(buf + n, len - n, " The longest step (step %u) took %s.", w.step,
			 rf_fmt_time(w.took, took));
}

static void cost(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_analysis *an = p->an;
	bool all = an->measure[RF_STALL_EVERY_RANK] * 2 >= an->measure[RF_STALL];
	char now[RF_FMT_LEN], clean[RF_FMT_LEN];

	buf[0] = '\0';
	if (!an->step || !an->step_ns)
		return;
	if (rf_timeline_broken(&p->rec.tl, an->step)) {
		snprintf(buf, len, " Step %u never ended.", an->step);
		return;
	}
	if (!an->clean_ns) {
		snprintf(buf, len, " Step %u took %s.", an->step,
			 rf_fmt_time(an->step_ns, now));
		return;
	}
	snprintf(buf, len, " Step %u took %s instead of %s%s", an->step,
		 rf_fmt_time(an->step_ns, now),
		 rf_fmt_time(an->clean_ns, clean), stall_is_noise(an) ?
		 ": no longer than the slowest clean step." :
		 all ? ": every rank waited." : ".");
	add_worst(p, buf, len);
}

/**
 * rf_most_paused - find the priority that was paused longest
 * @rec: the record of a case
 * @port: set to the port of this priority
 *
 * Return: the priority's counters; NULL if none was paused.
 */
const struct rf_prio_tally *rf_most_paused(const struct rf_record *rec,
					   const struct rf_port_tally **port)
{
	const struct rf_prio_tally *most = NULL, *t;
	size_t i, prio;

	for (i = 0; i < rec->nports; i++)
		for (prio = 0; prio < RDMAFAULT_PRIOS; prio++) {
			t = &rec->ports[i].prio[prio];
			if (!t->paused_ns ||
			    (most && t->paused_ns <= most->paused_ns))
				continue;
			most = t;
			*port = &rec->ports[i];
		}
	return most;
}

/**
 * rf_pause_period - write the period of the counters of a case
 * @p: the case
 *
 * Return: words to append to a count; empty if the period is that of the steps.
 */
const char *rf_pause_period(const struct rf_run_case *p)
{
	return p->test_case->workload.warmup ? " (with the warm-up steps)" : "";
}

static void pauses(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_port_tally *port = NULL;
	const struct rf_prio_tally *t = rf_most_paused(&p->rec, &port);
	char time[RF_FMT_LEN], n[RF_THINGS_LEN];

	buf[0] = '\0';
	if (t)
		snprintf(buf, len, " Priority %td of %s was paused for %s in total%s, in %s.",
			 t - port->prio, port->netdev, rf_fmt_time(t->paused_ns, time),
			 rf_pause_period(p), rf_fmt_things(t->pauses, "pause", n));
}

/*
 * Describe how many packets the queues marked or dropped. These packets are not counted as
 * hits, because no rule marked or dropped them.
 */
static void queues(const struct rf_record *rec, char *buf, size_t len)
{
	uint64_t dropped = 0, marked = 0;
	char n[RF_THINGS_LEN], m[32];
	size_t i, prio;

	for (i = 0; i < rec->nports; i++)
		for (prio = 0; prio < RDMAFAULT_PRIOS; prio++) {
			dropped += rec->ports[i].prio[prio].dropped;
			marked += rec->ports[i].prio[prio].marked;
		}
	snprintf(buf, len, rec->link_down ? "A link was down." : "No packet was hit.");
	if (dropped && marked)
		snprintf(buf, len, "Queues dropped %s and marked %s.",
			 rf_fmt_things(dropped, "packet", n), rf_fmt_count(marked, m));
	else if (dropped || marked)
		snprintf(buf, len, "Queues %s %s.", dropped ? "dropped" : "marked",
			 rf_fmt_things(dropped + marked, "packet", n));
}

static uint32_t slowest_step(const struct rf_timeline *tl)
{
	uint32_t step, slowest = 1;

	for (step = 2; step <= tl->iters; step++)
		if (rf_timeline_whole_ns(tl, step) >
		    rf_timeline_whole_ns(tl, slowest))
			slowest = step;
	return slowest;
}

/*
 * Write a sentence about the step times. A fault that lasts the whole case changes the
 * median step time, so the median is reported. A short fault changes single steps, so the
 * longest step is reported if it took more than twice as long as the slowest clean step.
 */
static void say_step_times(const struct rf_run_case *p, char *buf, size_t len)
{
	uint32_t slowest = slowest_step(&p->rec.tl);
	uint64_t most = rf_timeline_whole_ns(&p->rec.tl, slowest);
	uint64_t now = rf_case_step_ns(p);
	char a[RF_FMT_LEN], b[RF_FMT_LEN];

	buf[0] = '\0';
	if (!now)
		return;
	if (rf_case_is_clean(p->test_case) || !p->an->clean_ns)
		snprintf(buf, len, " A step took %s (median).",
			 rf_fmt_time(now, a));
	else if (most > 2 * p->an->clean_max_ns && now <= p->an->clean_max_ns)
		snprintf(buf, len, " Step %u took %s; a clean step takes %s (median).",
			 slowest, rf_fmt_time(most, a),
			 rf_fmt_time(p->an->clean_ns, b));
	else
		snprintf(buf, len, " A step took %s (median); a clean step takes %s.",
			 rf_fmt_time(now, a), rf_fmt_time(p->an->clean_ns, b));
}

/* Describe the straggler, if there was one. */
static void straggler(const struct rf_run_case *p, char *buf, size_t len)
{
	uint32_t rank, steps;
	uint64_t late = rf_straggler(&p->rec.tl, &rank, &steps);
	char text[RF_FMT_LEN], all[RF_THINGS_LEN];

	buf[0] = '\0';
	if (late)
		snprintf(buf, len, " Rank %u started last in %u of %s, %s after the first rank (median).",
			 rank, steps, rf_fmt_things(p->rec.tl.iters, "step", all),
			 rf_fmt_time(late, text));
}

/**
 * rf_case_partition_text - say that the links that were up did not connect all nodes
 * @p: the case
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf; empty if they did.
 */
char *rf_case_partition_text(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_partition *part = &p->an->partition;
	char time[RF_FMT_LEN];

	buf[0] = '\0';
	if (part->node)
		snprintf(buf, len, "The fabric was partitioned%s%s: no path was left from node 1 to node %u.",
			 part->ns ? " for " : "", part->ns ? rf_fmt_time(part->ns, time) : "",
			 part->node);
	return buf;
}

/* Describe a case in which no packet was hit. The case can have faults such as pauses. */
static void quiet_story(const struct rf_run_case *p, char *buf, size_t len)
{
	char paused[160], step[96], queued[96], late[128];

	queues(&p->rec, queued, sizeof(queued));
	pauses(p, paused, sizeof(paused));
	say_step_times(p, step, sizeof(step));
	straggler(p, late, sizeof(late));
	snprintf(buf, len, "%s%s%s%s%s%s%s", queued, paused, step, late, p->an->unhit ? " " : "",
		 p->an->unhit ? p->an->unhit : "", p->an->unhit ? "." : "");
}

/* Return: a failed rank, preferably one that did not fail because of another rank */
static const struct rf_rank_end *bad_end(const struct rf_timeline *tl)
{
	const struct rf_rank_end *end = tl->end, *bad = NULL;

	for (; end < tl->end + tl->ranks; end++)
		if (end->seen && end->status &&
		    (!bad || (bad->status > RANK_FAILED &&
			      end->status <= RANK_FAILED)))
			bad = end;
	return bad;
}

/* If the last lost packet of a case was never retransmitted, describe this packet. */
static void never_repaired(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_loss *l = p->an->losses + p->an->nhits - 1;
	char path[64], step[24] = "";

	buf[0] = '\0';
	if (!p->an->nhits || rf_record_has_holes(&p->rec) || l->found != RF_DETECTED_NOT ||
	    l->hit->action != RDMAFAULT_ACTION_DROP || rf_loss_of_answer(l))
		return;
	packet_path(l, path, sizeof(path));
	if (l->hit->step)
		snprintf(step, sizeof(step), " in step %u", l->hit->step);
	if (l->hit->attempt > 1)
		snprintf(buf, len, " The %s at PSN +%u %s%s was lost in all %u attempts.",
			 rf_event_opcode(l->hit), l->hit->psn_rel, path, step, l->hit->attempt);
	else
		snprintf(buf, len, " The lost %s at PSN +%u %s%s was never retransmitted.",
			 rf_event_opcode(l->hit), l->hit->psn_rel, path, step);
}

static void add_partition(const struct rf_run_case *p, char *buf, size_t len)
{
	char text[120];
	size_t n = strlen(buf);

	if (*rf_case_partition_text(p, text, sizeof(text)))
		snprintf(buf + n, len - n, " %s", text);
}

/* Append the error of a failed job. */
static void add_ending(const struct rf_run_case *p, char *buf, size_t len)
{
	const char *job = p->test_case->workload.name;
	const struct rf_rank_end *bad;
	size_t n = strlen(buf);
	char lost[160];
	uint32_t step;

	bad = rf_timeline_ended(&p->rec.tl, &step) ?: bad_end(&p->rec.tl);
	if (!bad)
		return;
	never_repaired(p, lost, sizeof(lost));
	snprintf(buf + n, len - n, " %s%s failed: rank %td: %s.%s", job ? "Job " : "The job",
		 job ? job : "", bad - p->rec.tl.end,
		 bad->error && *bad->error ? bad->error : "it ended without an error message", lost);
}

/**
 * rf_case_text - describe a case in one or two sentences
 * @p: the case
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_case_text(const struct rf_run_case *p, char *buf, size_t len)
{
	const struct rf_loss *l = rf_first_loss(p->an);
	char path[64], found[256], lost[RF_FMT_LEN], step[224], in[24] = "";

	if (!p->an->nhits) {
		quiet_story(p, buf, len);
		add_partition(p, buf, len);
		add_ending(p, buf, len);
		return buf;
	}
	packet_path(l, path, sizeof(path));
	how(p, l, found, sizeof(found));
	cost(p, step, sizeof(step));
	snprintf(lost, sizeof(lost), "%zu packets, the first%s", p->an->nhits,
		 l == p->an->losses ? "" : " lost one");
	if (p->rec.tl.iters || l->hit->step)
		snprintf(in, sizeof(in), ", step %u", l->hit->step);
	snprintf(buf, len, "The fault hit %s %s (%s, PSN +%u%s). %s%s",
		 p->an->nhits == 1 ? "one packet" : lost, path,
		 rf_event_opcode(l->hit), l->hit->psn_rel, in, found, step);
	add_partition(p, buf, len);
	add_ending(p, buf, len);
	return buf;
}

/**
 * rf_case_cost_text - say how much longer a case took, and in which step
 * @run: the run
 * @p: the case
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf; empty for a case without faults in which no step is known.
 */
char *rf_case_cost_text(const struct rf_run *run, const struct rf_run_case *p, char *buf,
			size_t len)
{
	struct rf_worst_step w;
	char time[RF_FMT_LEN], n[RF_THINGS_LEN];
	uint32_t step;

	if (rf_timeline_ended(&p->rec.tl, &step))
		snprintf(buf, len, step ? "job ended in step %u" : "job ended", step);
	else if (rf_case_is_clean(p->test_case) && !p->an->clean_ns)
		*buf = '\0';
	else if (rf_case_is_clean(p->test_case))
		snprintf(buf, len, "%s per step", rf_fmt_time(p->an->clean_ns, time));
	else if (rf_case_hit_nothing(p))
		snprintf(buf, len, "the fault%s hit no packet",
			 p->test_case->nfaults > 1 ? "s" : "");
	else if (!rf_case_impact_is_known(run, p))
		snprintf(buf, len, "cost not known");
	else if (rf_case_is_one_packet(p) && rf_case_worst_step(p, &w))
		snprintf(buf, len, "+%s in step %u", rf_fmt_time(w.over, time), w.step);
	else if (rf_case_impact_ns(run, p))
		snprintf(buf, len, "+%s", rf_fmt_time(rf_case_impact_ns(run, p), time));
	else if (p->rec.remote)
		snprintf(buf, len, "%s retransmitted",
			 rf_fmt_things(p->an->measure[RF_RETRANSMITTED], "packet", n));
	else
		snprintf(buf, len, "no time lost");
	return buf;
}

/**
 * rf_failover_text - say which rail failed, and what the repetition on the other rail cost
 * @failover: of the timeline
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf; empty if no rail failed.
 */
char *rf_failover_text(const struct rf_failover *failover, char *buf, size_t len)
{
	char duration[RF_FMT_LEN], bytes[RF_FMT_LEN], step[32] = "outside the measured steps";
	int n;

	buf[0] = '\0';
	if (!failover->rail)
		return buf;
	if (failover->step)
		snprintf(step, sizeof(step), "in step %u", failover->step);
	n = snprintf(buf, len, "Rail %u failed %s, at rank %u. ", failover->rail, step,
		     failover->rank);
	if (failover->end_ns)
		snprintf(buf + n, len - n,
			 "The ranks continued on the other rail: failover time %s, %s repeated.",
			 rf_fmt_time(failover->time_ns, duration),
			 rf_fmt_size(failover->repeated_bytes, bytes));
	else
		snprintf(buf + n, len - n, "The other rail failed as well.");
	return buf;
}
