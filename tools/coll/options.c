// SPDX-License-Identifier: GPL-2.0
/*
 * Parse and check the options of the transport. The devices, their GIDs and the
 * available memory are checked before a rank is started.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "coll.h"
#include "err.h"
#include "opts.h"
#include "port.h"
#include "ranks.h"
#include "units.h"

/*
 * If the retransmission timer expires while acknowledgments are in flight, a queue pair
 * of SoftRoCE can fail (see explain.c). If one or two CPUs emulate eight nodes,
 * acknowledgments can take longer than a usual timeout.
 */
#define DEFAULT_TIMEOUT		18	/* 1.07 s */
#define DEFAULT_RETRY_CNT	6	/* in SoftRoCE, 7 means no limit */
#define CHUNK_GRAIN		64	/* bytes; chunks are multiples of this, to align elements */
#define CHUNK_MAX		(3u << 20)
#define DEFAULT_PSN		0x001000
#define DEFAULT_DEADLINE_NS	(20 * COLL_NSEC_PER_SEC)

#define F(member)	.at = offsetof(struct coll_options, member)

static int devices_take(const struct rf_key *key, const char *word, void *fields)
{
	struct coll_options *opt = fields;
	size_t len;

	(void)key;
	for (opt->n_devices = 0; ; word += len + 1) {
		len = strcspn(word, ",");
		if (!len || len >= COLL_NAME_LEN || opt->n_devices == COLL_RANKS_MAX)
			return -EINVAL;
		memcpy(opt->devices[opt->n_devices], word, len);
		opt->devices[opt->n_devices++][len] = '\0';
		if (!word[len])
			return 0;
	}
}

static const struct rf_kind devices_kind = { .take = devices_take };

static const struct rf_name protocol_names[] = {
	{ "write", COLL_BY_WRITE },
	{ "send", COLL_BY_SEND },
	{ "read", COLL_BY_READ },
	{ }
};

static int chunk_take(const struct rf_key *key, const char *word, void *fields)
{
	uint64_t v;

	if (rf_parse_size(word, &v) || v % CHUNK_GRAIN)
		return -EINVAL;
	return rf_kind_size.take(key, word, fields);
}

static const struct rf_kind chunk_kind = { .take = chunk_take };

/* Parse one number, or several: rank r takes number r modulo their count. */
static int tclass_take(const struct rf_key *key, const char *word, void *fields)
{
	struct coll_verbs_options *verbs = &((struct coll_options *)fields)->verbs;
	struct rf_key one = { .kind = &rf_kind_u32, .min = key->min, .max = key->max };
	char number[8];
	size_t len;

	for (verbs->n_tclass = 0; ; word += len + 1) {
		len = strcspn(word, ",");
		if (!len || len >= sizeof(number) || verbs->n_tclass == COLL_RANKS_MAX)
			return -EINVAL;
		snprintf(number, sizeof(number), "%.*s", (int)len, word);
		if (one.kind->take(&one, number, &verbs->tclass[verbs->n_tclass++]))
			return -EINVAL;
		if (!word[len])
			return 0;
	}
}

static const struct rf_kind tclass_kind = { .take = tclass_take };

static const struct rf_key rank_rows[] = {
	{ "device", "up to 128 names of RDMA devices, for example rxe1,rxe2", &devices_kind,
	  .value = "DEV,...", .personal = true,
	  .help = "RDMA devices, in order of rank (rxe1,rxe2,...)" },
	{ "rails", NULL, &rf_kind_u32, F(verbs.rails), 1, COLL_RAILS_MAX, .value = "N",
	  .help = "RDMA devices per rank; 1 or 2 (1)" },
	{ "allow-loopback", NULL, &rf_kind_bool, F(allow_loopback), .personal = true,
	  .help = "ranks can share a device; packets skip the netdev" },
	{ "gid-index", NULL, &rf_kind_u32, F(verbs.gid_index), 0, 255,
	  .value = "N", .personal = true, .help = "index of the GID; 0 to 255 (IPv4, RoCE v2)" },
	{ "deadline", NULL, &rf_kind_time,
	  F(deadline_ns), COLL_NSEC_PER_MSEC, 3600 * COLL_NSEC_PER_SEC,
	  .value = "TIME", .help = "longest wait for other ranks; 1ms to 3600s (20s)" },
	{ "rank", NULL, &rf_kind_u32, F(rank), 0, COLL_RANKS_MAX - 1,
	  .value = "R", .personal = true, .help = "be rank R of a job started by hand; 0 to 127" },
	{ "rendezvous", NULL, &rf_kind_text, F(rendezvous), .value = "HOST:PORT", .personal = true,
	  .help = "with --rank: address of rank 0" },
};

