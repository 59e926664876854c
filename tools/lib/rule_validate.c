// SPDX-License-Identifier: GPL-2.0
/* The module's own checks of a rule as a whole, compiled for the tools. */
#include "kmod/rule/rule_validate.c"
