// SPDX-License-Identifier: GPL-2.0
/*
 * Find storms in a scenario that cannot do what they seem to do: the job sends in another
 * priority, the link partner ignores the frames, or the retransmission timers of the job expire
 * before the storm ends. Each can be intended, so none is an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "scenario.h"
#include "units.h"

#define TIMEOUT_MAX	31
#define PORT_LEN	16
#define PFC_LEN		64

/* A storm of a case, and the port whose packets wait */
struct storm {
	const struct rf_scenario *s;
	const struct rf_case *test_case;
	const struct rf_fault *f;
	char port[PORT_LEN];
	struct rf_conf conf;		/* its settings */
};

static bool sends_frames(const struct storm *st)
{
	return st->f->storm.flags & RDMAFAULT_STORM_FLAG_FRAMES;
}

/* Get the settings of a port during the case. @st->conf has all changes, whenever they are made. */
static void read_port(struct storm *st)
{
	uint32_t number = rf_port_number(st->s, st->port);
	const struct rf_fault *f;

	rf_conf_of_port(st->s, number, st->s->nsettings, &st->conf);
	for (f = st->test_case->faults; f < st->test_case->faults + st->test_case->nfaults; f++)
		if (f->kind == RF_FAULT_CHANGE && rf_port_number(st->s, f->port) == number)
			rf_conf_apply(&st->conf, &f->change);
}

/* Return: the priority in which the job sends on the port; RDMAFAULT_PRIOS: unknown */
static uint32_t job_prio(const struct storm *st)
{
	const struct rf_workload *w = &st->test_case->workload;
	uint32_t tclass = 0;
	char value[8];

	if (w->kind == RF_WORK_COMMAND || w->background || st->test_case->nothers)
		return RDMAFAULT_PRIOS;
	if (rf_option_value(w, "tclass", value, sizeof(value)) &&
	    (rf_parse_u32(value, &tclass) || tclass > 255))
		return RDMAFAULT_PRIOS;
	return st->conf.dscp_prio[tclass >> 2];
}

/* Return: the priorities of the storm whose frames the link partner ignores */
static uint32_t deaf(const struct storm *st)
{
	uint32_t i, prios = st->f->storm.prios;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (!sends_frames(st) || st->conf.prio[i].pfc)
			prios &= ~(1u << i);
	return prios;
}

/* Return: the longest time for which the storm pauses without a break; 0: until the case ends */
static uint64_t longest_pause(const struct storm *st)
{
	const struct rf_storm_spec *storm = &st->f->storm;
	const struct rf_when *w = &st->f->when;
	uint64_t ns = rf_fault_over(st->f, 0, w->clock == RF_CLOCK_TIME && w->end ?
				    w->end - w->begin : 0);

	return storm->on_time && (!ns || storm->on_time < ns) ? storm->on_time : ns;
}

/* Return: the settings that turn on PFC for @prios, for example "3:on 4:on" */
static const char *pfc_words(uint32_t prios, char buf[PFC_LEN])
{
	uint32_t i;
	int n = 0;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (prios >> i & 1)
			n += snprintf(buf + n, PFC_LEN - n, "%s%u:on", n ? " " : "", i);
	return buf;
}

/* Describe the time after which the job gives up, and how to make it longer than the storm. */
static char *warn_timer(const struct storm *st)
{
	const struct rf_qp_attr *qp = &st->test_case->qp;
	uint64_t pause = longest_pause(st), timer = rf_qp_timeout_ns(qp->timeout);
	char each[RF_FMT_LEN], all[RF_FMT_LEN], storm[RF_FMT_LEN], help[64] = "";
	uint32_t tries = qp->retry_cnt + 1, timeout = qp->timeout;
	char *text;

	if (pause && pause <= timer * tries)
		return NULL;
	while (pause && timeout < TIMEOUT_MAX && rf_qp_timeout_ns(timeout) * tries < pause)
		timeout++;
	if (pause)
		snprintf(help, sizeof(help), "; qp: timeout %u is long enough", timeout);
	if (asprintf(&text, "the storm of %s is longer than the retransmission timer %s x %u tries = %s, so the job will fail%s",
		     pause ? rf_fmt_time(pause, storm) : "unlimited time", rf_fmt_time(timer, each),
		     tries, rf_fmt_time(timer * tries, all), help) < 0)
		return NULL;
	return text;
}

/* Return: the warning about a storm, to be freed by the caller; NULL: none */
static char *warning_of(const struct storm *st)
{
	uint32_t prios = st->f->storm.prios, none = deaf(st), prio = job_prio(st);
	char *text = NULL, pfc[PFC_LEN];
	int n = 0;

	if (none)
		n = asprintf(&text, "PFC is off at %s, which ignores the frames; ports: {port: %s, prio: prio-pfc %s}",
			     st->port, st->port, pfc_words(none, pfc));
	else if (prio < RDMAFAULT_PRIOS && !(prios >> prio & 1))
		n = asprintf(&text, "the job sends in priority %u, so no packet of it waits; prio %u, or options: --tclass %u",
			     prio, prio, (uint32_t)__builtin_ctz(prios) << 5);
	else if (prio < RDMAFAULT_PRIOS && !(st->conf.watchdog.prios & prios))
		return warn_timer(st);
	return n < 0 ? NULL : text;
}

/**
 * rf_storm_warning - find out why a storm cannot have the effect that it seems to have
 * @s: the scenario
 * @test_case: the case
 * @f: a storm of the case
 *
 * Return: the reason, to be freed by the caller; NULL: none is known.
 */
char *rf_storm_warning(const struct rf_scenario *s, const struct rf_case *test_case,
		       const struct rf_fault *f)
{
	struct storm st = { .s = s, .test_case = test_case, .f = f };

	/* The settings and the traffic of other machines are not known. */
	if (rf_fabric_is_remote(&s->fabric))
		return NULL;
	if (sends_frames(&st))
		rf_fabric_partner(f->port, st.port);
	else
		snprintf(st.port, sizeof(st.port), "%s", f->port);
	read_port(&st);
	return warning_of(&st);
}
