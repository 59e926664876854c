/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <trace/define_trace.h> in user space: there are no tracepoints. */
