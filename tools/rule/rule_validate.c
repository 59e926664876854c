// SPDX-License-Identifier: GPL-2.0
/* Compile the module's checks of rules into the tools. */
#include "kmod/rule/validate.c"
