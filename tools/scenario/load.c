// SPDX-License-Identifier: GPL-2.0
/*
 * The schema of a scenario: which keys each of its mappings has, and what they
 * must hold. Documentation/man/rdmafault-scenario.5 says what they mean.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "err.h"
#include "fabric.h"
#include "rulelist.h"
#include "scenario.h"

#define STEPS_MAX	100000
#define COMPUTE_MAX_NS	60000000000ull
#define SIZE_MAX_BYTES	(1ull << 30)
#define AT(type, member) offsetof(struct type, member)

static const struct rf_name dir_names[] = {
	{ "tx", RDMAFAULT_DIRECTION_TX },
	{ "rx", RDMAFAULT_DIRECTION_RX },
	{ }
};

static const struct rf_field fabric_fields[] = {
	{ .name = "nodes", .take = rf_take_u32, .offset = AT(rf_scenario, nodes),
	  .min = RF_FABRIC_MIN, .max = RF_FABRIC_MAX },
	{ }
};

static int take_collective(struct rf_doc *doc, yaml_node_t *node,
			   const struct rf_field *field, void *to)
{
	const char *text = rf_doc_text(node);

	if (!text || strcmp(text, "all_reduce"))
		return rf_doc_refuse(doc, node, "%s: want all_reduce, got \"%s\"",
				     field->name, text ? text : "no word");
	return rf_take_ident(doc, node, field, to);
}

static const struct rf_field workload_fields[] = {
	{ .name = "collective", .take = take_collective,
	  .offset = AT(rf_workload, collective) },
	{ .name = "ranks", .take = rf_take_u32,
	  .offset = AT(rf_workload, ranks), .min = 2, .max = RF_FABRIC_MAX },
	{ .name = "size", .take = rf_take_size,
	  .offset = AT(rf_workload, size), .min = 4, .max = SIZE_MAX_BYTES },
	{ .name = "steps", .take = rf_take_u32,
	  .offset = AT(rf_workload, steps), .min = 1, .max = STEPS_MAX },
	{ .name = "warmup", .take = rf_take_u32, .optional = true,
	  .offset = AT(rf_workload, warmup), .min = 0, .max = STEPS_MAX },
	{ .name = "compute", .take = rf_take_time, .optional = true,
	  .offset = AT(rf_workload, compute_ns), .max = COMPUTE_MAX_NS },
	{ }
};

static int take_mtu(struct rf_doc *doc, yaml_node_t *node,
		    const struct rf_field *field, void *to)
{
	int err = rf_take_u32(doc, node, field, to);
	uint32_t mtu = *(uint32_t *)to;

	if (!err && mtu & (mtu - 1))
		return rf_doc_refuse(doc, node, "%s: want 256, 512, 1024, 2048 or 4096, got \"%u\"",
				     field->name, mtu);
	return err;
}

/* With 7 rxe retries for ever, and a play must end. */
static const struct rf_field qp_fields[] = {
	{ .name = "timeout", .take = rf_take_u32, .optional = true,
	  .offset = AT(rf_qp_attr, timeout), .min = 1, .max = 31 },
	{ .name = "retry-cnt", .take = rf_take_u32, .optional = true,
	  .offset = AT(rf_qp_attr, retry_cnt), .min = 0, .max = 6 },
	{ .name = "mtu", .take = take_mtu, .optional = true,
	  .offset = AT(rf_qp_attr, mtu), .min = 256, .max = 4096 },
	{ }
};

static int add_text(struct rf_doc *doc, yaml_node_t *node, char *list,
		    size_t len)
{
	size_t used = strlen(list);
	const char *text = rf_doc_text(node);

	if (!text || !rf_doc_is_plain(node) ||
	    used + strlen(text) + 2 > len)
		return rf_doc_refuse(doc, node, "gpus: want a number, got \"%s\"",
				     text ? text : "no number");
	sprintf(list + used, "%s%s", used ? "," : "", text);
	return 0;
}

