/* SPDX-License-Identifier: GPL-2.0 */
/* Plans: what one rank does in one run of a collective, act by act. */
#ifndef CP_PLAN_H
#define CP_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a rank contributes, and what it receives. */
enum cp_mem_id { CP_SEND, CP_RECV, CP_MEMS };

enum cp_act_kind {
	CP_ACT_SEND,	/* to @peer: what is at @from */
	CP_ACT_RECV,	/* from @peer: put at @to */
	CP_ACT_REDUCE,	/* from @peer: at @to = at @from op the message */
	CP_ACT_COPY,	/* at @to = at @from */
};

/* A place, in elements from the memory's begin. */
struct cp_place {
	enum cp_mem_id mem;
	uint64_t at;
};

/**
 * struct cp_act - one act of a rank; a message holds what one act sends
 * @kind: what is done
 * @final: REDUCE: what is at @to holds all ranks' contributions now
 * @last: SEND: the run's last to that peer; set by cp_plan_end()
 * @peer: the other rank
 * @doing: for the user, a constant like "reduce-scatter"
 * @phase: which part of @doing; from 1
 * @phases: of how many
 * @from: source
 * @to: destination
 * @count: elements; a message of 0 elements is a message
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
 * struct cp_shape - what a plan is made for
 * @rank: whose plan it is
 * @ranks: how many take part
 * @root: of broadcast and reduce
 * @count: elements, as nccl-tests counts: what each rank contributes to
 *	all_gather, what each gets of reduce_scatter, what each sends to each in
 *	alltoall; of all others, the length of the vector
 * @piece: most elements in one message, at least 1
 * @window: messages that may be on their way from one rank to another, not yet
 *	taken; at least 2. A send beyond it waits until the peer takes one
 * @in_place: the input is in CP_RECV
 */
struct cp_shape {
	int rank, ranks, root;
	uint64_t count, piece;
	uint32_t window;
	bool in_place;
};

/**
 * struct cp_plan - acts in the order in which they are done
 * @acts: a SEND waits for room in the window only, RECV and REDUCE for the
 *	peer's next message; each act is finished before the next one begins,
 *	except SEND, which is finished when the message is posted
 * @n: how many
 * @room: acts that fit in
 * @failed: there was no memory; adding did nothing since
 * @doing: of the acts to be added
 * @phase: of the acts to be added
 * @phases: of the acts to be added
 */
struct cp_plan {
	struct cp_act *acts;
	size_t n, room;
	bool failed;
	const char *doing;
	uint32_t phase, phases;
};

/* Adding acts: for the algorithms */
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

/* A finished plan */
int cp_plan_end(struct cp_plan *plan);
uint64_t cp_plan_messages(const struct cp_plan *plan, int peer,
			  enum cp_act_kind kind);
uint32_t cp_messages_each(uint64_t to_peer, uint32_t qps);
void cp_plan_free(struct cp_plan *plan);

#endif
