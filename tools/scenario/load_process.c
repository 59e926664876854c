// SPDX-License-Identifier: GPL-2.0
/*
 * Load the processes of a workload: a shell command line, which is one process, or a list of
 * processes.
 */
#include <errno.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"
#include "load.h"

#define NAME_LEN_MAX	32
#define PORT_MAX	65535

/** rf_is_process_name - check whether a text can be a part of the name of a metric */
bool rf_is_process_name(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return !text[len] && len <= NAME_LEN_MAX && text[0] >= 'a' && text[0] <= 'z';
}

static int process_name_take(const struct rf_key *key, const char *text, void *base)
{
	return rf_is_process_name(text) ? rf_store_text(key, text, base) : -EINVAL;
}

static const struct rf_kind name_kind = { .take = process_name_take };

static int take_regex(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *to)
{
	const char *text = rf_doc_text(node);
	char why[128];
	regex_t regex;
	size_t groups;
	int err;

	if (!text || !*text)
		return rf_doc_refuse(doc, node, "%s \"%s\": invalid; an extended regular expression",
				     key->name, rf_doc_shown(node));
	err = regcomp(&regex, text, REG_EXTENDED);
	if (err) {
		regerror(err, &regex, why, sizeof(why));
		return rf_doc_refuse(doc, node, "%s \"%s\": invalid regular expression: %s",
				     key->name, text, why);
	}
	groups = regex.re_nsub;
	regfree(&regex);
	if (groups < key->min)
		return rf_doc_refuse(doc, node, "%s \"%s\": no group; put the number into brackets, for example avg=([0-9.]+)",
				     key->name, text);
	*(char **)to = strdup(text);
	return *(char **)to ? 0 : -ENOMEM;
}

const struct rf_kind rf_kind_regex = { .take_node = take_regex };

static const struct rf_key ready_fields[] = {
	{ .name = "port", .help = "when a process listens on this port, of TCP or rdma_cm",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_ready, port), .min = 1, .max = PORT_MAX },
	{ .name = "line", .help = "when its output matches this regular expression",
	  .kind = &rf_kind_regex, .optional = true,
	  .at = AT(rf_ready, line) },
	{ .name = "after", .help = "this time after its start",
	  .kind = &rf_kind_time, .optional = true,
	  .at = AT(rf_ready, after_ns), .min = 1, .max = RF_DEADLINE_MAX },
	{ }
};

static int take_ready(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *to)
{
	struct rf_ready *ready = to;
	int err = rf_doc_map(doc, node, key->name, key->keys, to), n;

	n = !!ready->port + !!ready->line + !!ready->after_ns;
	if (!err && n != 1)
		return rf_doc_refuse(doc, node, "ready: %s; use exactly one of port, line and after",
				     n ? "more than one condition" : "no condition");
	return err;
}

static const struct rf_kind ready_kind = { .take_node = take_ready, .form = RF_FORM_MAP };

static const struct rf_name stop_names[] = {
	{ "last", SIGTERM }, { "INT", SIGINT }, { "QUIT", SIGQUIT }, { "HUP", SIGHUP },
	{ "KILL", SIGKILL }, { }
};

/* rf_values_load() loads these keys. */
static const struct rf_kind metrics_kind = { .form = RF_FORM_MAPS };
static const struct rf_kind files_kind = { .form = RF_FORM_STRINGS };

#define SHARED_FIELDS \
	{ .name = "name", .help = "of the process, for expectations and messages", \
	  .form = RF_PROCESS_NAME_FORM, \
	  .kind = &name_kind, \
	  .at = AT(rf_process, name) }, \
	{ .name = "run", .help = "a command line for the shell", \
	  .kind = &rf_kind_shell, \
	  .at = AT(rf_process, run) }, \
	{ .name = "node", .help = "whose names the variables RF_NODE, RF_DEVICE, RF_NETDEV and RF_ADDRESS have (none)", \
	  .kind = &rf_kind_u32, .optional = true, \
	  .at = AT(rf_process, node), .min = 1, .max = RF_FABRIC_MAX }, \
	{ .name = "env", .help = "environment variables", \
	  .kind = &rf_kind_env, .optional = true, \
	  .at = AT(rf_process, env) }, \
	{ .name = "ready", .help = "when the next process starts (at once)", \
	  .kind = &ready_kind, .optional = true, \
	  .at = AT(rf_process, ready), .keys = ready_fields }

