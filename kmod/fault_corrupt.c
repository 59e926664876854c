// SPDX-License-Identifier: GPL-2.0
/*
 * A bit or a byte behind the UDP header is changed. Bits are counted as they
 * stand on the wire, the highest of a byte first.
 *
 * With a valid ICRC the change gets past the transport's check, as damage does
 * that is done in a host and not on a wire.
 */
#include "edit.h"
#include "packet.h"
#include "ruleset.h"

/* Where in the packet a change may be made: @bytes from @start on. */
struct area {
	u32 start;
	u32 bytes;
};

static struct area area_of(const struct rf_job *job, u32 unit)
{
	const struct rf_pkt *pkt = job->pkt;
	u32 payload = pkt->bth + pkt->desc.headers;

	switch (unit) {
	case RDMAFAULT_UNIT_ICRC:
		return (struct area){ job->end - RF_ICRC_LEN, RF_ICRC_LEN };
	case RDMAFAULT_UNIT_PAYLOAD:
		return (struct area){
			payload,
			min(pkt->desc.payload, job->end - RF_ICRC_LEN - payload),
		};
	default:
		return (struct area){ pkt->bth, job->end - pkt->bth };
	}
}

/* A number below @below. */
static u32 draw(const struct rf_job *job, enum rf_draw_what what, u32 below)
{
	return rf_draw_below(rf_draw(&job->draw, what + RF_DRAW_ACTION(job->at)),
			     below);
}

static void change(struct rf_job *job, const struct rf_action *action,
		   u8 *at, u32 offset, bool bits)
{
	u32 value = action->value;

	if (bits) {
		at[offset / 8] ^= 0x80 >> offset % 8;
		value = 0;
	} else {
		if (!RF_ACTION_HAS(action, VALUE))
			value = 1 + draw(job, RF_DRAW_VALUE, 255);
		at[offset] ^= value;
	}
	job->values[job->at] = offset | (u64)value << 32;
}

/**
 * rf_fault_corrupt - change a bit or a byte
 * @job: the packet
 * @action: the action
 *
 * Context: softirq or BH off.
 * Return: RF_PASS.
 */
enum rf_verdict rf_fault_corrupt(struct rf_job *job,
				 const struct rf_action *action)
{
	bool bits = action->unit == RDMAFAULT_UNIT_BIT ||
		    action->unit == RDMAFAULT_UNIT_ICRC;
	struct area area = area_of(job, action->unit);
	u32 room = area.bytes * (bits ? 8 : 1);
	u32 offset = action->offset;
	u8 *data;

	if (room && !RF_ACTION_HAS(action, OFFSET))
		offset = draw(job, RF_DRAW_UNIT, room);
	if (offset >= room) {
		rf_edit_not(job);
		return RF_PASS;
	}
	data = rf_edit_begin(job);
	if (!data)
		return RF_PASS;
	change(job, action, data + area.start, offset, bits);
	if (action->flags & RDMAFAULT_ACTION_FLAG_VALID_ICRC)
		rf_edit_icrc(job);
	rf_stats_inc(job->side->stats, RF_STAT_CORRUPTED);
	return RF_PASS;
}
