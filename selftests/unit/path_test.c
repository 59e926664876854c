// SPDX-License-Identifier: GPL-2.0
/*
 * Test the choice of links. For a fair hash of n flows on m links, the chance that no two flows
 * share a link, and the expected ratio of the largest to the mean load (MMR), are known: 4! / 4^4
 * and the table of mmr_ok(). 10,000 seeds must agree with them.
 */
#include "../../kmod/rand.c"
#include "../../kmod/path/path.c"
#include "chance.h"
#include "tap.h"

#define SEEDS	10000
#define LINKS	RDMAFAULT_PATH_LINKS_MAX
#define FLOWS	128
#define ALL(n)	((1u << (n)) - 1)

static struct rf_path_state state;
static u64 queued[LINKS];

static struct rf_path_conf conf_of(u32 mode, u64 seed, u32 links)
{
	memset(&state, 0, sizeof(state));
	return (struct rf_path_conf){ .mode = mode, .seed = seed, .links = links };
}

/* The flow of queue pair number @n of a node */
static struct rf_path_key key_of(u32 n)
{
	struct rf_path_key key = {
		.saddr = { 10, 77, 0, 1 }, .daddr = { 10, 77, 0, 2 }, .addr_len = 4,
		.qp = 17 + n, .sport = 0xc000 + (17 + n) * 1237 % 0x4000,
	};

	return key;
}

static u32 choose(const struct rf_path_conf *conf, const struct rf_path_key *key)
{
	return rf_path_choose(conf, &state, key, ALL(conf->links), queued, 0);
}

/* Count the flows on each link. Return: the largest number */
static u32 place(const struct rf_path_conf *conf, u32 flows, u32 *load)
{
	struct rf_path_key key;
	u32 n, link, most = 0;

	memset(load, 0, LINKS * sizeof(*load));
	for (n = 0; n < flows; n++) {
		key = key_of(n);
		link = choose(conf, &key);
		load[link]++;
		if (load[link] > most)
			most = load[link];
	}
	return most;
}

static void collisions_ok(u32 mode, const char *words)
{
	static const struct { u32 flows, links; double p; } cases[] = {
		{ 2, 2, 1 / 2. }, { 2, 4, 3 / 4. }, { 4, 4, 24 / 256. }, { 4, 8, 1680 / 4096. },
		{ 8, 8, 40320 / 16777216. },
	};
	u32 i, seed, none, load[LINKS];
	struct rf_path_conf conf;
	double p;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		p = cases[i].p;
		for (none = 0, seed = 0; seed < SEEDS; seed++) {
			conf = conf_of(mode, seed, cases[i].links);
			none += place(&conf, cases[i].flows, load) == 1;
		}
		ok(z_good((none - SEEDS * p) / sqrt(SEEDS * p * (1 - p))),
		   "%s, %u flows on %u links: no collision with %u of %u seeds, expected %.2f %%",
		   words, cases[i].flows, cases[i].links, none, SEEDS, 100 * p);
	}
}

/* 8 flows on 4 links: two on each in 2520 of 65536 cases */
static void even_ok(void)
{
	u32 seed, even = 0, load[LINKS];
	double p = 2520 / 65536.;
	struct rf_path_conf conf;

	for (seed = 0; seed < SEEDS; seed++) {
		conf = conf_of(RDMAFAULT_PATH_MODE_ECMP, seed, 4);
		even += place(&conf, 8, load) == 2;
	}
	ok(z_good((even - SEEDS * p) / sqrt(SEEDS * p * (1 - p))),
	   "ecmp, 8 flows on 4 links: evenly with %u of %u seeds, expected %.2f %%", even, SEEDS,
	   100 * p);
}

/*
 * The expected MMR of a fair hash by the number of links and flows, as multinomial
 * distributions have it. The means must agree within their standard errors.
 */
