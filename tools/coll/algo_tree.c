// SPDX-License-Identifier: GPL-2.0
/*
 * The double binary tree: pieces are added on the way up a tree, and the sums are
 * sent down again. Pieces alternate between two trees.
 *
 * In a binary tree half of the ranks are leaves, which send each piece up once
 * and send nothing down, so half of the links are idle. Therefore two trees
 * connect the same ranks, and a leaf of one tree is an inner node of the other.
 * In the first tree, the level of a rank is the position of its lowest bit; odd
 * ranks are leaves. In the second tree the ranks are mirrored, or shifted by one
 * if the number of ranks is odd, so that odd and even ranks are exchanged. See
 * Sanders, Speck and Traeff, "Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan", 2009.
 *
 * A piece needs about 2 log2(n) consecutive messages, so the trees are good for
 * short vectors and many ranks. Pieces follow one another. The operations of a
 * rank are: up 0, up 1, .. up d, down 0, up d + 1, down 1, ... where d is about
 * the length of the way up and down, so that the first sum has arrived when the
 * rank receives it. If the ranks execute them in the order children before
 * parents on the way up, and parents before children on the way down, each
 * message is received before the next one is sent: a window of 1 is enough.
 *
 * In broadcast and reduce the root is above both trees, which consist of the
 * other ranks.
 */
#include "algo.h"

/* The parent and children of a rank in a tree */
struct knot {
	int parent;	/* -1: none */
	int children[2], n_children;
};

/*
 * Return the parent and the children of the rank with number @v. To get the number of the
 * parent, clear the lowest set bit of @v and set the next higher bit. If there is no rank with
 * that number, only clear the bit. 0 is the root; its only child is the highest power of two
 * below @n.
 */
static struct knot number_knot(int v, int n)
{
	int bit = v & -v, half = bit / 2;
	struct knot knot = { .parent = (v & ~bit) | bit << 1 };

	if (knot.parent >= n)
		knot.parent = v & ~bit;
	if (half)
		knot.children[knot.n_children++] = v - half;
	if (!v)
		for (half = 1, knot.parent = -1; half * 2 < n;)
			half *= 2;
	while (half && v + half >= n)
		half /= 2;
	if (half)
		knot.children[knot.n_children++] = v + half;
	return knot;
}

/*
 * Convert the number @v of a rank in the first tree to its number in the second tree. With
 * @back, do the reverse.
 */
static int second(int v, int n, bool back)
{
	if (n % 2)
		return (v + (back ? 1 : n - 1)) % n;
	return n - 1 - v;
}

/* The two trees of @n ranks, starting with rank @first */
struct grove {
	const struct coll_shape *s;
	int first, n;
};

static int rank_in_tree(const struct grove *g, int tree, int v)
{
	if (v < 0)
		return -1;
	return (g->first + (tree ? second(v, g->n, true) : v)) % g->s->ranks;
}

static struct knot member_knot(const struct grove *g, int tree)
{
	const struct coll_shape *s = g->s;
	int v = (s->rank - g->first + s->ranks) % s->ranks;
	struct knot knot;

	knot = number_knot(tree ? second(v, g->n, false) : v, g->n);
	knot.parent = rank_in_tree(g, tree, knot.parent);
	for (int i = 0; i < knot.n_children; i++)
		knot.children[i] = rank_in_tree(g, tree, knot.children[i]);
	return knot;
}

static struct knot knot_of(const struct coll_shape *s, int tree)
{
	return member_knot(&(struct grove){ s, 0, s->ranks }, tree);
}

/*
 * Return the parent and the children of this rank in tree @tree of a broadcast or reduce. Each
 * of the two trees connects all ranks except the root. The root is the parent of the topmost
 * rank of each tree.
 */
static struct knot rooted_knot(const struct coll_shape *s, int tree)
{
	struct grove g = { s, (s->root + 1) % s->ranks, s->ranks - 1 };
	struct knot knot = { .parent = -1, .n_children = 1 };

