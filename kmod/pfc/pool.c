// SPDX-License-Identifier: GPL-2.0
/*
 * The buffer of a port, as arithmetic. A packet goes to the shared part if that
 * and the share of its priority have room; else, if the priority is lossless,
 * to its headroom; else it is refused. What leaves, leaves the headroom first,
 * and what is in the headroom moves to the shared part when there is room.
 *
 * XOFF comes with the length of xoff, and also with the first byte in the
 * headroom and with a refusal, for others may have filled the shared part. XON
 * comes with the length of xon and an empty headroom. There is none for a
 * priority that has nothing in the buffer: nothing of it would leave, and
 * nothing would ever end the XOFF.
 *
 * The configuration may change at any time. What is in the buffer stays there
 * and leaves as it would, be there room for it or not.
 */
#include "pool.h"

static u64 used(const struct rf_pool_prio *prio)
{
	return prio->shared + prio->headroom;
}

/* What all may share. */
static u64 common(const struct rf_conf *conf)
{
	return conf->buffer ? conf->buffer - rf_conf_headroom(conf) : U64_MAX;
}

static bool take(struct rf_pool *pool, const struct rf_conf *conf, u32 i,
		 u32 bytes)
{
	struct rf_pool_prio *prio = &pool->prio[i];

	if (prio->shared + bytes <= rf_conf_share(conf, i) &&
	    pool->shared + bytes <= common(conf)) {
		prio->shared += bytes;
		pool->shared += bytes;
		return true;
	}
	if (conf->prio[i].pfc &&
	    prio->headroom + bytes <= conf->prio[i].headroom) {
		prio->headroom += bytes;
		return true;
	}
	prio->refused = used(prio);
	return false;
}

/**
 * rf_pool_take - find room for a packet
 * @pool: the buffer
 * @conf: what it is told
 * @prio: priority of the packet
 * @bytes: its length
 *
 * Context: any.
 * Return: false if there is none.
 */
bool rf_pool_take(struct rf_pool *pool, const struct rf_conf *conf, u32 prio,
		  u32 bytes)
{
	struct rf_pool_prio *its = &pool->prio[prio];

	if (!take(pool, conf, prio, bytes))
		return false;
	pool->used += bytes;
	if (pool->peak < pool->used)
		pool->peak = pool->used;
	if (its->peak < used(its))
		its->peak = used(its);
	return true;
}

/**
 * rf_pool_give - a packet leaves
 * @pool: the buffer
 * @prio: its priority
 * @bytes: as it was taken
 *
 * Context: any.
 */
void rf_pool_give(struct rf_pool *pool, u32 prio, u32 bytes)
{
	struct rf_pool_prio *its = &pool->prio[prio];
	u64 first = its->headroom < bytes ? its->headroom : bytes;

	its->headroom -= first;
	its->shared -= bytes - first;
	pool->shared -= bytes - first;
	pool->used -= bytes;
}

static u64 room(u64 most, u64 there)
{
	return most > there ? most - there : 0;
}

/* Others have left the shared part, or it has grown: less headroom is taken. */
static void settle(struct rf_pool *pool, const struct rf_conf *conf, u32 i)
{
	struct rf_pool_prio *prio = &pool->prio[i];
	u64 mine = room(rf_conf_share(conf, i), prio->shared);
	u64 all = room(common(conf), pool->shared);
	u64 bytes = mine < all ? mine : all;

	if (bytes > prio->headroom)
		bytes = prio->headroom;
	prio->headroom -= bytes;
	prio->shared += bytes;
	pool->shared += bytes;
}

/**
 * rf_pool_update_pfc_state - is there something to be told to the neighbour?
 * @pool: the buffer, of which something has changed, or
 * @conf: what it is told
 * @prio: the priority
 *
 * Context: any.
 * Return: what; it counts as told.
 */
enum rf_pool_change rf_pool_update_pfc_state(struct rf_pool *pool,
				const struct rf_conf *conf, u32 prio)
{
	struct rf_pool_prio *its = &pool->prio[prio];
	bool lossless = conf->prio[prio].pfc;
	u64 len = used(its);

	settle(pool, conf, prio);
	if (its->held) {
		if (lossless && (its->headroom || len > rf_conf_xon(conf, prio)))
			return RF_POOL_NOTHING;
		its->held = false;
		its->refused = false;
		return RF_POOL_XON;
	}
	if (!lossless || !len ||
	    (len < rf_conf_xoff(conf, prio) && !its->headroom && !its->refused))
		return RF_POOL_NOTHING;
	its->held = true;
	return RF_POOL_XOFF;
}
