// SPDX-License-Identifier: GPL-2.0
/*
 * Read the state, the GID table and the counters of an RDMA device from sysfs. A RoCE device on a
 * netdev has only port 1.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port.h"

#define GIDS_MAX 1024

/* Read the first line of a file. Reading an unset entry of the GID table fails with EINVAL. */
static int read_first_line(const char *path, char *buf, size_t len)
{
	FILE *f = fopen(path, "re");
	int err = 0;

	if (!f)
		return -errno;
	if (!fgets(buf, len, f))
		err = -EINVAL;
	fclose(f);
	if (err)
		return err;
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

static int read_port_file(const char *rdma, const char *file, int index, char *buf,
			  size_t len)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/%s/%d",
		 rdma, file, index);
	return read_first_line(path, buf, len);
}

static bool is_ipv4_rocev2(const char *rdma, int i, const char *gid)
{
	static const char mapped[] = "0000:0000:0000:0000:0000:ffff:";
	char type[32];

	if (strncmp(gid, mapped, strlen(mapped)))
		return false;
	if (read_port_file(rdma, "gid_attrs/types", i, type, sizeof(type)))
		return false;
	return !strcmp(type, "RoCE v2");
}

/**
 * rf_rdma_gid_index - find the IPv4 GID of a device
 * @rdma: the device
 *
 * Return: index of the first IPv4-mapped RoCE v2 GID, or -ENOENT.
 */
int rf_rdma_gid_index(const char *rdma)
{
	char gid[64];
	int i;

	for (i = 0; i < GIDS_MAX; i++) {
		int err = read_port_file(rdma, "gids", i, gid, sizeof(gid));

		if (err == -ENOENT)
			break;
		if (!err && is_ipv4_rocev2(rdma, i, gid))
			return i;
	}
	return -ENOENT;
}

/** rf_rdma_is_active - check whether the port of an RDMA device has the state ACTIVE */
bool rf_rdma_is_active(const char *rdma)
{
	char path[128], state[32];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/state", rdma);
	return !read_first_line(path, state, sizeof(state)) && strstr(state, "ACTIVE");
}

static const char *const counter_dirs[] = {
	"/sys/class/infiniband/%s/ports/1/hw_counters",
	"/sys/class/infiniband/%s/hw_counters",
	NULL
};

static int read_counter(const char *dir, const char *name, uint64_t *v)
{
	char path[512], line[64];
	int err;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	err = read_first_line(path, line, sizeof(line));
	if (!err)
		*v = strtoull(line, NULL, 10);
	return err;
}

/**
 * rf_rdma_counter - read one hardware counter of a device
 * @rdma: the device
 * @name: name of the counter's file, for example "send_err"
 *
 * Return: the value; 0 if there is no such counter.
 */
uint64_t rf_rdma_counter(const char *rdma, const char *name)
{
	uint64_t v = 0;
	char dir[256];
	int i;

	for (i = 0; counter_dirs[i]; i++) {
		snprintf(dir, sizeof(dir), counter_dirs[i], rdma);
		if (!read_counter(dir, name, &v))
			break;
	}
	return v;
}

/* The file "lifespan" is not a counter: it contains how long the kernel caches the counters. */
static int is_counter(const struct dirent *d)
{
	return d->d_name[0] != '.' && strcmp(d->d_name, "lifespan");
}

static int each_in(const char *dir,
		   int (*fn)(const char *name, uint64_t v, void *arg),
		   void *arg)
{
	struct dirent **list;
	int i, n, err = 0;
	uint64_t v;

	n = scandir(dir, &list, is_counter, alphasort);
	if (n < 0)
		return -errno;
	for (i = 0; i < n; i++) {
		if (!err && !read_counter(dir, list[i]->d_name, &v))
			err = fn(list[i]->d_name, v, arg);
		free(list[i]);
	}
	free(list);
	return err;
}

/**
 * rf_rdma_counter_each - call a function for each hardware counter, sorted by name
 * @rdma: the device
 * @fn: the function; a value other than 0 ends the loop
 * @arg: passed to @fn
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_rdma_counter_each(const char *rdma,
			 int (*fn)(const char *name, uint64_t v, void *arg),
			 void *arg)
{
	int i, err = -ENOENT;
	char dir[256];

	for (i = 0; counter_dirs[i] && err == -ENOENT; i++) {
		snprintf(dir, sizeof(dir), counter_dirs[i], rdma);
		err = each_in(dir, fn, arg);
	}
	return err;
}
