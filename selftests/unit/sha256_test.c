// SPDX-License-Identifier: GPL-2.0
/*
 * Test SHA-256 in base64, which the Content-Security-Policy of an HTML report needs for styles
 * and scripts.
 */
#include <string.h>

#include "tools/render/web/sha256.c"
#include "tap.h"

/* The examples of FIPS 180-4, and lengths near the end of a block */
int main(void)
{
	static const struct {
		const char *text, *hash;
	} known[] = {
		{ "", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" },
		{ "abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=" },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		  "n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg=" },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		  "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs=" },
	};
	char sum[RF_SHA256_BASE64_LEN];
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		ok(!strcmp(rf_sha256_base64(known[i].text, strlen(known[i].text),
					    sum), known[i].hash),
		   "rf_sha256_base64() of %zu bytes is %s", strlen(known[i].text), sum);
	return done_testing();
}
