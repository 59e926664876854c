// SPDX-License-Identifier: GPL-2.0
/* The module's own table of members, compiled for the tools. */
#include "kmod/fields.c"
