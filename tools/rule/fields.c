// SPDX-License-Identifier: GPL-2.0
/* The module's tables of attributes and struct members, compiled for the tools. */
#include "kmod/fields.c"
