// SPDX-License-Identifier: GPL-2.0
/* Compile the module's checks of a trigger into the tools. */
#include "kmod/rule/trigger_validate.c"
