// SPDX-License-Identifier: GPL-2.0
/*
 * sendframe NETDEV: send the Ethernet frames on standard input, one per line, in hexadecimal.
 * Blanks between bytes and everything after a '#' are ignored. After a line ">OTHER", frames
 * are sent from the netdev OTHER. At a line "+US", the program waits for US microseconds.
 * Frames pass through the netdev's qdisc, like any other packet.
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

/* Return: the number of bytes in @line, or -1 if it is not hexadecimal. */
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

/* Close the netdev @fd and open the one that @line names. */
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
		errx(1, "%.60s: not a frame; bytes in hexadecimal", line);
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
