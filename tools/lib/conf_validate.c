// SPDX-License-Identifier: GPL-2.0
/* The module's own checks of a port's settings, compiled for the tools. */
#include "kmod/queue/config_validate.c"
