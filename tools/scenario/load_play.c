// SPDX-License-Identifier: GPL-2.0
/*
 * The plays of a scenario. What they expect is read when all of them are known,
 * for a line may compare one with another.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "units.h"

#define NAME_LEN_MAX 48

#define NAME_LETTERS \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.%"

/*
 * A name that can stand in a path; capitals, "%" and "." are for values of a
 * matrix.
 */
static int take_name(struct rf_doc *doc, struct rf_node *node,
		     const struct rf_field *field, void *to)
{
	const char *text = rf_doc_text(node);
	size_t len;

	len = text ? strspn(text, NAME_LETTERS) : 0;
	if (!len || text[len] || len > NAME_LEN_MAX ||
	    !isalnum((unsigned char)text[0]))
		return rf_doc_refuse(doc, node, "%s: want up to %d of a-z, A-Z, 0-9, -, _, . and %%, got \"%s\"",
				     field->name, NAME_LEN_MAX,
				     rf_doc_shown(node));
	*(char **)to = strdup(text);
	return *(char **)to ? 0 : -ENOMEM;
}

static int take_faults(struct rf_doc *doc, struct rf_node *node,
		       const struct rf_field *field, void *to)
{
	static const struct rf_list list = {
		"faults", sizeof(struct rf_fault), rf_take_fault
	};
	struct rf_play *play = to;

	(void)field;
	return rf_doc_list(doc, node, &list, &play->faults, &play->nfaults);
}

/* ---- ranges of measures ---- */

/* Which row of the table it is tells which measure it is. */
static int take_range(struct rf_doc *doc, struct rf_node *node,
		      const struct rf_field *field, void *to)
{
	struct rf_expect *expect = to;
	enum rf_measure m = field->min;
	const char *text = rf_doc_text(node);

	if (!rf_doc_is_plain(node) ||
	    rf_range_parse(m, text, &expect->range[m]))
		return rf_doc_refuse(doc, node, "%s: want %s, got \"%s\"",
				     field->name, rf_range_form(m),
				     rf_doc_shown(node));
	return 0;
}

static int take_expect(struct rf_doc *doc, struct rf_node *node,
		       const struct rf_field *field, void *to)
{
	struct rf_field fields[RF_MEASURES + 1] = { };
	unsigned int m;

	if (node->kind != RF_NODE_MAP)
		return 0;		/* lines, see rf_plays_finish() */
	for (m = 0; m < RF_MEASURES; m++)
		fields[m] = (struct rf_field){
			.name = rf_measure_name(m),
			.take = take_range,
			.min = m,
			.optional = true,
		};
	return rf_doc_map(doc, node, field->name, fields, to);
}

const struct rf_field rf_play_fields[] = {
	{ .name = "name", .help = "of the play; values of the matrix are put behind it",
	  .take = take_name, .form = RF_FORM_IDENT,
	  .offset = AT(rf_play, name) },
	{ .name = "workload", .help = "what is not as in the scenario",
	  .take = rf_take_elsewhere, .form = RF_FORM_MAP, .optional = true,
	  .fields = rf_play_workload_fields },
	{ .name = "qp", .help = "what is not as in the scenario",
	  .take = rf_take_elsewhere, .form = RF_FORM_MAP, .optional = true,
	  .fields = rf_qp_fields },
	{ .name = "faults", .help = "what is done, to which port, when",
	  .take = take_faults, .form = RF_FORM_LIST, .optional = true,
	  .fields = rf_fault_fields },
	{ .name = "expect", .help = "lines, as step.time.p99 < 5 ms",
	  .take = take_expect, .form = RF_FORM_EXPECT, .optional = true,
	  .offset = AT(rf_play, expect) },
	{ }
};

static int take_play(struct rf_doc *doc, struct rf_node *node, void *to)
{
	return rf_doc_map(doc, node, "play", rf_play_fields, to);
}

