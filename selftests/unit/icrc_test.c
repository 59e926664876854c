// SPDX-License-Identifier: GPL-2.0
/*
 * Test rf_icrc() with frames that rdma_rxe has sent and accepted (captured on Linux 6.12). The
 * ICRC must not include the fields that a router can change.
 */
#include "../../kmod/rocev2/icrc.c"
#include "tap.h"

#define IP	14
#define IP4_LEN	20
#define IP6_LEN	40
#define ICRC	4

/* RC RDMA WRITE only, with 5 bytes of payload and 3 bytes of padding */
static const u8 write_only[] = {
	0x02, 0x72, 0x66, 0x00, 0x00, 0x02, 0x02, 0x72, 0x66, 0x00, 0x00, 0x01,
	0x08, 0x00,
	0x45, 0x00, 0x00, 0x44, 0x77, 0xda, 0x40, 0x00, 0x40, 0x11, 0xae, 0x32,
	0x0a, 0x4d, 0x00, 0x01, 0x0a, 0x4d, 0x00, 0x02,
	0xc1, 0x21, 0x12, 0xb7, 0x00, 0x30, 0x00, 0x00,
	0x0a, 0x30, 0xff, 0xff, 0x00, 0x00, 0x00, 0x11, 0x80, 0x99, 0x0d, 0x54,
	0x00, 0x00, 0x55, 0xa0, 0x71, 0x19, 0x40, 0x00, 0x00, 0x00, 0x02, 0x91,
	0x00, 0x00, 0x00, 0x05,
	0x25, 0x15, 0x83, 0x9b, 0x1f, 0x00, 0x00, 0x00,
	0x82, 0xff, 0xb1, 0xce,
};

/* The ACK of this packet. */
static const u8 acknowledge[] = {
	0x02, 0x72, 0x66, 0x00, 0x00, 0x01, 0x02, 0x72, 0x66, 0x00, 0x00, 0x02,
	0x08, 0x00,
	0x45, 0x00, 0x00, 0x30, 0x11, 0x9d, 0x40, 0x00, 0x40, 0x11, 0x14, 0x84,
	0x0a, 0x4d, 0x00, 0x02, 0x0a, 0x4d, 0x00, 0x01,
	0xc1, 0x21, 0x12, 0xb7, 0x00, 0x1c, 0x00, 0x00,
	0x11, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x11, 0x00, 0x99, 0x0d, 0x54,
	0x1f, 0x00, 0x00, 0x01,
	0x24, 0x17, 0x30, 0x09,
};

static u32 icrc_on_wire(const u8 *frame, size_t len)
{
	const u8 *p = frame + len - ICRC;

	return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

static u32 icrc_of(const u8 *frame, size_t len)
{
	return rf_icrc(frame + IP, IP4_LEN, len - IP - ICRC);
}

static void captured_ok(void)
{
	ok(icrc_of(write_only, sizeof(write_only)) ==
	   icrc_on_wire(write_only, sizeof(write_only)),
	   "rf_icrc() of a captured write with padding is the ICRC on the wire");
	ok(icrc_of(acknowledge, sizeof(acknowledge)) ==
	   icrc_on_wire(acknowledge, sizeof(acknowledge)),
	   "rf_icrc() of a captured ACK is the ICRC on the wire");
}

/* Return: true if a change of the byte at @at changes the ICRC */
static bool counts(const u8 *ip, size_t headers, size_t len, size_t at)
{
	u32 before = rf_icrc(ip, headers, len);
	u8 copy[128];

	memcpy(copy, ip, len);
	copy[at] ^= 0x0f;
	return rf_icrc(copy, headers, len) != before;
}

/*
 * Return: true if a change of any byte changes the ICRC, except for the bytes listed in @free.
 * The list @free ends with 0.
 */
static bool all_but(const u8 *ip, size_t headers, size_t len, const u8 *free)
{
	size_t at;

	/*
	 * Byte 0 has the IP version. It is skipped, because the version selects which bytes
	 * the ICRC includes.
	 */
	for (at = 1; at < len; at++) {
		bool is_free = *free == at;

		if (counts(ip, headers, len, at) == is_free)
			return false;
		free += is_free;
	}
	return true;
}

static void ipv4_variant_fields_ok(void)
{
	/*
	 * Changes of these bytes do not change the ICRC: TOS, TTL, both checksums, FECN and
	 * BECN.
	 */
	static const u8 free[] = { 1, 8, 10, 11, 26, 27, 32, 0 };

	ok(all_but(write_only + IP, IP4_LEN, sizeof(write_only) - IP - ICRC,
		   free),
	   "rf_icrc() covers all bytes of an IPv4 packet except those that a router can change");
}

static void ipv6_variant_fields_ok(void)
{
	/*
	 * Changes of these bytes do not change the ICRC: traffic class, flow label, hop limit,
	 * UDP checksum, FECN and BECN.
	 */
	static const u8 free[] = { 1, 2, 3, 7, 46, 47, 52, 0 };
	u8 packet[IP6_LEN + 8 + 12 + 32] = { 0x60 };
	u32 before = rf_icrc(packet, IP6_LEN, sizeof(packet));

	ok(all_but(packet, IP6_LEN, sizeof(packet), free),
	   "rf_icrc() covers all bytes of an IPv6 packet except those that a router can change");
	packet[0] = 0x6f;
	ok(rf_icrc(packet, IP6_LEN, sizeof(packet)) == before,
	   "rf_icrc() excludes the upper half of the IPv6 traffic class");
}

static void ipv4_options_ok(void)
{
	u8 packet[60 + 8 + 12 + 4] = { 0x4f };

	ok(counts(packet, 60, sizeof(packet), 59) &&
	   !counts(packet, 60, sizeof(packet), 60 + 6) &&
	   !counts(packet, 60, sizeof(packet), 60 + 8 + 4),
	   "rf_icrc() covers IPv4 options and finds the masked fields after them");
}

int main(void)
{
	captured_ok();
	ipv4_variant_fields_ok();
	ipv6_variant_fields_ok();
	ipv4_options_ok();
	return done_testing();
}
