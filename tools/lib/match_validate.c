// SPDX-License-Identifier: GPL-2.0
/* The module's own checks of a match, compiled for the tools. */
#include "kmod/rule/match_validate.c"
