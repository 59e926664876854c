/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <linux/minmax.h> in user space: minimum and maximum. */
#ifndef RF_TOOLS_MINMAX_H
#define RF_TOOLS_MINMAX_H

#define min(a, b)							\
	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b);		\
	   a_ < b_ ? a_ : b_; })
#define max(a, b)							\
	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b);		\
	   a_ > b_ ? a_ : b_; })

#endif
