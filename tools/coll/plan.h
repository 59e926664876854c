/* SPDX-License-Identifier: GPL-2.0 */
/* Plans: the operations of one rank in one run of a collective */
#ifndef CP_PLAN_H
#define CP_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memories of a rank: CP_SEND contains its input, CP_RECV gets the result. */
enum cp_mem_id { CP_SEND, CP_RECV, CP_MEMS };

enum cp_act_kind {
	CP_ACT_SEND,	/* send @from to @peer */
	CP_ACT_RECV,	/* receive from @peer and write to @to */
	CP_ACT_REDUCE,	/* receive from @peer, reduce with @from, and write to @to */
	CP_ACT_COPY,	/* copy @from to @to */
};

/* A position in a memory. @at: offset in elements */
struct cp_place {
	enum cp_mem_id mem;
	uint64_t at;
};

/**
 * struct cp_act - one operation of a rank; a SEND is one message
 * @kind: the operation
 * @final: REDUCE: true if @to afterwards has the contributions of all ranks
 * @last: SEND: true for the last message of the run to this peer; set by cp_plan_end()
 * @peer: the other rank
 * @doing: activity for error messages, a constant string like "reduce-scatter"
 * @phase: current phase of @doing, from 1
 * @phases: number of phases
 * @from: source
 * @to: destination
 * @count: number of elements. A message of 0 elements is also sent
 */
struct cp_act {
	enum cp_act_kind kind;
	bool final, last;
	int peer;
	const char *doing;
	uint32_t phase, phases;
	struct cp_place from, to;
	uint64_t count;
};

/**
 * struct cp_shape - the parameters of a plan
 * @rank: the rank that executes the plan
 * @ranks: number of ranks
 * @root: root of broadcast and reduce
 * @count: number of elements, with the meaning of nccl-tests. all_gather: in the input
 *	of a rank; reduce_scatter: in the result of a rank; alltoall: from one rank to
 *	another; other collectives: in the vector
 * @piece: largest number of elements in one message, at least 1
 * @window: maximum number of messages from one rank to another that are not yet
 *	consumed; at least 2. A further SEND waits until the peer consumes one
 * @in_place: the input is in CP_RECV
 */
struct cp_shape {
	int rank, ranks, root;
	uint64_t count, piece;
	uint32_t window;
	bool in_place;
};

/**
 * struct cp_plan - operations in the order of their execution
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
struct cp_plan {
	struct cp_act *acts;
	size_t n, room;
	bool failed;
	const char *doing;
	uint32_t phase, phases;
};

/* For the algorithms: add operations */
void cp_plan_at(struct cp_plan *plan, const char *doing, uint32_t phase,
		uint32_t phases);
void cp_plan_send(struct cp_plan *plan, int peer, struct cp_place from,
		  uint64_t count);
void cp_plan_recv(struct cp_plan *plan, int peer, struct cp_place to,
		  uint64_t count);
void cp_plan_reduce(struct cp_plan *plan, int peer, struct cp_place to,
		    struct cp_place from, uint64_t count, bool final);
void cp_plan_copy(struct cp_plan *plan, struct cp_place to,
		  struct cp_place from, uint64_t count);

/* A complete plan */
int cp_plan_end(struct cp_plan *plan);
uint64_t cp_plan_messages(const struct cp_plan *plan, int peer,
			  enum cp_act_kind kind);
uint32_t cp_messages_each(uint64_t to_peer, uint32_t qps);
void cp_plan_free(struct cp_plan *plan);

#endif
