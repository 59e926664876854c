// SPDX-License-Identifier: GPL-2.0
/* What follows from a configuration, as the module computes it. */
#include "kmod/conf.c"
