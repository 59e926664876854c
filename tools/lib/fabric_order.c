// SPDX-License-Identifier: GPL-2.0
/*
 * Keep packets of a flow in order on a machine with several CPUs.
 *
 * Any CPU can send the packets that are queued at a port. A veth device puts a packet
 * into the backlog of the CPU that sends it. So two packets of a flow that are sent
 * by two CPUs can overtake each other, which rxe takes for a loss and answers with a
 * NAK. Receive packet steering puts all packets of a flow into the backlog of the same
 * CPU.
 */
#include <stdio.h>
#include <unistd.h>

#include "fabric_parts.h"

/* Write the mask of all CPUs: words of 32 bits, the lowest last. */
static void put_all_cpus(FILE *f)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	unsigned int top = n % 32 ? (1u << n % 32) - 1 : 0xffffffffu;

	fprintf(f, "%x", top);
	for (n = (n - 1) / 32; n > 0; n--)
		fputs(",ffffffff", f);
}

/**
 * rf_fabric_keep_order - let no packet of a flow overtake another
 * @netdev: one end of a link
 *
 * Nothing is said if it can't be done: a kernel without steering works too, if
 * not as calmly.
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
