// SPDX-License-Identifier: GPL-2.0
/*
 * Get the rank, the number of ranks and the addresses of rank 0 from a PMIx launcher.
 *
 * mpirun and srun provide a PMIx server to each process. Rank 0 listens and
 * publishes its addresses and a number that only this job knows. After a fence the
 * other ranks can read them. Then PMIx is finalized: its thread ends before the job
 * starts, and the launcher still gets the exit status of the process.
 *
 * Rank 0 publishes the text "TOKEN BOOT PORT ADDRESS...": the number, its boot ID, its
 * port and its addresses. The boot ID identifies the machine: a rank with the same boot
 * ID uses the loopback address. Addresses of RDMA netdevs come last in the list, because
 * faults are injected into their links.
 *
 * The library is loaded here, because most commands and jobs need neither it nor the libraries that
 * it needs. If a launcher has set PMIX_RANK, the library exists.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <pmix.h>

#include "err.h"
#include "port.h"
#include "ranks.h"
#include "wire.h"

#define KEY		"rdmafault.rank0"
#define RECORD_LEN	1024
#define LIBRARY		"libpmix.so.2"

typedef pmix_status_t pmix_init_fn(pmix_proc_t *me, pmix_info_t info[], size_t n);
typedef pmix_status_t pmix_get_fn(const pmix_proc_t *of, const char key[],
				  const pmix_info_t info[], size_t n, pmix_value_t **v);
typedef pmix_status_t pmix_put_fn(pmix_scope_t scope, const char key[], pmix_value_t *v);
typedef pmix_status_t pmix_commit_fn(void);
typedef pmix_status_t pmix_fence_fn(const pmix_proc_t all[], size_t procs,
				    const pmix_info_t info[], size_t n);
typedef pmix_status_t pmix_finalize_fn(const pmix_info_t info[], size_t n);
typedef const char *pmix_error_string_fn(pmix_status_t status);

/* The functions of the library */
static struct {
	pmix_init_fn *init;
	pmix_get_fn *get;
	pmix_put_fn *put;
	pmix_commit_fn *commit;
	pmix_fence_fn *fence;
	pmix_finalize_fn *finalize;
	pmix_error_string_fn *error_string;
} pmix;

static int load_library(void)
{
	const struct {
		const char *name;
		void *at;
	} functions[] = {
		{ "PMIx_Init", &pmix.init }, { "PMIx_Get", &pmix.get },
		{ "PMIx_Put", &pmix.put }, { "PMIx_Commit", &pmix.commit },
		{ "PMIx_Fence", &pmix.fence }, { "PMIx_Finalize", &pmix.finalize },
		{ "PMIx_Error_string", &pmix.error_string },
	};
	void *library = dlopen(LIBRARY, RTLD_NOW), *function = library;

	for (size_t i = 0; function && i < sizeof(functions) / sizeof(*functions); i++) {
		function = dlsym(library, functions[i].name);
		memcpy(functions[i].at, &function, sizeof(function));
	}
	if (function)
		return 0;
	rf_err("PMIx: %s; PMIX_RANK is set, so the library of the launcher is needed", dlerror());
	return -ENOENT;
}

static int pmix_failed(const char *what, pmix_status_t status)
{
	rf_err("PMIx: %s: %s; to start without a launcher, unset PMIX_RANK", what,
	       pmix.error_string(status));
	return -EIO;
}

static bool is_usable(const struct ifaddrs *ifa)
{
	return ifa->ifa_addr && ifa->ifa_addr->sa_family == AF_INET &&
	       (ifa->ifa_flags & IFF_UP) && !(ifa->ifa_flags & IFF_LOOPBACK);
}

static void add_addresses(const struct ifaddrs *list, bool rdma, char *record)
{
	for (const struct ifaddrs *ifa = list; ifa; ifa = ifa->ifa_next) {
		size_t len = strlen(record);
		char dev[RF_RDMA_NAME_LEN], text[INET_ADDRSTRLEN];
		const struct sockaddr_in *in = (const void *)ifa->ifa_addr;

		if (!is_usable(ifa) ||
		    rdma == !!rf_netdev_to_rdma(ifa->ifa_name, dev, sizeof(dev)))
			continue;
		inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text));
		snprintf(record + len, RECORD_LEN - len, " %s", text);
	}
}

static int make_record(struct coll_own_rank *own, char record[RECORD_LEN])
{
	struct ifaddrs *list = NULL;
	char boot[COLL_BOOT_LEN];

	own->listen_fd = coll_rendezvous_listen(NULL, &own->port);
	if (own->listen_fd < 0)
		return own->listen_fd;
	if (getrandom(&own->token, sizeof(own->token), 0) < 0)
		return -errno;
	coll_boot_id(boot);
	snprintf(record, RECORD_LEN, "%" PRIx64 " %s %u", own->token, boot,
		 own->port);
	if (getifaddrs(&list))
		return -errno;
	add_addresses(list, false, record);
	add_addresses(list, true, record);
	freeifaddrs(list);
	return 0;
}

