// SPDX-License-Identifier: GPL-2.0
/* The environment of the processes of a case */
#include <unistd.h>

#include "runner.h"

/**
 * rf_process_env - build the environment of a process of a case
 * @w: the workload of the case
 * @env: filled in; the caller frees it, also after an error
 *
 * The environment is that of the run, with the variables of the case.
 *
 * Return: 0, or -ENOMEM.
 */
int rf_process_env(const struct rf_workload *w, struct rf_env *env)
{
	int err;

	*env = (struct rf_env){ };
	err = rf_env_join(env, environ);
	return err ? err : rf_env_join(env, w->env.v);
}
