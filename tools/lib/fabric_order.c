// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps packets of a flow in order on a machine of several CPUs.
 *
 * A port is a queue, and whichever CPU finds it filled sends what it holds. A
 * veth hands a packet to the backlog of the CPU that sends, so that two
 * packets of one flow, sent by two CPUs, can overtake one another: for rxe a
 * loss, with a NAK and all that follows. Receive packet steering hands all
 * packets of a flow to the same CPU instead.
 */
#include <stdio.h>
#include <unistd.h>

#include "fabric_parts.h"

/* The mask of all CPUs: 32 bits a word, the lowest last. */
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
