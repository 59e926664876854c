/* SPDX-License-Identifier: GPL-2.0 */
/* The ECN fields of the kernel's header of this name, for user space. */
#ifndef RF_FUZZ_INET_ECN_H
#define RF_FUZZ_INET_ECN_H

#define INET_ECN_MASK 3

#endif
