/* SPDX-License-Identifier: GPL-2.0 */
/* A lock on a file, which excludes other processes of this machine. */
#ifndef RF_LOCK_H
#define RF_LOCK_H

int rf_lock(const char *path, unsigned int wait_ms);

#endif
