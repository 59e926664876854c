// SPDX-License-Identifier: GPL-2.0
/*
 * The library librdmafault-step: announce the steps of a process. It has no dependencies, so
 * that each program can use it. The two requests to the kernel are structs of fixed size.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rdmafault/rdmafault.h>

#include "device.h"
#include "step.h"

#define FAMILY_ROOM 12	/* the name of the family with its NUL, padded to 4 bytes */

struct family_request {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	struct nlattr name;
	char text[FAMILY_ROOM];
};

struct step_request {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	struct nlattr ifindex;
	uint32_t ifindex_value;
	struct nlattr step;
	uint32_t step_value;
};

/*
 * The state of the process that made it. @error: -errno that ended the announcements, or 0.
 * @step: last step. @said_backwards: the message about a step that goes backwards was printed.
 */
static struct {
	pthread_mutex_t lock;
	pid_t pid;
	int fd, error;
	uint16_t family;
	uint32_t ifindex, step;
	bool said_backwards;
	char netdev[IF_NAMESIZE];
} self = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

static void fill_header(struct nlmsghdr *nl, struct genlmsghdr *genl, size_t len, uint16_t type,
			uint8_t cmd)
{
	*nl = (struct nlmsghdr){
		.nlmsg_len = len, .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST,
	};
	*genl = (struct genlmsghdr){ .cmd = cmd, .version = 1 };
}

/*
 * Send a request and receive the reply. @room: size of @reply
 *
 * Return: 0, or -errno.
 */
static int ask_kernel(const struct nlmsghdr *request, struct nlmsghdr *reply, size_t room)
{
	ssize_t n;

	if (send(self.fd, request, request->nlmsg_len, 0) < 0)
		return -errno;
	do
		n = recv(self.fd, reply, room, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n < (ssize_t)NLMSG_LENGTH(sizeof(uint32_t)))
		return -EPROTO;
	return reply->nlmsg_type == NLMSG_ERROR ? ((struct nlmsgerr *)NLMSG_DATA(reply))->error : 0;
}

static int find_family(void)
{
	struct {
		struct nlmsghdr nl;
		char data[8192];
	} reply = { };
	struct family_request r = {
		.name = { NLA_HDRLEN + sizeof(RDMAFAULT_FAMILY_NAME), CTRL_ATTR_FAMILY_NAME },
		.text = RDMAFAULT_FAMILY_NAME,
	};
	const struct nlattr *attr;
	size_t at = NLMSG_LENGTH(GENL_HDRLEN);
	int err;

	fill_header(&r.nl, &r.genl, sizeof(r), GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	err = ask_kernel(&r.nl, &reply.nl, sizeof(reply));
	if (err)
		return err;
	for (; at + NLA_HDRLEN + sizeof(uint16_t) <= reply.nl.nlmsg_len;
	     at += NLA_ALIGN(attr->nla_len ? attr->nla_len : NLA_HDRLEN)) {
		attr = (const struct nlattr *)((const char *)&reply + at);
		if (attr->nla_type != CTRL_ATTR_FAMILY_ID)
			continue;
		memcpy(&self.family, attr + 1, sizeof(self.family));
		return 0;
	}
	return -EPROTO;
}

static int send_step(uint32_t step)
{
	struct {
		struct nlmsghdr nl;
		char data[1024];
	} reply = { };
	struct step_request r = {
		.ifindex = { NLA_HDRLEN + sizeof(uint32_t), RDMAFAULT_A_IFINDEX },
		.ifindex_value = self.ifindex,
		.step = { NLA_HDRLEN + sizeof(uint32_t), RDMAFAULT_A_STEP },
		.step_value = step,
	};

	fill_header(&r.nl, &r.genl, sizeof(r), self.family, RDMAFAULT_CMD_STEP_SET);
	r.nl.nlmsg_flags |= NLM_F_ACK;
	return ask_kernel(&r.nl, &reply.nl, sizeof(reply));
}

/*
 * Find the port and open the socket.
 *
 * Return: 0, or -errno; @why is set if the reason is known.
 */
static int open_port(char *why, int len)
{
	int err = rf_step_netdev(self.netdev, why, len);

	if (err)
		return err;
	self.ifindex = if_nametoindex(self.netdev);
	if (!self.ifindex) {
		snprintf(why, len, "%s: no such netdev", self.netdev);
		return -ENODEV;
	}
	self.fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	return self.fd < 0 ? -errno : find_family();
}

static void describe_error(int err, char *why, int len)
{
	if (err == -EPERM)
		snprintf(why, len, "%s: needs CAP_NET_ADMIN", self.netdev);
	else if (err == -ENOENT)
		snprintf(why, len, "module rdmafault is not loaded; run modprobe rdmafault");
	else if (err == -ENODEV)
		snprintf(why, len, "%s: not a port; \"rdmafault port add %s\" makes it one",
			 self.netdev, self.netdev);
	else
		snprintf(why, len, "%s: %s", self.netdev, strerror(-err));
}

/* After an error, the process goes on without announcements. */
static int announce(uint32_t step)
{
	char why[256] = "";
	int err = 0;

	if (self.error)
		return self.error;
	if (self.fd < 0)
		err = open_port(why, sizeof(why));
	if (!err)
		err = send_step(step);
	if (!err)
		return 0;
	if (!*why)
		describe_error(err, why, sizeof(why));
	fprintf(stderr, "rdmafault-step: steps are not announced: %s\n", why);
	self.error = err;
	return err;
}

static int refuse_backwards(uint32_t step)
{
	if (!self.said_backwards)
		fprintf(stderr, "rdmafault-step: step %u announced backwards after step %u; %u or greater, or 0 first to restart\n",
			step, self.step, self.step);
	self.said_backwards = true;
	return -EINVAL;
}

/* A child must not share the socket of its parent: it could get the parent's replies. */
static void check_process(void)
{
	if (self.pid == getpid())
		return;
	if (self.fd >= 0)
		close(self.fd);
	self.fd = -1;
	self.error = 0;
	self.step = 0;
	self.said_backwards = false;
	self.pid = getpid();
}

/* step.h describes it. */
__attribute__((visibility("default"))) int rf_step_announce(uint32_t step)
{
	int err;

	pthread_mutex_lock(&self.lock);
	check_process();
	if (step && step < self.step)
		err = refuse_backwards(step);
	else
		err = announce(step);
	if (!err)
		self.step = step;
	pthread_mutex_unlock(&self.lock);
	return err;
}
