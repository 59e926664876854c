// SPDX-License-Identifier: GPL-2.0
/* Environment variables of a process */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env.h"

/* Return: where the variable of @text is or, if there is none of this name, the end of the list */
static char **place_of(const struct rf_env *env, const char *text)
{
	size_t len = strcspn(text, "=") + 1, i;

	for (i = 0; i < env->n && strncmp(env->v[i], text, len); i++)
		;
	return &env->v[i];
}

/**
 * rf_env_put - set a variable
 * @env: the variables
 * @fmt: "NAME=VALUE"; replaces a variable of the same name
 *
 * Return: 0, or -ENOMEM.
 */
int rf_env_put(struct rf_env *env, const char *fmt, ...)
{
	char *text, **all;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		return -ENOMEM;
	all = reallocarray(env->v, env->n + 2, sizeof(*all));
	if (!all) {
		free(text);
		return -ENOMEM;
	}
	env->v = all;
	all = place_of(env, text);
	if (all == &env->v[env->n])
		env->v[++env->n] = NULL;
	else
		free(*all);
	*all = text;
	return 0;
}

/**
 * rf_env_join - set the variables of a list
 * @env: the variables
 * @v: texts "NAME=VALUE", terminated by NULL; NULL: none
 *
 * Return: 0, or -ENOMEM.
 */
int rf_env_join(struct rf_env *env, char *const *v)
{
	int err = 0;

	while (!err && v && *v)
		err = rf_env_put(env, "%s", *v++);
	return err;
}

/** rf_env_free - free variables */
void rf_env_free(struct rf_env *env)
{
	while (env->n)
		free(env->v[--env->n]);
	free(env->v);
	*env = (struct rf_env){ };
}