const struct rf_key rf_process_fields[] = {
	SHARED_FIELDS,
	{ .name = "mpirun", .help = "start this number of ranks with mpirun, rank r on node r + 1",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_process, ranks), .min = 1, .max = RF_FABRIC_MAX },
	{ .name = "stop", .help = "end the process when the others have ended: last (SIGTERM), or with another signal",
	  .kind = &rf_kind_name, .optional = true,
	  .at = AT(rf_process, stop), .names = stop_names },
	{ .name = "metrics", .help = "numbers in its output, for expectations",
	  .kind = &metrics_kind, .optional = true,
	  .keys = rf_value_fields },
	{ .name = "files", .help = "files that equal() compares with those of the first case",
	  .kind = &files_kind, .optional = true },
	{ }
};

const struct rf_key rf_setup_fields[] = {
	SHARED_FIELDS,
	{ }
};

static int name_log(struct rf_process *p, const char *name)
{
	return asprintf(&p->log, "%s.txt", name) < 0 ? -ENOMEM : 0;
}

static int load_process(struct rf_doc *doc, struct rf_node *node, void *to)
{
	struct rf_process *p = to;
	int err = rf_doc_map(doc, node, "process", rf_process_fields, p);

	if (!err)
		err = name_log(p, p->name);
	return err ? err : rf_values_load(doc, node, p);
}

/* A shell command line is the process "command". */
static int load_command_line(struct rf_doc *doc, struct rf_node *node, struct rf_processes *all)
{
	const struct rf_key run = { .name = "command", .kind = &rf_kind_shell,
				    .at = AT(rf_process, run) };
	int err;

	all->p = calloc(1, sizeof(*all->p));
	if (!all->p)
		return -ENOMEM;
	all->n = 1;
	err = rf_doc_scalar(doc, node, &run, all->p);
	if (err)
		return err;
	all->p->name = strdup("command");
	err = all->p->name ? name_log(all->p, "job") : -ENOMEM;
	return err ? err : rf_values_load(doc, NULL, all->p);
}

static int take_processes(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key,
			  void *to)
{
	const struct rf_list list = { key->name, sizeof(struct rf_process), load_process };
	struct rf_processes *all = to;

	if (node->kind == RF_NODE_TEXT)
		return load_command_line(doc, node, all);
	all->listed = true;
	return rf_doc_list(doc, node, &list, &all->p, &all->n);
}

const struct rf_kind rf_kind_processes = {
	.take_node = take_processes, .form = RF_FORM_TEXT_OR_LIST
};

static int take_setup_process(struct rf_doc *doc, struct rf_node *node, void *to)
{
	struct rf_process *p = to;
	int err = rf_doc_map(doc, node, "setup", rf_setup_fields, p);

	return err ? err : name_log(p, p->name);
}

static int take_setup(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *to)
{
	const struct rf_list list = { key->name, sizeof(struct rf_process), take_setup_process };
	struct rf_processes *all = to;
	int err = rf_doc_list(doc, node, &list, &all->p, &all->n);

	all->listed = true;
	if (!err && all->n > RF_SETUP_MAX)
		return rf_doc_refuse(doc, node, "%s: %zu processes; up to %d", key->name, all->n,
				     RF_SETUP_MAX);
	return err;
}

const struct rf_kind rf_kind_setup = { .take_node = take_setup, .form = RF_FORM_LIST };

