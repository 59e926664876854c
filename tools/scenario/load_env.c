// SPDX-License-Identifier: GPL-2.0
/* Load environment variables: a mapping of names to values. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "env.h"
#include "load.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

static int take_variable(struct rf_doc *doc, struct rf_node *node, struct rf_env *env)
{
	const char *name = rf_doc_text(node->key), *value = rf_doc_text(node);

	if (!name || !*name || name[strspn(name, LETTERS)] || isdigit((unsigned char)*name))
		return rf_doc_refuse(doc, node->key, "env: \"%s\": not a name of a variable; letters, digits and _, no digit first",
				     rf_doc_shown(node->key));
	/* The user sets RF_STEP_OPS and RF_STEP_EVERY of librdmafault-mpi. */
	if (!strncmp(name, "RF_", 3) && strncmp(name, "RF_STEP_", 8))
		return rf_doc_refuse(doc, node->key, "env: \"%s\": the run sets the variables RF_*; use another name",
				     name);
	if (!value)
		return rf_doc_refuse(doc, node, "env: %s: expected a value, got \"%s\"", name,
				     rf_doc_shown(node));
	return rf_env_put(env, "%s=%s", name, value);
}

static int take_env(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *to)
{
	int err = 0;
	size_t i;

	if (node->kind != RF_NODE_MAP)
		return rf_doc_refuse(doc, node, "%s: expected names with values, got \"%s\"",
				     key->name, rf_doc_shown(node));
	for (i = 0; i < node->n && rf_doc_goes_on(err); i++)
		err = rf_doc_worse(err, take_variable(doc, node->kids[i], to));
	return err;
}

const struct rf_kind rf_kind_env = { .take_node = take_env, .form = RF_FORM_STRINGS };
