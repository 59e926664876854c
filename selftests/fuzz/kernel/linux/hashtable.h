/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/hashtable.h> in user space: hash tables. */
#ifndef RF_FUZZ_HASHTABLE_H
#define RF_FUZZ_HASHTABLE_H

#include <linux/list.h>
#include <string.h>

#define DECLARE_HASHTABLE(name, bits)	struct hlist_head name[1 << (bits)]

#define HASH_SIZE(table)	(sizeof(table) / sizeof((table)[0]))

/* The index of the slot is made of the upper bits of a product, as in the kernel's hash_32(). */
#define HASH_SLOT(table, key)						\
	((uint32_t)(key) * 0x61c88647u >>				\
	 (33 - __builtin_ffs((int)HASH_SIZE(table))))

#define hash_init(table)	memset(table, 0, sizeof(table))
#define hash_add(table, node, key)					\
	hlist_add_head(node, &(table)[HASH_SLOT(table, key)])
#define hash_del(node)		hlist_del_init(node)
#define hash_for_each_possible(table, obj, member, key)			\
	hlist_for_each_entry(obj, &(table)[HASH_SLOT(table, key)], member)

#endif
