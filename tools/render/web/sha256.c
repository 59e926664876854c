// SPDX-License-Identifier: GPL-2.0
/*
 * SHA-256 as in FIPS 180-4. The constants are the first 32 bits of the fractional parts
 * of the cube roots of the first 64 primes. The initial hash values are the first 32 bits of
 * the fractional parts of the square roots of the first eight primes.
 */
#include <string.h>

#include "sha256.h"

#define BLOCK 64
#define SUM_LEN 32

static const uint32_t k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, unsigned int n)
{
	return x >> n | x << (32 - n);
}

static void schedule(uint32_t w[64], const uint8_t *block)
{
	uint32_t s0, s1;
	int t;

	for (t = 0; t < 16; t++, block += 4)
		w[t] = (uint32_t)block[0] << 24 | block[1] << 16 |
		       block[2] << 8 | block[3];
	for (; t < 64; t++) {
		s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
		s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
		w[t] = w[t - 16] + s0 + w[t - 7] + s1;
	}
}

/* Compute one round. v[0] to v[7] are the variables a to h of FIPS 180-4. */
static void turn(uint32_t v[8], uint32_t kw)
{
	uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
	uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
	uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
	uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
	uint32_t t1 = v[7] + s1 + choice + kw;

	memmove(v + 1, v, 7 * sizeof(*v));
	v[4] += t1;
	v[0] = t1 + s0 + majority;
}

static void compress(uint32_t h[8], const uint8_t *block)
{
	uint32_t w[64], v[8];
	int t;

	schedule(w, block);
	memcpy(v, h, sizeof(v));
	for (t = 0; t < 64; t++)
		turn(v, k[t] + w[t]);
	for (t = 0; t < 8; t++)
		h[t] += v[t];
}

/* Hash the last blocks: remaining bytes, a 1 bit, zeros, and the total length in bits. */
static void hash_rest(uint32_t h[8], const uint8_t *rest, size_t n, uint64_t len)
{
	size_t blocks = n + 9 > BLOCK ? 2 : 1, i;
	uint8_t last[2 * BLOCK] = { };

	if (n)
		memcpy(last, rest, n);
	last[n] = 0x80;
	for (i = 0; i < 8; i++)
		last[blocks * BLOCK - 1 - i] = len * 8 >> 8 * i;
	for (i = 0; i < blocks; i++)
		compress(h, last + i * BLOCK);
}

/* Compute the hash of @len bytes. */
static void hash(const void *data, size_t len, uint8_t sum[SUM_LEN])
{
	uint32_t h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const uint8_t *at = data;
	size_t left = len, i;

	for (; left >= BLOCK; left -= BLOCK, at += BLOCK)
		compress(h, at);
	hash_rest(h, at, left, len);
	for (i = 0; i < SUM_LEN; i++)
		sum[i] = h[i / 4] >> (24 - i % 4 * 8);
}

/**
 * rf_sha256_base64 - compute a hash and encode it in base64
 * @data: the bytes
 * @len: number of bytes
 * @buf: output buffer
 *
 * Return: @buf.
 */
char *rf_sha256_base64(const void *data, size_t len,
		       char buf[RF_SHA256_BASE64_LEN])
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t sum[SUM_LEN + 1] = { };
	uint32_t v;
	int i, j;

	hash(data, len, sum);
	for (i = 0; i < 11; i++) {
		v = sum[3 * i] << 16 | sum[3 * i + 1] << 8 | sum[3 * i + 2];
		for (j = 0; j < 4; j++)
			buf[4 * i + j] = digits[v >> (18 - 6 * j) & 63];
	}
	buf[43] = '=';		/* base64 padding, because 32 is not a multiple of 3 */
	buf[44] = '\0';
	return buf;
}
