// SPDX-License-Identifier: GPL-2.0
/*
 * throwframes SEED COUNT NETDEV[:KIND]...: send random frames, each from one of the netdevs. A
 * frame is a RoCEv2 packet, a pause frame, a packet of another protocol or random bytes. Most
 * frames are then damaged: bits or bytes are changed, the frame is truncated or extended, or a
 * piece of another frame is inserted. The MAC addresses of all frames and the EtherType of
 * pause frames are not changed, so that a bridge forwards all frames except pause frames. The
 * netdevs alternate as the two ends of a connection. With the same SEED, the same frames are
 * sent. The program prints
 *
 *   NETDEV FRAMES PAUSES
 *
 * for each netdev: the number of frames sent, and how many of them are pause frames.
 *
 * A fifth of the frames are valid packets crafted to cause the most work in the module. With
 * KIND, all frames of a netdev are of this kind:
 *
 *   plain       one flow with consecutive PSNs
 *   leaps       the PSN jumps by the size of the module's PSN window, or nearly
 *   blocks      the PSN jumps by a block of a loss model, or nearly
 *   wraps       PSNs around 0xffffff, some of them twice
 *   backs       PSNs far lower than before, so that the flow seems to begin again
 *   flows       each packet begins a flow, all between the same addresses
 *   buckets     each packet begins a flow; addresses differ, but their weighted sum does not
 *   returns     flows that send again after 4,096 other flows have sent
 *   answers     ACKs and NAKs that can belong to any of many flows
 *   collisions  pairs of flows that would have the same key in a hash without a secret key
 *   reads       READ requests for the rest of earlier READ requests
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define BATCH		32
#define ROOM		1514		/* the longest frame with an MTU of 1500 */
#define SHORTEST	20		/* shortest frame: has room for a VLAN tag */
#define MACS		12
#define TARGETS		8
#define FLOWS		4096		/* flows tracked per direction of a port */
#define WINDOW		1024		/* remembered PSNs per flow */
#define BLOCK		256		/* a loss model is computed in blocks of this many steps */

enum kind {
	MIXED, PLAIN, LEAPS, BLOCKS, WRAPS, BACKS, NEW_FLOWS, BUCKETS, RETURNS,
	ANSWERS, COLLISIONS, READS, KINDS,
};

static const char *const kind_name[KINDS] = {
	"mixed", "plain", "leaps", "blocks", "wraps", "backs", "flows",
	"buckets", "returns", "answers", "collisions", "reads",
};

struct target {
	const char *name;
	int fd;
	enum kind kind;
	uint32_t made[KINDS];		/* frames so far, by kind */
	uint32_t psn[KINDS];
	uint64_t last_key;
	unsigned long long frames, pauses;
	unsigned int waiting;
	uint8_t data[BATCH][ROOM];
	struct iovec span[BATCH];
	struct mmsghdr batch[BATCH];
};

static struct target target[TARGETS];
static unsigned int targets;
static uint64_t state;
static unsigned int near_end;		/* number of the end that sends: 1 or 2 */

/* xorshift64* (Marsaglia; Vigna) */
static uint32_t draw(uint32_t below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dull >> 32) % below;
}

static uint8_t *put16(uint8_t *p, uint32_t v)
{
	*p++ = v >> 8;
	*p++ = v;
	return p;
}

static uint8_t *put32(uint8_t *p, uint32_t v)
{
	return put16(put16(p, v >> 16), v);
}

static uint8_t *put_noise(uint8_t *p, size_t n)
{
	while (n--)
		*p++ = draw(256);
	return p;
}

static uint8_t *put_zeros(uint8_t *p, size_t n)
{
	memset(p, 0, n);
	return p + n;
}

static uint8_t *put_eth(uint8_t *p, uint32_t type)
{
	uint8_t macs[MACS] = { 2, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0 };
	uint32_t tags = draw(8);

	macs[5] = 3 - near_end;
	macs[11] = near_end;
	memcpy(p, macs, sizeof(macs));
	p += sizeof(macs);
	for (; tags > 5; tags--) {
		p = put16(p, draw(4) ? 0x8100 : 0x88a8);
		p = put16(p, draw(65536));
	}
	return put16(p, type);
}

