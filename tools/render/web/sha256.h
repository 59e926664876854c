/* SPDX-License-Identifier: GPL-2.0 */
/* SHA-256, for the script hashes in the content security policy of a page */
#ifndef RF_SHA256_H
#define RF_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define RF_SHA256_BASE64_LEN 45	/* with the terminating 0 */

char *rf_sha256_base64(const void *data, size_t len,
		       char buf[RF_SHA256_BASE64_LEN]);

#endif
