// SPDX-License-Identifier: GPL-2.0
/* The module's choice of a link, compiled for the tools. */
#include "kmod/rand.c"
#include "kmod/path/path.c"
