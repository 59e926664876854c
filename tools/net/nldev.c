// SPDX-License-Identifier: GPL-2.0
/*
 * Find an RDMA device by its name: netlink requests need its index, so all devices
 * are listed.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "nl.h"

/**
 * rf_nldev_msg - create a request about RDMA devices
 * @cmd: enum rdma_nldev_command
 * @flags: NLM_F_*
 *
 * Return: the request, or NULL.
 */
struct nl_msg *rf_nldev_msg(int cmd, int flags)
{
	int type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, cmd);

	return nlmsg_alloc_simple(type, flags);
}

/**
 * rf_nldev_parse - parse the attributes of a response
 * @nlh: the response
 * @tb: gets the attributes, indexed by type; an array of RDMA_NLDEV_ATTR_MAX entries
 *
 * Return: 0, or -EBADMSG.
 */
int rf_nldev_parse(struct nlmsghdr *nlh, struct nlattr **tb)
{
	if (nlmsg_parse(nlh, 0, tb, RDMA_NLDEV_ATTR_MAX - 1, NULL))
		return -EBADMSG;
	return 0;
}

struct find {
	const char *name;
	uint32_t index;
	bool found;
};

static int on_device(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[RDMA_NLDEV_ATTR_MAX];
	struct find *f = arg;

	if (rf_nldev_parse(nlh, tb))
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

	err = rf_sock_request(s, rf_nldev_msg(RDMA_NLDEV_CMD_GET, NLM_F_DUMP),
			      on_device, &f);
	if (!err && !f.found)
		err = -ENODEV;
	*index = f.index;
	return err;
}

/**
 * rf_nldev_open - open a socket and find a device
 * @s: the socket, to be closed by the caller
 * @rdma: name of the device
 * @index: gets the index of the device
 *
 * Return: 0, -ENODEV, or -errno; after an error the socket is closed.
 */
int rf_nldev_open(struct rf_sock *s, const char *rdma, uint32_t *index)
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