static void mmr_ok(void)
{
	static const double table[3][6] = {
		{ 1.375, 1.273, 1.196, 1.140, 1.099, 1.070 },
		{ 2.125, 1.769, 1.535, 1.374, 1.263, 1.185 },
		{ 3.297, 2.597, 2.101, 1.762, 1.529, 1.369 },
	};
	u32 m, n, seed, load[LINKS];
	struct rf_path_conf conf;
	double mmr, sum, squares;

	for (m = 0; m < 3; m++) {
		for (n = 0; n < 6; n++) {
			for (sum = squares = 0, seed = 0; seed < SEEDS; seed++) {
				conf = conf_of(RDMAFAULT_PATH_MODE_QP, seed, 2 << m);
				mmr = place(&conf, 4 << n, load) / (double)(4 << n) * (2 << m);
				sum += mmr;
				squares += mmr * mmr;
			}
			sum /= SEEDS;
			/* The figures of the table are rounded to 0.0005. */
			mmr = fmax(0, fabs(sum - table[m][n]) - 0.0005);
			ok(z_good(mmr / sqrt((squares / SEEDS - sum * sum) / SEEDS)),
			   "qp, %d flows on %d links: mean MMR %.4f, expected %.3f", 4 << n,
			   2 << m, sum, table[m][n]);
		}
	}
}

/* E[1 / JFI] = 1 + (m - 1) / n */
static void jain_ok(void)
{
	double inverse, sum = 0, squares = 0;
	u32 seed, i, load[LINKS], square;
	struct rf_path_conf conf;

	for (seed = 0; seed < SEEDS; seed++) {
		conf = conf_of(RDMAFAULT_PATH_MODE_ECMP, seed, 4);
		place(&conf, 4, load);
		for (square = 0, i = 0; i < 4; i++)
			square += load[i] * load[i];
		inverse = 4 * square / 16.;
		sum += inverse;
		squares += inverse * inverse;
	}
	sum /= SEEDS;
	ok(z_good((sum - 1.75) / sqrt((squares / SEEDS - sum * sum) / SEEDS)),
	   "ecmp, 4 flows on 4 links: mean of 1 / JFI %.4f, expected 1.75", sum);
}

/* Which fields decide: all fields of the key with qp, all but the QP with ecmp */
static void fields_ok(void)
{
	struct rf_path_conf ecmp = conf_of(RDMAFAULT_PATH_MODE_ECMP, 7, 16);
	struct rf_path_conf qp = conf_of(RDMAFAULT_PATH_MODE_QP, 7, 16), seed;
	unsigned int moved[4] = { 0 }, qp_moved = 0, seed_moved = 0;
	struct rf_path_key key, other;
	u32 n, i;

	for (n = 0; n < SEEDS; n++) {
		key = key_of(0);
		key.sport = n;
		for (i = 0; i < 4; i++) {
			other = key;
			other.saddr[3] += i == 0;
			other.daddr[3] += i == 1;
			other.sport += i == 2;
			other.qp += i == 3;
			moved[i] += choose(&ecmp, &other) != choose(&ecmp, &key);
		}
		qp_moved += choose(&qp, &other) != choose(&qp, &key);
		seed = ecmp;
		seed.seed = n + 8;
		seed_moved += choose(&seed, &key) != choose(&ecmp, &key);
	}
#define MOVED(count, words) \
	ok(z_good(((count) - SEEDS * 15 / 16.) / sqrt(SEEDS * 15 / 256.)), \
	   words " moves %u of %u flows on 16 links, expected 15/16", count, SEEDS)
	MOVED(moved[0], "ecmp: another source address");
	MOVED(moved[1], "ecmp: another destination address");
	MOVED(moved[2], "ecmp: another source port");
	ok(!moved[3], "ecmp: another QP moves no flow");
	MOVED(qp_moved, "qp: another QP");
	MOVED(seed_moved, "ecmp: another seed");
}

static void ipv6_ok(void)
{
	struct rf_path_conf conf = conf_of(RDMAFAULT_PATH_MODE_ECMP, 7, 16);
	struct rf_path_key key = key_of(0), other;
	unsigned int byte, n, moved[32] = { 0 }, worst = SEEDS;

	key.addr_len = 16;
	for (n = 0; n < 1000; n++) {
		key.sport = n;
		for (byte = 0; byte < 32; byte++) {
			other = key;
			(byte < 16 ? other.saddr : other.daddr)[byte % 16] ^= 1;
			moved[byte] += choose(&conf, &other) != choose(&conf, &key);
		}
	}
	for (byte = 0; byte < 32; byte++)
		worst = moved[byte] < worst ? moved[byte] : worst;
	ok(worst > 900, "IPv6: each byte of the addresses moves at least %u of 1000 flows", worst);
}

