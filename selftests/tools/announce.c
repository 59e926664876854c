// SPDX-License-Identifier: GPL-2.0
/*
 * announce NETDEV STEP [MESSAGES [TOTAL]]: announce a step to the module, as a job does.
 * MESSAGES is the number of messages per flow in this step, TOTAL the number per flow in the
 * whole job. The program uses plain sockets and no code of the tools, like a job of another
 * project.
 */
#include <err.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rdmafault/rdmafault.h>

struct request {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	char attrs[256];
};

static void begin(struct request *r, uint16_t family, uint8_t cmd)
{
	memset(r, 0, sizeof(*r));
	r->nl.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	r->nl.nlmsg_type = family;
	r->nl.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	r->genl.cmd = cmd;
	r->genl.version = 1;
}

static void put(struct request *r, uint16_t type, const void *data, uint16_t len)
{
	struct nlattr *attr = (void *)((char *)r + NLMSG_ALIGN(r->nl.nlmsg_len));

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	memcpy((char *)attr + NLA_HDRLEN, data, len);
	r->nl.nlmsg_len = NLMSG_ALIGN(r->nl.nlmsg_len) +
			  NLA_ALIGN(attr->nla_len);
}

static void put_u32(struct request *r, uint16_t type, uint32_t value)
{
	put(r, type, &value, sizeof(value));
}

/*
 * Send a request. Return: the first message of the reply. If the reply is an error, the
 * program ends.
 */
static const struct nlmsghdr *ask(int fd, const struct request *r)
{
	static char answer[16384] __attribute__((aligned(8)));
	struct nlmsghdr *nl = (void *)answer;
	struct nlmsgerr *e;

	if (send(fd, r, r->nl.nlmsg_len, 0) < 0)
		err(1, "send");
	if (recv(fd, answer, sizeof(answer), 0) < (ssize_t)sizeof(*nl))
		err(1, "receive");
	e = NLMSG_DATA(nl);
	if (nl->nlmsg_type == NLMSG_ERROR && e->error)
		errx(1, "kernel: %s", strerror(-e->error));
	return nl;
}

static uint16_t find_family(int fd)
{
	static const char name[] = RDMAFAULT_FAMILY_NAME;
	const struct nlmsghdr *nl;
	const struct nlattr *attr;
	struct request r;
	int left;

	begin(&r, GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	r.nl.nlmsg_flags = NLM_F_REQUEST;
	put(&r, CTRL_ATTR_FAMILY_NAME, name, sizeof(name));
	nl = ask(fd, &r);
	attr = (void *)((const char *)nl + NLMSG_LENGTH(GENL_HDRLEN));
	left = nl->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN);
	while (left >= (int)sizeof(*attr)) {
		if (attr->nla_type == CTRL_ATTR_FAMILY_ID)
			return *(const uint16_t *)(attr + 1);
		left -= NLA_ALIGN(attr->nla_len);
		attr = (void *)((const char *)attr + NLA_ALIGN(attr->nla_len));
	}
	errx(1, "%s: no such generic netlink family", name);
}

int main(int argc, char **argv)
{
	struct request r;
	int fd;

	if (argc < 3 || argc > 5)
		errx(2, "usage: announce NETDEV STEP [MESSAGES [TOTAL]]");
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (fd < 0)
		err(1, "netlink");
	begin(&r, find_family(fd), RDMAFAULT_CMD_STEP_SET);
	put_u32(&r, RDMAFAULT_A_IFINDEX, if_nametoindex(argv[1]));
	put_u32(&r, RDMAFAULT_A_STEP, atoi(argv[2]));
	if (argc > 3)
		put_u32(&r, RDMAFAULT_A_MESSAGES, atoi(argv[3]));
	if (argc > 4)
		put_u32(&r, RDMAFAULT_A_MESSAGES_TOTAL, atoi(argv[4]));
	ask(fd, &r);
	close(fd);
	return 0;
}