static const struct rf_key transport_rows[] = {
	{ "mtu", "256, 512, 1024, 2048 or 4096", &rf_kind_mtu, F(verbs.mtu), 256, 4096,
	  .value = "BYTES", .help = "path MTU; 256, 512, 1024, 2048, 4096 (of the port)" },
	{ "protocol", NULL, &rf_kind_name, F(verbs.protocol), .names = protocol_names,
	  .value = "VERB", .help = "RDMA operation; write, send, read (write)" },
	{ "qps-per-peer", NULL, &rf_kind_u32, F(verbs.qps), 1, 16, .value = "N",
	  .help = "queue pairs per peer, direction; 1 to 16 (--rails)" },
	{ "chunk", "a multiple of 64 up to 3M", &chunk_kind, F(verbs.chunk), 1, CHUNK_MAX,
	  .value = "SIZE", .help = "bytes per message; up to 3M, multiple of 64 (auto)" },
	{ "tclass", "0 to 255, or one for each rank, for example 0,32,64", &tclass_kind,
	  .max = 255, .value = "N,...", .help = "traffic classes, DSCP * 4 + ECN; 0 to 255 (0)" },
	{ "timeout", NULL, &rf_kind_u32, F(verbs.timeout), 1, 31, .value = "N",
	  .help = "retransmission timer, 4.096us * 2^N; 1 to 31 (18)" },
	{ "retry-cnt", NULL, &rf_kind_u32, F(verbs.retry_cnt), 0, 6, .value = "N",
	  .help = "retransmissions before the QP fails; 0 to 6 (6)" },
	{ "psn", "0 to 0xffffff", &rf_kind_hex, F(verbs.psn), 0, 0xffffff, .value = "PSN",
	  .help = "first PSN of rank 0; 0 to 0xffffff (0x1000)" },
};

static const struct rf_key output_rows[] = {
	{ "timeline", NULL, &rf_kind_text, F(timeline_path), .value = "FILE",
	  .help = "write the steps of each rank as JSON lines" },
	{ "verbose", NULL, &rf_kind_bool, F(verbose), .letter = 'v', .personal = true,
	  .help = "print details on standard error" },
	{ "help", NULL, &rf_kind_help, .letter = 'h', .help = "print this text" },
	{ "version", NULL, &rf_kind_version, .letter = 'V', .help = "print the version" },
};

/**
 * coll_options_default() - set the options to their default values
 * @opt: the options
 */
void coll_options_default(struct coll_options *opt)
{
	*opt = (struct coll_options){
		.verbs = {
			.timeout = DEFAULT_TIMEOUT,
			.retry_cnt = DEFAULT_RETRY_CNT,
			.psn = DEFAULT_PSN,
			.n_tclass = 1,
			.gid_index = -1,
			.rails = 1,
		},
		.deadline_ns = DEFAULT_DEADLINE_NS,
		.rank = COLL_NO_RANK,
	};
}

/**
 * coll_options_ranks() - get the options for ranks and devices; each program defines -N itself
 * @opt: gets the values
 *
 * Return: a table for the command line of a program.
 */
struct rf_opt_table coll_options_ranks(struct coll_options *opt)
{
	return (struct rf_opt_table){
		.rows = rank_rows,
		.n = sizeof(rank_rows) / sizeof(rank_rows[0]),
		.fields = opt,
	};
}

/**
 * coll_options_transport() - get the options for the queue pairs
 * @opt: gets the values
 *
 * Return: a table for the command line of a program.
 */
struct rf_opt_table coll_options_transport(struct coll_options *opt)
{
	return (struct rf_opt_table){
		.title = "Queue pairs",
		.rows = transport_rows,
		.n = sizeof(transport_rows) / sizeof(transport_rows[0]),
		.fields = opt,
	};
}

/**
 * coll_options_output() - get the options that follow those for the output of a program
 * @opt: gets the values
 *
 * Return: a table for the command line of a program.
 */
struct rf_opt_table coll_options_output(struct coll_options *opt)
{
	return (struct rf_opt_table){
		.rows = output_rows,
		.n = sizeof(output_rows) / sizeof(output_rows[0]),
		.fields = opt,
	};
}

/* Each rail has the same number of queue pairs, so that all rails have the same load. */
static int check_rails(struct coll_options *opt, uint32_t ranks)
{
	struct coll_verbs_options *verbs = &opt->verbs;

	if (!verbs->qps)
		verbs->qps = verbs->rails;
	if (verbs->qps % verbs->rails)
		rf_err("--qps-per-peer %u: not a multiple of --rails %u", verbs->qps,
		       verbs->rails);
	else if (ranks * verbs->rails > COLL_RANKS_MAX)
		rf_err("--rails %u: %u ranks need %u devices; at most %u", verbs->rails, ranks,
		       ranks * verbs->rails, COLL_RANKS_MAX);
	else
		return 0;
	return -EINVAL;
}

