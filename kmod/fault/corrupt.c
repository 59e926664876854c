// SPDX-License-Identifier: GPL-2.0
/*
 * Change a bit or a byte after the UDP header. Bits are numbered in the order on the
 * wire, the highest bit of a byte first.
 *
 * With a valid ICRC, the receiver does not detect the change. This is what damage in a
 * host looks like, in contrast to damage on a link.
 */
#include "../rocev2/rocev2.h"
#include "fault.h"

/* The part of the packet in which the change is made */
struct area {
	u32 start;
	u32 bytes;
};

static bool corrupt_repairs_icrc(const struct rf_action *action)
{
	return action->flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC;
}

/* An ICRC that is computed after the change would undo a change of the ICRC. */
static struct area corrupt_area(const struct rf_ctx *ctx,
				const struct rf_action *action)
{
	u32 end = ctx->end - (corrupt_repairs_icrc(action) ? RF_ICRC_LEN : 0);
	const struct rf_pkt *pkt = ctx->pkt;
	u32 payload = pkt->bth + pkt->desc.headers;

	switch (action->unit) {
	case RDMAFAULT_UNIT_ICRC:
		return (struct area){ ctx->end - RF_ICRC_LEN, RF_ICRC_LEN };
	case RDMAFAULT_UNIT_PAYLOAD:
		return (struct area){
			payload,
			min(pkt->desc.payload, ctx->end - RF_ICRC_LEN - payload),
		};
	default:
		return (struct area){ pkt->bth, end - pkt->bth };
	}
}

static u32 draw(const struct rf_ctx *ctx, enum rf_draw_what what, u32 below)
{
	return rf_draw_below(rf_draw(&ctx->draw, what + RF_DRAW_ACTION(ctx->at)),
			     below);
}

/*
 * The byte of the BTH with FECN and BECN is skipped, because the ICRC does not cover it
 * (IBTA vol. 1, A17.3.3), so the receiver would not detect the change.
 */
static u32 draw_offset(const struct rf_ctx *ctx, const struct rf_action *action,
		       struct area area, u32 unit)
{
	u32 masked = RF_BTH_MASKED * unit, offset;

	if (corrupt_repairs_icrc(action) || area.start != ctx->pkt->bth)
		return draw(ctx, RF_DRAW_UNIT, area.bytes * unit);
	offset = draw(ctx, RF_DRAW_UNIT, (area.bytes - 1) * unit);
	return offset < masked ? offset : offset + unit;
}

static void corrupt_change(struct rf_ctx *ctx, const struct rf_action *action,
			   u8 *at, u32 offset, bool bits)
{
	u32 value = action->value;

	if (bits) {
		at[offset / 8] ^= 0x80 >> offset % 8;
		value = 0;
	} else {
		if (!RF_ACTION_HAS(action, VALUE))
			value = 1 + draw(ctx, RF_DRAW_VALUE, 255);
		at[offset] ^= value;
	}
	ctx->values[ctx->at] = offset | (u64)value << 32;
}

/**
 * rf_fault_corrupt - change a bit or a byte
 * @ctx: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_corrupt(struct rf_ctx *ctx,
				 const struct rf_action *action)
{
	bool bits = action->unit == RDMAFAULT_UNIT_BIT ||
		    action->unit == RDMAFAULT_UNIT_ICRC;
	struct area area = corrupt_area(ctx, action);
	u32 offset = action->offset;
	u32 unit = bits ? 8 : 1;
	u8 *data;

	if (area.bytes && !RF_ACTION_HAS(action, OFFSET))
		offset = draw_offset(ctx, action, area, unit);
	if (offset >= area.bytes * unit) {
		rf_fault_unchanged(ctx);
		return RF_PASS;
	}
	data = rf_mangle_begin(ctx->skb, ctx->pkt, ctx->end);
	if (!data) {
		rf_fault_unchanged(ctx);
		return RF_PASS;
	}
	corrupt_change(ctx, action, data + area.start, offset, bits);
	if (corrupt_repairs_icrc(action))
		rf_mangle_icrc(ctx->skb, ctx->pkt, ctx->end);
	rf_stats_inc(ctx->dir->stats, RF_STAT_CORRUPTED);
	return RF_PASS;
}
