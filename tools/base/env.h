/* SPDX-License-Identifier: GPL-2.0 */
/* env.c: environment variables of a process, each a text "NAME=VALUE" */
#ifndef RF_ENV_H
#define RF_ENV_H

#include <stddef.h>

struct rf_env {
	char **v;			/* terminated by NULL; NULL if there are no variables */
	size_t n;
};

int rf_env_put(struct rf_env *env, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int rf_env_join(struct rf_env *env, char *const *v);
void rf_env_free(struct rf_env *env);

#endif
