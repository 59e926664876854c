// SPDX-License-Identifier: GPL-2.0
/*
 * Send and receive complete messages on stream sockets. The functions return an error
 * if a message is not complete before a time limit.
 */
#include <errno.h>
#include <sys/socket.h>

#include "ranks.h"
#include "wire.h"

static int await(int fd, short events, const struct coll_waiter *w,
		 uint64_t until_ns)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	return coll_sleep(w, &pfd, 1, until_ns);
}

/**
 * coll_wire_send() - send all of a buffer
 * @fd: the socket
 * @buf: the data
 * @len: size of @buf
 * @w: the waiter
 * @until_ns: end of the wait, in the time of rf_now_ns()
 *
 * Return: 0; -ECONNRESET if the peer is gone; -ETIMEDOUT; -EINTR after a
 * signal; or another -errno.
 */
int coll_wire_send(int fd, const void *buf, size_t len,
		   const struct coll_waiter *w, uint64_t until_ns)
{
	const char *p = buf;

	while (len) {
		ssize_t n = send(fd, p, len, MSG_DONTWAIT | MSG_NOSIGNAL);
		int ret = 0;

		if (n > 0) {
			p += n;
			len -= (size_t)n;
		} else if (n == 0 || errno == EPIPE) {
			return -ECONNRESET;
		} else if (errno == EAGAIN) {
			ret = await(fd, POLLOUT, w, until_ns);
		} else if (errno != EINTR) {
			return -errno;
		}
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * coll_wire_recv() - receive exactly @len bytes
 * @fd: the socket
 * @buf: gets the data
 * @len: size of @buf
 * @w: the waiter
 * @until_ns: end of the wait, in the time of rf_now_ns()
 *
 * Return: see coll_wire_send().
 */
int coll_wire_recv(int fd, void *buf, size_t len, const struct coll_waiter *w,
		   uint64_t until_ns)
{
	char *p = buf;

	while (len) {
		ssize_t n = recv(fd, p, len, MSG_DONTWAIT);
		int ret = 0;

		if (n > 0) {
			p += n;
			len -= (size_t)n;
		} else if (n == 0) {
			return -ECONNRESET;
		} else if (errno == EAGAIN) {
			ret = await(fd, POLLIN, w, until_ns);
		} else if (errno != EINTR) {
			return -errno;
		}
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * coll_wire_skip() - receive and discard @len bytes
 * @fd: the socket
 * @len: number of bytes
 * @w: the waiter
 * @until_ns: end of the wait, in the time of rf_now_ns()
 *
 * Return: see coll_wire_send().
 */
int coll_wire_skip(int fd, uint64_t len, const struct coll_waiter *w,
		   uint64_t until_ns)
{
	char buf[512];
	int ret = 0;

	for (size_t n; !ret && len; len -= n) {
		n = len < sizeof(buf) ? len : sizeof(buf);
		ret = coll_wire_recv(fd, buf, n, w, until_ns);
		/*
		 * coll_wire_recv() checks the time only when it waits. The peer chooses @len
		 * and can send without a pause, so check the time here, too.
		 */
		if (!ret && rf_now_ns() >= until_ns)
			ret = -ETIMEDOUT;
	}
	return ret;
}