/* A link that is down is not chosen. All others are, and none is if all are down. */
static void down_ok(u32 mode, const char *words)
{
	struct rf_path_conf conf = conf_of(mode, 3, 8);
	u32 n, up, link, seen, wrong = 0, missed = 0;
	struct rf_path_key key;
	u64 now = 0;

	conf.gap = mode == RDMAFAULT_PATH_MODE_FLOWLET ? 1000 : 0;
	for (up = 1; up < 256; up++) {
		for (seen = 0, n = 0; n < 200; n++) {
			key = key_of(n);
			link = rf_path_choose(&conf, &state, &key, up, queued, now += 1000);
			wrong += link >= 8 || !(up >> link & 1);
			seen |= 1u << link;
		}
		missed += seen != up;
	}
	ok(!wrong && !missed, "%s: the links that are up are chosen, and no others (%u wrong, %u missed)",
	   words, wrong, missed);
	ok(rf_path_choose(&conf, &state, &key, 0, queued, 0) == RF_PATH_NONE,
	   "%s: all links are down: none is chosen", words);
}

static void round_robin_ok(void)
{
	struct rf_path_conf conf = conf_of(RDMAFAULT_PATH_MODE_SPRAY, 3, 5);
	u32 load[LINKS] = { 0 }, n, i, least, most, apart = 0;
	struct rf_path_key key;

	for (n = 0; n < 10007; n++) {
		key = key_of(n % 7);
		load[choose(&conf, &key)]++;
		for (least = most = load[0], i = 1; i < 5; i++) {
			least = load[i] < least ? load[i] : least;
			most = load[i] > most ? load[i] : most;
		}
		apart = most - least > apart ? most - least : apart;
	}
	ok(apart == 1, "round robin: the loads of 5 links differ by at most %u packets", apart);
}

static void random_ok(void)
{
	struct rf_path_conf conf = conf_of(RDMAFAULT_PATH_MODE_SPRAY, 3, 8);
	unsigned int load[LINKS] = { 0 }, pairs[64] = { 0 }, one[1000];
	unsigned int n, last = 0, link, differ = 0;
	struct rf_path_key key = key_of(1), other = key_of(2);

	conf.order = RDMAFAULT_PATH_ORDER_RANDOM;
	for (n = 0; n < 64000; n++) {
		link = choose(&conf, &key);
		load[link]++;
		if (n % 2)
			pairs[last * 8 + link]++;
		last = link;
	}
	ok(chi2_good(chi2(load, 8, 8000), 7), "random: 64000 packets are spread evenly over 8 links");
	ok(chi2_good(chi2(pairs, 64, 500), 63), "random: a choice does not depend on the one before");
	memset(&state, 0, sizeof(state));
	for (n = 0; n < 1000; n++)
		one[n] = choose(&conf, &key);
	memset(&state, 0, sizeof(state));
	for (n = 0; n < 1000; n++) {
		choose(&conf, &other);
		differ += choose(&conf, &key) != one[n];
	}
	ok(!differ, "random: the packets of another flow change no choice");
}

static void flowlet_ok(void)
{
	struct rf_path_conf ecmp = conf_of(RDMAFAULT_PATH_MODE_ECMP, 9, 8);
	struct rf_path_conf conf = conf_of(RDMAFAULT_PATH_MODE_FLOWLET, 9, 8);
	unsigned int load[LINKS] = { 0 }, n, i, first, moved = 0;
	struct rf_path_key key = key_of(5);
	u64 now = 1000000;

	conf.gap = 500;
	first = rf_path_choose(&conf, &state, &key, 255, queued, now);
	ok(first == choose(&ecmp, &key), "flowlet: the first choice is that of ecmp");
	for (n = 0; n < 10000; n++)
		moved += rf_path_choose(&conf, &state, &key, 255, queued, now += 499) != first;
	ok(!moved, "flowlet: without a gap, all packets take the same link");
	for (n = 0; n < 16000; n++) {
		first = rf_path_choose(&conf, &state, &key, 255, queued, now += 500);
		load[first]++;
		for (i = 0; i < 3; i++)
			moved += rf_path_choose(&conf, &state, &key, 255, queued, now) != first;
	}
	ok(!moved, "flowlet: packets of a flowlet take the same link");
	ok(chi2_good(chi2(load, 8, 2000), 7), "flowlet: 16000 flowlets are spread evenly over 8 links");
	first = rf_path_choose(&conf, &state, &key, 255, queued, now - 100);
	ok(first == rf_path_choose(&conf, &state, &key, 255, queued, now),
	   "flowlet: a time before the last packet is no gap");
	n = rf_path_choose(&conf, &state, &key, 255 & ~BIT(first), queued, now);
	ok(n != first && n < 8, "flowlet: a link that is down ends the flowlet");
}

