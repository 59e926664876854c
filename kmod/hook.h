/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_HOOK_H
#define RF_HOOK_H

#include <linux/hrtimer.h>
#include <linux/netfilter.h>

struct rf_dir;
struct rf_port;

/**
 * struct rf_hook - where the packets of one direction of a port are seen
 * @dir: the direction
 * @ops: the netfilter hook
 * @timer: releases packets from the delay queue of @dir
 */
struct rf_hook {
	struct rf_dir *dir;
	struct nf_hook_ops ops;
	struct hrtimer timer;
};

/* Process context */
void rf_hook_init(struct rf_port *port);

/* RTNL held */
int rf_hook_attach(struct rf_port *port);
void rf_hook_detach(struct rf_port *port);

#endif
