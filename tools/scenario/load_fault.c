// SPDX-License-Identifier: GPL-2.0
/*
 * A fault of a case: a command line, and the steps or the time in which the fault
 * is active.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

static int take_do(struct rf_doc *doc, struct rf_node *node,
		   const struct rf_key *key, void *to)
{
	const struct rf_key text = { .name = key->name, .kind = &rf_kind_line };
	struct rf_why why;
	char *line = NULL;
	int err = rf_doc_scalar(doc, node, &text, &line);

	if (err)
		return err;
	err = rf_fault_command_parse(line, to, &why);
	free(line);
	return err == -EINVAL ? rf_doc_refuse(doc, node, "do: %s", why.text) : err;
}

static const struct rf_kind do_kind = { .take_node = take_do };

static int moment_take(const struct rf_key *key, const char *text, void *base)
{
	struct rf_when *when = (struct rf_when *)((char *)base + key->at);

	return rf_moment_parse(text, &when->clock, &when->begin);
}

static const struct rf_kind moment_kind = { .take = moment_take, .form = RF_FORM_MOMENT };

/* take_span() loads the span. */
static const struct rf_kind span_kind = { .form = RF_FORM_SPAN };

#define MOMENT_FORM "a step number (1 or more) or a time, for example step 20 or 2s"

const struct rf_key rf_fault_fields[] = {
	{ .name = "do", .help = "a command line, such as drop v2 tx class write",
	  .kind = &do_kind },
	{ .name = "at", .help = "step 20 or 2s: from then on; once, if it is done once",
	  .form = MOMENT_FORM, .kind = &moment_kind, .optional = true,
	  .at = AT(rf_fault, when) },
	{ .name = "from", .help = "step 20 or 2s: then, and",
	  .form = MOMENT_FORM, .kind = &moment_kind, .optional = true,
	  .at = AT(rf_fault, when) },
	{ .name = "for", .help = "5 steps or 500ms: so long",
	  .kind = &span_kind, .optional = true },
	{ }
};

static int take_span(struct rf_doc *doc, struct rf_node *node,
		     struct rf_node *from, struct rf_when *when)
{
	const char *text = rf_doc_text(node);
	enum rf_clock clock;
	uint64_t span;

	if (!text || rf_span_parse(text, &clock, &span))
		return rf_doc_refuse(doc, node, "for \"%s\": not valid; steps or a time, for example 5 steps or 500ms",
				     rf_doc_shown(node));
	if (clock != when->clock)
		return rf_doc_refuse(doc, node, "key \"for\", value \"%s\": must be %s, because the key \"from\" is a %s",
				     text,
				     when->clock == RF_CLOCK_STEP ? "a number of steps" : "a time",
				     when->clock == RF_CLOCK_STEP ? "step" : "time");
	when->end = when->begin + span;
	if (when->end < span)
		return rf_doc_refuse(doc, from, "from \"%s\": out of range: the sum of the keys \"from\" and \"for\" is too large",
				     rf_doc_shown(from));
	if (clock == RF_CLOCK_STEP && when->end - 1 > UINT32_MAX)
		return rf_doc_refuse(doc, node, "for: step %" PRIu64 ": out of range; up to %u",
				     when->end - 1, UINT32_MAX);
	return 0;
}

static int take_when(struct rf_doc *doc, struct rf_node *node,
		     struct rf_when *when)
{
	struct rf_node *from = rf_doc_value(node, "from");
	struct rf_node *span = rf_doc_value(node, "for");
	struct rf_node *at = rf_doc_value(node, "at");

	if (at && (from || span))
		return rf_doc_refuse(doc, at, "fault: the key \"at\" cannot be combined with the keys \"from\" and \"for\"");
	if (!from != !span)
		return rf_doc_refuse(doc, from ? from : span, "fault: the key \"%s\" is only allowed together with the key \"%s\"",
				     from ? "from" : "for", from ? "for" : "from");
	return span ? take_span(doc, span, from, when) : 0;
}

/*
 * A rule can have its steps in the keys "at", "from" and "for". Move these steps to the
 * match of the rule, because the module compares the step of each packet.
 */
static int fold_steps(struct rf_doc *doc, struct rf_node *node,
		      struct rf_fault *f)
{
	struct rf_match *m = &f->spec.match;
	struct rf_node *at = rf_doc_find(node, "at");

	if (f->kind != RF_FAULT_RULE || f->when.clock != RF_CLOCK_STEP)
		return 0;
	if (RF_ASKS(m, STEP_MIN) || RF_ASKS(m, STEP_MAX))
		return rf_doc_refuse(doc, at == node ? rf_doc_find(node, "from") : at,
				     "fault: steps are given twice, here and in the command line");
	m->set |= RF_MATCH_BIT(STEP_MIN);
	m->step_min = f->when.begin;
	if (f->when.end) {
		m->set |= RF_MATCH_BIT(STEP_MAX);
		m->step_max = f->when.end - 1;
	}
	f->when = (struct rf_when){ };
	return 0;
}

/*
 * Record all packets of the step in which a link goes down, because only some of the lost packets
 * are hits: the kernel drops the packets to the port. The job can be in the next step when the link
 * is down.
 */
static void record_steps(struct rf_fault *f)
{
	struct rf_match *m = &f->spec.match;

	if (f->kind != RF_FAULT_LINK_DOWN || f->when.clock != RF_CLOCK_STEP ||
	    f->when.begin >= UINT32_MAX)
		return;
	m->set = RF_MATCH_BIT(STEP_MIN) | RF_MATCH_BIT(STEP_MAX);
	m->step_min = f->when.begin;
	m->step_max = f->when.begin + 1;
}

/*
 * The pause commands "xoff", "xon" and "stop" have no duration, and "link down" has its own. They
 * need the key "at", and must have no end.
 */
static int check_once(struct rf_doc *doc, struct rf_node *node,
		      const struct rf_fault *f)
{
	if (f->kind != RF_FAULT_PAUSE && f->kind != RF_FAULT_STOP && f->kind != RF_FAULT_LINK_DOWN)
		return 0;
	if (f->when.clock == RF_CLOCK_NONE || f->when.end)
		return rf_doc_refuse(doc, rf_doc_find(node, "do"), "do: %s \"at\"",
				     f->kind == RF_FAULT_LINK_DOWN ?
				     "link down ends after its own time and needs" :
				     "xoff, xon and stop are done once and need");
	return 0;
}

/**
 * rf_take_fault - load a fault
 * @doc: the document
 * @node: the mapping of the fault
 * @to: the struct rf_fault
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_take_fault(struct rf_doc *doc, struct rf_node *node, void *to)
{
	struct rf_fault *f = to;
	int err;

	err = rf_doc_map(doc, node, "fault", rf_fault_fields, f);
	if (!err)
		err = take_when(doc, node, &f->when);
	if (!err)
		err = fold_steps(doc, node, f);
	record_steps(f);
	return err ? err : check_once(doc, node, f);
}
