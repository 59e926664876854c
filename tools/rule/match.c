// SPDX-License-Identifier: GPL-2.0
/* The module's matching code, compiled for the tools. The tools use only rf_match_complete(). */
#include "kmod/rule/match.c"
