// SPDX-License-Identifier: GPL-2.0
/* The module's own checks of a trigger, compiled for the tools. */
#include "kmod/trigger_validate.c"
