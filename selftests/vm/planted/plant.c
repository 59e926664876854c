// SPDX-License-Identifier: GPL-2.0
/*
 * A module with deliberate bugs, to test that the debug kernel reports them. The module
 * parameter what=NAME selects one bug. Load this module only in a test VM.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>

static char *what = "";
module_param(what, charp, 0);
MODULE_PARM_DESC(what, "name of the bug");

static DEFINE_SPINLOCK(first);
static DEFINE_SPINLOCK(second);
static DEFINE_RAW_SPINLOCK(raw);
static int __rcu *shared;

/*
 * Leak 64 objects instead of one, because kmemleak misses an object if a value in memory
 * happens to equal its address.
 */
static void leak(void)
{
	char *p;
	int i;

	for (i = 0; i < 64; i++) {
		p = kmalloc(100, GFP_KERNEL);
		if (p)
			memset(p, 0, 100);
	}
}

static void use_after_free(void)
{
	char *p = kmalloc(100, GFP_KERNEL);

	kfree(p);
	OPTIMIZER_HIDE_VAR(p);
	pr_info("plant: %d\n", READ_ONCE(p[10]));
}

static void nothing(struct timer_list *timer)
{
}

static void active_object(void)
{
	struct timer_list *timer = kmalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	timer_setup(timer, nothing, 0);
	mod_timer(timer, jiffies + 3600 * HZ);
	kfree(timer);
}

static void shift(void)
{
	int by = 40;

	OPTIMIZER_HIDE_VAR(by);
	pr_info("plant: %d\n", 1 << by);
}

static void atomic_sleep(void)
{
	spin_lock(&first);
	might_sleep();
	spin_unlock(&first);
}

static void rcu(void)
{
	pr_info("plant: %d\n", !rcu_dereference(shared));
}

static void take(spinlock_t *a, spinlock_t *b)
{
	spin_lock(a);
	spin_lock(b);
	spin_unlock(b);
	spin_unlock(a);
}

static void lock_order(void)
{
	take(&first, &second);
	take(&second, &first);
}

/*
 * Bug: take a spinlock while a raw spinlock is held. On a real-time kernel, taking a
 * spinlock can sleep.
 */
static void wait_context(void)
{
	raw_spin_lock(&raw);
	spin_lock(&first);
	spin_unlock(&first);
	raw_spin_unlock(&raw);
}

static const struct {
	const char *name;
	void (*plant)(void);
} bugs[] = {
	{ "leak", leak },
	{ "use_after_free", use_after_free },
	{ "active_object", active_object },
	{ "shift", shift },
	{ "atomic_sleep", atomic_sleep },
	{ "rcu", rcu },
	{ "lock_order", lock_order },
	{ "wait_context", wait_context },
};

static int __init plant_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(bugs); i++) {
		if (strcmp(bugs[i].name, what))
			continue;
		bugs[i].plant();
		return 0;
	}
	return -EINVAL;
}

static void __exit plant_exit(void)
{
}

module_init(plant_init);
module_exit(plant_exit);
MODULE_DESCRIPTION("Bugs on purpose, for a test of a debug kernel");
MODULE_LICENSE("GPL");
