// SPDX-License-Identifier: GPL-2.0
/* The module's own matching, of which the tools need what completes a match. */
#include "kmod/match.c"
