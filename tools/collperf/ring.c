// SPDX-License-Identifier: GPL-2.0
/*
 * All-reduce around a ring.
 *
 * The n ranks form a ring; each sends to its successor only. The data is cut
 * into n chunks. Reduce-scatter, phases p = 0 .. n-2: rank r sends chunk r-p
 * to r+1, gets chunk r-p-1 from r-1 and adds its own input to it (all modulo
 * n). Rank r then has the full sum of chunk r+1. All-gather, phases q = 0 ..
 * n-2: rank r sends chunk r+1-q on and gets chunk r-q. That is 2(n-1) phases,
 * and exactly one message a phase: 2(n-1) messages a run on each link.
 *
 *     phase p, q:  r ---- chunk r-p,  scratch slot p  ----> r+1
 *                  r ---- chunk r+1-q, its final place ---> r+1
 *
 * Flow control: none, and none is needed. A message that arrives must find
 * (a) memory that its owner no longer needs, (b) a posted receive. Let P be
 * the predecessor of rank R, both in run k unless said otherwise.
 *
 * Scratch. Each reduce-scatter phase has its own slot, so within a run no slot
 * is written twice. P writes slots again in run k+1, which P enters after its
 * last all-gather phase of run k. What P got in that phase is chunk P-(n-2) =
 * R+1: the chunk whose sum R itself completed, in R's last reduce-scatter
 * phase. R sent it on after having read all of its slots. So they are free.
 *
 * Final place. P writes chunk c there only with its full sum, so R has put its
 * own input in: R has read its input of c, and has sent its partial sum of c,
 * and R+1 has got that complete. R may not have seen the acknowledgement and
 * may send the partial sum again, now from overwritten memory; but R+1 has the
 * message, so what comes again is a duplicate, which a responder acknowledges
 * and does not carry out.
 * In the same way, P's final chunks of run k+1 need R's inputs of run k+1, so
 * they cannot arrive before R has entered run k+1, and has done with run k's
 * result.
 *
 * Own sources. A run ends when all its messages have arrived and all own sends
 * are acknowledged, so run k+1 never changes memory that is still being sent.
 * That is also why the sender of a lost packet stays in the step of the loss.
 *
 * Receives. P can be ahead of R by the reduce-scatter phases of run k+1 (they
 * need nothing of R) and no further: n-1 messages beyond the 2(n-1) of run k.
 * Twice a run's messages are posted, so there is never an RNR NAK.
 *
 * The count need not be a multiple of n: the first chunks have one element
 * more. Chunks may be empty; their messages have no data and still go.
 */
#include <string.h>

#include "coll.h"

enum { NEXT, PREV, RING_LINKS };

struct piece {
	uint64_t off;		/* bytes */
	uint64_t count;		/* elements */
	uint64_t len;		/* bytes */
};

static struct piece chunk(const struct cp_run *run, int i)
{
	uint64_t n = (uint64_t)run->ranks;
	uint64_t c = (uint64_t)((i % run->ranks + run->ranks) % run->ranks);
	uint64_t each = run->count / n, more = run->count % n;
	uint64_t first = c * each + (c < more ? c : more);
	struct piece p = { .count = each + (c < more) };

	p.off = first * run->type->size;
	p.len = p.count * run->type->size;
	return p;
}

static uint64_t ring_longest(uint64_t count, size_t size, int ranks)
{
	uint64_t n = (uint64_t)ranks;

	return (count + n - 1) / n * size;
}

static uint64_t slot(const struct cp_run *run, int phase)
{
	return (uint64_t)phase *
	       ring_longest(run->count, run->type->size, run->ranks);
}

static uint64_t ring_scratch(uint64_t count, size_t size, int ranks)
{
	return (uint64_t)(ranks - 1) * ring_longest(count, size, ranks);
}

static uint32_t ring_messages(int ranks)
{
	return 2u * (uint32_t)(ranks - 1);
}

static int ring_links(int rank, int ranks, struct cp_link_spec *specs)
{
	specs[NEXT] = (struct cp_link_spec){
		.peer = (rank + 1) % ranks, .peer_link = PREV, .dir = "next"
	};
	specs[PREV] = (struct cp_link_spec){
		.peer = (rank + ranks - 1) % ranks, .peer_link = NEXT,
		.dir = "prev"
	};
	return ranks > 1 ? RING_LINKS : 0;
}

static enum cp_mem_id input(const struct cp_run *run)
{
	return run->in_place ? CP_RECV : CP_SEND;
}

/* result[c] = input[c] + slot */
static void reduce(const struct cp_run *run, struct piece c, int phase)
{
	const struct cp_mem *mem = run->tp->mem;

	run->type->reduce[run->op->id](mem[CP_RECV].addr + c.off,
				       mem[input(run)].addr + c.off,
				       mem[CP_SCRATCH].addr + slot(run, phase),
				       c.count);
}

static int reduce_scatter(const struct cp_run *run, int p)
{
	struct piece out = chunk(run, run->rank - p);
	struct cp_span from = { p ? CP_RECV : input(run), out.off };
	struct cp_span to = { CP_SCRATCH, slot(run, p) };

	cp_at(run->tp->state, "reduce-scatter", (uint32_t)p + 1,
	      (uint32_t)run->ranks - 1);
	if (cp_write(run->tp, NEXT, from, to, out.len, false) ||
	    cp_recv_next(run->tp, PREV))
		return -1;
	reduce(run, chunk(run, run->rank - p - 1), p);
	return 0;
}

static int all_gather(const struct cp_run *run, int q)
{
	struct piece out = chunk(run, run->rank + 1 - q);
	struct cp_span at = { CP_RECV, out.off };
	bool last = q == run->ranks - 2;

	cp_at(run->tp->state, "all-gather", (uint32_t)q + 1,
	      (uint32_t)run->ranks - 1);
	if (cp_write(run->tp, NEXT, at, at, out.len, last))
		return -1;
	return cp_recv_next(run->tp, PREV);
}

static int alone(const struct cp_run *run)
{
	if (!run->in_place)
		memcpy(run->tp->mem[CP_RECV].addr, run->tp->mem[CP_SEND].addr,
		       run->count * run->type->size);
	return 0;
}

static int ring_run(const struct cp_run *run)
{
	int n = run->ranks, ret = 0;

	if (n == 1)
		return alone(run);
	for (int p = 0; !ret && p < n - 1; p++)
		ret = reduce_scatter(run, p);
	for (int q = 0; !ret && q < n - 1; q++)
		ret = all_gather(run, q);
	return ret ? ret : cp_flush_sends(run->tp, NEXT);
}

const struct cp_algo cp_ring_all_reduce = {
	.name = "ring",
	.links = ring_links,
	.messages = ring_messages,
	.scratch = ring_scratch,
	.longest = ring_longest,
	.run = ring_run,
};