static uint8_t *put_ip4(uint8_t *p, uint32_t proto, size_t payload)
{
	uint32_t words = draw(8) ? 0 : draw(11);
	uint32_t fragment = draw(16) ? 0x4000 : draw(65536);

	*p++ = 0x45 + words;
	*p++ = draw(256);
	p = put16(p, 20 + 4 * words + payload);
	p = put16(p, draw(65536));
	p = put16(p, fragment);
	*p++ = 64;
	*p++ = proto;
	p = put16(p, draw(65536));
	p = put32(p, 0xc0000200 + near_end);
	p = put32(p, 0xc0000203 - near_end);
	return put_noise(p, 4 * words);
}

static uint8_t *put_ip6(uint8_t *p, uint32_t proto, size_t payload)
{
	p = put32(p, 0x60000000 | draw(1 << 28));
	p = put16(p, payload);
	*p++ = proto;
	*p++ = 64;
	p = put32(p, 0x20010db8);
	p = put_zeros(p, 11);
	*p++ = near_end;
	p = put32(p, 0x20010db8);
	p = put_zeros(p, 11);
	*p++ = 3 - near_end;
	return p;
}

/* Return: a random opcode: mostly of RC, sometimes another known opcode, sometimes any number */
static uint32_t some_opcode(void)
{
	static const uint8_t others[] = { 0x64, 0x65, 0x81, 0x24, 0x2a, 0x11 };

	switch (draw(8)) {
	case 0:
		return draw(256);
	case 1:
		return others[draw(sizeof(others))];
	default:
		return draw(0x18);
	}
}

/* Write a BTH with one of few queue pairs and PSNs, so that flows and PSNs repeat. */
static uint8_t *put_bth(uint8_t *p)
{
	*p++ = some_opcode();
	*p++ = draw(16) ? 0x40 : draw(256);
	p = put16(p, draw(16) ? 0xffff : draw(65536));
	p = put32(p, draw(32) ? 16 + draw(64) : draw(1 << 24));
	return put32(p, (draw(2) << 31) | (draw(32) ? draw(256) : draw(1 << 24)));
}

static size_t make_roce(uint8_t *frame)
{
	uint32_t payload = 12 + draw(draw(4) ? 64 : 1024) + 4;
	bool six = draw(4) == 0;
	uint8_t *p = put_eth(frame, six ? 0x86dd : 0x0800);

	p = six ? put_ip6(p, 17, 8 + payload) : put_ip4(p, 17, 8 + payload);
	p = put16(p, 0xc000 | draw(0x4000));
	p = put16(p, draw(32) ? 4791 : draw(65536));
	p = put16(p, 8 + payload);
	p = put16(p, 0);
	p = put_bth(p);
	return put_noise(p, payload - 12) - frame;
}

static uint8_t *put_address4(uint8_t *p, const uint8_t *src, const uint8_t *dst,
			     size_t payload)
{
	p = put32(p, 0x45000000 | (20 + payload));
	p = put32(p, 0x4000);
	p = put32(p, 0x40110000);
	memcpy(p, src, 4);
	memcpy(p + 4, dst, 4);
	return p + 8;
}

static uint8_t *put_address6(uint8_t *p, const uint8_t *src, const uint8_t *dst,
			     size_t payload)
{
	p = put32(p, 0x60000000);
	p = put32(p, payload << 16 | 0x1140);
	memcpy(p, src, 16);
	memcpy(p + 16, dst, 16);
	return p + 32;
}

/* A valid packet. @rest is everything after the BTH; its last 4 bytes are the ICRC. */
struct packet {
	uint8_t src[16], dst[16];
	bool six;
	uint32_t opcode, qp, psn;
	uint8_t rest[24];
	size_t len;
};

