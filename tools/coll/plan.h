/* SPDX-License-Identifier: GPL-2.0 */
/* Plans: the operations of one rank in one run of a collective */
#ifndef COLL_PLAN_H
#define COLL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memories of a rank: COLL_SEND contains its input, COLL_RECV gets the result. */
enum coll_mem_id { COLL_SEND, COLL_RECV, COLL_MEMS };

enum coll_act_kind {
	COLL_ACT_SEND,	/* send @from to @peer */
	COLL_ACT_RECV,	/* receive from @peer and write to @to */
	COLL_ACT_REDUCE,	/* receive from @peer, reduce with @from, and write to @to */
	COLL_ACT_COPY,	/* copy @from to @to */
};

/* A position in a memory. @at: offset in elements */
struct coll_place {
	enum coll_mem_id mem;
	uint64_t at;
};

/**
 * struct coll_act - one operation of a rank; a SEND is one message
 * @kind: the operation
 * @final: REDUCE: true if @to afterwards has the contributions of all ranks
 * @last: SEND: true for the last message of the run to this peer; set by coll_plan_end()
 * @peer: the other rank
 * @doing: activity for error messages, a constant string like "reduce-scatter"
 * @phase: current phase of @doing, from 1
 * @phases: number of phases
 * @from: source
 * @to: destination
 * @count: number of elements. A message of 0 elements is also sent
 */
struct coll_act {
	enum coll_act_kind kind;
	bool final, last;
	int peer;
	const char *doing;
	uint32_t phase, phases;
	struct coll_place from, to;
	uint64_t count;
};

/**
 * struct coll_shape - the parameters of a plan
 * @rank: the rank that executes the plan
 * @ranks: number of ranks
 * @root: root of broadcast and reduce
 * @count: number of elements, with the meaning of nccl-tests. all_gather: in the input
 *	of a rank; reduce_scatter: in the result of a rank; alltoall: from one rank to
 *	another; other collectives: in the vector
 * @piece: largest number of elements in one message, at least 1
 * @window: maximum number of messages from one rank to another that are not yet
 *	consumed; at least 2. A further SEND waits until the peer consumes one
 * @in_place: the input is in COLL_RECV
 */
struct coll_shape {
	int rank, ranks, root;
	uint64_t count, piece;
	uint32_t window;
	bool in_place;
};

/**
 * struct coll_plan - operations in the order of their execution
 * @acts: the operations. A SEND waits only if the window is full, RECV and REDUCE
 *	wait for the next message of the peer. Each operation ends before the next
 *	one starts; a SEND ends when the message is posted
 * @n: number of operations
 * @room: number of operations that fit into @acts
 * @failed: an allocation failed, and further operations are ignored
 * @doing: activity of the next operations
 * @phase: phase of the next operations
 * @phases: number of phases of the next operations
 */
struct coll_plan {
	struct coll_act *acts;
	size_t n, room;
	bool failed;
	const char *doing;
	uint32_t phase, phases;
};

/* For the algorithms: add operations */
void coll_plan_at(struct coll_plan *plan, const char *doing, uint32_t phase,
		  uint32_t phases);
void coll_plan_send(struct coll_plan *plan, int peer, struct coll_place from,
		    uint64_t count);
void coll_plan_recv(struct coll_plan *plan, int peer, struct coll_place to,
		    uint64_t count);
void coll_plan_reduce(struct coll_plan *plan, int peer, struct coll_place to,
		      struct coll_place from, uint64_t count, bool final);
void coll_plan_copy(struct coll_plan *plan, struct coll_place to,
		    struct coll_place from, uint64_t count);

/* A complete plan */
int coll_plan_end(struct coll_plan *plan);
uint64_t coll_plan_messages(const struct coll_plan *plan, int peer,
			    enum coll_act_kind kind);
uint32_t coll_messages_each(uint64_t to_peer, uint32_t qps);
void coll_plan_free(struct coll_plan *plan);

#endif
