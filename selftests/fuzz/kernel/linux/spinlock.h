/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/spinlock.h> in user space: a lock, for one thread, that checks its use. */
#ifndef RF_FUZZ_SPINLOCK_H
#define RF_FUZZ_SPINLOCK_H

#include <assert.h>
#include <stdbool.h>

typedef struct {
	bool held;
} spinlock_t;

#define spin_lock_init(lock)	((lock)->held = false)
#define spin_lock_bh(lock)	spin_lock(lock)
#define spin_unlock_bh(lock)	spin_unlock(lock)

static inline void spin_lock(spinlock_t *lock)
{
	assert(!lock->held);
	lock->held = true;
}

static inline void spin_unlock(spinlock_t *lock)
{
	assert(lock->held);
	lock->held = false;
}

#endif