static int take_gpus(struct rf_doc *doc, yaml_node_t *node,
		     const struct rf_field *field, void *to)
{
	const yaml_node_item_t *i;
	char list[128] = "";
	int err = 0;

	if (node->type != YAML_SEQUENCE_NODE)
		return rf_doc_refuse(doc, node, "%s: want a list, as [256, 1024]",
				     field->name);
	for (i = node->data.sequence.items.start;
	     !err && i < node->data.sequence.items.top; i++)
		err = add_text(doc, yaml_document_get_node(&doc->yaml, *i),
			       list, sizeof(list));
	if (!err && rf_price_parse_gpus(list, to))
		err = rf_doc_refuse(doc, node, "%s: want up to 8 numbers from 1, got \"%s\"",
				    field->name, list);
	return err;
}

static int take_rate(struct rf_doc *doc, yaml_node_t *node,
		     const struct rf_field *field, void *to)
{
	const char *text = rf_doc_text(node);

	if (!rf_doc_is_plain(node) || rf_price_parse_rate(text, to))
		return rf_doc_refuse(doc, node, "%s: want dollars per GPU and hour, as 30 or 2.06, got \"%s\"",
				     field->name, text ? text : "no number");
	return 0;
}

static const struct rf_field cost_fields[] = {
	{ .name = "gpus", .take = take_gpus, .optional = true },
	{ .name = "rate", .take = take_rate, .optional = true,
	  .offset = AT(rf_price, rate) },
	{ }
};

/* In words, those of the command line; netem's, if they come to one rule. */
static int parse_rule(struct rf_doc *doc, yaml_node_t *node,
		      struct rf_fault *fault, struct rf_rule_list *rules)
{
	char err[RF_RULE_WHY_LEN], *copy = strdup(fault->words);
	int ret;

	if (!copy)
		return -ENOMEM;
	ret = rf_rules_parse_line(copy, rules, err, sizeof(err));
	free(copy);
	if (ret)
		return rf_doc_refuse(doc, node, "rule: %s", err);
	if (rules->n != 1)
		return rf_doc_refuse(doc, node, "rule: want one rule, got %zu; each is a fault of its own",
				     rules->n);
	fault->spec = rules->rule[0];
	return 0;
}

/* No process is there yet when the rules of a play are made. */
static int check_rule(struct rf_doc *doc, yaml_node_t *node,
		      const struct rf_rule_spec *spec)
{
	if (spec->flags & RDMAFAULT_RULE_FLAG_PERSIST)
		return rf_doc_refuse(doc, node, "rule: want one that ends with its play, got \"persist\"");
	if (spec->owner.pid || spec->owner.comm[0] || spec->owner.dev[0])
		return rf_doc_refuse(doc, node, "rule: want packets that are known before the job starts, got comm, pid or owner-dev");
	return 0;
}

static int take_rule(struct rf_doc *doc, yaml_node_t *node,
		     const struct rf_field *field, void *to)
{
	struct rf_rule_list rules = {};
	struct rf_fault *fault = to;
	int ret;

	ret = rf_take_text(doc, node, field, &fault->words);
	if (ret)
		return ret;
	ret = parse_rule(doc, node, fault, &rules);
	rf_rules_free(&rules);
	return ret ? ret : check_rule(doc, node, &fault->spec);
}

static const struct rf_field fault_fields[] = {
	{ .name = "port", .take = rf_take_ident, .offset = AT(rf_fault, port) },
	{ .name = "direction", .take = rf_take_word,
	  .offset = AT(rf_fault, dir), .names = dir_names },
	{ .name = "rule", .take = take_rule },
	{ }
};

static int take_fault(struct rf_doc *doc, yaml_node_t *node, void *to)
{
	return rf_doc_map(doc, node, "fault", fault_fields, to);
}

static int take_faults(struct rf_doc *doc, yaml_node_t *node,
		       const struct rf_field *field, void *to)
{
	static const struct rf_list list = {
		"faults", sizeof(struct rf_fault), take_fault
	};
	struct rf_play *play = to;

	(void)field;
	return rf_doc_list(doc, node, &list, &play->faults, &play->nfaults);
}

/* Which row of the table it is tells which measure it is. */
static int take_range(struct rf_doc *doc, yaml_node_t *node,
		      const struct rf_field *field, void *to)
{
	struct rf_expect *expect = to;
	enum rf_measure m = field->min;
	const char *text = rf_doc_text(node);

	if (!rf_doc_is_plain(node) ||
	    rf_range_parse(m, text, &expect->range[m]))
		return rf_doc_refuse(doc, node, "%s: want %s, got \"%s\"",
				     field->name, rf_range_form(m),
				     text ? text : "no word");
	return 0;
}

