/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_PFC_FRAME_H
#define RF_PFC_FRAME_H

#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

/* Bytes of a frame without FCS, the minimum of Ethernet */
#define RF_PFC_FRAME_LEN	60
/* Bytes after the EtherType that have a meaning */
#define RF_PFC_BODY_LEN	20

/**
 * struct rf_pfc_frame - the contents of a pause frame
 * @prios: bit n: the frame is for priority n
 * @reserved: reserved bits are set
 * @quanta: pause time by priority, in units of 512 bit times; 0 is XON
 */
struct rf_pfc_frame {
	u8 prios;
	bool reserved;
	u16 quanta[RDMAFAULT_PRIOS];
};

extern const u8 rf_pfc_group[6];

bool rf_pfc_decode(const u8 *body, u32 len, struct rf_pfc_frame *pfc);
void rf_pfc_encode(u8 frame[RF_PFC_FRAME_LEN], const u8 source[6],
		   const struct rf_pfc_frame *pfc);

#endif
