// SPDX-License-Identifier: GPL-2.0
/* The module's own checks of a storm, compiled for the tools. */
#include "kmod/storm_fsm.c"
