// SPDX-License-Identifier: GPL-2.0
/* Pairs of nodes or ranks: which of them cross a link between switches, and their text. */
#include <stdio.h>

#include "fabric.h"

/**
 * rf_fabric_crosses - check whether packets from one node to another cross a fabric link
 * @f: the fabric
 * @from: the node that sends, from 1
 * @to: the node that receives, from 1
 * @a: index of the switch at the near end of the link
 * @b: index of the switch at the far end of the link
 *
 * Return: true if they cross the link from @a to @b.
 */
bool rf_fabric_crosses(const struct rf_fabric *f, uint32_t from, uint32_t to, uint32_t a,
		       uint32_t b)
{
	uint32_t at = rf_fabric_home(f, from), next;

	for (; (next = rf_fabric_next(f, at, to)) != at; at = next)
		if (at == a && next == b)
			return true;
	return false;
}

/**
 * rf_fabric_pairs - get the pairs of nodes whose packets cross each fabric link
 * @f: the fabric
 * @pairs: zeros; gets the pairs of rf_fabric_link(f, i) from its first switch to its second one at
 *	index 2 * i, and those of the other direction at 2 * i + 1
 */
void rf_fabric_pairs(const struct rf_fabric *f, struct rf_pairs *pairs)
{
	uint16_t of[RF_FABRIC_ALL_SWITCHES_MAX][RF_FABRIC_ALL_SWITCHES_MAX];
	uint32_t i, from, to, at, next;
	struct rf_fabric_link l;

	for (i = 0; i < rf_fabric_links(f); i++) {
		l = rf_fabric_link(f, i);
		of[l.a][l.b] = 2 * i;
		of[l.b][l.a] = 2 * i + 1;
	}
	for (from = 1; from <= f->nodes; from++)
		for (to = 1; to <= f->nodes; to++)
			for (at = rf_fabric_home(f, from);
			     (next = rf_fabric_next(f, at, to)) != at; at = next)
				pairs[of[at][next]].to[from - 1] |= RF_PAIRS_BIT(to - 1);
}

static uint32_t next_in(__uint128_t set, uint32_t i)
{
	while (i < RF_FABRIC_MAX && !(set >> i & 1))
		i++;
	return i;
}

/* Write a set of numbers: "0-3,8", or "0,2..8" for numbers with equal distances. */
static void write_set(FILE *f, __uint128_t set, uint32_t first)
{
	uint32_t i = next_in(set, 0), last, step, n;

	while (i < RF_FABRIC_MAX) {
		last = next_in(set, i + 1);
		step = last - i;
		for (n = 1; last < RF_FABRIC_MAX && last == i + n * step; n++)
			last = next_in(set, last + 1);
		if (n == 1 || (n < 4 && step > 1)) {
			fprintf(f, "%u", i + first);
			n = 1;
		} else if (step == 1) {
			fprintf(f, "%u-%u", i + first, i + n - 1 + first);
		} else {
			fprintf(f, "%u,%u..%u", i + first, i + step + first,
				i + (n - 1) * step + first);
		}
		i = next_in(set, i + (n - 1) * step + 1);
		if (i < RF_FABRIC_MAX)
			fputc(',', f);
	}
}

/* Return: the last number from @from on whose pair follows the one before: 0→4, 1→5, 2→6 */
static uint32_t row_end(const struct rf_pairs *p, __uint128_t left, uint32_t from)
{
	uint32_t i = from;

	if (p->to[from] & (p->to[from] - 1))
		return from;
	while (i + 1 < RF_FABRIC_MAX && left >> (i + 1) & 1 && p->to[i + 1] == p->to[i] << 1)
		i++;
	return i - from < 2 ? from : i;
}

/**
 * rf_pairs_alike - get the sources that send to the same nodes as one of them
 * @p: the pairs
 * @from: the source, counted from 0
 *
 * Return: the set of these sources, with @from.
 */
__uint128_t rf_pairs_alike(const struct rf_pairs *p, uint32_t from)
{
	__uint128_t alike = 0;
	uint32_t i;

	for (i = 0; i < RF_FABRIC_MAX; i++)
		alike |= p->to[i] == p->to[from] ? RF_PAIRS_BIT(i) : 0;
	return alike;
}

/**
 * rf_pairs_text - list pairs, equal ones together: "0-1→2-3", "3→4 and 7→0"
 * @p: the pairs
 * @first: number of the first node or rank, 0 or 1
 *
 * Return: the text, which the caller frees; NULL without memory, or if there is no pair.
 */
char *rf_pairs_text(const struct rf_pairs *p, uint32_t first)
{
	__uint128_t left = 0, same;
	char *text = NULL;
	uint32_t i, k;
	size_t len;
	FILE *f;

	for (i = 0; i < RF_FABRIC_MAX; i++)
		left |= p->to[i] ? RF_PAIRS_BIT(i) : 0;
	f = left ? open_memstream(&text, &len) : NULL;
	if (!f)
		return NULL;
	for (i = next_in(left, 0); i < RF_FABRIC_MAX; i = next_in(left, 0)) {
		k = row_end(p, left, i);
		if (k > i) {
			fprintf(f, "%u→%u to %u→%u", i + first, next_in(p->to[i], 0) + first,
				k + first, next_in(p->to[k], 0) + first);
			for (; i <= k; i++)
				left &= ~RF_PAIRS_BIT(i);
		} else {
			same = left & rf_pairs_alike(p, i);
			write_set(f, same, first);
			fputs("→", f);
			write_set(f, p->to[i], first);
			left &= ~same;
		}
		if (left)
			fputs(", ", f);
	}
	fclose(f);
	return text;
}
