/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/atomic.h> in user space: atomic counters, for one thread. */
#ifndef RF_FUZZ_ATOMIC_H
#define RF_FUZZ_ATOMIC_H

typedef struct {
	long long counter;
} atomic64_t;

static inline long long atomic64_inc_return(atomic64_t *v)
{
	return ++v->counter;
}

#endif
