// SPDX-License-Identifier: GPL-2.0
/*
 * The link partner of a port: which netdev receives the PFC frames of a storm, and whether it
 * obeys them. Linux obeys PFC frames only on a port whose priority has PFC on.
 */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>

#include "genl.h"
#include "show.h"

/*
 * Return: the index of the netdev at the other end of a veth pair; that of the netdev itself if
 * it is no veth and has no lower netdev; 0: unknown.
 */
static uint32_t iflink(const char *netdev)
{
	uint32_t ifindex = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/iflink", netdev);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%" SCNu32, &ifindex) != 1)
		ifindex = 0;
	fclose(f);
	return ifindex;
}

/**
 * rf_partner_find - find the link partner of a port, and read its settings and counters
 * @nl: a socket
 * @netdev: the port
 * @ifindex: the port
 * @partner: gets the link partner
 *
 * The partner can be in another network namespace, where its index is that of another netdev
 * here. A local netdev is the partner only if it names the port as its partner, too.
 */
void rf_partner_find(struct rf_nl *nl, const char *netdev, uint32_t ifindex,
		     struct rf_partner *partner)
{
	uint32_t peer = iflink(netdev);

	*partner = (struct rf_partner){ };
	if (!peer || peer == ifindex || !if_indextoname(peer, partner->netdev) ||
	    iflink(partner->netdev) != ifindex)
		return;
	partner->known = true;
	partner->is_port = !rf_nl_queue_get(nl, peer, &partner->info);
}

/**
 * rf_partner_deaf - find the priorities whose PFC frames the link partner ignores
 * @partner: the link partner, which is known
 * @prios: the priorities of a storm
 *
 * Return: bit n for priority n.
 */
uint32_t rf_partner_deaf(const struct rf_partner *partner, uint32_t prios)
{
	uint32_t i;

	for (i = 0; partner->is_port && i < RDMAFAULT_PRIOS; i++)
		if (partner->info.conf.prio[i].pfc)
			prios &= ~(1u << i);
	return prios;
}
