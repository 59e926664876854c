/* SPDX-License-Identifier: GPL-2.0 */
/* Being the only one on this machine that does something. */
#ifndef RF_LOCK_H
#define RF_LOCK_H

int rf_lock(const char *path, unsigned int wait_ms);

#endif
