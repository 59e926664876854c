// SPDX-License-Identifier: GPL-2.0
/*
 * Test how many queue pairs can share the completion queue of a device, which has a limited
 * number of entries (here the limit of SoftRoCE). Also test the error if there are more queue
 * pairs.
 */
#include <stdarg.h>

#include "status_page.c"
#include "connect.c"
#include "../../tools/base/units.c"
#include "../../tools/base/waiting.c"
#include "golden.h"
#include "tap.h"

#define RANKS	64
#define CQES	32767

static struct coll_state state;
static int asked;

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *arg,
			     struct ibv_comp_channel *events, int vector)
{
	(void)context;
	(void)arg;
	(void)events;
	(void)vector;
	asked = cqe;
	errno = ENOMEM;
	return NULL;
}

int coll_link_open(struct coll_transport *tp, int link, uint32_t sends,
		   uint32_t recvs)
{
	(void)tp;
	(void)link;
	(void)sends;
	(void)recvs;
	return -EIO;
}

int coll_link_connect(struct coll_transport *tp, int link, const union ibv_gid *to)
{
	(void)tp;
	(void)link;
	(void)to;
	return -EIO;
}

void coll_link_close(struct coll_link *link)
{
	(void)link;
}

int coll_mem_map(struct coll_transport *tp, struct coll_mem *mem, uint64_t len,
		 int access)
{
	(void)tp;
	(void)mem;
	(void)len;
	(void)access;
	return -EIO;
}

void coll_gid_text(const union ibv_gid *gid, char text[COLL_ADDR_LEN])
{
	(void)gid;
	text[0] = '\0';
}

int coll_allgather(struct coll_oob *oob, const void *mine, size_t len, void *all)
{
	(void)oob;
	(void)mine;
	(void)len;
	(void)all;
	return -EIO;
}

int coll_barrier(struct coll_oob *oob, uint64_t *wait_ns)
{
	(void)oob;
	(void)wait_ns;
	return -EIO;
}

/* Give each rank a channel to and from each other rank. */
static void all_to_all(struct coll_peers *all, int ranks)
{
	for (int r = 0; r < ranks; r++)
		for (int p = 0; p < ranks; p++) {
			all[r].in[p] = p != r;
			all[r].out[p] = p != r;
		}
}

/* Return: how many completion queue entries the transport requests, 0 if it requests none */
static int open_with(enum coll_protocol protocol, uint32_t qps, int ranks)
{
	static struct coll_peers all[COLL_RANKS_MAX];
	struct coll_verbs_options options = { .protocol = protocol, .rails = 1, .qps = qps };
	struct coll_oob oob = { .ranks = ranks };
	struct coll_transport tp = {
		.options = &options, .oob = &oob, .state = &state,
		.max_cqes = CQES, .max_message = 1u << 30,
	};

	memset(all, 0, sizeof(all));
	all_to_all(all, ranks);
	state = (struct coll_state){ .rails = 1, .rail = { { .name = "rxe1" } } };
	asked = 0;
	coll_channels_open(&tp, all);
	coll_channels_close(&tp);
	return asked;
}

static void fits(enum coll_protocol protocol, uint32_t qps, int ranks)
{
	int cqes = open_with(protocol, qps, ranks);

	ok(cqes > 0 && cqes <= CQES,
	   "%u queue pairs per peer and %d ranks fit into a completion queue, with %d entries", qps, ranks, cqes);
}

static void refused(enum coll_protocol protocol, uint32_t qps)
{
	ok(!open_with(protocol, qps, RANKS), "%u queue pairs per peer and %d ranks are refused",
	   qps, RANKS);
	golden(state.error, "%u queue pairs by protocol %d, %d ranks", qps, protocol,
	       RANKS);
}

int main(void)
{
	fits(COLL_BY_WRITE, 1, RANKS);
	fits(COLL_BY_WRITE, 10, RANKS);
	refused(COLL_BY_WRITE, 11);
	refused(COLL_BY_WRITE, 16);
	fits(COLL_BY_READ, 9, RANKS);
	refused(COLL_BY_READ, 10);
	fits(COLL_BY_WRITE, 16, 16);
	fits(COLL_BY_READ, 16, 16);
	fits(COLL_BY_WRITE, 16, 1);
	ok(COLL_QPS_MAX >= (16 + 1) * 2 * (COLL_RANKS_MAX - 1),
	   "the status page has room for every queue pair");
	golden_compare("channels.txt");
	return done_testing();
}