static size_t put_packet(uint8_t *frame, const struct packet *k)
{
	uint8_t macs[MACS] = { 2, 0, 0, 0, 0, 3 - near_end,
			       2, 0, 0, 0, 0, near_end };
	size_t payload = 8 + 12 + k->len;
	uint8_t *p = frame;

	memcpy(p, macs, sizeof(macs));
	p = put16(p + sizeof(macs), k->six ? 0x86dd : 0x0800);
	p = k->six ? put_address6(p, k->src, k->dst, payload) :
		     put_address4(p, k->src, k->dst, payload);
	p = put16(p, 0xc000);
	p = put16(p, 4791);
	p = put16(p, payload);
	p = put16(p, 0);
	p = put32(p, k->opcode << 24 | 0xffff);
	p = put32(p, k->qp & 0xffffff);
	p = put32(p, k->psn & 0xffffff);
	memcpy(p, k->rest, k->len);
	return p + k->len - frame;
}

/* One step of splitmix64 (Steele, Lea, Flood), as in the module (kmod/rand.h) */
static uint64_t mix(uint64_t hash, uint64_t word)
{
	uint64_t z = (hash + 0x9e3779b97f4a7c15ull) ^ word;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* The inverse of mix(). Return: the word for which mix(@hash, word) is @z. */
static uint64_t unmix(uint64_t hash, uint64_t z)
{
	z ^= z >> 31 ^ z >> 62;
	z *= 0x319642b2d24d8ec3ull;
	z ^= z >> 27 ^ z >> 54;
	z *= 0x96de1b173f119089ull;
	z ^= z >> 30 ^ z >> 60;
	return z ^ (hash + 0x9e3779b97f4a7c15ull);
}

static uint64_t get64(const uint8_t *p)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

static void put64(uint8_t *p, uint64_t v)
{
	put32(put32(p, v >> 32), v);
}

/*
 * Return: the module's hash of a flow (key_mix() in kmod/flow/flow.c) before its last step, which
 * adds the last 8 bytes of the destination address. The flow is the first flow of requests
 * between its two addresses.
 */
static uint64_t key_before(const struct packet *k)
{
	uint64_t h = mix(1, 0);

	h = mix(h, get64(k->src));
	h = mix(h, get64(k->dst));
	return mix(h, get64(k->src + 8));
}

/*
 * Choose the destination address of the second flow of each pair so that both flows collide in a
 * table that is hashed with mix(), without a secret key. A flow has up to three entries in such a
 * table: the state of a loss model (kind 0), a burst (kind 1) and "once flow" (kind 2). The entry
 * of kind 0 or 1 of the second flow then has the same key as the entry of kind 2 of the first
 * flow.
 */
static void collide(struct target *t, struct packet *k)
{
	uint32_t n = t->made[COLLISIONS];

	k->six = true;
	put64(k->src, 0x20010db800000000ull);
	put64(k->dst, 0x20010db800000000ull);
	put64(k->src + 8, near_end);
	put64(k->dst + 8, (uint64_t)(n / 2) << 32 | (3 - near_end));
	if (n % 2)
		put64(k->dst + 8, unmix(key_before(k),
					unmix(draw(2), t->last_key)));
	else
		t->last_key = mix(mix(2, 0), mix(key_before(k),
						 get64(k->dst + 8)));
}

/*
 * Opcode 0x11 (Acknowledge): make an ACK, an RNR NAK, a NAK for a sequence error or a NAK for
 * an invalid request.
 */
static void answer(struct packet *k)
{
	static const uint8_t syndrome[] = { 0x1f, 0x2c, 0x60, 0x61 };

	k->opcode = 0x11;
	k->rest[0] = syndrome[draw(sizeof(syndrome))];
	k->qp = draw(4) ? 0x100000 + draw(2 * FLOWS) : draw(1 << 24);
}

/*
 * Make a READ request. Write its RETH: address, R_Key, length. Of 64 consecutive requests, each
 * starts at a higher address than the one before, and all end at the same address.
 */
static void read_rest(struct packet *k, uint32_t n)
{
	uint32_t left = 64 - n % 64;

	k->opcode = 0x0c;
	put64(k->rest, 0x10000 - 256 * (uint64_t)left);
	put32(put32(k->rest + 8, n / 64), 256 * left);
	k->len = 20;
	k->psn = n;
}

static uint32_t next_psn(struct target *t, enum kind kind)
{
	uint32_t *psn = &t->psn[kind];

	switch (kind) {
	case LEAPS:
		return *psn += WINDOW + (draw(8) ? 0 : draw(3) - 1);
	case BLOCKS:
		return *psn += BLOCK + (draw(2) ? 0 : draw(3) - 1);
	case WRAPS:
		return 0xffffe0 + draw(64);
	case BACKS:
		return *psn -= draw(2) ? 1 << 23 : draw(1 << 23);
	default:
		return (*psn)++;
	}
}

/*
 * Make a packet of the kind @kind. Its addresses are those of the two ends, except if the kind
 * needs other addresses.
 */
static size_t make_adverse(struct target *t, enum kind kind, uint8_t *frame)
{
	uint32_t n = t->made[kind];
	struct packet k = {
		.src = { 192, 0, 2, near_end }, .dst = { 192, 0, 2, 3 - near_end },
		.opcode = 7, .qp = 0x200000 + kind, .len = 8,
	};

	k.psn = next_psn(t, kind);
	switch (kind) {
	case NEW_FLOWS:
		k.qp = 0x100000 + n;
		k.psn = draw(WINDOW);
		break;
	case BUCKETS:
		/*
		 * If the addresses are taken as little-endian numbers, source + 5 * destination is
		 * the same for all these packets.
		 */
		k.dst[0] = n;
		k.dst[1] = n >> 8;
		n = 0xc0000000u - 5 * (k.dst[0] | k.dst[1] << 8);
		memcpy(k.src, (uint8_t[]){ n, n >> 8, n >> 16, n >> 24 }, 4);
		k.dst[2] = k.dst[3] = 0;
		break;
	case RETURNS:
		k.qp = 0x100000 + n % (2 * FLOWS);
		break;
	case ANSWERS:
		answer(&k);
		k.psn = draw(WINDOW);
		break;
	case COLLISIONS:
		collide(t, &k);
		break;
	case READS:
		read_rest(&k, n);
		break;
	default:
		break;
	}
	t->made[kind]++;
	return put_packet(frame, &k);
}

/* Most of the pause timers are short. With long timers, the ports would always be paused. */
static size_t make_pause(uint8_t *frame)
{
	static const uint8_t there[] = {
		1, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0x88, 8,
	};
	uint8_t *p = frame;
	int i;

	memcpy(p, there, sizeof(there));
	p = put16(p + sizeof(there), draw(8) ? 0x0101 : draw(3));
	p = put16(p, draw(16) ? draw(256) : draw(65536));
	for (i = 0; i < 8; i++)
		p = put16(p, draw(64) ? draw(256) : draw(65536));
	return put_zeros(p, 60 - (p - frame)) - frame;
}

static size_t make_other(uint8_t *frame)
{
	static const uint16_t types[] = { 0x0800, 0x86dd, 0x0806, 0x88cc, 0x8808,
					  0x8915, 0x8847, 0x8864, 0x8100, 0 };
	uint8_t *p = put_eth(frame, types[draw(10)]);

	switch (draw(3)) {
	case 0:
		p = put_ip4(p, draw(256), 26);
		break;
	case 1:
		p = put_ip6(p, draw(256), 26);
		break;
	}
	return put_noise(p, draw(1200)) - frame;
}

static size_t make_noise(uint8_t *frame)
{
	return put_noise(put_eth(frame, draw(65536)), draw(400)) - frame;
}

static bool is_pause(const uint8_t *frame)
{
	return *frame & 1;
}

/*
 * Make a crafted frame of the kind that is selected for the netdev. Return: the length of the
 * frame, or 0 if a random frame must be made instead
 */
static size_t make_whole(struct target *t, uint8_t *frame)
{
	enum kind kind = t->kind;

	if (kind == MIXED && draw(5) == 0)
		kind = PLAIN + draw(KINDS - PLAIN);
	return kind == MIXED ? 0 : make_adverse(t, kind, frame);
}

static size_t make(uint8_t *frame)
{
	size_t len;

	switch (draw(16)) {
	case 0:
	case 1:
		return make_pause(frame);
	case 2:
		len = make_other(frame);
		break;
	case 3:
		len = make_noise(frame);
		break;
	default:
		return make_roce(frame);
	}
	return len < SHORTEST ? SHORTEST : len;
}

/*
 * Return: a random offset of a byte to change, in two of three cases in the headers. The
 * EtherType of a pause frame is never changed.
 */
static size_t somewhere(const uint8_t *frame, size_t len)
{
	size_t first = is_pause(frame) ? MACS + 2 : MACS;
	size_t end = draw(3) && len > 72 ? 72 : len;

	return first + draw(end - first);
}

static size_t lengthen(uint8_t *frame, size_t len)
{
	size_t more = draw(ROOM - len + 1);

	put_noise(frame + len, more);
	return len + more;
}

static void put_in(uint8_t *frame, size_t len)
{
	uint8_t other[ROOM] = { };
	size_t from = somewhere(other, make(other));
	size_t at = somewhere(frame, len);
	size_t n = 1 + draw(len - at);

	memcpy(frame + at, other + from, n < ROOM - from ? n : ROOM - from);
}

static size_t spoil(uint8_t *frame, size_t len)
{
	static const uint8_t edges[] = { 0, 1, 0x7f, 0x80, 0xff, 0x45, 0x11 };

	switch (draw(6)) {
	case 0:
		frame[somewhere(frame, len)] ^= 1 << draw(8);
		break;
	case 1:
		frame[somewhere(frame, len)] = draw(256);
		break;
	case 2:
		frame[somewhere(frame, len)] = edges[draw(sizeof(edges))];
		break;
	case 3:
		return SHORTEST + draw(len - SHORTEST + 1);
	case 4:
		return lengthen(frame, len);
	default:
		put_in(frame, len);
	}
	return len;
}

static void throw(struct target *t)
{
	unsigned int i;
	int sent, done = 0;

	while (done < (int)t->waiting) {
		sent = sendmmsg(t->fd, t->batch + done, t->waiting - done, 0);
		if (sent < 0)
			err(1, "%s: cannot send a frame of %zu bytes", t->name,
			    t->span[done].iov_len);
		done += sent;
	}
	for (i = 0; i < t->waiting; i++)
		t->pauses += is_pause(t->data[i]);
	t->frames += t->waiting;
	t->waiting = 0;
}

static void add(struct target *t)
{
	uint8_t *frame = t->data[t->waiting];
	uint32_t spoils = draw(4) ? draw(5) : 0;
	size_t len;

	memset(frame, 0, ROOM);
	near_end = 1 + (t - target) % 2;
	len = make_whole(t, frame);
	if (!len)
		for (len = make(frame); spoils; spoils--)
			len = spoil(frame, len);
	t->span[t->waiting] = (struct iovec){ frame, len };
	t->batch[t->waiting].msg_hdr = (struct msghdr){
		.msg_iov = &t->span[t->waiting], .msg_iovlen = 1,
	};
	if (++t->waiting == BATCH)
		throw(t);
}

static enum kind kind_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < KINDS; i++)
		if (!strcmp(name, kind_name[i]))
			return i;
	errx(2, "%s: no such kind of frames; see the head of throwframes.c", name);
}

