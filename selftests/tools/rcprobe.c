// SPDX-License-Identifier: GPL-2.0
/*
 * rcprobe FROM TO OPERATION MESSAGES BYTES [CLASS [TIMEOUT [RETRIES]]]
 *
 * Send messages one by one over a reliable connection between two RDMA devices of this
 * machine. OPERATION is send, write, read or add (an atomic addition to 8 bytes), CLASS the
 * traffic class (default 0), TIMEOUT the exponent of the retransmission timer (default 19),
 * RETRIES the number of retransmissions (default 6).
 * The program compares the received bytes with the sent bytes, and prints
 *
 *   done=MESSAGES wrong=BYTES status=NUMBER
 *
 * with the number of completed messages, the number of bytes that differ in them, and the
 * status of the last completion (enum ibv_wc_status).
 *
 * With OPERATION unready, wrong-rkey and wrong-lkey, the last message fails: it is a SEND without
 * a receive request, or a WRITE with a wrong key. Then the program keeps its queue pairs for a
 * second, so that others can see their state.
 *
 * With OPERATION flush, it writes, and if a message fails, it posts another one: the status is that
 * of this message.
 *
 * With OPERATION mix, a message is a WRITE, a READ and an addition from FROM to TO, and the same
 * in the opposite direction over the same queue pairs, all at the same time.
 *
 * With OPERATION leave, the program writes one message and does not wait for the completion.
 * It prints "posted", reads a line from standard input, destroys its queue pairs, and prints
 *
 *   destroyed=MILLISECONDS
 */
#include <errno.h>
#include <error.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#define GID_INDEX	1	/* index of the GID of the IPv4 address */
/* Timeout 19 is 2.1 s, so that a busy machine causes no retry */
#define TIMEOUT		19
/* seconds to wait for one message; SLOW times as long on a slow machine */
#define DEADLINE	20
#define SLOW		10
#define ADDEND		1000
/* Operations of an end in a message of OPERATION mix */
#define MIX		3
#define REMOTE		(IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
			 IBV_ACCESS_REMOTE_ATOMIC)

struct end {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	union ibv_gid gid;
	unsigned char *buf;
};

static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;
	int i;

	for (i = 0; list && list[i] && !ctx; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			ctx = ibv_open_device(list[i]);
	if (!ctx)
		error(2, errno, "%s: cannot be opened", name);
	return ctx;
}

static void end_make(struct end *end, const char *name, size_t bytes)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = { MIX, 1, 1, 1, 0 },
		.sq_sig_all = 1,
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = REMOTE,
	};

	end->ctx = open_device(name);
	end->pd = ibv_alloc_pd(end->ctx);
	end->cq = ibv_create_cq(end->ctx, 2 * MIX, NULL, NULL, 0);
	end->buf = calloc(1, bytes);
	end->mr = ibv_reg_mr(end->pd, end->buf, bytes,
			     IBV_ACCESS_LOCAL_WRITE | REMOTE);
	init.send_cq = end->cq;
	init.recv_cq = end->cq;
	end->qp = ibv_create_qp(end->pd, &init);
	if (!end->mr || !end->qp ||
	    ibv_query_gid(end->ctx, 1, GID_INDEX, &end->gid) ||
	    ibv_modify_qp(end->qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX |
			  IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		error(2, errno, "%s: cannot make a queue pair", name);
}

static unsigned char retries = 6;

static void connect_to(struct end *end, const struct end *peer,
		       unsigned char class, unsigned char timeout)
{
	struct ibv_qp_attr rtr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = peer->qp->qp_num,
		.max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = {
			.is_global = 1,
			.port_num = 1,
			.grh = {
				.dgid = peer->gid,
				.sgid_index = GID_INDEX,
				.hop_limit = 64,
				.traffic_class = class,
			},
		},
	};
	struct ibv_qp_attr rts = {
		.qp_state = IBV_QPS_RTS,
		.timeout = timeout,
		.retry_cnt = retries,
		.rnr_retry = 6,
		.max_rd_atomic = 1,
	};

	if (ibv_modify_qp(end->qp, &rtr, IBV_QP_STATE | IBV_QP_AV |
			  IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			  IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) ||
	    ibv_modify_qp(end->qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT |
			  IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			  IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC))
		error(2, errno, "the queue pair cannot be connected");
}

static void post_recv(struct end *end, size_t bytes)
{
	struct ibv_sge sge = { (uintptr_t)end->buf, bytes, end->mr->lkey };
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

	if (ibv_post_recv(end->qp, &wr, &bad))
		error(2, errno, "post a receive request");
}