int rf_take_plays(struct rf_doc *doc, struct rf_node *node,
		  const struct rf_field *field, void *to)
{
	static const struct rf_list list = {
		"plays", sizeof(struct rf_play), take_play
	};
	struct rf_scenario *s = to;

	(void)field;
	return rf_doc_list(doc, node, &list, &s->plays, &s->nplays);
}

/* ---- lines ---- */

static bool has_play(const struct rf_scenario *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->nplays; i++)
		if (!strcmp(s->plays[i].name, name))
			return true;
	return false;
}

static int check_plays(struct rf_doc *doc, const struct rf_node *node,
		       const struct rf_scenario *s,
		       const struct rf_check *check)
{
	const char *play;
	size_t i;

	for (i = 0; rf_check_names_play(check, &play, i); i++)
		if (!has_play(s, play))
			return rf_doc_refuse(doc, node, "expect: ratio: want the name of a play, got \"%s\"",
					     play);
	return 0;
}

static bool is_number_below(const char *index, uint32_t max)
{
	uint32_t v;

	return !rf_parse_u32(index, &v) && v < max;
}

/* A metric of a rank, port or priority that isn't there never has a value. */
static int check_indices(struct rf_doc *doc, const struct rf_node *node,
			 const struct rf_scenario *s, const struct rf_play *play,
			 const struct rf_check *check)
{
	char what[16], index[16], ports[RF_PORTS_TEXT];
	uint32_t ranks = play->workload.ranks;
	size_t i;

	for (i = 0; rf_check_index(check, i, what, index); i++) {
		if (!strcmp(what, "rank") && ranks &&
		    !is_number_below(index, ranks))
			return rf_doc_refuse(doc, node, "expect: rank: want 0 to %u, got \"%s\"",
					     ranks - 1, index);
		if (!strcmp(what, "prio") &&
		    !is_number_below(index, RDMAFAULT_PRIOS))
			return rf_doc_refuse(doc, node, "expect: prio: want 0 to 7, got \"%s\"",
					     index);
		if (!strcmp(what, "port") &&
		    (!rf_port_number(s, index) || !strncmp(index, "rxe", 3)))
			return rf_doc_refuse(doc, node, "expect: port: want a netdev of %s, got \"%s\"",
					     rf_ports_text(s, ports), index);
	}
	return 0;
}

static int add_line(struct rf_doc *doc, const struct rf_node *node,
		    const struct rf_scenario *s, struct rf_play *play)
{
	const char *text = rf_doc_text(node);
	struct rf_check *checks;
	unsigned int column;
	struct rf_why why;
	int err;

	if (!text || strchr(text, '\n'))
		return rf_doc_refuse(doc, node, "expect: want a line, as step.time.p99 < 5 ms, got \"%s\"",
				     rf_doc_shown(node));
	checks = reallocarray(play->checks, play->nchecks + 1, sizeof(*checks));
	if (!checks)
		return -ENOMEM;
	play->checks = checks;
	checks += play->nchecks++;
	err = rf_check_parse(text, &rf_metrics, checks, &why, &column);
	if (err == -EINVAL)
		return rf_doc_refuse_at(doc, node, column + !node->plain,
					why.text);
	if (!err)
		err = check_indices(doc, node, s, play, checks);
	return err ? err : check_plays(doc, node, s, checks);
}

static int add_lines(struct rf_doc *doc, const struct rf_node *node,
		     const struct rf_scenario *s, struct rf_play *play)
{
	int err = 0;
	size_t i;

	if (!node)
		return 0;
	if (node->kind == RF_NODE_TEXT)
		return add_line(doc, node, s, play);
	for (i = 0; rf_doc_goes_on(err) && i < node->n; i++)
		err = rf_doc_worse(err, add_line(doc, node->kids[i], s, play));
	return err;
}

static int take_lines(struct rf_doc *doc, struct rf_node *node,
		      struct rf_scenario *s, struct rf_play *play)
{
	struct rf_node *all = rf_doc_value(doc->root, "expect");
	struct rf_node *own = rf_doc_value(node, "expect");
	int err;

