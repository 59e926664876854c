// SPDX-License-Identifier: GPL-2.0
/* Compile the module's checks of a storm into the tools. */
#include "kmod/pfc/storm_fsm.c"
