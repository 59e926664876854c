// SPDX-License-Identifier: GPL-2.0
/*
 * RDMA devices by netlink. A device is found by listing all of them: the
 * kernel knows them by number, the user by name. Requests that need a device
 * take the number.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>

#include "nl.h"
#include "rdmadev.h"

#define PORT 1			/* rxe has one port */
#define QPT_SMI 0		/* enum ib_qp_type of the kernel: QP 0 */
#define QPT_GSI 1		/* QP 1 */

static struct nl_msg *new_msg(int cmd, int flags)
{
	int type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, cmd);

	return nlmsg_alloc_simple(type, flags);
}

static int parse(struct nlmsghdr *nlh, struct nlattr **tb)
{
	if (nlmsg_parse(nlh, 0, tb, RDMA_NLDEV_ATTR_MAX - 1, NULL))
		return -EBADMSG;
	return 0;
}

/* Either name the device or the netdev that is looked for. */
struct find {
	const char *name;
	uint32_t index;
	bool found;
};

static int on_device(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	struct find *f = arg;

	if (parse(nlh, tb))
		return -EBADMSG;
	if (!tb[RDMA_NLDEV_ATTR_DEV_NAME] || !tb[RDMA_NLDEV_ATTR_DEV_INDEX])
		return 0;
	if (strcmp(nla_get_string(tb[RDMA_NLDEV_ATTR_DEV_NAME]), f->name))
		return 0;
	f->index = nla_get_u32(tb[RDMA_NLDEV_ATTR_DEV_INDEX]);
	f->found = true;
	return 0;
}

static int find_device(struct rf_sock *s, const char *name, uint32_t *index)
{
	struct find f = { .name = name };
	int err;

	err = rf_sock_request(s, new_msg(RDMA_NLDEV_CMD_GET, NLM_F_DUMP),
			      on_device, &f);
	if (!err && !f.found)
		err = -ENODEV;
	*index = f.index;
	return err;
}

/* Opens a socket and finds the device; the caller closes the socket. */
static int open_device(struct rf_sock *s, const char *rdma, uint32_t *index)
{
	int err;

	err = rf_sock_open(s, NETLINK_RDMA);
	if (err)
		return err == -EPROTONOSUPPORT ? -ENODEV : err;
	err = find_device(s, rdma, index);
	if (err)
		rf_sock_close(s);
	return err;
}

static int on_port(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	char *name = arg;

	if (parse(nlh, tb))
		return -EBADMSG;
	if (tb[RDMA_NLDEV_ATTR_NDEV_NAME])
		nla_strlcpy(name, tb[RDMA_NLDEV_ATTR_NDEV_NAME], 16);
	return 0;
}

static int port_netdev(struct rf_sock *s, uint32_t index, char name[16])
{
	struct nl_msg *msg = new_msg(RDMA_NLDEV_CMD_PORT_GET, 0);

	if (!msg)
		return -ENOMEM;
	name[0] = '\0';
	nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, PORT);
	return rf_sock_request(s, msg, on_port, name);
}

/**
 * rf_rdma_to_netdev - the netdev below an RDMA device
 * @rdma: the RDMA device
 * @netdev: gets the name
 * @len: room in @netdev
 *
 * Return: 0, -ENODEV when there is no such device or nothing below it, or
 * -errno.
 */
int rf_rdma_to_netdev(const char *rdma, char *netdev, size_t len)
{
	struct rf_sock s;
	char name[16];
	uint32_t index;
	int err;

	err = open_device(&s, rdma, &index);
	if (err)
		return err;
	err = port_netdev(&s, index, name);
	rf_sock_close(&s);
	if (err)
		return err;
	snprintf(netdev, len, "%s", name);
	return name[0] ? 0 : -ENODEV;
}

#define DEVS_MAX 256

struct list {
	struct {
		uint32_t index;
		char name[RF_RDMA_NAME_LEN];
	} dev[DEVS_MAX];
	int n;
};

static int on_list(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	struct list *l = arg;

	if (parse(nlh, tb))
		return -EBADMSG;
	if (!tb[RDMA_NLDEV_ATTR_DEV_NAME] || !tb[RDMA_NLDEV_ATTR_DEV_INDEX] ||
	    l->n == DEVS_MAX)
		return 0;
	l->dev[l->n].index = nla_get_u32(tb[RDMA_NLDEV_ATTR_DEV_INDEX]);
	nla_strlcpy(l->dev[l->n].name, tb[RDMA_NLDEV_ATTR_DEV_NAME],
		    RF_RDMA_NAME_LEN);
	l->n++;
	return 0;
}

/* SoftRoCE wins over the hardware that may sit on the same netdev. */
static int search(struct rf_sock *s, struct list *l, const char *netdev,
		  char *rdma, size_t len)
{
	int err = -ENODEV;
	char name[16];
	int i;

	for (i = 0; i < l->n; i++) {
		if (port_netdev(s, l->dev[i].index, name) ||
		    strcmp(name, netdev))
			continue;
		snprintf(rdma, len, "%s", l->dev[i].name);
		err = 0;
		if (rf_rdma_kind(rdma) == RF_RDMA_RXE)
			break;
	}
	return err;
}

/**
 * rf_netdev_to_rdma - the RDMA device on a netdev
 * @netdev: the netdev
 * @rdma: gets the name; an rxe device is preferred
 * @len: room in @rdma
 *
 * Return: 0, -ENODEV when there is none, or -errno.
 */