/* NETDEV or NETDEV:KIND */
static void aim_at(char *name)
{
	struct sockaddr_ll addr = { .sll_family = AF_PACKET };
	struct target *t = &target[targets++];

	t->name = strsep(&name, ":");
	if (name)
		t->kind = kind_of(name);
	addr.sll_ifindex = if_nametoindex(t->name);
	if (!addr.sll_ifindex)
		err(1, "%s", t->name);
	/* With protocol 0, the socket receives nothing. */
	t->fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (t->fd < 0 || bind(t->fd, (struct sockaddr *)&addr, sizeof(addr)))
		err(1, "packet socket on %s", t->name);
}

int main(int argc, char **argv)
{
	unsigned long count;
	unsigned int i;

	if (argc < 4 || argc > 3 + TARGETS)
		errx(2, "usage: throwframes SEED COUNT NETDEV[:KIND]...");
	state = strtoull(argv[1], NULL, 0) * 2 + 1;
	count = strtoul(argv[2], NULL, 0);
	for (i = 3; i < (unsigned int)argc; i++)
		aim_at(argv[i]);
	while (count--)
		add(&target[draw(targets)]);
	for (i = 0; i < targets; i++) {
		throw(&target[i]);
		printf("%s %llu %llu\n", target[i].name, target[i].frames,
		       target[i].pauses);
	}
	return 0;
}
