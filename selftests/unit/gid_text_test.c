// SPDX-License-Identifier: GPL-2.0
/*
 * Test coll_gid_text(): a GID is printed as the IP address of its packets, in the same form as
 * in events. The text of any GID fits into the field gid of a queue pair.
 */
#include "status_page.c"
#include "device.c"
#include "../../tools/net/rdmasys.c"
#include "tap.h"

static void is_printed_as(const char *address, const char *want)
{
	struct coll_qp_info qp;
	union ibv_gid gid;

	inet_pton(AF_INET6, address, gid.raw);
	coll_gid_text(&gid, qp.addr);
	ok(!strcmp(qp.addr, want), "coll_gid_text() prints the GID %s as %s", address, qp.addr);
}

int main(void)
{
	is_printed_as("::ffff:10.0.0.1", "10.0.0.1");
	is_printed_as("::ffff:255.255.255.255", "255.255.255.255");
	is_printed_as("fe80::1", "fe80::1");
	is_printed_as("fe80::5054:ff:fe12:3456", "fe80::5054:ff:fe12:3456");
	is_printed_as("2001:0db8:1111:2222:3333:4444:5555:6666",
		      "2001:db8:1111:2222:3333:4444:5555:6666");
	return done_testing();
}
