// SPDX-License-Identifier: GPL-2.0
/* The module's computation of values derived from a port's settings, compiled for the tools. */
#include "kmod/queue/config.c"
