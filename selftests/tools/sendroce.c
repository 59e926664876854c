// SPDX-License-Identifier: GPL-2.0
/*
 * sendroce NETDEV [WORD NUMBER]...: send many RoCEv2 packets quickly, RDMA WRITEs from
 * 192.0.2.1 to 192.0.2.2 with consecutive PSNs. The packets pass through the netdev's qdisc,
 * like any other packet. The words and their defaults:
 *
 *   qp 16         destination QP; with flows, the first QP
 *   flows 1       number of QPs, used in turn
 *   psn 0         PSN of the first packet of each flow
 *   count 1       total number of packets
 *   message 0     packets per message; with 0, all packets have the opcode WRITE middle
 *   opcode -      the opcode of all packets
 *   payload 4     bytes
 *   dscp 0        DSCP
 *   ecn 0         ECN field
 *   sport 49152   UDP source port
 *   from 1        last byte of the source address
 *   rounds 1      how often the packets are sent; the second and later rounds are
 *                 retransmissions
 *   back 0        how many of the last packets are sent again in these rounds; 0: all packets
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BATCH		64
#define PAYLOAD_MAX	4096

#define WRITE_FIRST	0x06
#define WRITE_MIDDLE	0x07
#define WRITE_LAST	0x08
#define WRITE_ONLY	0x0a

struct frame {
	uint8_t eth[14];
	uint8_t ip[20];
	uint8_t udp[8];
	uint8_t bth[12];
	uint8_t rest[16 + PAYLOAD_MAX + 4];
} __attribute__((packed));

enum {
	QP, FLOWS, PSN, COUNT, MESSAGE, OPCODE, PAYLOAD, DSCP, ECN, SPORT,
	FROM, ROUNDS, BACK, WORDS,
};

static const char *const word[WORDS] = {
	"qp", "flows", "psn", "count", "message", "opcode", "payload", "dscp",
	"ecn", "sport", "from", "rounds", "back",
};

static uint32_t want[WORDS] = {
	[QP] = 16, [FLOWS] = 1, [COUNT] = 1, [OPCODE] = UINT32_MAX,
	[PAYLOAD] = 4, [SPORT] = 49152, [FROM] = 1, [ROUNDS] = 1,
};

static struct frame frames[BATCH];
static struct iovec spans[BATCH];
static struct mmsghdr batch[BATCH];
static unsigned int waiting;

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = v >> 8;
	p[1] = v;
}

static void put24(uint8_t *p, uint32_t v)
{
	p[0] = v >> 16;
	put16(p + 1, v);
}

static void read_words(int argc, char **argv)
{
	char *end;
	int w;

	for (; argc > 1; argc -= 2, argv += 2) {
		for (w = 0; w < WORDS && strcmp(argv[0], word[w]); w++)
			;
		if (w == WORDS)
			errx(2, "%s: unknown word", argv[0]);
		errno = 0;
		want[w] = strtoul(argv[1], &end, 0);
		if (errno || *end || end == argv[1])
			errx(2, "%s %s: not a number", argv[0], argv[1]);
	}
	if (argc)
		errx(2, "%s: number missing", argv[0]);
	if (!want[FLOWS] || want[PAYLOAD] > PAYLOAD_MAX)
		errx(2, "out of range; flows at least 1, payload at most %d", PAYLOAD_MAX);
}

static int open_netdev(const char *name)
{
	struct sockaddr_ll addr = {
		.sll_family = AF_PACKET,
		.sll_ifindex = if_nametoindex(name),
	};
	int fd;

	if (!addr.sll_ifindex)
		err(1, "%s", name);
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr)))
		err(1, "packet socket of %s", name);
	return fd;
}

static uint32_t ip_sum(const uint8_t *ip)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < 20; i += 2)
		sum += ip[i] << 8 | ip[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16)) & 0xffff;
}

/* Fill in the fields that are the same in every packet. */
static void frame_fill(struct frame *f)
{
	static const uint8_t eth[] = { 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0 };
	static const uint8_t addrs[] = { 192, 0, 2, 1, 192, 0, 2, 2 };

	memset(f, 0, sizeof(*f));
	memcpy(f->eth, eth, sizeof(eth));
	f->ip[0] = 0x45;
	f->ip[1] = want[DSCP] << 2 | want[ECN];
	f->ip[6] = 0x40;
	f->ip[8] = 64;
	f->ip[9] = 17;
	memcpy(f->ip + 12, addrs, sizeof(addrs));
	f->ip[15] = want[FROM];
	put16(f->udp, want[SPORT]);
	put16(f->udp + 2, 4791);
	put16(f->bth + 2, 0xffff);
}

static uint8_t opcode(uint32_t n)
{
	uint32_t at = want[MESSAGE] ? n % want[MESSAGE] : 0;

	if (want[OPCODE] != UINT32_MAX)
		return want[OPCODE];
	if (!want[MESSAGE])
		return WRITE_MIDDLE;
	if (want[MESSAGE] == 1)
		return WRITE_ONLY;
	return !at ? WRITE_FIRST :
	       at == want[MESSAGE] - 1 ? WRITE_LAST : WRITE_MIDDLE;
}

/* Fill in packet @n of flow @flow. Return: the length of the frame. */
static size_t frame_number(struct frame *f, uint32_t n, uint32_t flow)
{
	uint8_t op = opcode(n);
	size_t reth = op == WRITE_FIRST || op == WRITE_ONLY ? 16 : 0;
	size_t len = sizeof(f->bth) + reth + want[PAYLOAD] + 4;

	put16(f->ip + 2, 28 + len);
	put16(f->ip + 10, 0);
	put16(f->ip + 10, ip_sum(f->ip));
	put16(f->udp + 4, 8 + len);
	f->bth[0] = op;
	f->bth[1] = (-want[PAYLOAD] & 3) << 4;
	put24(f->bth + 5, want[QP] + flow);
	put24(f->bth + 9, want[PSN] + n);
	return sizeof(f->eth) + sizeof(f->ip) + sizeof(f->udp) + len;
}

static void send_batch(int fd)
{
	unsigned int sent = 0;
	int n;

	while (sent < waiting) {
		n = sendmmsg(fd, batch + sent, waiting - sent, 0);
		if (n < 0 && errno != ENOBUFS && errno != EAGAIN)
			err(1, "send");
		if (n > 0)
			sent += n;
	}
	waiting = 0;
}

static void send_all(int fd, uint32_t from)
{
	uint32_t n;

	for (n = from; n < want[COUNT]; n++) {
		spans[waiting].iov_len = frame_number(&frames[waiting],
						      n / want[FLOWS],
						      n % want[FLOWS]);
		if (++waiting == BATCH)
			send_batch(fd);
	}
	send_batch(fd);
}

int main(int argc, char **argv)
{
	uint32_t round, from = 0;
	int fd, i;

	if (argc < 2)
		errx(2, "usage: sendroce NETDEV [WORD NUMBER]...");
	read_words(argc - 2, argv + 2);
	fd = open_netdev(argv[1]);
	for (i = 0; i < BATCH; i++) {
		frame_fill(&frames[i]);
		spans[i].iov_base = &frames[i];
		batch[i].msg_hdr.msg_iov = &spans[i];
		batch[i].msg_hdr.msg_iovlen = 1;
	}
	for (round = 0; round < want[ROUNDS]; round++) {
		send_all(fd, from);
		if (want[BACK] && want[BACK] < want[COUNT])
			from = want[COUNT] - want[BACK];
	}
	close(fd);
	return 0;
}
