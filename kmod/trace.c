// SPDX-License-Identifier: GPL-2.0
/* The one file in which the tracepoints come into being. */
#define CREATE_TRACE_POINTS
#include "trace.h"
