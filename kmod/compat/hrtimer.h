/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_COMPAT_HRTIMER_H
#define RF_COMPAT_HRTIMER_H

#include <linux/hrtimer.h>

/*
 * hrtimer_setup() replaced hrtimer_init(), which did not set the function. Kbuild checks
 * which one the headers of the kernel have.
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
