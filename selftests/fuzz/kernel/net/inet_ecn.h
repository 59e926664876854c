/* SPDX-License-Identifier: GPL-2.0 */
/* Replaces <net/inet_ecn.h> in user space: the ECN field. */
#ifndef RF_FUZZ_INET_ECN_H
#define RF_FUZZ_INET_ECN_H

#define INET_ECN_MASK 3

#endif
