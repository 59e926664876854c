// SPDX-License-Identifier: GPL-2.0
/*
 * Recursive halving and doubling: in each of log2(n) steps, a rank exchanges data
 * with one other rank.
 *
 * Halving (reduce-scatter): two ranks have sums over the same range. Each of them sends one
 * half of the range to the other rank, and adds the half that it receives to its own. The
 * ranges become shorter until each rank has its own block. Doubling (all-gather) is the same in
 * reverse order. An all-reduce is halving, then doubling: 2 (n - 1) / n of the vector per rank,
 * in 2 log2(n) steps. See Thakur, Rabenseifner and Gropp, "Optimization of collective
 * communication operations in MPICH", 2005.
 *
 * The steps need a power of two, p. If n is not a power of two, every odd rank of the first 2
 * (n - p) ranks is folded into the rank before it: it sends its data to that rank, which
 * executes the steps for both and sends the result back. A "stand" is a single rank, or a rank
 * and the rank that is folded into it. Stands are numbered in the order of their ranks.
 *
 * In an exchange both ranks send @ahead messages; then they receive one and send
 * the next one. At most @ahead messages are in flight, which is at most the
 * window, and a step starts after the previous one. Data that was sent is
 * overwritten only by its complete sum, which comes from the rank that received
 * the data.
 *
 * Broadcast and reduce are binomial trees. Ranks are numbered from the root, which is 0. The
 * number of a rank's parent is the rank's number without its lowest set bit. Pieces are sent
 * one after another. Between two ranks, at most one message is in flight.
 */
#include "algo.h"

/**
 * struct steps - the steps of a collective, as one rank sees them
 * @plan: the plan to extend
 * @s: the shape of the plan
 * @stands: number of stands, a power of two
 * @pairs: the first @pairs stands have two ranks
 * @me: stand of this rank; -1 if this rank is folded into the previous rank
 * @shared: true: the blocks divide the @s->count elements; false: each block has
 *	@s->count elements
 */
struct steps {
	struct coll_plan *plan;
	const struct coll_shape *s;
	int stands, pairs, me;
	bool shared;
};

static struct steps make_steps(struct coll_plan *plan, const struct coll_shape *s,
			       bool shared)
{
	struct steps st = { plan, s, 1, 0, 0, shared };

	while (st.stands * 2 <= s->ranks)
		st.stands *= 2;
	st.pairs = s->ranks - st.stands;
	if (s->rank >= 2 * st.pairs)
		st.me = s->rank - st.pairs;
	else
		st.me = s->rank % 2 ? -1 : s->rank / 2;
	return st;
}

/*
 * Return the rank that executes the steps of a stand. If the stand has a folded rank, it is
 * the next rank.
 */
static int stand_rank(const struct steps *st, int stand)
{
	return stand < st->pairs ? 2 * stand : stand + st->pairs;
}

static bool has_partner(const struct steps *st)
{
	return st->me < st->pairs;
}

static uint64_t edge(const struct steps *st, int stand)
{
	const struct coll_shape *s = st->s;

	if (!st->shared)
		return (uint64_t)stand_rank(st, stand) * s->count;
	return stand == st->stands ? s->count :
		coll_share(s->count, st->stands, stand).at;
}

/* Return the elements that belong to the @n stands starting at @stand. */
static struct coll_part range(const struct steps *st, int stand, int n)
{
	uint64_t at = edge(st, stand);

	return (struct coll_part){ at, edge(st, stand + n) - at };
}

static struct coll_place place_at(enum coll_mem_id mem, struct coll_part p)
{
	return (struct coll_place){ mem, p.at };
}

/**
 * struct move - an exchange with another rank, as one of the two ranks sees it
 * @peer: the other rank
 * @gives: range that is sent
 * @takes: range that is received
 * @from: memory of both ranges before the exchange
 * @reduces: received data is added
 * @final: the sum is complete after the exchange
 */
struct move {
	int peer;
	struct coll_part gives, takes;
	enum coll_mem_id from;
	bool reduces, final;
};

static void take_part(const struct steps *st, const struct move *m, struct coll_part p)
{
	if (m->reduces)
		coll_plan_reduce(st->plan, m->peer, coll_result(p.at),
				 place_at(m->from, p), p.count, m->final);
	else
		coll_plan_recv(st->plan, m->peer, coll_result(p.at), p.count);
}

static void exchange_parts(const struct steps *st, const struct move *m)
{
	uint64_t longer = m->gives.count > m->takes.count ?
			  m->gives.count : m->takes.count;
	struct coll_stream cut = coll_stream(st->s, longer, st->s->window);

	for (uint64_t i = 0; i < cut.pieces + cut.ahead; i++) {
		struct coll_part p = coll_piece(&cut, m->gives, i);

		if (i >= cut.ahead)
			take_part(st, m, coll_piece(&cut, m->takes, i - cut.ahead));
		if (i < cut.pieces)
			coll_plan_send(st->plan, m->peer, place_at(m->from, p),
				       p.count);
	}
}