/*
 * Packets of equal length, in bursts of 4 of a flow; one packet leaves each queue in the time of
 * 4 arrivals.
 */
static u64 longest_queue(struct rf_path_conf *conf)
{
	struct rf_path_key key;
	u64 longest = 0, now;
	u32 link, i;

	memset(queued, 0, sizeof(queued));
	for (now = 0; now < 40000; now++) {
		key = key_of((u32)(now / 4 * 2654435761u) >> 28);
		link = rf_path_choose(conf, &state, &key, ALL(4), queued, now);
		queued[link] += 1000;
		longest = queued[link] > longest ? queued[link] : longest;
		for (i = 0; i < 4 && now % 4 == 3; i++)
			queued[i] -= queued[i] ? 1000 : 0;
	}
	memset(queued, 0, sizeof(queued));
	return longest;
}

static void adaptive_ok(void)
{
	struct rf_path_conf conf = conf_of(RDMAFAULT_PATH_MODE_ADAPTIVE, 9, 4);
	unsigned int ties[2] = { 0 }, n, wrong = 0, link;
	u64 packet, flowlet, gap;
	struct rf_path_key key;

	queued[0] = 900, queued[1] = 500, queued[2] = 500, queued[3] = 501;
	for (n = 0; n < 10000; n++) {
		key = key_of(n);
		link = choose(&conf, &key);
		wrong += link != 1 && link != 2;
		ties[link == 2]++;
	}
	ok(!wrong, "adaptive: one of the shortest queues is chosen");
	ok(z_good((ties[0] - 5000.) / 50), "adaptive: equal queues share the packets evenly");
	packet = longest_queue(&conf);
	conf = conf_of(RDMAFAULT_PATH_MODE_ADAPTIVE, 9, 4);
	conf.gap = 8;
	gap = longest_queue(&conf);
	conf = conf_of(RDMAFAULT_PATH_MODE_FLOWLET, 9, 4);
	conf.gap = 8;
	flowlet = longest_queue(&conf);
	ok(packet <= gap && gap <= flowlet && packet < flowlet,
	   "the longest queue: adaptive %llu, adaptive per flowlet %llu, flowlet %llu bytes",
	   (unsigned long long)packet, (unsigned long long)gap, (unsigned long long)flowlet);
}

static void list_ok(void)
{
	struct rf_path_conf conf = conf_of(RDMAFAULT_PATH_MODE_LIST, 9, 4);
	struct rf_path_conf ecmp = conf_of(RDMAFAULT_PATH_MODE_ECMP, 9, 4);
	struct rf_path_key key = key_of(3);		/* QP 20 */

	conf.routes = 3;
	conf.route[0] = (struct rf_path_route){ .links = 8, .qp = 20, .addr_len = 4,
						.daddr = { 10, 77, 0, 2 } };
	conf.route[1] = (struct rf_path_route){ .links = 2, .qp = 20 };
	conf.route[2] = (struct rf_path_route){ .links = 5, .addr_len = 4,
						.daddr = { 10, 77, 0, 3 } };
	ok(choose(&conf, &key) == 3, "list: a route with address and QP");
	key.daddr[3] = 9;
	ok(choose(&conf, &key) == 1, "list: another address: the next route applies");
	key.addr_len = 16;
	ok(choose(&conf, &key) == 1, "list: a route without an address applies to IPv6");
	key.qp = 21;
	ok(choose(&conf, &key) == choose(&ecmp, &key), "list: without a route, as ecmp");
	key.addr_len = 4;
	key.daddr[3] = 3;
	ok(5 >> choose(&conf, &key) & 1, "list: one of the two links of a route");
	ok(rf_path_choose(&conf, &state, &key, 4, queued, 0) == 2, "list: the link that is up");
	ok(rf_path_choose(&conf, &state, &key, 2, queued, 0) == 1,
	   "list: another link if those of the route are down");
}

