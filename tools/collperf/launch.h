/* SPDX-License-Identifier: GPL-2.0 */
/* Starting the ranks, and seeing all of them to their end. */
#ifndef CP_LAUNCH_H
#define CP_LAUNCH_H

#include "config.h"

int cp_launch(const struct cp_config *cfg);

#endif
