// SPDX-License-Identifier: GPL-2.0
/*
 * The transport's options, and whether what they ask for is there: devices,
 * their GIDs, memory. What can be known before a rank is started is refused
 * here, with one line that names the thing, the legal form and the value given.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "err.h"
#include "options.h"
#include "rdmadev.h"
#include "units.h"

/*
 * A timer that goes off while acknowledgements are still on their way can break
 * a queue pair of SoftRoCE (explain.c), and a machine that emulates eight nodes
 * on a CPU or two has them wait for long.
 */
#define DEFAULT_TIMEOUT		18	/* 1.07 s */
#define DEFAULT_RETRY_CNT	6	/* 7 is for ever in SoftRoCE */
#define CHUNK_GRAIN		64	/* so that elements are aligned */
#define CHUNK_MAX		(3u << 20)
#define DEFAULT_PSN		0x001000
#define DEFAULT_DEADLINE_NS	(20 * CP_NSEC_PER_SEC)

#define F(member)	offsetof(struct cp_options, member)

static const char *take_devices(void *fields, const char *word)
{
	struct cp_options *opt = fields;
	size_t len;

	for (opt->n_devices = 0; ; word += len + 1) {
		len = strcspn(word, ",");
		if (!len || len >= CP_NAME_LEN)
			return "device names with commas between";
		if (opt->n_devices == CP_RANKS_MAX)
			return "at most 64 devices";
		memcpy(opt->devices[opt->n_devices], word, len);
		opt->devices[opt->n_devices++][len] = '\0';
		if (!word[len])
			return NULL;
	}
}

static const char *take_mtu(void *fields, const char *word)
{
	struct cp_options *opt = fields;
	uint32_t v;

	if (rf_parse_u32(word, &v) || v < 256 || v > 4096 || (v & (v - 1)))
		return "256, 512, 1024, 2048 or 4096";
	opt->verbs.mtu = v;
	return NULL;
}

static const char *take_protocol(void *fields, const char *word)
{
	static const char *const names[CP_PROTOCOLS] = {
		[CP_BY_WRITE] = "write",
		[CP_BY_SEND] = "send",
		[CP_BY_READ] = "read",
	};
	struct cp_options *opt = fields;

	for (int p = 0; p < CP_PROTOCOLS; p++) {
		if (strcmp(word, names[p]))
			continue;
		opt->verbs.protocol = (enum cp_protocol)p;
		return NULL;
	}
	return "write, send or read";
}

static const char *take_chunk(void *fields, const char *word)
{
	struct cp_options *opt = fields;
	uint64_t v;

	if (rf_parse_size(word, &v) || !v || v % CHUNK_GRAIN || v > CHUNK_MAX)
		return "a multiple of 64 bytes up to 3M";
	opt->verbs.chunk = v;
	return NULL;
}

static const struct cp_arg rows[] = {
	{ .name = "device", .kind = CP_ARG_OWN | CP_ARG_PERSONAL, .take = take_devices,
	  .value = "DEV,DEV,...",
	  .help = "RDMA device of each rank (rxe1,rxe2,...)" },
	{ 0, "allow-loopback", CP_ARG_FLAG | CP_ARG_PERSONAL, F(allow_loopback), 0, 0, NULL,
	  "let ranks share a device: their packets never reach a netdev", NULL },
	{ 0, "gid-index", CP_ARG_NUMBER | CP_ARG_PERSONAL, F(verbs.gid_index), 0, 255, "N",
	  "GID to use (the IPv4 one of RoCE v2)", NULL },
	{ .name = "mtu", .kind = CP_ARG_OWN, .take = take_mtu, .value = "BYTES",
	  .help = "path MTU: 256, 512, 1024, 2048 or 4096 (the port's)" },
	{ .name = "protocol", .kind = CP_ARG_OWN, .take = take_protocol,
	  .value = "WORD",
	  .help = "write, send or read: how data gets to the peer (write)" },
	{ 0, "qps-per-peer", CP_ARG_NUMBER, F(verbs.qps), 1, 16, "N",
	  "queue pairs for each direction between two ranks (1)", NULL },
	{ .name = "chunk", .kind = CP_ARG_OWN, .take = take_chunk,
	  .value = "SIZE",
	  .help = "most bytes in a message (as many as fit well, up to 256K)" },
	{ 0, "tclass", CP_ARG_NUMBER, F(verbs.tclass), 0, 255, "N",
	  "traffic class, that is DSCP * 4 + ECN (0)", NULL },
	{ 0, "timeout", CP_ARG_NUMBER, F(verbs.timeout), 1, 31, "N",
	  "retransmission timer, 4.096 us * 2^N (18: 1.07 s)", NULL },
	{ 0, "retry-cnt", CP_ARG_NUMBER, F(verbs.retry_cnt), 0, 6, "N",
	  "retransmissions before giving up (6)", NULL },
	{ 0, "psn", CP_ARG_PSN, F(verbs.psn), 0, 0, "PSN",
	  "first PSN; rank R adds R * 0x1000 (0x1000)", NULL },
	{ 0, "deadline", CP_ARG_TIME, F(deadline_ns), CP_NSEC_PER_MSEC,
	  3600 * CP_NSEC_PER_SEC, "TIME",
	  "longest that a rank waits for anything (20s)", NULL },
	{ 0, "rank", CP_ARG_NUMBER | CP_ARG_PERSONAL, F(rank), 0,
	  CP_RANKS_MAX - 1, "R",
	  "this process is rank R of a job that is started by hand", NULL },
	{ 0, "rendezvous", CP_ARG_TEXT | CP_ARG_PERSONAL,
	  F(rendezvous), 0, 0, "HOST:PORT",
	  "where rank 0 of such a job listens", NULL },
};