static void default_devices(struct coll_options *opt, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		snprintf(opt->devices[i], COLL_NAME_LEN, "rxe%u", i + 1);
	opt->n_devices = n;
}

static int check_device_count(struct coll_options *opt, uint32_t ranks)
{
	uint32_t want = ranks * opt->verbs.rails;

	if (!opt->n_devices)
		default_devices(opt, want);
	if (opt->n_devices == want)
		return 0;
	if (opt->n_devices > want || !opt->allow_loopback) {
		rf_err("--device: %u devices for %u ranks; give %s", opt->n_devices, ranks,
		       opt->verbs.rails > 1 ? "two devices per rank, one per rail" :
					      "one device per rank");
		return -EINVAL;
	}
	for (uint32_t i = opt->n_devices; i < want; i++)
		memcpy(opt->devices[i], opt->devices[i % opt->n_devices], COLL_NAME_LEN);
	return 0;
}

static int check_device(const struct coll_options *opt, uint32_t i)
{
	const char *dev = opt->devices[i];
	char path[COLL_NAME_LEN + 32], netdev[COLL_NAME_LEN];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s", dev);
	if (access(path, F_OK)) {
		rf_err("device %s of rank %u: no such RDMA device; \"rdma link\" lists them, \"rdmafault fabric up\" creates some",
		       dev, i / opt->verbs.rails);
		return -ENODEV;
	}
	if (opt->verbs.gid_index >= 0 || rf_rdma_gid_index(dev) >= 0)
		return 0;
	if (rf_rdma_to_netdev(dev, netdev, sizeof(netdev)))
		snprintf(netdev, sizeof(netdev), "(unknown)");
	rf_err("device %s: no IPv4 GID of RoCE v2; assign an IPv4 address to %s, or select a GID with --gid-index",
	       dev, netdev);
	return -EADDRNOTAVAIL;
}

static int check_loopback(const struct coll_options *opt, uint32_t i)
{
	uint32_t rails = opt->verbs.rails;

	for (uint32_t j = 0; j < i && !opt->allow_loopback; j++) {
		if (strcmp(opt->devices[j], opt->devices[i]))
			continue;
		if (i / rails == j / rails)
			rf_err("device %s: given twice for rank %u; each rail needs a separate device",
			       opt->devices[i], i / rails);
		else
			rf_err("device %s: used by ranks %u and %u, so their packets would not reach the netdev; use one device per rank, or --allow-loopback",
			       opt->devices[j], j / rails, i / rails);
		return -EINVAL;
	}
	return 0;
}

/**
 * coll_options_check() - check the options and set the remaining defaults
 * @opt: the options
 * @ranks: number of ranks of the job
 *
 * Return: 0, or -errno after a message.
 */
int coll_options_check(struct coll_options *opt, uint32_t ranks)
{
	uint32_t first = opt->team.joined ? (uint32_t)opt->team.rank * opt->verbs.rails : 0;
	uint32_t n = (opt->team.joined ? 1 : ranks) * opt->verbs.rails;
	int ret = check_rails(opt, ranks);

	if (!ret && !opt->team.joined)
		ret = check_device_count(opt, ranks);
	for (uint32_t i = first; !ret && i < first + n; i++) {
		if (!opt->team.joined)
			ret = check_loopback(opt, i);
		if (!ret)
			ret = check_device(opt, i);
	}
	return ret;
}

/**
 * coll_options_speaks() - check whether this process prints the results of the job
 * @opt: the options, after coll_team_join()
 *
 * Return: true in the launcher, and in rank 0 if another launcher started the ranks.
 */
bool coll_options_speaks(const struct coll_options *opt)
{
	return !opt->team.joined || !opt->team.rank;
}

/**
 * coll_options_local() - get the number of ranks on this machine
 * @opt: the options, after coll_team_join()
 * @ranks: number of ranks of the job
 *
 * Return: the number.
 */
uint32_t coll_options_local(const struct coll_options *opt, uint32_t ranks)
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
 * coll_memory_check() - check that the ranks of this machine have enough memory
 * @what: the option that sets the size, for the error message
 * @bytes: the size that the option sets
 * @each: bytes per rank
 * @ranks: number of ranks on this machine
 *
 * Return: 0, or -ENOMEM after a message.
 */
int coll_memory_check(const char *what, uint64_t bytes, uint64_t each,
		      uint32_t ranks)
{
	char asked[RF_FMT_LEN], need[RF_FMT_LEN], avail[RF_FMT_LEN];
	uint64_t have = memory_available();

	if (!have || each <= have / ranks)
		return 0;
	rf_err("%s %s: not enough memory; each of %u ranks needs %s, and %s is available",
	       what, rf_fmt_size(bytes, asked), ranks, rf_fmt_size(each, need),
	       rf_fmt_size(have, avail));
	return -ENOMEM;
}
