// SPDX-License-Identifier: GPL-2.0
/*
 * Bytes over a stream socket, all of them or an error, never longer than until
 * a moment.
 */
#include <errno.h>
#include <sys/socket.h>

#include "clock.h"
#include "wire.h"

static int await(int fd, short events, const struct cp_waiter *w,
		 uint64_t until_ns)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	return cp_sleep(w, &pfd, 1, until_ns);
}

/**
 * cp_wire_send() - send all of a buffer
 * @fd: the socket
 * @buf: the bytes
 * @len: how many
 * @w: what ends a sleep
 * @until_ns: when to give up, as cp_now() counts
 *
 * Return: 0; -ECONNRESET if the peer is gone; -ETIMEDOUT; -EINTR when told to
 * end; or another -errno.
 */
int cp_wire_send(int fd, const void *buf, size_t len,
		 const struct cp_waiter *w, uint64_t until_ns)
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
 * cp_wire_recv() - receive so many bytes
 * @fd: the socket
 * @buf: where they go
 * @len: how many
 * @w: what ends a sleep
 * @until_ns: when to give up, as cp_now() counts
 *
 * Return: as cp_wire_send().
 */
int cp_wire_recv(int fd, void *buf, size_t len, const struct cp_waiter *w,
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
 * cp_wire_skip() - receive so many bytes and forget them
 * @fd: the socket
 * @len: how many
 * @w: what ends a sleep
 * @until_ns: when to give up, as cp_now() counts
 *
 * Return: as cp_wire_send().
 */
int cp_wire_skip(int fd, uint64_t len, const struct cp_waiter *w,
		 uint64_t until_ns)
{
	char buf[512];
	int ret = 0;

	for (size_t n; !ret && len; len -= n) {
		n = len < sizeof(buf) ? len : sizeof(buf);
		ret = cp_wire_recv(fd, buf, n, w, until_ns);
		/* The peer chose @len, and may send without a pause. */
		if (!ret && cp_now() >= until_ns)
			ret = -ETIMEDOUT;
	}
	return ret;
}