/*
 * Pass a range between the two ranks of a stand: from the folded rank to the other rank, or
 * back.
 */
static void pass(const struct steps *st, int peer, enum coll_mem_id from,
		 struct coll_part what)
{
	struct coll_stream cut = coll_stream(st->s, what.count, 1);

	for (uint64_t i = 0; i < cut.pieces; i++) {
		struct coll_part p = coll_piece(&cut, what, i);

		coll_plan_send(st->plan, peer, place_at(from, p), p.count);
	}
}

/* Receive the complete range @m->takes from the rank @m->peer. */
static void take_all(const struct steps *st, const struct move *m)
{
	struct coll_stream cut = coll_stream(st->s, m->takes.count, 1);

	for (uint64_t i = 0; i < cut.pieces; i++)
		take_part(st, m, coll_piece(&cut, m->takes, i));
}

static void fetch_part(const struct steps *st, int peer, struct coll_part what)
{
	take_all(st, &(struct move){ .peer = peer, .takes = what });
}

static uint32_t steps_to(int stands)
{
	uint32_t steps = 0;

	while (stands >>= 1)
		steps++;
	return steps;
}

/*
 * Reduce-scatter: start with the whole input in @from, and end with the sum of this
 * rank's block.
 */
static void halve(const struct steps *st, enum coll_mem_id from)
{
	uint32_t step = 1, steps = steps_to(st->stands);

	for (int half = st->stands / 2; half; half /= 2) {
		int own = st->me & -half, other = own ^ half;
		struct move m = {
			.peer = stand_rank(st, st->me ^ half),
			.gives = range(st, other, half),
			.takes = range(st, own, half),
			.from = from, .reduces = true, .final = half == 1,
		};

		coll_plan_at(st->plan, "halving", step++, steps);
		exchange_parts(st, &m);
		from = COLL_RECV;
	}
}

/* All-gather: start with this rank's block, and end with all blocks. */
static void redouble(const struct steps *st)
{
	uint32_t step = 1, steps = steps_to(st->stands);

	for (int half = 1; half < st->stands; half *= 2) {
		int own = st->me & -half, other = own ^ half;
		struct move m = {
			.peer = stand_rank(st, st->me ^ half),
			.gives = range(st, own, half),
			.takes = range(st, other, half),
			.from = COLL_RECV,
		};

		coll_plan_at(st->plan, "doubling", step++, steps);
		exchange_parts(st, &m);
	}
}

/* If this stand has a folded rank, add its vector. Return: the memory that contains the sum */
static enum coll_mem_id fold_in(const struct steps *st)
{
	enum coll_mem_id input = st->s->in_place ? COLL_RECV : COLL_SEND;
	struct move m = {
		.peer = st->s->rank + 1, .takes = range(st, 0, st->stands),
		.from = input, .reduces = true,
	};

	if (!has_partner(st))
		return input;
	coll_plan_at(st->plan, "folding in", 1, 1);
	take_all(st, &m);
	return COLL_RECV;
}

/* Steps of a folded rank: send the input to the partner, and later receive the result. */
static void be_folded(const struct steps *st, struct coll_part result)
{
	int partner = st->s->rank - 1;

	coll_plan_at(st->plan, "folding in", 1, 1);
	pass(st, partner, st->s->in_place ? COLL_RECV : COLL_SEND,
	     range(st, 0, st->stands));
	coll_plan_at(st->plan, "folding out", 1, 1);
	fetch_part(st, partner, result);
}

/* Send the result from the other rank of the stand to the folded rank. */
static void fold_out(const struct steps *st, struct coll_part result)
{
	if (!has_partner(st))
		return;
	coll_plan_at(st->plan, "folding out", 1, 1);
	pass(st, st->s->rank + 1, COLL_RECV, result);
}

/** coll_recursive_all_reduce() - halving, then doubling */
void coll_recursive_all_reduce(struct coll_plan *plan, const struct coll_shape *s)
{
	struct steps st = make_steps(plan, s, true);
	struct coll_part all = { 0, s->count };

	if (st.me < 0) {
		be_folded(&st, all);
		return;
	}
	halve(&st, fold_in(&st));
	redouble(&st);
	fold_out(&st, all);
}

/** coll_recursive_reduce_scatter() - halving */
void coll_recursive_reduce_scatter(struct coll_plan *plan,
				   const struct coll_shape *s)
{
	struct steps st = make_steps(plan, s, false);
	struct coll_part own = { (uint64_t)s->rank * s->count, s->count };

	if (st.me < 0) {
		be_folded(&st, own);
		return;
	}
	halve(&st, fold_in(&st));
	own.at += s->count;
	fold_out(&st, own);
}

