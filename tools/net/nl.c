// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink requests with the kernel's extended ACKs.
 *
 * libnl converts the kernel's error number to a libnl error number, and discards the
 * kernel's error message. So this file handles errors itself, and keeps both the number and
 * the message.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/netlink.h>

#include "nl.h"

#ifndef SOL_NETLINK
#define SOL_NETLINK 270
#endif

#define BUFFER (256 * 1024)	/* bytes to request; the kernel can limit them to less */

/* State of one request, for the callbacks of libnl */
struct wait {
	struct rf_sock *s;
	rf_answer_fn fn;
	void *arg;
	uint32_t seq;
	int err;
	bool done;
};

static void forget_error(struct rf_sock *s)
{
	free(s->error);
	s->error = NULL;
	s->bad = 0;
}

static void keep_extack(struct rf_sock *s, const struct nlmsghdr *nlh,
			size_t off)
{
	struct nlattr *tb[NLMSGERR_ATTR_MAX + 1];
	struct nlattr *head = (struct nlattr *)((char *)nlh + off);

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) || off >= nlh->nlmsg_len)
		return;
	if (nla_parse(tb, NLMSGERR_ATTR_MAX, head, nlh->nlmsg_len - off, NULL))
		return;
	if (tb[NLMSGERR_ATTR_MSG] && !s->error)
		s->error = nla_strdup(tb[NLMSGERR_ATTR_MSG]);
	if (tb[NLMSGERR_ATTR_OFFS])
		s->bad = nla_get_u32(tb[NLMSGERR_ATTR_OFFS]);
}

/*
 * Return: the offset of the extended ACK attributes in an error message. They follow the
 * copy of the request. With NLM_F_CAPPED, the kernel has copied only the header of the
 * request.
 */
static size_t tlv_offset(const struct nlmsghdr *nlh, const struct nlmsgerr *e)
{
	size_t off = NLMSG_HDRLEN + sizeof(*e);

	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		off += NLMSG_ALIGN(e->msg.nlmsg_len) - NLMSG_HDRLEN;
	return off;
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *e, void *arg)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)((char *)e - NLMSG_HDRLEN);
	struct wait *w = arg;

	(void)from;
	w->err = e->error;
	w->done = true;
	keep_extack(w->s, nlh, tlv_offset(nlh, e));
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	struct wait *w = arg;

	(void)msg;
	w->done = true;
	return NL_STOP;
}

/* The last message of a dump contains the error of the dump, if any. */
static int on_finish(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct wait *w = arg;

	w->done = true;
	if (nlmsg_datalen(nlh) >= (int)sizeof(int))
		memcpy(&w->err, nlmsg_data(nlh), sizeof(int));
	if (w->err > 0)
		w->err = 0;
	if (w->err)
		keep_extack(w->s, nlh, NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(int)));
	return NL_STOP;
}

static int on_valid(struct nl_msg *msg, void *arg)
{
	struct wait *w = arg;

	if (w->fn && !w->err)
		w->err = w->fn(nlmsg_hdr(msg), w->arg);
	return NL_OK;
}

/* Skip responses to an earlier request that are still in the socket buffer. */
static int on_seq(struct nl_msg *msg, void *arg)
{
	const struct wait *w = arg;

	return nlmsg_hdr(msg)->nlmsg_seq == w->seq ? NL_OK : NL_SKIP;
}

/*
 * The table has changed during the dump (NLM_F_DUMP_INTR). Accept the dump, although it can
 * be inconsistent.
 */
static int on_intr(struct nl_msg *msg, void *arg)
{
	(void)msg;
	(void)arg;
	return NL_OK;
}

static struct nl_cb *make_cb(struct wait *w)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);

	if (!cb)
		return NULL;
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, on_seq, w);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_valid, w);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_ack, w);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, w);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_intr, w);
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, w);
	return cb;
}

static int receive(struct wait *w)
{
	struct nl_cb *cb = make_cb(w);
	int err = 0;

	if (!cb)
		return -ENOMEM;
	while (!w->done && err >= 0)
		err = nl_recvmsgs(w->s->sk, cb);
	nl_cb_put(cb);
	return w->done ? w->err : -EIO;
}

/**
 * rf_sock_request - send a request and receive all responses
 * @s: the socket
 * @msg: the request; always freed
 * @fn: called for each response, or NULL
 * @arg: passed to @fn
 *
 * Return: 0, -errno of the kernel, or the first value other than 0 that @fn has returned.
 */
int rf_sock_request(struct rf_sock *s, struct nl_msg *msg, rf_answer_fn fn,
		    void *arg)
{
	struct wait w = { .s = s, .fn = fn, .arg = arg };
	int err;

	forget_error(s);
	if (!msg)
		return -ENOMEM;
	err = nl_send_auto(s->sk, msg);
	w.seq = nlmsg_hdr(msg)->nlmsg_seq;
	nlmsg_free(msg);
	if (err < 0)
		return err == -NLE_NOMEM ? -ENOMEM : -EIO;
	return receive(&w);
}

static int connect_error(int nlerr)
{
	switch (-nlerr) {
	case NLE_NOMEM:
		return -ENOMEM;
	case NLE_AF_NOSUPPORT:
	case NLE_PROTO_MISMATCH:
		return -EPROTONOSUPPORT;
	default:
		return -EIO;
	}
}

/*
 * One message can contain the whole response to a large batch. The default buffers of libnl,
 * in the socket and in memory, are too small for it.
 */
static void set_buffers(struct nl_sock *sk)
{
	nl_socket_set_buffer_size(sk, BUFFER, BUFFER);
	nl_socket_enable_msg_peek(sk);
}

/**
 * rf_sock_open - open a netlink socket with extended ACKs
 * @s: the socket
 * @protocol: NETLINK_ROUTE, NETLINK_RDMA, NETLINK_GENERIC
 *
 * Return: 0, or -errno; -EPROTONOSUPPORT if the kernel does not have the protocol.
 */
int rf_sock_open(struct rf_sock *s, int protocol)
{
	int err, one = 1;

	*s = (struct rf_sock){ .sk = nl_socket_alloc() };
	if (!s->sk)
		return -ENOMEM;
	err = nl_connect(s->sk, protocol);
	if (err) {
		rf_sock_close(s);
		return connect_error(err);
	}
	set_buffers(s->sk);
	setsockopt(nl_socket_get_fd(s->sk), SOL_NETLINK, NETLINK_EXT_ACK,
		   &one, sizeof(one));
	setsockopt(nl_socket_get_fd(s->sk), SOL_NETLINK, NETLINK_CAP_ACK,
		   &one, sizeof(one));
	return 0;
}

/**
 * rf_sock_close - close the socket; the kernel deletes what the socket owns
 * @s: the socket, can be closed already
 */
void rf_sock_close(struct rf_sock *s)
{
	if (s->sk)
		nl_socket_free(s->sk);
	s->sk = NULL;
	forget_error(s);
}

/**
 * rf_sock_why - get the error message for a failed request
 * @s: the socket
 * @err: value returned by the request
 *
 * Return: the kernel's text (extack) or, if there is none, the text of the error number.
 */
const char *rf_sock_why(const struct rf_sock *s, int err)
{
	if (s->error)
		return s->error;
	return err == -EPERM ? "needs CAP_NET_ADMIN" : strerror(-err);
}
