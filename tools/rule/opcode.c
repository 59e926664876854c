// SPDX-License-Identifier: GPL-2.0
/* The module's own opcode table, compiled for the tools. */
#include "kmod/rocev2/opcode.c"
