/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A netlink socket of any protocol (generic, route, RDMA): send a request, pass each
 * response to a function, and keep the kernel's error number and text.
 */
#ifndef RF_SOCK_H
#define RF_SOCK_H

#include <stdint.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

struct rf_sock {
	struct nl_sock *sk;
	char *error;	/* extack of the last request, or NULL */
	uint32_t bad;	/* offset of refused attribute in request, or 0 */
};

/* Called for each response. A value other than 0 becomes the result of the request. */
typedef int (*rf_answer_fn)(struct nlmsghdr *nlh, void *arg);

int rf_sock_open(struct rf_sock *s, int protocol);
void rf_sock_close(struct rf_sock *s);
int rf_sock_request(struct rf_sock *s, struct nl_msg *msg, rf_answer_fn fn,
		    void *arg);
const char *rf_sock_why(const struct rf_sock *s, int err);

#endif
