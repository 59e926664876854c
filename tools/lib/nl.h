/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One netlink socket of any protocol (generic, route, RDMA): send a request,
 * hand the answers to a function, return -errno and the kernel's own words.
 */
#ifndef RF_SOCK_H
#define RF_SOCK_H

#include <stdint.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

struct rf_sock {
	struct nl_sock *sk;
	char *error;	/* extack of the last request, or NULL */
	uint32_t bad;	/* offset in it of the attribute that it means, or 0 */
};

/* Called for every answer; anything but 0 becomes the result of the request. */
typedef int (*rf_answer_fn)(struct nlmsghdr *nlh, void *arg);

int rf_sock_open(struct rf_sock *s, int protocol);
void rf_sock_close(struct rf_sock *s);
int rf_sock_request(struct rf_sock *s, struct nl_msg *msg, rf_answer_fn fn,
		    void *arg);
const char *rf_sock_why(const struct rf_sock *s, int err);

#endif
