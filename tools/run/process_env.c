// SPDX-License-Identifier: GPL-2.0
/* The environment of the processes of a case */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner.h"

/**
 * rf_node_env - set the variables of a node
 * @env: the variables
 * @c: the cluster
 * @node: the node, from 1
 *
 * Return: 0, or -ENOMEM.
 */
int rf_node_env(struct rf_env *env, const struct rf_cluster *c, uint32_t node)
{
	const struct rf_target *t = &c->node[node - 1];
	int err = rf_env_put(env, "RF_NODE=%u", node);

	if (!err)
		err = rf_env_put(env, "RF_DEVICE=%s", t->rdma);
	if (!err)
		err = rf_env_put(env, "RF_NETDEV=%s", t->netdev);
	return err ? err : rf_env_put(env, "RF_ADDRESS=" RF_FABRIC_ADDR, node);
}

/* A run has the rights of root, which mpirun refuses without these variables. */
static int allow_root(struct rf_env *env)
{
	static char *const all[] = {
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1", NULL,
	};

	return rf_env_join(env, all);
}

/**
 * rf_process_env - build the environment of a process of a case
 * @c: the cluster
 * @p: the process; NULL: the background command, collperf or train
 * @w: the workload of the case
 * @dir: directory of the case, to which the ranks of the process can write their steps (RF_STEPS);
 *	NULL: none
 * @env: filled in; the caller frees it, also after an error
 *
 * The environment is that of the run, with the variables of the process, of the case and of the
 * node of the process.
 *
 * Return: 0, or -ENOMEM.
 */
int rf_process_env(const struct rf_cluster *c, const struct rf_process *p,
		   const struct rf_workload *w, const char *dir, struct rf_env *env)
{
	char whole[PATH_MAX];
	int err;

	*env = (struct rf_env){ };
	err = rf_env_join(env, environ);
	if (!err && p && p->ranks)
		err = allow_root(env);
	if (!err && p)
		err = rf_env_join(env, p->env.v);
	if (!err)
		err = rf_env_join(env, w->env.v);
	/* The process can change its directory. */
	if (!err && dir && realpath(dir, whole))
		err = rf_env_put(env, "RF_STEPS=%s", whole);
	return err || !p || !p->node ? err : rf_node_env(env, c, p->node);
}
