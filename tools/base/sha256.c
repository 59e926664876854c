// SPDX-License-Identifier: GPL-2.0
/* SHA-256 (FIPS 180-4, chapters 4.1.2, 4.2.2, 5 and 6.2) */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sha256.h"

#define BLOCK 64

static const uint32_t k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
	0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
	0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
	0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
	0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, unsigned int n)
{
	return x >> n | x << (32 - n);
}

static void expand(const uint8_t *block, uint32_t w[64])
{
	uint32_t a, b;
	int i;

	for (i = 0; i < 16; i++, block += 4)
		w[i] = (uint32_t)block[0] << 24 | block[1] << 16 | block[2] << 8 | block[3];
	for (; i < 64; i++) {
		a = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
		b = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
		w[i] = w[i - 16] + a + w[i - 7] + b;
	}
}

static void add_block(uint32_t h[8], const uint8_t *block)
{
	uint32_t w[64], v[8], a, b;
	int i;

	expand(block, w);
	memcpy(v, h, sizeof(v));
	for (i = 0; i < 64; i++) {
		a = v[7] + (rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)) +
		    ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
		b = (rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)) +
		    ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += a;
		v[0] = a + b;
	}
	for (i = 0; i < 8; i++)
		h[i] += v[i];
}

/* Add the last bytes, less than a block, and the length of the whole text in bytes. */
static void add_last_block(uint32_t h[8], uint8_t *block, size_t n, uint64_t len)
{
	int i;

	block[n++] = 0x80;
	memset(block + n, 0, BLOCK - n);
	if (n > BLOCK - 8) {
		add_block(h, block);
		memset(block, 0, BLOCK);
	}
	for (i = 0; i < 8; i++)
		block[BLOCK - 1 - i] = len * 8 >> 8 * i;
	add_block(h, block);
}

/**
 * rf_sha256_file - compute the SHA-256 of a file
 * @path: the file
 * @hex: gets the hexadecimal digits
 *
 * Return: 0, or -errno.
 */
int rf_sha256_file(const char *path, char hex[RF_SHA256_LEN])
{
	uint32_t h[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};
	FILE *f = fopen(path, "re");
	uint8_t block[BLOCK];
	uint64_t len = 0;
	int i, err;
	size_t n;

	if (!f)
		return -errno;
	while ((n = fread(block, 1, BLOCK, f)) == BLOCK) {
		add_block(h, block);
		len += n;
	}
	add_last_block(h, block, n, len + n);
	for (i = 0; i < 8; i++)
		sprintf(hex + 8 * i, "%08x", h[i]);
	err = ferror(f) ? -EIO : 0;
	fclose(f);
	return err;
}
