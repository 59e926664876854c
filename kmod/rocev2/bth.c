// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the Base Transport Header and the ACK Extended Transport Header (IBTA vol. 1,
 * 9.2 and 9.3.5) of a packet that may contain anything.
 *
 *   byte 0     opcode
 *   byte 1     SE, MigReq, PadCnt, TVer (low four bits)
 *   byte 2-3   P_Key
 *   byte 4     FECN, BECN, reserved
 *   byte 5-7   destination QP
 *   byte 8     AckReq, reserved
 *   byte 9-11  PSN
 */
#include <linux/stddef.h>
#include <linux/string.h>
#include <uapi/rdmafault/rdmafault.h>

#include "bth.h"
#include "opcode.h"

static u32 ack_class(u8 syndrome)
{
	switch (rf_aeth_kind(syndrome)) {
	case 0:
		return RDMAFAULT_CLASS_ACK;
	case 1:
		return RDMAFAULT_CLASS_RNR;
	default:
		return RDMAFAULT_CLASS_NAK;
	}
}

static u32 packet_class(const struct rf_opcode *op, const struct rf_desc *desc)
{
	if (desc->qp == RF_QP_GSI)
		return RDMAFAULT_CLASS_CM;
	if (op->classes & RDMAFAULT_CLASS_ACK)
		return ack_class(desc->syndrome);
	return op->classes;
}

/**
 * rf_bth_opcode - check a BTH
 * @bth: RF_BTH_SPAN bytes
 * @len: bytes from the BTH to the end of the packet, ICRC included
 *
 * Return: the entry of its opcode. NULL if the opcode is unknown, if the packet is too
 * short for it, or if the transport version is not 0.
 */
const struct rf_opcode *rf_bth_opcode(const u8 *bth, size_t len)
{
	const struct rf_opcode *op = rf_opcode(bth[0]);

	if (!op || rf_bth_version(bth) ||
	    len < op->hdrlen + rf_bth_pad(bth) + RF_ICRC_LEN)
		return NULL;
	return op;
}

/**
 * rf_bth_read - read BTH and AETH
 * @bth: RF_BTH_SPAN bytes
 * @op: the entry of its opcode, from rf_bth_opcode()
 * @len: bytes from the BTH to the end of the packet, ICRC included
 * @desc: set to the fields of the headers; its other members are set to 0
 */
void rf_bth_read(const u8 *bth, const struct rf_opcode *op, size_t len,
		 struct rf_desc *desc)
{
	memset(desc, 0, sizeof(*desc));
	desc->opcode = bth[0];
	desc->qp = rf_bth_qp(bth);
	desc->psn = rf_bth_psn(bth);
	desc->headers = op->hdrlen;
	desc->pad = rf_bth_pad(bth);
	desc->payload = len - op->hdrlen - desc->pad - RF_ICRC_LEN;
	desc->has_aeth = op->aeth;
	desc->syndrome = op->aeth ? bth[op->aeth] : 0;
	desc->response = op->response;
	desc->position = op->position;
	desc->classes = packet_class(op, desc);
}
