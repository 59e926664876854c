// SPDX-License-Identifier: GPL-2.0
/*
 * Keep packets of a flow in order on a machine with several CPUs.
 *
 * Any CPU can send the packets that are queued at a port. A veth device puts a packet into
 * the backlog of the CPU that sends the packet. So if two CPUs send two packets of a flow,
 * the packets can arrive in the wrong order. Then rxe assumes that a packet was lost, and
 * sends a NAK. Receive packet steering (RPS) puts all packets of a flow into the backlog of
 * the same CPU.
 */
#include <stdio.h>
#include <unistd.h>

#include "fabric_parts.h"

/* Write a mask with the bits of all CPUs, as 32-bit words. The least significant word is last. */
static void put_all_cpus(FILE *f)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	unsigned int top = n % 32 ? (1u << n % 32) - 1 : 0xffffffffu;

	fprintf(f, "%x", top);
	for (n = (n - 1) / 32; n > 0; n--)
		fputs(",ffffffff", f);
}

/**
 * rf_fabric_keep_order - prevent reordering within a flow
 * @netdev: one end of a link
 *
 * Errors are ignored: the fabric also works in a kernel without RPS, but with more NAKs.
 */
void rf_fabric_keep_order(const char *netdev)
{
	char path[96];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/queues/rx-0/rps_cpus",
		 netdev);
	f = fopen(path, "we");
	if (!f)
		return;
	put_all_cpus(f);
	fclose(f);
}