int rf_netdev_to_rdma(const char *netdev, char *rdma, size_t len)
{
	struct list *l = calloc(1, sizeof(*l));
	struct rf_sock s;
	int err;

	if (!l)
		return -ENOMEM;
	err = rf_sock_open(&s, NETLINK_RDMA);
	if (err) {
		free(l);
		return err == -EPROTONOSUPPORT ? -ENODEV : err;
	}
	err = rf_sock_request(&s, new_msg(RDMA_NLDEV_CMD_GET, NLM_F_DUMP),
			      on_list, l);
	if (!err)
		err = search(&s, l, netdev, rdma, len);
	rf_sock_close(&s);
	free(l);
	return err;
}

static int on_driver(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	int *driver = arg;

	if (parse(nlh, tb))
		return -EBADMSG;
	if (tb[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID])
		*driver = nla_get_u32(tb[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID]);
	return 0;
}

static int driver_id(struct rf_sock *s, uint32_t index, int *driver)
{
	struct nl_msg *msg = new_msg(RDMA_NLDEV_CMD_GET_CHARDEV, 0);

	if (!msg)
		return -ENOMEM;
	*driver = RDMA_DRIVER_UNKNOWN;
	nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	nla_put_string(msg, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
	return rf_sock_request(s, msg, on_driver, driver);
}

/**
 * rf_rdma_kind - what drives an RDMA device
 * @rdma: the device
 *
 * Return: enum rf_rdma_kind, or -errno.
 */
int rf_rdma_kind(const char *rdma)
{
	struct rf_sock s;
	uint32_t index;
	int err, driver;

	err = open_device(&s, rdma, &index);
	if (err)
		return err;
	err = driver_id(&s, index, &driver);
	rf_sock_close(&s);
	if (err)
		return err;
	if (driver == RDMA_DRIVER_RXE)
		return RF_RDMA_RXE;
	return driver == RDMA_DRIVER_SIW ? RF_RDMA_SIW : RF_RDMA_HARDWARE;
}

static bool is_live(struct nlattr *entry)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	uint8_t type;

	if (nla_parse_nested(tb, RDMA_NLDEV_ATTR_MAX - 1, entry, NULL) ||
	    !tb[RDMA_NLDEV_ATTR_RES_TYPE])
		return false;
	type = nla_get_u8(tb[RDMA_NLDEV_ATTR_RES_TYPE]);
	return type != QPT_SMI && type != QPT_GSI;
}

static int on_qps(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX], *a;
	int *live = arg;
	int rem;

	if (parse(nlh, tb))
		return -EBADMSG;
	if (!tb[RDMA_NLDEV_ATTR_RES_QP])
		return 0;
	nla_for_each_nested(a, tb[RDMA_NLDEV_ATTR_RES_QP], rem)
		*live += is_live(a);
	return 0;
}

/**
 * rf_rdma_live_qps - how many queue pairs a device has
 * @rdma: the device
 *
 * Return: their number without QP 0 and QP 1, which are always there, or
 * -errno.
 */
int rf_rdma_live_qps(const char *rdma)
{
	int err, live = 0;
	struct nl_msg *msg;
	struct rf_sock s;
	uint32_t index;

	err = open_device(&s, rdma, &index);
	if (err)
		return err;
	msg = new_msg(RDMA_NLDEV_CMD_RES_QP_GET, NLM_F_DUMP);
	if (msg)
		nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	err = rf_sock_request(&s, msg, on_qps, &live);
	rf_sock_close(&s);
	return err ? err : live;
}

/**
 * rf_rxe_add - put a SoftRoCE device on a netdev; loads rdma_rxe
 * @rdma: its name
 * @netdev: the netdev
 * @why: gets the reason of a failure
 * @len: room in @why
 *
 * Return: 0, or -errno.
 */
int rf_rxe_add(const char *rdma, const char *netdev, char *why, size_t len)
{
	struct nl_msg *msg;
	struct rf_sock s;
	int err;

	err = rf_sock_open(&s, NETLINK_RDMA);
	if (err) {
		snprintf(why, len, "this kernel has no RDMA");
		return err;
	}
	msg = new_msg(RDMA_NLDEV_CMD_NEWLINK, 0);
	if (msg) {
		nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, rdma);
		nla_put_string(msg, RDMA_NLDEV_ATTR_LINK_TYPE, "rxe");
		nla_put_string(msg, RDMA_NLDEV_ATTR_NDEV_NAME, netdev);
	}
	err = rf_sock_request(&s, msg, NULL, NULL);
	if (err == -EINVAL && !s.error[0])
		snprintf(why, len, "this kernel has no rdma_rxe");
	else if (err)
		snprintf(why, len, "%s", rf_sock_why(&s, err));
	rf_sock_close(&s);
	return err;
}

/**
 * rf_rxe_del - take a SoftRoCE device away
 * @rdma: the device
 *
 * Return: 0, or -errno.
 */
int rf_rxe_del(const char *rdma)
{
	struct nl_msg *msg;
	struct rf_sock s;
	uint32_t index;
	int err;

	err = open_device(&s, rdma, &index);
	if (err)
		return err;
	msg = new_msg(RDMA_NLDEV_CMD_DELLINK, 0);
	if (msg)
		nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	err = rf_sock_request(&s, msg, NULL, NULL);
	rf_sock_close(&s);
	return err;
}
