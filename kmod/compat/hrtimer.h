/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_COMPAT_HRTIMER_H
#define RF_COMPAT_HRTIMER_H

#include <linux/hrtimer.h>

/*
 * A timer gets its function when it is set up. Older kernels have a call that
 * sets it up without one, and newer ones have that no more. Kbuild asks the
 * kernel's headers which kind it is.
 */
#ifndef RF_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

#endif /* RF_COMPAT_HRTIMER_H */
