// SPDX-License-Identifier: GPL-2.0
/*
 * A GID as text is the address that its packets bear, spelled as events spell
 * it: whatever it is, a queue pair has room for it.
 */
#include "../../tools/engine/board.c"
#include "../../tools/engine/device.c"
#include "../../tools/lib/rdmasys.c"
#include "tap.h"

static void is_told(const char *address, const char *want)
{
	struct cp_qp_info qp;
	union ibv_gid gid;

	inet_pton(AF_INET6, address, gid.raw);
	cp_gid_text(&gid, qp.addr);
	ok(!strcmp(qp.addr, want), "GID %s is %s", address, qp.addr);
}

int main(void)
{
	is_told("::ffff:10.0.0.1", "10.0.0.1");
	is_told("::ffff:255.255.255.255", "255.255.255.255");
	is_told("fe80::1", "fe80::1");
	is_told("fe80::5054:ff:fe12:3456", "fe80::5054:ff:fe12:3456");
	is_told("2001:0db8:1111:2222:3333:4444:5555:6666",
		"2001:db8:1111:2222:3333:4444:5555:6666");
	return done_testing();
}