static void post_at(struct end *from, size_t from_at, const struct end *to, size_t to_at,
		    enum ibv_wr_opcode opcode, size_t bytes)
{
	struct ibv_sge sge = { (uintptr_t)from->buf + from_at, bytes, from->mr->lkey };
	struct ibv_send_wr wr = {
		.sg_list = &sge, .num_sge = 1, .opcode = opcode,
	}, *bad;

	if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = (uintptr_t)to->buf + to_at;
		wr.wr.atomic.rkey = to->mr->rkey;
		wr.wr.atomic.compare_add = ADDEND;
	} else {
		wr.wr.rdma.remote_addr = (uintptr_t)to->buf + to_at;
		wr.wr.rdma.rkey = to->mr->rkey;
	}
	if (ibv_post_send(from->qp, &wr, &bad))
		error(2, errno, "post a send request");
}

static void post_send(struct end *from, const struct end *to,
		      enum ibv_wr_opcode opcode, size_t bytes)
{
	post_at(from, 0, to, 0, opcode, bytes);
}

static enum ibv_wc_status completion(struct end *end)
{
	const struct timespec nap = { .tv_nsec = 200000 };
	time_t slow = getenv("KSFT_MACHINE_SLOW") ? SLOW : 1;
	time_t deadline = time(NULL) + DEADLINE * slow;
	struct ibv_wc wc;
	int got;

	while (!(got = ibv_poll_cq(end->cq, 1, &wc))) {
		if (time(NULL) > deadline)
			error(3, 0, "no completion within the deadline");
		nanosleep(&nap, NULL);
	}
	if (got < 0)
		error(2, 0, "the completion queue cannot be read");
	return wc.status;
}

static size_t differing(const struct end *a, const struct end *b, size_t bytes)
{
	size_t i, n = 0;

	for (i = 0; i < bytes; i++)
		n += a->buf[i] != b->buf[i];
	return n;
}

/* The fault of message number @faulty */
static enum { NO_FAULT, UNREADY, WRONG_RKEY, WRONG_LKEY } fault;
static int faulty;

/* If a message fails, post one more */
static bool flush;

/* Send message number n with an operation; add the number of bytes that differ to *wrong. */
static enum ibv_wc_status message(struct end *from, struct end *to,
				  enum ibv_wr_opcode opcode, int n, size_t bytes,
				  size_t *wrong)
{
	const bool fetches = opcode == IBV_WR_RDMA_READ ||
			     opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
	enum ibv_wc_status status;
	uint64_t sum;

	memset(from->buf, fetches ? 0 : n, bytes);
	if (fetches)
		memset(to->buf, n, bytes);
	if (opcode == IBV_WR_SEND && !(fault == UNREADY && n == faulty))
		post_recv(to, bytes);
	if (fault == WRONG_RKEY && n == faulty)
		to->mr->rkey ^= 1 << 8;
	if (fault == WRONG_LKEY && n == faulty)
		from->mr->lkey ^= 1 << 8;
	post_send(from, to, opcode, bytes);
	status = completion(from);
	if (status)
		return status;
	if (opcode == IBV_WR_SEND)
		completion(to);
	/* The requester of an addition gets the value before it. */
	if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		memcpy(&sum, to->buf, sizeof(sum));
		sum -= ADDEND;
		memcpy(to->buf, &sum, sizeof(sum));
	}
	*wrong += differing(from, to, bytes);
	return status;
}

/* The parts of a buffer with OPERATION mix: four blocks, the counter, and the fetched value */
enum { WRITE_FROM, WRITE_TO, READ_FROM, READ_TO, COUNTER };

static void mix_fill(struct end *end, int n, size_t bytes)
{
	memset(end->buf + WRITE_FROM * bytes, n, bytes);
	memset(end->buf + READ_FROM * bytes, ~n, bytes);
}

static void mix_post(struct end *from, const struct end *to, size_t bytes)
{
	const size_t counter = COUNTER * bytes, fetched = counter + sizeof(uint64_t);

	post_at(from, WRITE_FROM * bytes, to, WRITE_TO * bytes, IBV_WR_RDMA_WRITE, bytes);
	post_at(from, READ_TO * bytes, to, READ_FROM * bytes, IBV_WR_RDMA_READ, bytes);
	post_at(from, fetched, to, counter, IBV_WR_ATOMIC_FETCH_AND_ADD, sizeof(uint64_t));
}

/* Return: the number of wrong bytes after message number @n from @from to @to. */
static size_t mix_wrong(const struct end *from, const struct end *to, int n, size_t bytes)
{
	const uint64_t sum[] = { (uint64_t)ADDEND * n, (uint64_t)ADDEND * (n - 1) };
	const unsigned char *counter = to->buf + COUNTER * bytes;
	const unsigned char *fetched = from->buf + COUNTER * bytes + sizeof(uint64_t);
	size_t i, wrong = 0;

	for (i = 0; i < bytes; i++) {
		wrong += to->buf[WRITE_TO * bytes + i] != from->buf[WRITE_FROM * bytes + i];
		wrong += from->buf[READ_TO * bytes + i] != to->buf[READ_FROM * bytes + i];
	}
	wrong += memcmp(counter, &sum[0], sizeof(uint64_t)) ? sizeof(uint64_t) : 0;
	return wrong + (memcmp(fetched, &sum[1], sizeof(uint64_t)) ? sizeof(uint64_t) : 0);
}

