/* SPDX-License-Identifier: GPL-2.0 */
/* sha256.c: the SHA-256 of a file, as sha256sum(1) prints it */
#ifndef RF_SHA256_H
#define RF_SHA256_H

#define RF_SHA256_LEN 65	/* hexadecimal digits, and the NUL behind them */

int rf_sha256_file(const char *path, char hex[RF_SHA256_LEN]);

#endif