static void add_host(struct coll_own_rank *own, const char *host)
{
	if (own->n_hosts < COLL_SERVER_ADDRS)
		snprintf(own->hosts[own->n_hosts++], COLL_HOST_LEN, "%s", host);
}

static int read_record(struct coll_own_rank *own, char *record)
{
	char boot[COLL_BOOT_LEN], mine[COLL_BOOT_LEN], *word;
	int n = 0;

	if (sscanf(record, "%" SCNx64 " %39s %" SCNu16 "%n", &own->token, boot,
		   &own->port, &n) != 3)
		return -EPROTO;
	coll_boot_id(mine);
	if (!strcmp(boot, mine))
		add_host(own, "127.0.0.1");
	for (word = strtok(record + n, " "); word; word = strtok(NULL, " "))
		add_host(own, word);
	if (!own->n_hosts)
		add_host(own, "127.0.0.1");
	return 0;
}

static int get_size(struct coll_own_rank *own, const pmix_proc_t *me)
{
	pmix_proc_t job = *me;
	pmix_value_t *v;
	pmix_status_t status;

	job.rank = PMIX_RANK_WILDCARD;
	status = pmix.get(&job, PMIX_JOB_SIZE, NULL, 0, &v);
	if (status != PMIX_SUCCESS)
		return pmix_failed("number of ranks", status);
	own->rank = (int)me->rank;
	own->ranks = (int)v->data.uint32;
	free(v);
	if (own->ranks <= COLL_RANKS_MAX)
		return 0;
	rf_err("%d ranks were started; at most %d are possible", own->ranks,
	       COLL_RANKS_MAX);
	return -EINVAL;
}

static int lay_down(struct coll_own_rank *own)
{
	char record[RECORD_LEN];
	pmix_value_t v = { .type = PMIX_STRING, .data.string = record };
	int ret = make_record(own, record);

	if (ret) {
		rf_err("rank 0 cannot listen: %s", strerror(-ret));
		return ret;
	}
	pmix.put(PMIX_GLOBAL, KEY, &v);
	return 0;
}

static int fence(uint64_t deadline_ns)
{
	int seconds = (int)((deadline_ns + COLL_NSEC_PER_SEC - 1) / COLL_NSEC_PER_SEC);
	const pmix_info_t info[] = {
		{ .key = PMIX_COLLECT_DATA, .value = { .type = PMIX_BOOL, .data.flag = true } },
		{ .key = PMIX_TIMEOUT, .value = { .type = PMIX_INT, .data.integer = seconds } },
	};
	pmix_status_t status = pmix.commit();

	if (status == PMIX_SUCCESS)
		status = pmix.fence(NULL, 0, info, 2);
	return status == PMIX_SUCCESS ? 0 : pmix_failed("waiting for all ranks", status);
}

static int pick_up(struct coll_own_rank *own, const pmix_proc_t *me)
{
	pmix_proc_t server = *me;
	pmix_value_t *v;
	pmix_status_t status;
	int ret;

	server.rank = 0;
	status = pmix.get(&server, KEY, NULL, 0, &v);
	if (status != PMIX_SUCCESS)
		return pmix_failed("rank 0's address", status);
	ret = v->type == PMIX_STRING ? read_record(own, v->data.string) : -EPROTO;
	if (v->type == PMIX_STRING)
		free(v->data.string);
	free(v);
	if (ret)
		rf_err("PMIx: unexpected data from rank 0; all ranks must run the same version of this program");
	return ret;
}

/**
 * coll_pmix_own_rank() - get the rank of this process from the PMIx server
 * @own: gets the rank, the number of ranks, and the addresses of rank 0
 * @deadline_ns: longest wait for the other ranks
 *
 * The caller must have blocked the signals that end the process, so that they are also
 * blocked in the thread that PMIx starts.
 *
 * Return: 0, or -errno after a message.
 */
int coll_pmix_own_rank(struct coll_own_rank *own, uint64_t deadline_ns)
{
	pmix_proc_t me;
	pmix_status_t status;
	int ret = load_library();

	if (ret)
		return ret;
	status = pmix.init(&me, NULL, 0);
	if (status != PMIX_SUCCESS)
		return pmix_failed("no answer from a launcher", status);
	own->launcher = "PMIx";
	ret = get_size(own, &me);
	if (!ret && !own->rank)
		ret = lay_down(own);
	if (!ret)
		ret = fence(deadline_ns);
	if (!ret)
		ret = pick_up(own, &me);
	if (!ret)
		pmix.finalize(NULL, 0);
	return ret;
}