/**
 * cp_options_default() - what holds where the user says nothing
 * @opt: to be filled in
 */
void cp_options_default(struct cp_options *opt)
{
	*opt = (struct cp_options){
		.verbs = {
			.timeout = DEFAULT_TIMEOUT,
			.retry_cnt = DEFAULT_RETRY_CNT,
			.psn = DEFAULT_PSN,
			.gid_index = -1,
			.qps = 1,
		},
		.deadline_ns = DEFAULT_DEADLINE_NS,
		.rank = CP_NO_RANK,
	};
}

/**
 * cp_options_table() - the transport's options, for a command line
 * @opt: into which they are read
 *
 * Return: a table to put beside the program's own.
 */
struct cp_arg_table cp_options_table(struct cp_options *opt)
{
	return (struct cp_arg_table){
		.rows = rows,
		.n = sizeof(rows) / sizeof(rows[0]),
		.fields = opt,
	};
}

static void default_devices(struct cp_options *opt, uint32_t ranks)
{
	for (uint32_t r = 0; r < ranks; r++)
		snprintf(opt->devices[r], CP_NAME_LEN, "rxe%u", r + 1);
	opt->n_devices = ranks;
}

static int check_device_count(struct cp_options *opt, uint32_t ranks)
{
	if (!opt->n_devices)
		default_devices(opt, ranks);
	if (opt->n_devices == ranks)
		return 0;
	if (opt->n_devices > ranks || !opt->allow_loopback) {
		rf_err("--device must name one device for each of the %u ranks, not %u",
		       ranks, opt->n_devices);
		return -EINVAL;
	}
	for (uint32_t r = opt->n_devices; r < ranks; r++)
		memcpy(opt->devices[r], opt->devices[r % opt->n_devices],
		       CP_NAME_LEN);
	return 0;
}

static int check_device(const struct cp_options *opt, uint32_t rank)
{
	const char *dev = opt->devices[rank];
	char path[CP_NAME_LEN + 32], netdev[CP_NAME_LEN];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s", dev);
	if (access(path, F_OK)) {
		rf_err("there is no RDMA device '%s' for rank %u; see 'rdma link', or make one with 'rdmafault fabric up'",
		       dev, rank);
		return -ENODEV;
	}
	if (opt->verbs.gid_index >= 0 || rf_rdma_gid_index(dev) >= 0)
		return 0;
	if (rf_rdma_to_netdev(dev, netdev, sizeof(netdev)))
		snprintf(netdev, sizeof(netdev), "(unknown)");
	rf_err("%s has no IPv4 GID of RoCE v2: give its netdev %s an IPv4 address, or choose a GID with --gid-index",
	       dev, netdev);
	return -EADDRNOTAVAIL;
}

static int check_loopback(const struct cp_options *opt, uint32_t rank)
{
	for (uint32_t r = 0; r < rank && !opt->allow_loopback; r++) {
		if (strcmp(opt->devices[r], opt->devices[rank]))
			continue;
		rf_err("ranks %u and %u share %s: a software device short-circuits such packets, they never reach the netdev; --allow-loopback does it all the same",
		       r, rank, opt->devices[r]);
		return -EINVAL;
	}
	return 0;
}

/**
 * cp_options_check() - refuse what cannot work, fill in what was left open
 * @opt: the options
 * @ranks: all of them
 *
 * Return: 0, or -errno after a message.
 */
int cp_options_check(struct cp_options *opt, uint32_t ranks)
{
	int ret;

	if (opt->team.joined)
		return check_device(opt, (uint32_t)opt->team.rank);
	ret = check_device_count(opt, ranks);
	for (uint32_t r = 0; !ret && r < ranks; r++) {
		ret = check_loopback(opt, r);
		if (!ret)
			ret = check_device(opt, r);
	}
	return ret;
}

/**
 * cp_options_speaks() - does this process write what the job has to say?
 * @opt: the options, after cp_team_join()
 *
 * Return: true in the launcher, and in rank 0 of those that others started.
 */
bool cp_options_speaks(const struct cp_options *opt)
{
	return !opt->team.joined || !opt->team.rank;
}

/**
 * cp_options_local() - how many ranks are on this machine?
 * @opt: the options, after cp_team_join()
 * @ranks: all of them
 *
 * Return: as it says.
 */
uint32_t cp_options_local(const struct cp_options *opt, uint32_t ranks)
{
	return opt->team.joined ? (uint32_t)opt->team.local_ranks : ranks;
}

static uint64_t memory_available(void)
{
	unsigned long long kib = 0;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "re");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib << 10;
}

/**
 * cp_memory_check() - is there memory for all ranks of this machine?
 * @what: the option that asks for it
 * @bytes: what it asks for
 * @each: bytes that this makes for each rank
 * @ranks: on this machine
 *
 * Return: 0, or -ENOMEM after a message.
 */
int cp_memory_check(const char *what, uint64_t bytes, uint64_t each,
		    uint32_t ranks)
{
	char asked[RF_FMT_LEN], need[RF_FMT_LEN], avail[RF_FMT_LEN];
	uint64_t have = memory_available();

	if (!have || each <= have / ranks)
		return 0;
	rf_err("%s %s is too much: each of %u ranks needs %s, and %s are available",
	       what, rf_fmt_size(bytes, asked), ranks, rf_fmt_size(each, need),
	       rf_fmt_size(have, avail));
	return -ENOMEM;
}
