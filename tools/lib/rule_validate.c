// SPDX-License-Identifier: GPL-2.0
/* Compile the module's checks of a whole rule into the tools. */
#include "kmod/rule/rule_validate.c"
