/* SPDX-License-Identifier: GPL-2.0 */
/* Requests to the module, and the owners of its rules */
#ifndef RF_GENL_H
#define RF_GENL_H

#include <stddef.h>

#include "rule.h"

struct rf_nl;
struct rf_target;

/*
 * genl.c: the module's generic netlink family, one function per command. The functions return
 * 0 or -errno; rf_nl_why() returns the error message.
 */
#define RF_DIR_BOTH (-1)

typedef int (*rf_port_fn)(const struct rf_port_info *port, void *arg);
typedef int (*rf_rule_fn)(const struct rf_rule_info *rule, void *arg);
typedef int (*rf_flow_fn)(const struct rf_flow_info *flow, void *arg);
typedef int (*rf_rate_fn)(const struct rf_rate_info *rate, void *arg);
typedef int (*rf_queue_fn)(const struct rf_queue_info *info, void *arg);
typedef int (*rf_path_fn)(const struct rf_path_info *path, void *arg);

/* Records of a ring, struct rf_ring_record of kmod/ring_space.h, and its counters */
struct rf_ring_info {
	uint64_t packets, overwritten;
	const uint8_t *records;		/* valid during the callback */
	size_t len;
};

typedef int (*rf_ring_fn)(const struct rf_ring_info *info, void *arg);

/*
 * The current step of a job. In this step, each flow of the port has @messages messages; 0:
 * unknown.
 */
struct rf_job_step {
	uint32_t number;
	uint32_t messages;		/* in this step */
	uint32_t messages_total;	/* in all steps */
};

/* What a request changes of a port */
struct rf_port_change {
	uint64_t set;			/* bit n: attribute n is given */
	uint64_t max_hold;		/* ns */
	uint32_t hold_forwarded;	/* 0 or 1 */
	const char *name;
};

int rf_nl_open(struct rf_nl **nl);	/* -ENOENT if the module is not loaded */
void rf_nl_close(struct rf_nl *nl);	/* its non-persistent rules are deleted */
const char *rf_nl_error(const struct rf_nl *nl);	/* extack, or "" */
const char *rf_nl_why(const struct rf_nl *nl, int err);

int rf_nl_step_set(struct rf_nl *nl, uint32_t ifindex,
		   const struct rf_job_step *step);
int rf_nl_port_get(struct rf_nl *nl, uint32_t ifindex,
		   struct rf_port_info *port);
int rf_nl_port_each(struct rf_nl *nl, rf_port_fn fn, void *arg);
int rf_nl_port_new(struct rf_nl *nl, uint32_t ifindex);
int rf_nl_port_del(struct rf_nl *nl, uint32_t ifindex);
int rf_nl_port_set(struct rf_nl *nl, uint32_t ifindex, const struct rf_port_change *change);
int rf_nl_reset(struct rf_nl *nl, uint32_t ifindex);	/* 0: every port */
int rf_nl_stats_reset(struct rf_nl *nl, uint32_t ifindex);	/* 0: every port */

int rf_nl_flow_get(struct rf_nl *nl, uint32_t ifindex,
		   struct rf_flow_info *flow);
int rf_nl_rate_each(struct rf_nl *nl, uint32_t ifindex, rf_rate_fn fn, void *arg);
int rf_nl_flow_each(struct rf_nl *nl, uint32_t ifindex, rf_flow_fn fn,
		    void *arg);		/* ifindex 0: every port */

int rf_nl_queue_get(struct rf_nl *nl, uint32_t ifindex,
		    struct rf_queue_info *info);
int rf_nl_queue_each(struct rf_nl *nl, rf_queue_fn fn, void *arg);
int rf_nl_queue_set(struct rf_nl *nl, uint32_t ifindex,
		    const struct rf_queue_change *change);

int rf_nl_path_set(struct rf_nl *nl, uint32_t ifindex, const struct rf_path_info *path);
int rf_nl_path_link_set(struct rf_nl *nl, uint32_t ifindex, uint32_t link, bool down);
int rf_nl_path_del(struct rf_nl *nl, uint32_t ifindex);
int rf_nl_path_get(struct rf_nl *nl, uint32_t ifindex, struct rf_path_info *path);
int rf_nl_path_each(struct rf_nl *nl, rf_path_fn fn, void *arg);

uint32_t rf_nl_portid(const struct rf_nl *nl);	/* the owner ID of its rules and storms */
int rf_nl_storm_start(struct rf_nl *nl, uint32_t ifindex,
		      const struct rf_storm_spec *storm);
int rf_nl_storm_stop(struct rf_nl *nl, uint32_t ifindex, uint32_t prios);
int rf_nl_pause_send(struct rf_nl *nl, uint32_t ifindex, uint32_t prios,
		     uint32_t quanta);

int rf_nl_ring_new(struct rf_nl *nl, uint32_t ifindex, uint32_t bytes, uint32_t snaplen);
int rf_nl_ring_read(struct rf_nl *nl, uint32_t ifindex, uint32_t dir, rf_ring_fn fn, void *arg);

/* After rf_nl_rule_new() failed, return the number of the refused rule, from 1; 0: unknown. */
size_t rf_nl_wrong_rule(const struct rf_nl *nl);
int rf_nl_rule_new(struct rf_nl *nl, uint32_t ifindex, uint32_t dir,
		   uint32_t batch_flags, const struct rf_rule_spec *rules,
		   size_t n, uint32_t *ids);
int rf_nl_rule_get(struct rf_nl *nl, uint32_t ifindex, uint32_t id,
		   struct rf_rule_info *rule);
int rf_nl_rule_parse(const void *attrs, size_t len, struct rf_rule_info *rule);
int rf_nl_rule_each(struct rf_nl *nl, uint32_t ifindex, rf_rule_fn fn,
		    void *arg);		/* ifindex 0: every port */
int rf_nl_rule_del(struct rf_nl *nl, uint32_t ifindex, const uint32_t *ids,
		   size_t n);
int rf_nl_rule_flush(struct rf_nl *nl, uint32_t ifindex, int dir);

/* owner.c: find the queue pairs of an owner: "comm NAME", "pid N" and "owner-dev RXE" of a rule */

/* Replace the owner of a rule by QP numbers. A rule without an owner is not changed. */
int rf_owner_resolve(struct rf_rule_spec *rule, const struct rf_target *port,
		     uint32_t dir);

/* A set of QP numbers that replaces the owner of a rule */
struct rf_owner_qps {
	uint32_t *qp;		/* allocated; freed by the caller */
	size_t n;
	unsigned int found;	/* number of queue pairs of the owner, connected or not */
};

int rf_owner_qps_add(struct rf_owner_qps *qps, uint32_t qp);
void rf_owner_qps_to_rule(const struct rf_owner_qps *qps, size_t first, size_t n,
			  struct rf_rule_spec *rule);

int rf_owner_find(const struct rf_owner *owner, const struct rf_target *port,
		  uint32_t dir, struct rf_owner_qps *qps);

#endif
