// SPDX-License-Identifier: GPL-2.0
/* The module's matching code; the tools use its function that completes a match. */
#include "kmod/match.c"
