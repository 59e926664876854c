// SPDX-License-Identifier: GPL-2.0
/* RDMA devices: find their netdev and driver, and create and delete rxe devices. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>

#include "nl.h"
#include "port.h"

#define PORT 1			/* rxe has one port */

static int copy_netdev(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	char *name = arg;

	if (rf_nldev_parse(nlh, tb))
		return -EBADMSG;
	if (tb[RDMA_NLDEV_ATTR_NDEV_NAME])
		nla_strlcpy(name, tb[RDMA_NLDEV_ATTR_NDEV_NAME], 16);
	return 0;
}

static int port_netdev(struct rf_sock *s, uint32_t index, char name[16])
{
	struct nl_msg *msg = rf_nldev_msg(RDMA_NLDEV_CMD_PORT_GET, 0);

	if (!msg)
		return -ENOMEM;
	name[0] = '\0';
	nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, PORT);
	return rf_sock_request(s, msg, copy_netdev, name);
}

/**
 * rf_rdma_to_netdev - find the netdev of an RDMA device
 * @rdma: the RDMA device
 * @netdev: gets the name
 * @len: size of @netdev
 *
 * Return: 0, -ENODEV if there is no such device or it has no netdev, or -errno.
 */
int rf_rdma_to_netdev(const char *rdma, char *netdev, size_t len)
{
	struct rf_sock s;
	char name[16];
	uint32_t index;
	int err;

	err = rf_nldev_open(&s, rdma, &index);
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

	if (rf_nldev_parse(nlh, tb))
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

/*
 * Find the RDMA device of a netdev. If the netdev has both an rxe device and RDMA hardware,
 * prefer the rxe device.
 */
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
 * rf_netdev_to_rdma - find the RDMA device on a netdev
 * @netdev: the netdev
 * @rdma: gets the name; an rxe device is preferred
 * @len: size of @rdma
 *
 * Return: 0, -ENODEV if there is none, or -errno.
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
	err = rf_sock_request(&s, rf_nldev_msg(RDMA_NLDEV_CMD_GET, NLM_F_DUMP),
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

	if (rf_nldev_parse(nlh, tb))
		return -EBADMSG;
	if (tb[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID])
		*driver = nla_get_u32(tb[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID]);
	return 0;
}

static int driver_id(struct rf_sock *s, uint32_t index, int *driver)
{
	struct nl_msg *msg = rf_nldev_msg(RDMA_NLDEV_CMD_GET_CHARDEV, 0);

	if (!msg)
		return -ENOMEM;
	*driver = RDMA_DRIVER_UNKNOWN;
	nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	nla_put_string(msg, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
	return rf_sock_request(s, msg, on_driver, driver);
}

/**
 * rf_rdma_kind - get the kind of an RDMA device: rxe, siw or hardware
 * @rdma: the device
 *
 * Return: enum rf_rdma_kind, or -errno.
 */
int rf_rdma_kind(const char *rdma)
{
	struct rf_sock s;
	uint32_t index;
	int err, driver;

	err = rf_nldev_open(&s, rdma, &index);
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

/**
 * rf_rxe_add - create a SoftRoCE device on a netdev; load rdma_rxe if necessary
 * @rdma: name of the new device
 * @netdev: the netdev
 * @why: gets the text of an error
 *
 * Return: 0, or -errno.
 */
int rf_rxe_add(const char *rdma, const char *netdev, struct rf_why *why)
{
	struct nl_msg *msg;
	struct rf_sock s;
	int err;

	err = rf_sock_open(&s, NETLINK_RDMA);
	if (err) {
		rf_why_refuse(why, "this kernel has no RDMA support");
		return err;
	}
	msg = rf_nldev_msg(RDMA_NLDEV_CMD_NEWLINK, 0);
	if (msg) {
		nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, rdma);
		nla_put_string(msg, RDMA_NLDEV_ATTR_LINK_TYPE, "rxe");
		nla_put_string(msg, RDMA_NLDEV_ATTR_NDEV_NAME, netdev);
	}
	err = rf_sock_request(&s, msg, NULL, NULL);
	if (err == -EINVAL && !s.error)
		rf_why_refuse(why, "this kernel has no module rdma_rxe");
	else if (err == -ENFILE && !s.error)
		rf_why_refuse(why, "a device of this name exists already, in this or another network namespace");
	else if (err)
		rf_why_refuse(why, "%s", rf_sock_why(&s, err));
	rf_sock_close(&s);
	return err;
}

/**
 * rf_rxe_del - delete a SoftRoCE device
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

	err = rf_nldev_open(&s, rdma, &index);
	if (err)
		return err;
	msg = rf_nldev_msg(RDMA_NLDEV_CMD_DELLINK, 0);
	if (msg)
		nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	err = rf_sock_request(&s, msg, NULL, NULL);
	rf_sock_close(&s);
	return err;
}
