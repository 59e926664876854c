// SPDX-License-Identifier: GPL-2.0
/* The module's sets of parameters of DCQCN, and its rates of flows, compiled for the tools. */
#include "kmod/dcqcn/rp.c"
