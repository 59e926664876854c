// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault: fault injection for RoCEv2. This file is the table of contents.
 *
 *   seeing    opcode, bth, packet, psn_window, reads, mix, hash, flow,
 *             flow_info, flow_answer
 *   deciding  draw, match, match_validate, memo, chain, trigger, trigger_validate,
 *             action_validate, rule, index, ruleset, expiry, decide
 *   acting    fault, fault_*, edit, icrc, jitter, answer, pair, hold, settle
 *   hooks     port, hook (netfilter: rules), sch_rdmafault (queues)
 *   queueing  config, config_validate, classify, sched, prioq, ecn_profile,
 *             ecn, link, in_flight
 *   pausing   pfc/: frame, fsm, pfc, buffer, storm_fsm, storm, watchdog_fsm,
 *             watchdog
 *   reporting stats, prio_stats, trace, tell, netlink, netlink_rule,
 *             netlink_flow, netlink_parse, netlink_put, netlink_conf,
 *             netlink_queue, netlink_pause
 *
 * Each uses those above it. All use those that report; these use none.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "rule/hash.h"
#include "netlink/family.h"
#include "port.h"
#include "sch_rdmafault.h"

/* Times and counters are read in one piece, and divided, without more ado. */
#ifndef CONFIG_64BIT
#error "rdmafault needs a 64-bit kernel"
#endif

/*
 * The locks and timers are fit for a real-time kernel, two things are not: with BH
 * off, other tasks of the same CPU can run there and change the per-CPU counters at
 * the same time, and pauses are timed by a thread that can be late.
 */
#ifdef CONFIG_PREEMPT_RT
#error "rdmafault doesn't work on a real-time kernel (PREEMPT_RT)"
#endif

static int __init rdmafault_init(void)
{
	int err;

	rf_hash_init();
	rf_ports_init();
	err = rf_netlink_register();
	if (err)
		return err;
	err = rf_sch_register();
	if (err)
		goto unregister_netlink;
	return 0;

unregister_netlink:
	rf_netlink_unregister();
	return err;
}

static void __exit rdmafault_exit(void)
{
	rf_sch_unregister();
	rf_netlink_unregister();
	/* Ports that ended a moment ago are freed by RCU callbacks. */
	rcu_barrier();
}

module_init(rdmafault_init);
module_exit(rdmafault_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The rdmafault maintainers");
MODULE_DESCRIPTION("Fault injection for RoCEv2");
MODULE_VERSION("0.1");
