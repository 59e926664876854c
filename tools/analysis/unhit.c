// SPDX-License-Identifier: GPL-2.0
/* Why the rules of a case hit no packet. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "units.h"

/* What the counter of misses means, by enum rf_miss */
static const char *const missed[RF_MISSES] = {
	[RF_MISS_WINDOW] = "outside of its time (from, for, expires)",
	[RF_MISS_ORDER] = "not selected by nth, every or after",
	[RF_MISS_CHANCE] = "not selected by probability or the loss model",
	[RF_MISS_ONCE] = "hit before (once)",
	[RF_MISS_COUNT] = "beyond count",
};

static const struct rf_port_tally *
tally_of_port(const struct rf_run *run, const struct rf_record *rec, const char *port)
{
	uint32_t number = rf_port_number(run->scenario, port);
	size_t i;

	for (i = 0; i < rec->nports; i++)
		if (rf_port_number(run->scenario, rec->ports[i].netdev) == number)
			return &rec->ports[i];
	return NULL;
}

/*
 * Check whether no packet left a port in the priorities of a rule. A port without queues counts
 * none.
 */
static bool priority_was_idle(const struct rf_fault *f, const struct rf_port_tally *t)
{
	uint64_t own = 0, all = 0;
	uint32_t i;

	if (f->dir != RDMAFAULT_DIRECTION_TX || !RF_ASKS(&f->spec.match, PRIORITY))
		return false;
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		all += t->prio[i].packets;
		if (f->spec.match.priorities >> i & 1)
			own += t->prio[i].packets;
	}
	return all && !own;
}

static void write_misses(FILE *out, const struct rf_rule_tally *rule)
{
	char n[RF_THINGS_LEN];
	const char *sep = "";
	int i;

	fprintf(out, ": %s matched, ", rf_fmt_things(rule->matched, "packet", n));
	for (i = 0; i < RF_MISSES; i++)
		if (rule->missed[i]) {
			fprintf(out, "%s%" PRIu64 " %s", sep, rule->missed[i], missed[i]);
			sep = ", ";
		}
}

static void write_why(FILE *out, const struct rf_run *run, const struct rf_run_case *p, size_t i)
{
	const struct rf_rule_tally *rule = rf_record_find_rule(&p->rec, i);
	const struct rf_fault *f = &p->test_case->faults[i];
	const struct rf_port_tally *t = tally_of_port(run, &p->rec, f->port);
	const char *dir = f->dir == RDMAFAULT_DIRECTION_TX ? "left" : "arrived at";
	uint64_t passed = !t ? 0 : f->dir == RDMAFAULT_DIRECTION_TX ? t->tx_packets : t->rx_packets;
	char *planned, n[RF_THINGS_LEN];

	if (rule && rule->matched) {
		write_misses(out, rule);
		return;
	}
	planned = rf_fault_passed_by(run->scenario, p->test_case, f);
	if (planned)
		fprintf(out, ": %s", planned);
	else if (t && !passed)
		fprintf(out, ": no packet of the job %s %s", dir, f->port);
	else if (t && priority_was_idle(f, t))
		fprintf(out, ": no packet left %s in the priority of the rule", f->port);
	else if (t && rule)
		fprintf(out, ": %s %s %s, none matched the rule",
			rf_fmt_things(passed, "packet", n), dir, f->port);
	free(planned);
}

/**
 * rf_unhit_text - describe the rules of a case that hit no packet, and why
 * @run: the run
 * @p: the case
 *
 * Return: the text, which the caller frees; NULL if a packet was hit, if the record has holes,
 * or if the case has no rule.
 */
char *rf_unhit_text(const struct rf_run *run, const struct rf_run_case *p)
{
	const struct rf_fault *f = p->test_case->faults;
	const char *sep = "";
	char *text = NULL;
	size_t len, i;
	FILE *out;

	if (rf_case_hits(p) || rf_record_has_holes(&p->rec))
		return NULL;
	out = open_memstream(&text, &len);
	for (i = 0; out && i < p->test_case->nfaults; i++, f++) {
		if (f->kind != RF_FAULT_RULE || !rf_fault_came(p, i))
			continue;
		fprintf(out, "%sfault %zu: \"%s\" hit no packet", sep, i + 1, f->words);
		write_why(out, run, p, i);
		sep = "; ";
	}
	if (out)
		fclose(out);
	if (*sep)
		return text;
	free(text);
	return NULL;
}