static int take_shell_line(struct rf_doc *doc, struct rf_node *node, void *to)
{
	static const struct rf_key line = { .name = "teardown", .kind = &rf_kind_shell };

	return rf_doc_scalar(doc, node, &line, to);
}

static int take_teardown(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key,
			 void *to)
{
	const struct rf_list list = { key->name, sizeof(char *), take_shell_line };
	struct rf_texts *all = to;

	if (node->kind == RF_NODE_TEXT) {
		all->v = calloc(1, sizeof(*all->v));
		all->n = !!all->v;
		return all->v ? take_shell_line(doc, node, all->v) : -ENOMEM;
	}
	return rf_doc_list(doc, node, &list, &all->v, &all->n);
}

const struct rf_kind rf_kind_teardown = { .take_node = take_teardown, .form = RF_FORM_TEXTS };

static bool is_taken(const struct rf_processes *all, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (!strcmp(all->p[j].name, all->p[i].name))
			return true;
	return false;
}

/* Check whether the names of metrics of rdmafault begin with this word. */
static bool is_metric_word(const char *name)
{
	const struct rf_metric_info *row;
	size_t i, len = strlen(name);

	for (i = 0; (row = rf_metrics.row(i)); i++)
		if (!strncmp(row->name, name, len) && (!row->name[len] || strchr(".[", row->name[len])))
			return true;
	return false;
}

static int check_process(struct rf_doc *doc, struct rf_node *node, const struct rf_processes *all,
			 size_t i, uint32_t nodes)
{
	const struct rf_process *p = &all->p[i];

	if (is_taken(all, i))
		return rf_doc_refuse(doc, rf_doc_find(node, "name"), "name \"%s\": used twice; each process needs its own name",
				     p->name);
	if (!strcmp(p->name, "background"))
		return rf_doc_refuse(doc, rf_doc_find(node, "name"), "name \"%s\": the output of the background traffic has this name; use another name",
				     p->name);
	if (is_metric_word(p->name))
		return rf_doc_refuse(doc, rf_doc_find(node, "name"), "name \"%s\": metrics of rdmafault have this name; use another name",
				     p->name);
	if (p->node && p->ranks)
		return rf_doc_refuse(doc, rf_doc_find(node, "mpirun"), "mpirun: each rank has its own node; remove the key \"node\"");
	if (p->ranks > nodes)
		return rf_doc_refuse(doc, rf_doc_find(node, "mpirun"), "mpirun %u: more than one rank per node; 1 to %u",
				     p->ranks, nodes);
	if (p->node > nodes)
		return rf_doc_refuse(doc, rf_doc_find(node, "node"), "node %u: not in this fabric; 1 to %u",
				     p->node, nodes);
	return 0;
}

/**
 * rf_processes_check - check constraints between processes, and of their nodes
 * @doc: the document
 * @node: the list of the processes in the file
 * @all: the processes
 * @nodes: number of nodes of the fabric
 *
 * Return: 0, or -EINVAL after rf_err().
 */
int rf_processes_check(struct rf_doc *doc, struct rf_node *node, const struct rf_processes *all,
		       uint32_t nodes)
{
	bool waits = false;
	int err = 0;
	size_t i;

	for (i = 0; all->listed && i < all->n; i++) {
		err = rf_doc_worse(err, check_process(doc, node->kids[i], all, i, nodes));
		waits |= !all->p[i].stop;
	}
	if (!err && all->listed && !waits && all->n)
		return rf_doc_refuse(doc, node, "%s: each process has the key \"stop\"; the case ends when a process without it has ended",
				     node->key->text);
	return err;
}

/** rf_processes_free - free processes */
void rf_processes_free(struct rf_processes *all)
{
	struct rf_process *p;

	for (p = all->p; p < all->p + all->n; p++) {
		free(p->name);
		free(p->run);
		free(p->log);
		free(p->ready.line);
		rf_env_free(&p->env);
		rf_values_free(p);
	}
	free(all->p);
	*all = (struct rf_processes){ };
}
