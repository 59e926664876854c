// SPDX-License-Identifier: GPL-2.0
/*
 * The delay of a packet with jitter.
 *
 * A random number of 32 bits, which can be correlated with those of earlier PSNs, is
 * mapped to a delay by the quantile function of a distribution, in units of the jitter:
 *
 *   uniform  from -1 to 1
 *   normal   the inverse of the normal distribution function
 *   pareto   (u^(-1/3) - 3/2) * 4/3, at most 4: a Pareto distribution with shape 3 and
 *            mean 0, as in netem's table of this name (iproute2, netem/pareto.c)
 *
 * The two tables have the quantiles at 8 points in each octave of the probability of
 * the tail. Between the points, they are interpolated linearly.
 *
 * The correlation is that of netem (net/sched/sch_netem.c, get_crandom): each number is
 * the weighted mean of a new random number and the number before. The delay must be a
 * pure function of the packet. So the numbers begin again at each block of 256 PSNs, and
 * numbers with a weight below 2^-32 are left out.
 */
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/math64.h>

#include "../rand.h"
#include "../rule/params.h"
#include "fault.h"

#define UNIT_SHIFT	16	/* of the quantiles: 65536 is one jitter */
#define BLOCK		256
#define POINTS_SHIFT	3	/* of each octave */

/**
 * struct quantiles - the quantile function at probabilities 2^-n and between
 * @octave: the lowest octave, of probabilities in units of 2^-32
 * @at: the values from there on, by increasing probability
 */
struct quantiles {
	u32 octave;
	const s32 *at;
};

/* The upper tail, from 2^-20 to 1/2 */
static const s32 normal[] = {
	312148, 310587, 309185, 307912, 306745, 305668, 304667, 303733,
	302857, 301252, 299809, 298499, 297298, 296189, 295159, 294197,
	293295, 291642, 290155, 288805, 287567, 286423, 285361, 284369,
	283438, 281732, 280197, 278803, 277524, 276343, 275245, 274219,
	273257, 271492, 269905, 268462, 267138, 265915, 264779, 263716,
	262719, 260890, 259244, 257747, 256374, 255104, 253924, 252821,
	251785, 249884, 248173, 246616, 245187, 243865, 242636, 241487,
	240408, 238426, 236642, 235017, 233525, 232145, 230861, 229660,
	228531, 226458, 224590, 222888, 221325, 219878, 218531, 217270,
	216085, 213907, 211943, 210153, 208507, 206982, 205563, 204233,
	202983, 200683, 198608, 196714, 194971, 193356, 191851, 190440,
	189113, 186670, 184462, 182445, 180588, 178865, 177257, 175750,
	174330, 171714, 169346, 167181, 165184, 163329, 161597, 159970,
	158437, 155608, 153042, 150691, 148519, 146500, 144610, 142834,
	141156, 138055, 135235, 132646, 130248, 128013, 125918, 123944,
	122076, 118613, 115453, 112540, 109834, 107304, 104924, 102675,
	100540, 96565, 92917, 89536, 86377, 83408, 80600, 77933, 75389, 70616,
	66191, 62048, 58140, 54428, 50884, 47482, 44203, 37954, 32032, 26362,
	20882, 15545, 10310, 5139, 0,
};

/* From 2^-7 to 1 */
static const s32 pareto[] = {
	262144, 262144, 262144, 262144, 253630, 243502, 234362, 226054,
	218453, 204997, 193399, 183252, 174267, 166228, 158973, 152379,
	146346, 135666, 126460, 118407, 111275, 104895, 99137, 93903, 89115,
	80638, 73332, 66940, 61279, 56215, 51645, 47491, 43691, 36962, 31163,
	26090, 21597, 17578, 13951, 10654, 7637, 2297, -2306, -6332, -9898,
	-13089, -15967, -18584, -20978, -25217, -28870, -32066, -34896,
	-37429, -39713, -41790, -43691,
};

/* The value at @u * 2^-32; below the first point of the table, that of the point */
static s32 quantile(const struct quantiles *q, u32 u)
{
	u32 octave, point;
	s32 low, high;
	u32 rest;

	if (u < 1u << q->octave)
		return q->at[0];
	octave = ilog2(u);
	/* The bits below the leading one, as a fraction of 2^32 */
	rest = u << (32 - octave);
	point = (octave - q->octave) << POINTS_SHIFT | rest >> (32 - POINTS_SHIFT);
	low = q->at[point];
	high = q->at[point + 1];
	rest = rest << POINTS_SHIFT >> 16;
	return low + (s32)(((s64)high - low) * rest >> 16);
}

static s64 shape(u32 distribution, u32 u)
{
	const struct quantiles tail = { 12, normal };
	const struct quantiles whole = { 25, pareto };
	const u32 half = 1u << 31;

	switch (distribution) {
	case RDMAFAULT_DISTRIBUTION_NORMAL:
		return u < half ? quantile(&tail, u) : -quantile(&tail, ~u);
	case RDMAFAULT_DISTRIBUTION_PARETO:
		return quantile(&whole, u);
	default:
		return ((s64)u - half) >> (31 - UNIT_SHIFT);
	}
}

/* The number of earlier PSNs that matter with the correlation @rho */
static u32 memory(u64 rho)
{
	u64 weight = U32_MAX;
	u32 steps = 0;

	while (weight && steps < BLOCK) {
		weight = weight * rho >> 32;
		steps++;
	}
	return steps;
}

static u32 correlated(const struct rf_action *action,
		      const struct rf_draw_key *key, u32 what)
{
	u64 rho = div64_u64(action->jitter_correlation << 24,
			    RDMAFAULT_PROBABILITY_ONE) << 8;
	u32 back = key->serial % BLOCK;
	struct rf_draw_key past = *key;
	u32 steps = memory(rho);
	u64 number;

	if (back > steps)
		back = steps;
	past.serial = key->serial - back;
	number = rf_draw(&past, what) >> 32;
	while (past.serial != key->serial) {
		past.serial++;
		number = ((rf_draw(&past, what) >> 32) * ((1ull << 32) - rho) +
			  number * rho) >> 32;
	}
	return number;
}

/**
 * rf_jitter - compute the delay of a packet with jitter
 * @action: the action delay
 * @key: key of the random numbers of the packet and rule
 * @at: index of the action in the rule
 *
 * Return: nanoseconds.
 */
u64 rf_jitter(const struct rf_action *action, const struct rf_draw_key *key,
	      u32 at)
{
	u32 u = correlated(action, key, RF_DRAW_JITTER + RF_DRAW_ACTION(at));
	s64 shaped = shape(action->distribution, u);
	s64 delay;

	delay = action->delay + (shaped * (s64)action->jitter >> UNIT_SHIFT);
	return delay < 0 ? 0 : delay;
}