	if (all && all->kind == RF_NODE_MAP)
		return rf_doc_refuse(doc, all, "expect: want lines, as step.time.p99 < 5 ms, got \"%s\"",
				     rf_doc_shown(all));
	err = add_lines(doc, all, s, play);
	if (err || !own || own->kind == RF_NODE_MAP)
		return err;
	return add_lines(doc, own, s, play);
}

/* ---- what a play has of the scenario ---- */

static int take_own(struct rf_doc *doc, struct rf_node *node,
		    struct rf_play *play)
{
	struct rf_node *workload = rf_doc_value(node, "workload");
	struct rf_node *qp = rf_doc_value(node, "qp");
	int err = 0;

	if (workload)
		err = rf_doc_map(doc, workload, "workload",
				 rf_play_workload_fields, &play->workload);
	if (!err && workload)
		err = rf_workload_check(doc, workload, &play->workload);
	if (!err && qp)
		err = rf_doc_map(doc, qp, "qp", rf_qp_fields, &play->qp);
	return err;
}

/**
 * rf_plays_finish - what plays have of the scenario, and what they expect
 * @doc: the document
 * @s: the scenario; its plays are filled up
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_plays_finish(struct rf_doc *doc, struct rf_scenario *s)
{
	struct rf_node *plays = rf_doc_value(doc->root, "plays");
	struct rf_play *play;
	int err = 0;
	size_t i;

	for (i = 0; rf_doc_goes_on(err) && i < s->nplays; i++) {
		play = &s->plays[i];
		play->qp = s->qp;
		if (rf_workload_copy(&s->workload, &play->workload))
			return -ENOMEM;
		err = rf_doc_worse(err, take_own(doc, plays->kids[i], play));
	}
	for (i = 0; rf_doc_goes_on(err) && i < s->nplays; i++)
		err = rf_doc_worse(err, take_lines(doc, plays->kids[i], s,
						   &s->plays[i]));
	return err;
}

static void seed_rule(const struct rf_scenario *s, struct rf_rule_spec *spec,
		      uint64_t key)
{
	if (!rf_rule_draws(spec))
		return;
	if (!(spec->set & RF_RULE_BIT(SEED)))
		spec->seed = s->seed;
	if (!(spec->set & RF_RULE_BIT(KEY)))
		spec->key = key;
	spec->set |= RF_RULE_BIT(SEED) | RF_RULE_BIT(KEY);
}

/* Does a fault of the play say itself what the port draws from, meanwhile? */
static bool has_own_seed(const struct rf_scenario *s,
			 const struct rf_play *play,
			 const struct rf_fault *fault)
{
	const struct rf_fault *f;

	for (f = play->faults; f < play->faults + play->nfaults; f++)
		if (f->change.link & RF_LINK_BIT(SEED) && !f->seeded &&
		    rf_faults_share_port(s, f, fault) &&
		    rf_when_may_overlap(&f->when, &fault->when))
			return true;
	return false;
}

static void seed_play(const struct rf_scenario *s, struct rf_play *play)
{
	struct rf_fault *f;
	size_t i;

	for (i = 0; i < play->nfaults; i++) {
		f = &play->faults[i];
		if (f->deed == RF_DEED_RULE)
			seed_rule(s, &f->spec, i + 1);
		else if (f->deed == RF_DEED_CHANGE &&
			 !has_own_seed(s, play, f))
			f->seeded = rf_seed_change(s, f->port, &f->change);
	}
}

/**
 * rf_plays_seed - faults draw from the scenario's seed, each by a key of its own
 * @s: the scenario, whose faults agree: a seed of ours is no value of theirs
 */
void rf_plays_seed(struct rf_scenario *s)
{
	size_t i;

	for (i = 0; i < s->nplays; i++)
		seed_play(s, &s->plays[i]);
}
