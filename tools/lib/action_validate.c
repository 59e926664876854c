// SPDX-License-Identifier: GPL-2.0
/* The module's own checks of an action, compiled for the tools. */
#include "kmod/rule/action_validate.c"
