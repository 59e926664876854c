// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault: fault injection for RoCEv2.
 *
 *   rocev2/    the packet format: opcodes, BTH, ICRC, parsing and changing packets
 *   flow/      connection tracking: flows, attempts of PSNs, peers
 *   rule/      match, trigger and the sets of rules
 *   fault/     the actions of rules, and the delay queue
 *   path/      the choice of a link for packets that a bridge would forward
 *   queue/     the queues and the link of a port
 *   pfc/       priority-based flow control: receive, send, storms, watchdog, buffer
 *   netlink/   the generic netlink family
 *
 * There are two halves, which meet in port.h: rules in netfilter hooks, for which a port
 * needs nothing else, and queues in the qdisc. The first half includes nothing of queue/
 * and pfc/. scripts/lib/style/includes.order says which folder may include which.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "rand.h"
#include "netlink/netlink.h"
#include "port.h"

/* Packets and readers access 64-bit times and counters without a lock. */
#ifndef CONFIG_64BIT
#error "rdmafault needs a 64-bit kernel"
#endif

/*
 * Two things do not work on a real-time kernel. Other tasks of the same CPU can run
 * while BH are off, and change the per-CPU counters at the same time. And the thread
 * that runs the timers of pauses can be late.
 */
#ifdef CONFIG_PREEMPT_RT
#error "rdmafault doesn't work on a real-time kernel (PREEMPT_RT)"
#endif

static int __init rdmafault_init(void)
{
	int err;

	rf_rand_init();
	err = rf_ports_init();
	if (err)
		return err;
	err = rf_netlink_register();
	if (err)
		goto exit_ports;
	err = rf_rdma_register();
	if (err)
		goto unregister_netlink;
	err = rf_sch_register();
	if (err)
		goto unregister_rdma;
	return 0;

unregister_rdma:
	rf_rdma_unregister();
unregister_netlink:
	rf_netlink_unregister();
exit_ports:
	rf_ports_exit();
	return err;
}

static void __exit rdmafault_exit(void)
{
	rf_sch_unregister();
	rf_rdma_unregister();
	rf_netlink_unregister();
	rf_ports_exit();
	/* RCU callbacks may still have to free ports. */
	rcu_barrier();
}

module_init(rdmafault_init);
module_exit(rdmafault_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The rdmafault maintainers");
MODULE_DESCRIPTION("Fault injection for RoCEv2");
MODULE_VERSION("0.1");