/* Return: the attribute of the reason why the configuration is refused, or 0 */
static int refused(const struct rf_path_conf *conf, u64 set)
{
	const struct rf_invalid *invalid = rf_path_validate(conf, set | SET(MODE), 1000);

	return invalid ? invalid->attr : 0;
}

static void validate_ok(void)
{
	struct rf_path_conf conf = conf_of(RDMAFAULT_PATH_MODE_ECMP, 0, 2);

	ok(!refused(&conf, SET(SEED)), "ecmp is valid");
	ok(rf_path_validate(&conf, 0, 1000)->attr == RDMAFAULT_A_PATH_MODE, "no mode is refused");
	ok(refused(&conf, SET(GAP)) == RDMAFAULT_A_PATH_GAP, "ecmp with a gap is refused");
	ok(refused(&conf, SET(ORDER)) == RDMAFAULT_A_PATH_ORDER, "ecmp with an order is refused");
	conf.links = 0;
	ok(refused(&conf, 0) == RDMAFAULT_A_PATH_LINK, "no links are refused");
	conf.links = 2;
	conf.mode = RDMAFAULT_PATH_MODE_FLOWLET;
	ok(refused(&conf, 0) == RDMAFAULT_A_PATH_GAP, "flowlet without a gap is refused");
	conf.gap = 1000;
	ok(!refused(&conf, SET(GAP)), "flowlet with the gap max-hold is valid");
	conf.gap++;
	ok(refused(&conf, SET(GAP)) == RDMAFAULT_A_PATH_GAP, "a gap above max-hold is refused");
	conf.mode = RDMAFAULT_PATH_MODE_ADAPTIVE;
	ok(!refused(&conf, 0), "adaptive without a gap is valid");
	conf.mode = RDMAFAULT_PATH_MODE_SPRAY;
	ok(!refused(&conf, SET(ORDER)), "spray with an order is valid");
	conf.mode = RDMAFAULT_PATH_MODE_LIST;
	ok(refused(&conf, 0) == RDMAFAULT_A_PATH_ROUTE, "list without routes is refused");
	conf.routes = 1;
	conf.route[0] = (struct rf_path_route){ .links = 2, .qp = 5 };
	ok(!refused(&conf, 0), "list with a route is valid");
	conf.route[0].links = 4;
	ok(refused(&conf, 0) == RDMAFAULT_A_PATH_ROUTE, "a route over a third link of two is refused");
	conf.route[0] = (struct rf_path_route){ .links = 2 };
	ok(refused(&conf, 0) == RDMAFAULT_A_PATH_ROUTE, "a route for all packets is refused");
	conf.mode = RDMAFAULT_PATH_MODE_QP;
	ok(refused(&conf, 0) == RDMAFAULT_A_PATH_ROUTE, "qp with a route is refused");
}

/* The hash is part of the interface: users predict links from it. */
static void stable_ok(void)
{
	struct rf_path_conf conf = conf_of(RDMAFAULT_PATH_MODE_QP, 42, 16);
	struct rf_path_key key = key_of(0);
	u64 hash = rf_splitmix64(rf_splitmix64(0, 42), 0x0a4d00010a4d0002);

	hash = rf_splitmix64(hash, 17ULL << 32 | (u32)key.sport << 16 | 4791);
	ok(choose(&conf, &key) == rf_splitmix64(hash, 0) >> 60,
	   "the link is that of the documented formula");
}

int main(void)
{
	collisions_ok(RDMAFAULT_PATH_MODE_ECMP, "ecmp");
	collisions_ok(RDMAFAULT_PATH_MODE_QP, "qp");
	even_ok();
	mmr_ok();
	jain_ok();
	fields_ok();
	ipv6_ok();
	down_ok(RDMAFAULT_PATH_MODE_ECMP, "ecmp");
	down_ok(RDMAFAULT_PATH_MODE_QP, "qp");
	down_ok(RDMAFAULT_PATH_MODE_FLOWLET, "flowlet");
	down_ok(RDMAFAULT_PATH_MODE_SPRAY, "spray");
	down_ok(RDMAFAULT_PATH_MODE_ADAPTIVE, "adaptive");
	round_robin_ok();
	random_ok();
	flowlet_ok();
	adaptive_ok();
	list_ok();
	validate_ok();
	stable_ok();
	return done_testing();
}
