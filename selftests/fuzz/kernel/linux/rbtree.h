/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces <linux/rbtree.h> in user space: search trees with the same interface. They are
 * never rebalanced, because the tests need only the order of the nodes.
 */
#ifndef RF_FUZZ_RBTREE_H
#define RF_FUZZ_RBTREE_H

#include <linux/list.h>

struct rb_node {
	struct rb_node *parent, *left, *right;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct rb_root_cached {
	struct rb_root rb_root;
};

#define RB_ROOT			((struct rb_root){ NULL })
#define RB_ROOT_CACHED		((struct rb_root_cached){ RB_ROOT })
#define RB_EMPTY_NODE(n)	((n)->parent == (n))
#define RB_CLEAR_NODE(n)	((n)->parent = (n))
#define rb_entry(ptr, type, member) container_of(ptr, type, member)

static inline void rb_add(struct rb_node *node, struct rb_root *root,
			  bool (*less)(struct rb_node *, const struct rb_node *))
{
	struct rb_node **link = &root->rb_node;

	*node = (struct rb_node){ NULL, NULL, NULL };
	while (*link) {
		node->parent = *link;
		link = less(node, *link) ? &(*link)->left : &(*link)->right;
	}
	*link = node;
}

/* Replace @node by @by. */
static inline void rb_put(struct rb_root *root, struct rb_node *node,
			  struct rb_node *by)
{
	if (!node->parent)
		root->rb_node = by;
	else if (node->parent->left == node)
		node->parent->left = by;
	else
		node->parent->right = by;
	if (by)
		by->parent = node->parent;
}

static inline struct rb_node *rb_leftmost(struct rb_node *node)
{
	while (node && node->left)
		node = node->left;
	return node;
}

static inline struct rb_node *rb_first_cached(const struct rb_root_cached *root)
{
	return rb_leftmost(root->rb_root.rb_node);
}

static inline struct rb_node *rb_next(const struct rb_node *node)
{
	if (node->right)
		return rb_leftmost(node->right);
	while (node->parent && node == node->parent->right)
		node = node->parent;
	return node->parent;
}

static inline void rb_erase(struct rb_node *node, struct rb_root *root)
{
	struct rb_node *next;

	if (!node->left || !node->right) {
		rb_put(root, node, node->left ? node->left : node->right);
		return;
	}
	next = rb_leftmost(node->right);
	if (next != node->right) {
		rb_put(root, next, next->right);
		next->right = node->right;
		next->right->parent = next;
	}
	rb_put(root, node, next);
	next->left = node->left;
	next->left->parent = next;
}

#define rb_add_cached(node, root, less)	rb_add(node, &(root)->rb_root, less)
#define rb_erase_cached(node, root)	rb_erase(node, &(root)->rb_root)

static inline struct rb_node *rb_find_first(const void *key,
					    const struct rb_root *root,
					    int (*cmp)(const void *,
						       const struct rb_node *))
{
	struct rb_node *node = root->rb_node, *found = NULL;

	while (node) {
		int c = cmp(key, node);

		if (!c)
			found = node;
		node = c <= 0 ? node->left : node->right;
	}
	return found;
}

static inline struct rb_node *rb_next_match(const void *key, struct rb_node *node,
					    int (*cmp)(const void *,
						       const struct rb_node *))
{
	node = rb_next(node);
	return node && !cmp(key, node) ? node : NULL;
}

#define rb_for_each(node, key, root, cmp)				\
	for (node = rb_find_first(key, root, cmp); node;		\
	     node = rb_next_match(key, node, cmp))

#endif
