// SPDX-License-Identifier: GPL-2.0
/*
 * delayprobe [-r] COUNT GAP-MICROSECONDS FROM TO [FROM TO]...
 *
 * Send COUNT RoCEv2 frames over each pair of netdevs in turn, with PSNs from 0 on. Measure how
 * long each frame takes from FROM to TO, or with -r how long the round trip takes. For each
 * pair, print
 *
 *   FROM arrived=N late=N p50=NS p99=NS max=NS
 *
 * where late is the number of frames that arrive after a frame with a higher PSN. The measured
 * time of a frame ends when this program wakes up to receive the frame.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <error.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PAIRS_MAX	4
#define PATIENCE_MS	3000
#define BTH		42	/* offset of the BTH, after Ethernet, IPv4 and UDP */
#define FRAME_LEN	(BTH + 12 + 16 + 4)

struct pair {
	const char *name;
	int from, to, end;
	int arrived, late;
	uint32_t highest;
	uint64_t *sent, *delay;
};

/* RC WRITE middle, with 16 bytes of payload. The ICRC is 0, because nothing checks it. */
static const uint8_t headers[BTH + 12] = {
	2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0,
	0x45, 0, 0, FRAME_LEN - 14, 0, 0, 0x40, 0, 64, 17, 0, 0,
	192, 0, 2, 1, 192, 0, 2, 2,
	0xc0, 0, 0x12, 0xb7, 0, FRAME_LEN - 34, 0, 0,
	7, 0, 0xff, 0xff, 0, 0, 0, 0x20,
};

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static int open_socket(const char *dev, int protocol)
{
	struct sockaddr_ll addr = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = if_nametoindex(dev),
	};
	int sk = socket(AF_PACKET, SOCK_RAW, 0);

	if (sk < 0 || bind(sk, (void *)&addr, sizeof(addr)))
		error(2, errno, "%s", dev);
	return sk;
}

static void send_frame(struct pair *pair, uint32_t psn)
{
	uint8_t frame[FRAME_LEN] = { 0 };

	memcpy(frame, headers, sizeof(headers));
	frame[BTH + 9] = psn >> 16;
	frame[BTH + 10] = psn >> 8;
	frame[BTH + 11] = psn;
	pair->sent[psn] = now();
	if (send(pair->from, frame, sizeof(frame), 0) < 0)
		error(2, errno, "%s", pair->name);
}

static void receive(struct pair *pair, uint32_t count)
{
	uint8_t frame[FRAME_LEN];
	uint64_t at = now();
	uint32_t psn;

	if (recv(pair->end, frame, sizeof(frame), MSG_DONTWAIT) != FRAME_LEN ||
	    memcmp(frame + BTH - 6, headers + BTH - 6, 2))
		return;
	psn = frame[BTH + 9] << 16 | frame[BTH + 10] << 8 | frame[BTH + 11];
	if (psn >= count || pair->arrived >= (int)count)
		return;
	pair->delay[pair->arrived++] = at - pair->sent[psn];
	pair->late += psn < pair->highest;
	if (psn > pair->highest)
		pair->highest = psn;
}

static void send_back(struct pair *pair)
{
	uint8_t frame[FRAME_LEN];

	if (recv(pair->to, frame, sizeof(frame), MSG_DONTWAIT) == FRAME_LEN &&
	    send(pair->to, frame, sizeof(frame), 0) < 0)
		error(2, errno, "%s: back", pair->name);
}

/* Receive frames until the time @until. Return: 0 if no frame arrived during the last wait. */
static int receive_all(struct pair *pair, int pairs, uint32_t count,
		       uint64_t until)
{
	struct pollfd fds[2 * PAIRS_MAX];
	struct timespec wait;
	uint64_t at, left;
	int i, ready;

	for (i = 0; i < pairs; i++) {
		fds[2 * i] = (struct pollfd){ pair[i].end, POLLIN, 0 };
		fds[2 * i + 1] = (struct pollfd){
			pair[i].to == pair[i].end ? -1 : pair[i].to, POLLIN, 0
		};
	}
	do {
		at = now();
		left = until > at ? until - at : 0;
		wait.tv_sec = left / 1000000000;
		wait.tv_nsec = left % 1000000000;
		ready = ppoll(fds, 2 * pairs, &wait, NULL);
		for (i = 0; i < pairs; i++) {
			if (fds[2 * i].revents)
				receive(&pair[i], count);
			if (fds[2 * i + 1].revents)
				send_back(&pair[i]);
		}
	} while (left && ready);
	return ready;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(uint64_t *)a, y = *(uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void report(struct pair *pair)
{
	int n = pair->arrived;

	qsort(pair->delay, n, sizeof(*pair->delay), by_value);
	printf("%s arrived=%d late=%d p50=%ju p99=%ju max=%ju\n", pair->name, n,
	       pair->late, n ? pair->delay[n / 2] : 0,
	       n ? pair->delay[n * 99 / 100] : 0, n ? pair->delay[n - 1] : 0);
}

int main(int argc, char **argv)
{
	int back = argc > 1 && !strcmp(argv[1], "-r");
	struct pair pair[PAIRS_MAX] = { 0 };
	uint32_t count, psn;
	uint64_t gap, next;
	int pairs, i;

	argc -= back;
	argv += back;
	pairs = (argc - 3) / 2;
	count = argc > 2 ? atoi(argv[1]) : 0;
	gap = argc > 2 ? atoi(argv[2]) * 1000ull : 0;
	if (!count || pairs < 1 || pairs > PAIRS_MAX)
		error(2, 0, "usage: delayprobe [-r] COUNT GAP-MICROSECONDS FROM TO...");
	for (i = 0; i < pairs; i++) {
		pair[i].name = argv[3 + 2 * i];
		pair[i].from = open_socket(pair[i].name, back ? ETH_P_IP : 0);
		pair[i].to = open_socket(argv[4 + 2 * i], ETH_P_IP);
		pair[i].end = back ? pair[i].from : pair[i].to;
		pair[i].sent = calloc(count, sizeof(uint64_t));
		pair[i].delay = calloc(count, sizeof(uint64_t));
	}
	for (psn = 0, next = now(); psn < count; psn++) {
		for (i = 0; i < pairs; i++) {
			send_frame(&pair[i], psn);
			next += gap;
			receive_all(pair, pairs, count, next);
		}
	}
	while (receive_all(pair, pairs, count, now() + PATIENCE_MS * 1000000ull))
		;
	for (i = 0; i < pairs; i++)
		report(&pair[i]);
	return 0;
}