static int mix(struct end *a, struct end *b, int messages, size_t bytes)
{
	enum ibv_wc_status status = IBV_WC_SUCCESS;
	size_t wrong = 0;
	int n, i;

	for (n = 1; n <= messages; n++) {
		mix_fill(a, n, bytes);
		mix_fill(b, n, bytes);
		mix_post(a, b, bytes);
		mix_post(b, a, bytes);
		for (i = 0; i < MIX && !status; i++)
			status = completion(a);
		for (i = 0; i < MIX && !status; i++)
			status = completion(b);
		if (status)
			break;
		wrong += mix_wrong(a, b, n, bytes) + mix_wrong(b, a, n, bytes);
	}
	printf("done=%d wrong=%zu status=%d\n", n - 1, wrong, status);
	return 0;
}

static enum ibv_wr_opcode opcode_of(const char *operation)
{
	if (!strcmp(operation, "unready"))
		fault = UNREADY;
	else if (!strcmp(operation, "wrong-rkey"))
		fault = WRONG_RKEY;
	else if (!strcmp(operation, "wrong-lkey"))
		fault = WRONG_LKEY;
	if (!strcmp(operation, "send") || fault == UNREADY)
		return IBV_WR_SEND;
	if (fault)
		return IBV_WR_RDMA_WRITE;
	if (!strcmp(operation, "read"))
		return IBV_WR_RDMA_READ;
	if (!strcmp(operation, "add"))
		return IBV_WR_ATOMIC_FETCH_AND_ADD;
	flush = !strcmp(operation, "flush");
	if (flush || !strcmp(operation, "write"))
		return IBV_WR_RDMA_WRITE;
	error(2, 0, "%s: unknown operation; valid: send, write, read, add, unready, wrong-rkey, wrong-lkey, flush, mix, leave", operation);
	return 0;
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int leave(struct end *from, struct end *to, size_t bytes)
{
	long begin;

	post_send(from, to, IBV_WR_RDMA_WRITE, bytes);
	puts("posted");
	fflush(stdout);
	getchar();
	begin = now_ms();
	if (ibv_destroy_qp(from->qp) || ibv_destroy_qp(to->qp))
		error(2, errno, "the queue pair cannot be destroyed");
	printf("destroyed=%ld\n", now_ms() - begin);
	return 0;
}

int main(int argc, char **argv)
{
	enum ibv_wc_status status = IBV_WC_SUCCESS;
	size_t bytes, room, wrong = 0;
	bool mixed;
	unsigned char class, timeout;
	enum ibv_wr_opcode opcode;
	struct end from, to;
	int i, messages;

	if (argc < 6 || argc > 9)
		error(2, 0, "usage: rcprobe FROM TO send|write|read|add|unready|wrong-rkey|wrong-lkey|flush|mix|leave MESSAGES BYTES [CLASS [TIMEOUT [RETRIES]]]");
	messages = atoi(argv[4]);
	bytes = strtoul(argv[5], NULL, 0);
	mixed = !strcmp(argv[3], "mix");
	room = mixed ? COUNTER * bytes + 2 * sizeof(uint64_t) : bytes;
	end_make(&from, argv[1], room);
	end_make(&to, argv[2], room);
	class = argc > 6 ? atoi(argv[6]) : 0;
	timeout = argc > 7 ? atoi(argv[7]) : TIMEOUT;
	retries = argc > 8 ? atoi(argv[8]) : retries;
	connect_to(&from, &to, class, timeout);
	connect_to(&to, &from, class, timeout);
	if (!strcmp(argv[3], "leave"))
		return leave(&from, &to, bytes);
	if (mixed)
		return mix(&from, &to, messages, bytes);
	opcode = opcode_of(argv[3]);
	faulty = messages;
	if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD && bytes != sizeof(uint64_t))
		error(2, 0, "add %zu: invalid size; 8 bytes", bytes);
	for (i = 0; i < messages; i++) {
		status = message(&from, &to, opcode, i + 1, bytes, &wrong);
		if (status)
			break;
	}
	if (status && flush)
		status = message(&from, &to, opcode, i + 2, bytes, &wrong);
	printf("done=%d wrong=%zu status=%d\n", i, wrong, status);
	fflush(stdout);
	if (fault)
		sleep(1);
	return 0;
}