/*
 * Return the range of the blocks of all ranks before @rank. after() returns the range of the
 * blocks of all ranks after @rank.
 */
static struct coll_part before(const struct coll_shape *s, int rank)
{
	return (struct coll_part){ 0, (uint64_t)rank * s->count };
}

static struct coll_part after(const struct coll_shape *s, int rank)
{
	return (struct coll_part){
		((uint64_t)rank + 1) * s->count,
		((uint64_t)s->ranks - 1 - (uint64_t)rank) * s->count,
	};
}

static void gather_folded(const struct steps *st, struct coll_part own)
{
	const struct coll_shape *s = st->s;

	coll_plan_at(st->plan, "folding in", 1, 1);
	pass(st, s->rank - 1, COLL_RECV, own);
	coll_plan_at(st->plan, "folding out", 1, 1);
	fetch_part(st, s->rank - 1, before(s, s->rank));
	fetch_part(st, s->rank - 1, after(s, s->rank));
}

/** coll_recursive_all_gather() - doubling */
void coll_recursive_all_gather(struct coll_plan *plan, const struct coll_shape *s)
{
	struct coll_part own = { (uint64_t)s->rank * s->count, s->count };
	struct steps st = make_steps(plan, s, false);

	coll_plan_at(plan, "doubling", 1, 1);
	if (!s->in_place)
		coll_plan_copy(plan, coll_result(own.at), coll_input(s, 0), s->count);
	if (st.me < 0) {
		gather_folded(&st, own);
		return;
	}
	own.at += s->count;
	coll_plan_at(plan, "folding in", 1, 1);
	if (has_partner(&st))
		fetch_part(&st, s->rank + 1, own);
	redouble(&st);
	fold_out(&st, before(s, s->rank + 1));
	fold_out(&st, after(s, s->rank + 1));
}

/*
 * Return the number of this rank in the tree. Numbers start with 0 at the root; back()
 * converts a number to a rank.
 */
static int counted(const struct coll_shape *s)
{
	return (s->rank - s->root + s->ranks) % s->ranks;
}

static int back(const struct coll_shape *s, int v)
{
	return (v + s->root) % s->ranks;
}

/*
 * A child's number is this rank's number plus a power of two that is lower than the lowest set
 * bit of this rank's number. Return the highest such power, or 0 if there is none.
 */
static int first_child_bit(const struct coll_shape *s)
{
	int v = counted(s), bit = 1;

	while (bit < s->ranks && !(v & bit))
		bit *= 2;
	return bit / 2;
}

/** coll_recursive_broadcast() - use a binomial tree; a rank sends to its largest branch first */
void coll_recursive_broadcast(struct coll_plan *plan, const struct coll_shape *s)
{
	struct coll_stream cut = coll_vector_stream(s);
	int v = counted(s);

	coll_plan_at(plan, "broadcast", 1, 1);
	for (uint64_t i = 0; i < cut.pieces; i++) {
		struct coll_part p = coll_vector_piece(&cut, s, i);
		struct coll_place from = v ? coll_result(p.at) : coll_input(s, p.at);

		if (v)
			coll_plan_recv(plan, back(s, v & (v - 1)), from, p.count);
		for (int bit = first_child_bit(s); bit; bit /= 2)
			if (v + bit < s->ranks)
				coll_plan_send(plan, back(s, v + bit), from,
					       p.count);
		if (!v)
			coll_plan_copy(plan, coll_result(p.at), from, p.count);
	}
}

static void reduce_piece(struct coll_plan *plan, const struct coll_shape *s,
			 struct coll_part p)
{
	struct coll_place sum = coll_input(s, p.at), out = coll_result(p.at);
	int v = counted(s), last = first_child_bit(s);

	while (v + last >= s->ranks)
		last /= 2;
	for (int bit = 1; bit <= last; bit *= 2) {
		coll_plan_reduce(plan, back(s, v + bit), out, sum, p.count,
				 !v && bit == last);
		sum = out;
	}
	if (v)
		coll_plan_send(plan, back(s, v & (v - 1)), sum, p.count);
}

/** coll_recursive_reduce() - use a binomial tree; a rank receives from its smallest branch first */
void coll_recursive_reduce(struct coll_plan *plan, const struct coll_shape *s)
{
	struct coll_stream cut = coll_vector_stream(s);

	coll_plan_at(plan, "reduce", 1, 1);
	for (uint64_t i = 0; i < cut.pieces; i++)
		reduce_piece(plan, s, coll_vector_piece(&cut, s, i));
}
