// SPDX-License-Identifier: GPL-2.0
/* The users of an RDMA device: queue pairs, listeners, and the processes that have it open. */
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "nl.h"
#include "port.h"

#define QPT_SMI 0		/* IB_QPT_SMI: the type of QP 0 */
#define QPT_GSI 1		/* IB_QPT_GSI: the type of QP 1 */
#define QPS_ERR 6		/* IB_QPS_ERR: the error state */
#define CM_LISTEN 8		/* RDMA_CM_LISTEN, drivers/infiniband/core/cma_priv.h */

/*
 * A dump of the queue pairs or other resources of a device. A response can have several
 * messages. In each message, the entries are nested in attribute @nest. @fn is called for
 * each entry.
 */
struct dump {
	int nest;
	void (*fn)(struct nlattr **entry, void *arg);
	void *arg;
};

static int on_resource(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX], *e[RDMA_NLDEV_ATTR_MAX], *a;
	struct dump *d = arg;
	int rem;

	if (rf_nldev_parse(nlh, tb))
		return -EBADMSG;
	if (!tb[d->nest])
		return 0;
	nla_for_each_nested(a, tb[d->nest], rem)
		if (!nla_parse_nested(e, RDMA_NLDEV_ATTR_MAX - 1, a, NULL))
			d->fn(e, d->arg);
	return 0;
}

static int dump(const char *rdma, int cmd, struct dump *d)
{
	struct nl_msg *msg;
	struct rf_sock s;
	uint32_t index;
	int err;

	err = rf_nldev_open(&s, rdma, &index);
	if (err)
		return err;
	msg = rf_nldev_msg(cmd, NLM_F_DUMP);
	if (msg)
		nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	err = rf_sock_request(&s, msg, on_resource, d);
	rf_sock_close(&s);
	return err;
}

static void count_live(struct nlattr **entry, void *arg)
{
	struct nlattr *type = entry[RDMA_NLDEV_ATTR_RES_TYPE];
	int *live = arg;

	if (type && nla_get_u8(type) != QPT_SMI && nla_get_u8(type) != QPT_GSI)
		(*live)++;
}

/**
 * rf_rdma_live_qps - count the queue pairs of a device
 * @rdma: the device
 *
 * Return: the number without QP 0 and QP 1, which always exist, or -errno.
 */
int rf_rdma_live_qps(const char *rdma)
{
	int err, live = 0;
	struct dump d = {
		.nest = RDMA_NLDEV_ATTR_RES_QP, .fn = count_live, .arg = &live,
	};

	err = dump(rdma, RDMA_NLDEV_CMD_RES_QP_GET, &d);
	return err ? err : live;
}

struct qps {
	void (*fn)(const struct rf_qp_info *qp, void *arg);
	void *arg;
};

static uint32_t attr_number(struct nlattr *a)
{
	return a ? nla_get_u32(a) : 0;
}

static void read_comm(struct rf_qp_info *qp)
{
	char path[32];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/comm", qp->pid);
	f = fopen(path, "r");
	if (!f)
		return;
	if (fgets(qp->comm, sizeof(qp->comm), f))
		qp->comm[strcspn(qp->comm, "\n")] = '\0';
	fclose(f);
}

static void tell_qp(struct nlattr **e, void *arg)
{
	struct nlattr *type = e[RDMA_NLDEV_ATTR_RES_TYPE];
	struct nlattr *state = e[RDMA_NLDEV_ATTR_RES_STATE];
	struct qps *qps = arg;
	struct rf_qp_info qp = {
		.qp = attr_number(e[RDMA_NLDEV_ATTR_RES_LQPN]),
		.peer = attr_number(e[RDMA_NLDEV_ATTR_RES_RQPN]),
		.pid = attr_number(e[RDMA_NLDEV_ATTR_RES_PID]),
		.error = state && nla_get_u8(state) == QPS_ERR,
	};

	if (type && (nla_get_u8(type) == QPT_SMI || nla_get_u8(type) == QPT_GSI))
		return;
	if (qp.pid)
		read_comm(&qp);
	else if (e[RDMA_NLDEV_ATTR_RES_KERN_NAME])
		nla_strlcpy(qp.comm, e[RDMA_NLDEV_ATTR_RES_KERN_NAME],
			    sizeof(qp.comm));
	qps->fn(&qp, qps->arg);
}

/**
 * rf_rdma_qp_each - call a function for each queue pair of a device
 * @rdma: the device
 * @fn: the function; not called for QP 0 and QP 1
 * @arg: passed to @fn
 *
 * Return: 0, -ENODEV, or -errno.
 */
int rf_rdma_qp_each(const char *rdma,
		    void (*fn)(const struct rf_qp_info *qp, void *arg),
		    void *arg)
{
	struct qps qps = { .fn = fn, .arg = arg };
	struct dump d = {
		.nest = RDMA_NLDEV_ATTR_RES_QP, .fn = tell_qp, .arg = &qps,
	};

	return dump(rdma, RDMA_NLDEV_CMD_RES_QP_GET, &d);
}

/* A port of rdma_cm */
struct listener {
	uint16_t port;			/* in network byte order */
	bool found;
};

static void find_listener(struct nlattr **e, void *arg)
{
	struct nlattr *state = e[RDMA_NLDEV_ATTR_RES_STATE];
	struct nlattr *addr = e[RDMA_NLDEV_ATTR_RES_SRC_ADDR];
	struct sockaddr_storage src = { };
	struct listener *l = arg;

	if (!state || nla_get_u8(state) != CM_LISTEN || !addr)
		return;
	nla_memcpy(&src, addr, sizeof(src));
	if (src.ss_family == AF_INET)
		l->found |= ((struct sockaddr_in *)&src)->sin_port == l->port;
	else if (src.ss_family == AF_INET6)
		l->found |= ((struct sockaddr_in6 *)&src)->sin6_port == l->port;
}

/**
 * rf_rdma_listens - check whether a process listens on a port of rdma_cm
 * @rdma: a device on which it listens; a process without an address listens on all devices
 * @port: the port, in host byte order
 *
 * Return: 1, 0, or -errno.
 */
int rf_rdma_listens(const char *rdma, uint16_t port)
{
	struct listener l = { .port = htons(port) };
	struct dump d = {
		.nest = RDMA_NLDEV_ATTR_RES_CM_ID, .fn = find_listener, .arg = &l,
	};
	int err;

	err = dump(rdma, RDMA_NLDEV_CMD_RES_CM_ID_GET, &d);
	return err ? err : l.found;
}

struct users {
	int32_t *pids;
	int n, max;
};

static void keep_user(struct nlattr **entry, void *arg)
{
	struct nlattr *pid = entry[RDMA_NLDEV_ATTR_RES_PID];
	struct users *u = arg;

	if (pid && u->n < u->max)
		u->pids[u->n++] = nla_get_u32(pid);
}

/**
 * rf_rdma_users - get the processes that have a device open
 * @rdma: the device
 * @pids: gets the PIDs; if a process has opened the device twice, its PID occurs twice
 * @max: size of @pids
 *
 * Return: the number of PIDs written, or -errno.
 */
int rf_rdma_users(const char *rdma, int32_t *pids, int max)
{
	struct users u = { .pids = pids, .max = max };
	struct dump d = {
		.nest = RDMA_NLDEV_ATTR_RES_CTX, .fn = keep_user, .arg = &u,
	};
	int err;

	err = dump(rdma, RDMA_NLDEV_CMD_RES_CTX_GET, &d);
	return err ? err : u.n;
}