	if (s->rank == s->root) {
		knot.children[0] = rank_in_tree(&g, tree, 0);
		return knot;
	}
	knot = member_knot(&g, tree);
	if (knot.parent < 0)
		knot.parent = s->root;
	return knot;
}

static void up(struct coll_plan *plan, const struct coll_shape *s,
	       const struct knot *knot, struct coll_part p)
{
	struct coll_place sum = coll_input(s, p.at), out = coll_result(p.at);

	for (int i = 0; i < knot->n_children; i++) {
		bool last = i == knot->n_children - 1;

		coll_plan_reduce(plan, knot->children[i], out, sum, p.count,
				 last && knot->parent < 0);
		sum = out;
	}
	if (knot->parent >= 0)
		coll_plan_send(plan, knot->parent, sum, p.count);
}

/* Forward a piece from the parent to the children; the topmost rank sends it from @top. */
static void down(struct coll_plan *plan, const struct knot *knot,
		 struct coll_place top, struct coll_part p)
{
	struct coll_place from = knot->parent < 0 ? top : coll_result(p.at);

	if (knot->parent >= 0)
		coll_plan_recv(plan, knot->parent, from, p.count);
	for (int i = 0; i < knot->n_children; i++)
		coll_plan_send(plan, knot->children[i], from, p.count);
}

/*
 * Return the number of pieces that a rank sends up before it sends the first sum down. It is
 * 2 * ceil(log2(n)) for n ranks.
 */
static uint64_t lag_of(const struct coll_shape *s)
{
	uint64_t lag = 0;

	for (int n = 1; n < s->ranks; n *= 2)
		lag += 2;
	return lag;
}

/** coll_tree_all_reduce() - every piece goes up and down one of the two trees */
void coll_tree_all_reduce(struct coll_plan *plan, const struct coll_shape *s)
{
	struct knot knots[] = { knot_of(s, 0), knot_of(s, 1) };
	struct coll_stream st = coll_vector_stream(s);
	uint64_t lag = lag_of(s);

	for (uint64_t i = 0; i < st.pieces + lag; i++) {
		struct coll_part p = coll_vector_piece(&st, s, i);

		coll_plan_at(plan, "up the tree", 1, 1);
		if (i < st.pieces)
			up(plan, s, &knots[i % 2], p);
		if (i < lag)
			continue;
		p = coll_vector_piece(&st, s, i - lag);
		coll_plan_at(plan, "down the tree", 1, 1);
		down(plan, &knots[(i - lag) % 2], coll_result(p.at), p);
	}
}

/** coll_tree_broadcast() - every piece goes down one of the two trees */
void coll_tree_broadcast(struct coll_plan *plan, const struct coll_shape *s)
{
	struct knot knots[] = { rooted_knot(s, 0), rooted_knot(s, 1) };
	struct coll_stream st = coll_vector_stream(s);

	coll_plan_at(plan, "down the tree", 1, 1);
	for (uint64_t i = 0; i < st.pieces; i++) {
		struct coll_part p = coll_vector_piece(&st, s, i);

		down(plan, &knots[i % 2], coll_input(s, p.at), p);
		if (s->rank == s->root)
			coll_plan_copy(plan, coll_result(p.at), coll_input(s, p.at),
				       p.count);
	}
}

/** coll_tree_reduce() - every piece goes up one of the two trees */
void coll_tree_reduce(struct coll_plan *plan, const struct coll_shape *s)
{
	struct knot knots[] = { rooted_knot(s, 0), rooted_knot(s, 1) };
	struct coll_stream st = coll_vector_stream(s);

	coll_plan_at(plan, "up the tree", 1, 1);
	for (uint64_t i = 0; i < st.pieces; i++)
		up(plan, s, &knots[i % 2], coll_vector_piece(&st, s, i));
}
