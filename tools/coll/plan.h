/* SPDX-License-Identifier: GPL-2.0 */
/* The collectives: their plans, element types and reductions, and the check of their results */
#ifndef COLL_PLAN_H
#define COLL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "key.h"

#define COLL_RANKS_MAX	128

/* plan.c: plans, the operations of one rank in one run of a collective */

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

/* coll.c: the tables of the collectives and of their algorithms */
enum coll_algo { COLL_RING, COLL_TREE, COLL_RECURSIVE, COLL_DIRECT, COLL_ALGOS };

/* A function that adds the operations of one rank to a plan: one file per algorithm. */
typedef void (*coll_planner)(struct coll_plan *plan, const struct coll_shape *s);

/**
 * struct coll_want - a part of the expected result, and the rank that it comes from
 * @at: position of the part in COLL_RECV, in elements
 * @count: number of elements
 * @from: the rank that has this part in its input; COLL_ALL_RANKS: the part is the
 *	reduction of the inputs of all ranks
 * @input_at: position of the part in the input of @from (or of every rank), in elements
 */
struct coll_want {
	uint64_t at, count, input_at;
	int from;
};

#define COLL_ALL_RANKS	(-1)

/**
 * struct coll_collective - a collective
 * @name: name on the command line
 * @bus_factor: returns bus bandwidth / algorithm bandwidth
 * @reduces: true if it has a reduction
 * @rooted: true if it has a root
 * @in_place: true if it can run in place
 * @sized: true if it transfers data; false for a barrier
 * @sent: returns the size of a rank's input as a multiple of coll_shape.count: 1 or the
 *	number of ranks
 * @received: returns the size of COLL_RECV, also as a multiple of coll_shape.count. While the
 *	collective runs, it can overwrite all of COLL_RECV
 * @input_at: returns the position of a rank's input in COLL_RECV, in elements, if the
 *	collective runs in place
 * @wants: describes the expected result of rank @s->rank, part by part; returns the
 *	number of parts
 * @algos: planners, indexed by enum coll_algo; NULL: algorithm not supported
 */
struct coll_collective {
	const char *name;
	double (*bus_factor)(int ranks);
	bool reduces, rooted, in_place, sized;
	uint64_t (*sent)(int ranks);
	uint64_t (*received)(int ranks);
	uint64_t (*input_at)(const struct coll_shape *s);
	int (*wants)(const struct coll_shape *s, struct coll_want *wants);
	coll_planner algos[COLL_ALGOS];
};

extern const struct coll_collective coll_collectives[];
extern const struct rf_name coll_algo_names[COLL_ALGOS + 2];	/* COLL_ALGOS: "auto" */

const struct coll_collective *coll_find(const char *name);
enum coll_algo coll_algo_choose(const struct coll_collective *coll, int ranks,
				uint64_t bytes);
int coll_plan_make(struct coll_plan *plan, const struct coll_collective *coll,
		   enum coll_algo algo, const struct coll_shape *shape);

/* datatype.c: the tables of element types and reductions, one row per type */

/* The reductions of a type. An average is a sum, which is later divided by the number of ranks. */
enum coll_op_id { COLL_OP_SUM, COLL_OP_PROD, COLL_OP_MIN, COLL_OP_MAX, COLL_OPS };

/* dst[i] = a[i] op b[i] for n elements; dst may be a or b. */
typedef void (*coll_reduce_fn)(void *dst, const void *a, const void *b, size_t n);

/**
 * struct coll_type - an element type
 * @name: name for the option -d and in the output
 * @alias: another name for the option -d, or NULL
 * @size: bytes of one element
 * @is_signed: true if negative values exist
 * @exact: the type represents all integers from 0 to @exact exactly
 * @exponent: exponent of the highest power of two of a floating type; 0 for integers
 * @store: writes the integer @v to element @i of @base
 * @format: writes element @i of @base as text to a buffer
 * @divide: divides @n elements at @base by @by, for an average; integers are
 *	rounded towards 0, floating types to nearest
 * @reduce: one function for each operation
 */
struct coll_type {
	const char *name, *alias;
	size_t size;
	bool is_signed;
	int64_t exact;
	int exponent;
	void (*store)(void *base, size_t i, int64_t v);
	int (*format)(char *buf, size_t len, const void *base, size_t i);
	void (*divide)(void *base, size_t n, int by);
	coll_reduce_fn reduce[COLL_OPS];
};

/**
 * struct coll_op - a reduction
 * @name: name for the option -o and in the output
 * @id: index in coll_type.reduce
 * @fold: the same operation on integers, to compute expected values
 * @grows: true if the result over n ranks can be n times as large as an input
 * @averages: true if the complete sum is divided by the number of ranks
 */
struct coll_op {
	const char *name;
	enum coll_op_id id;
	int64_t (*fold)(int64_t a, int64_t b);
	bool grows, averages;
};

extern const struct coll_type coll_types[];
extern const struct coll_op coll_ops[];

const struct coll_type *coll_type_find(const char *name);
const struct coll_op *coll_op_find(const char *name);

/* verify.c: generate inputs for which the exact result is known, and check results */

/**
 * struct coll_pattern - one period of inputs and expected results
 * @type: element type
 * @op: the reduction, or NULL
 * @rank: this rank
 * @ranks: number of ranks
 * @input: input of this rank
 * @want: expected result of the reduction; unused if @op is NULL
 * @other: input of rank @others
 * @others: rank of @other; -1: none yet
 */
struct coll_pattern {
	const struct coll_type *type;
	const struct coll_op *op;
	int rank, ranks;
	void *input, *want, *other;
	int others;
};

/**
 * struct coll_mismatch - the first wrong element
 * @at: position in the result, in elements
 * @from: the rank that the element must come from, or COLL_ALL_RANKS
 * @got: value of the element, as text
 * @want: the expected value, as text
 */
struct coll_mismatch {
	uint64_t at;
	int from;
	char got[32], want[32];
};

int coll_pattern_init(struct coll_pattern *pat, const struct coll_type *type,
		      const struct coll_op *op, int rank, int ranks);
void coll_pattern_free(struct coll_pattern *pat);

void coll_pattern_prepare(const struct coll_pattern *pat,
			  const struct coll_collective *coll,
			  const struct coll_shape *shape,
			  void *const mem[COLL_MEMS], uint64_t seed);
uint64_t coll_pattern_check(struct coll_pattern *pat, const struct coll_collective *coll,
			    const struct coll_shape *shape, const void *received,
			    uint64_t seed, struct coll_mismatch *first);

#endif
