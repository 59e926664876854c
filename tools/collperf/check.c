// SPDX-License-Identifier: GPL-2.0
/*
 * Is what the command line asks for possible? Everything that can be known
 * before a rank is started is refused here, with one line that names the
 * thing, the legal form and the value given.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "err.h"
#include "rdmadev.h"
#include "units.h"

static int check_mtu(const struct cp_config *cfg)
{
	uint32_t mtu = cfg->verbs.mtu;

	if (mtu & (mtu - 1)) {
		rf_err("--mtu takes 256, 512, 1024, 2048 or 4096, not '%u'",
		       mtu);
		return -EINVAL;
	}
	return 0;
}

static int check_compute(const struct cp_config *cfg)
{
	if (!cfg->compute_ns || cfg->blocking)
		return 0;
	rf_err("--compute needs -z 1: without it there is no pause between steps");
	return -EINVAL;
}

static int check_sizes(struct cp_config *cfg)
{
	char min[RF_FMT_LEN], max[RF_FMT_LEN];

	if (!cfg->max_bytes)
		cfg->max_bytes = cfg->min_bytes;
	if (cfg->max_bytes < cfg->min_bytes) {
		rf_err("-e must not be less than -b, but %s is less than %s",
		       rf_fmt_size(cfg->max_bytes, max),
		       rf_fmt_size(cfg->min_bytes, min));
		return -EINVAL;
	}
	return 0;
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

/* Send and receive memory, and scratch memory of at most the same size. */
static int check_memory(const struct cp_config *cfg)
{
	uint64_t have = memory_available();
	char each[RF_FMT_LEN], avail[RF_FMT_LEN];

	if (!have || cfg->max_bytes <= have / 3 / cfg->ranks)
		return 0;
	rf_err("-e %s is too much: %u ranks need three times that each, and %s are available",
	       rf_fmt_size(cfg->max_bytes, each), cfg->ranks,
	       rf_fmt_size(have, avail));
	return -ENOMEM;
}

static void default_devices(struct cp_config *cfg)
{
	for (uint32_t r = 0; r < cfg->ranks; r++)
		snprintf(cfg->devices[r], CP_NAME_LEN, "rxe%u", r + 1);
	cfg->n_devices = cfg->ranks;
}

static int check_device_count(struct cp_config *cfg)
{
	if (cfg->n_devices == cfg->ranks)
		return 0;
	if (cfg->n_devices > cfg->ranks || !cfg->allow_loopback) {
		rf_err("--device must name one device for each of the %u ranks, not %u",
		       cfg->ranks, cfg->n_devices);
		return -EINVAL;
	}
	for (uint32_t r = cfg->n_devices; r < cfg->ranks; r++)
		memcpy(cfg->devices[r], cfg->devices[r % cfg->n_devices],
		       CP_NAME_LEN);
	return 0;
}

static int check_device(const struct cp_config *cfg, uint32_t rank)
{
	const char *dev = cfg->devices[rank];
	char path[CP_NAME_LEN + 32], netdev[CP_NAME_LEN];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s", dev);
	if (access(path, F_OK)) {
		rf_err("there is no RDMA device '%s' for rank %u; see 'rdma link', or make one with 'rdmafault fabric up'",
		       dev, rank);
		return -ENODEV;
	}
	if (cfg->verbs.gid_index >= 0 || rf_rdma_gid_index(dev) >= 0)
		return 0;
	if (rf_rdma_to_netdev(dev, netdev, sizeof(netdev)))
		snprintf(netdev, sizeof(netdev), "(unknown)");
	rf_err("%s has no IPv4 GID of RoCE v2: give its netdev %s an IPv4 address, or choose a GID with --gid-index",
	       dev, netdev);
	return -EADDRNOTAVAIL;
}

static int check_loopback(const struct cp_config *cfg, uint32_t rank)
{
	for (uint32_t r = 0; r < rank && !cfg->allow_loopback; r++) {
		if (strcmp(cfg->devices[r], cfg->devices[rank]))
			continue;
		rf_err("ranks %u and %u share %s: a software device short-circuits such packets, they never reach the netdev; --allow-loopback does it all the same",
		       r, rank, cfg->devices[r]);
		return -EINVAL;
	}
	return 0;
}

static int open_file(const char *path, FILE **file)
{
	if (!path)
		return 0;
	*file = fopen(path, "we");
	if (*file)
		return 0;
	rf_err("'%s' cannot be written: %s", path, strerror(errno));
	return -errno;
}

/**
 * cp_config_check() - refuse what cannot work, fill in what was left open
 * Return: 0, or -errno after a message.
 */
int cp_config_check(struct cp_config *cfg)
{
	int ret = check_mtu(cfg);

	if (!cfg->place)
		cfg->place = cfg->timeline_path ? CP_OUT_OF_PLACE :
						  CP_OUT_OF_PLACE | CP_IN_PLACE;
	if (!ret)
		ret = check_compute(cfg);
	if (!ret)
		ret = check_sizes(cfg);
	if (!ret)
		ret = check_memory(cfg);
	if (!cfg->n_devices)
		default_devices(cfg);
	if (!ret)
		ret = check_device_count(cfg);
	for (uint32_t r = 0; !ret && r < cfg->ranks; r++) {
		ret = check_loopback(cfg, r);
		if (!ret)
			ret = check_device(cfg, r);
	}
	if (!ret)
		ret = open_file(cfg->json_path, &cfg->json);
	if (!ret)
		ret = open_file(cfg->timeline_path, &cfg->timeline);
	return ret;
}

/** cp_config_next_size() - the size after @bytes, or UINT64_MAX */
uint64_t cp_config_next_size(const struct cp_config *cfg, uint64_t bytes)
{
	uint64_t next;

	if (!cfg->step_factor)
		next = bytes + cfg->step_bytes;
	else if (!bytes)
		next = cfg->type->size;
	else if (__builtin_mul_overflow(bytes, cfg->step_factor, &next))
		next = UINT64_MAX;
	return next > bytes && next <= cfg->max_bytes ? next : UINT64_MAX;
}

static uint64_t sizes(const struct cp_config *cfg)
{
	uint64_t n = 0;

	if (!cfg->step_factor)
		return (cfg->max_bytes - cfg->min_bytes) / cfg->step_bytes + 1;
	for (uint64_t b = cfg->min_bytes; b != UINT64_MAX;
	     b = cp_config_next_size(cfg, b))
		n++;
	return n;
}

/* Of @each runs for a size, out-of-place and in-place if both are wanted */
static uint64_t of_all_sizes(const struct cp_config *cfg, uint64_t each)
{
	return sizes(cfg) * each * (uint64_t)__builtin_popcount(cfg->place);
}

/** cp_config_steps() - measured iterations of the whole job */
uint64_t cp_config_steps(const struct cp_config *cfg)
{
	return of_all_sizes(cfg, cfg->iters);
}

/** cp_config_runs() - how often the job runs the collective, all in all */
uint64_t cp_config_runs(const struct cp_config *cfg)
{
	uint64_t checks = cfg->blocking ? 0 : cfg->checks;

	return of_all_sizes(cfg, cfg->warmups + cfg->iters + checks);
}
