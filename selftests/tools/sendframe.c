// SPDX-License-Identifier: GPL-2.0
/*
 * sendframe NETDEV: sends the Ethernet frames that stand on standard input,
 * one a line, in hexadecimal. Blanks between bytes are ignored, and so is what
 * follows a '#'. From a line ">OTHER" on, frames leave by that netdev; a line
 * "+US" waits for so many microseconds. Frames take the way of any other packet,
 * through the netdev's qdisc.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <err.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FRAME_MAX 9018

static int open_netdev(const char *name)
{
	struct sockaddr_ll addr = {
		.sll_family = AF_PACKET,
		.sll_ifindex = if_nametoindex(name),
	};
	int fd;

	if (!addr.sll_ifindex)
		err(1, "%s", name);
	fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
	if (fd < 0)
		err(1, "packet socket");
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)))
		err(1, "bind to %s", name);
	return fd;
}

static int nibble(int c)
{
	return isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
}

/* Bytes in @line, or -1 if it is no hexadecimal. */
static ssize_t parse(const char *line, unsigned char *frame)
{
	size_t digits = 0;

	for (; *line && *line != '#'; line++) {
		if (isspace((unsigned char)*line))
			continue;
		if (!isxdigit((unsigned char)*line) || digits / 2 == FRAME_MAX)
			return -1;
		if (!(digits & 1))
			frame[digits / 2] = 0;
		frame[digits / 2] = frame[digits / 2] << 4 |
				    nibble((unsigned char)*line);
		digits++;
	}
	return digits & 1 ? -1 : (ssize_t)(digits / 2);
}

/* The netdev that a line names, in place of the one before. */
static int change_netdev(char *line, int fd)
{
	close(fd);
	line[strcspn(line, "\n")] = '\0';
	return open_netdev(line + 1);
}

static void send_line(const char *line, int fd)
{
	unsigned char frame[FRAME_MAX];
	ssize_t len = parse(line, frame);

	if (len < 0)
		errx(1, "not a frame: %.60s", line);
	if (len && send(fd, frame, len, 0) != len)
		err(1, "send");
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t room = 0;
	int fd;

	if (argc != 2)
		errx(2, "usage: sendframe NETDEV < FRAMES");
	fd = open_netdev(argv[1]);
	while (getline(&line, &room, stdin) >= 0) {
		if (*line == '>')
			fd = change_netdev(line, fd);
		else if (*line == '+')
			usleep(strtoul(line + 1, NULL, 10));
		else
			send_line(line, fd);
	}
	free(line);
	close(fd);
	return 0;
}