static int take_expect(struct rf_doc *doc, yaml_node_t *node,
		       const struct rf_field *field, void *to)
{
	struct rf_field fields[RF_MEASURES + 1] = { };
	unsigned int m;

	for (m = 0; m < RF_MEASURES; m++)
		fields[m] = (struct rf_field){
			.name = rf_measure_name(m),
			.take = take_range,
			.min = m,
			.optional = true,
		};
	return rf_doc_map(doc, node, field->name, fields, to);
}

static const struct rf_field play_fields[] = {
	{ .name = "name", .take = rf_take_ident, .offset = AT(rf_play, name) },
	{ .name = "faults", .take = take_faults, .optional = true },
	{ .name = "expect", .take = take_expect, .optional = true,
	  .offset = AT(rf_play, expect) },
	{ }
};

static int take_play(struct rf_doc *doc, yaml_node_t *node, void *to)
{
	return rf_doc_map(doc, node, "play", play_fields, to);
}

static int take_plays(struct rf_doc *doc, yaml_node_t *node,
		      const struct rf_field *field, void *to)
{
	static const struct rf_list list = {
		"plays", sizeof(struct rf_play), take_play
	};
	struct rf_scenario *s = to;

	(void)field;
	return rf_doc_list(doc, node, &list, &s->plays, &s->nplays);
}

/* Mappings within the scenario, whose fields lie in it or in a part of it. */
#define SECTION(_name)							\
static int take_ ## _name(struct rf_doc *doc, yaml_node_t *node,	\
			  const struct rf_field *field, void *to)	\
{									\
	return rf_doc_map(doc, node, field->name, _name ## _fields, to); \
}

SECTION(fabric)
SECTION(workload)
SECTION(qp)
SECTION(cost)

static const struct rf_field scenario_fields[] = {
	{ .name = "name", .take = rf_take_ident, .offset = AT(rf_scenario, name) },
	{ .name = "title", .take = rf_take_text, .offset = AT(rf_scenario, title) },
	{ .name = "fabric", .take = take_fabric },
	{ .name = "workload", .take = take_workload,
	  .offset = AT(rf_scenario, workload) },
	{ .name = "qp", .take = take_qp, .optional = true,
	  .offset = AT(rf_scenario, qp) },
	{ .name = "cost", .take = take_cost, .optional = true,
	  .offset = AT(rf_scenario, price) },
	{ .name = "plays", .take = take_plays },
	{ }
};

static int set_defaults(struct rf_scenario *s, const char *path)
{
	*s = (struct rf_scenario){
		.path = strdup(path),
		.qp = { .timeout = 14, .retry_cnt = 6, .mtu = 4096 },
		.price = { .rate = 30 },
	};
	return s->path ? rf_price_parse_gpus("256,1024,4096", &s->price) : -ENOMEM;
}

/**
 * rf_scenario_load - read a scenario and check it
 * @path: its file
 * @s: the scenario
 *
 * Return: 0, or -errno after rf_err() has said what is wrong and where.
 */
int rf_scenario_load(const char *path, struct rf_scenario *s)
{
	struct rf_doc doc;
	int err;

	err = rf_doc_open(&doc, path);
	if (err)
		return err;
	err = set_defaults(s, path);
	if (!err)
		err = rf_doc_map(&doc, rf_doc_root(&doc), "scenario",
				 scenario_fields, s);
	if (!err)
		err = rf_scenario_check(&doc, s);
	rf_doc_close(&doc);
	if (err)
		rf_scenario_free(s);
	return err;
}

static void free_play(struct rf_play *play)
{
	size_t i;

	for (i = 0; i < play->nfaults; i++) {
		free(play->faults[i].port);
		free(play->faults[i].words);
	}
	free(play->faults);
	free(play->name);
}

/** rf_scenario_free - give a scenario's memory back */
void rf_scenario_free(struct rf_scenario *s)
{
	size_t i;

	for (i = 0; i < s->nplays; i++)
		free_play(&s->plays[i]);
	free(s->plays);
	free(s->price.gpus);
	free(s->workload.collective);
	free(s->title);
	free(s->name);
	free(s->path);
	*s = (struct rf_scenario){ };
}
