/* SPDX-License-Identifier: GPL-2.0 */
/* Ports, rules, queues and flows, as several commands read and print them */
#ifndef RF_SHOW_H
#define RF_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rule.h"
#include "units.h"

struct rf_field;
struct rf_key;
struct rf_nl;
struct rf_target;

/* portlist.c: read the ports that the command line names, or all ports of the namespace */
struct rf_port_list {
	struct rf_port_info *port;	/* allocated; freed by the caller */
	int n;
};

int rf_port_list_get(struct rf_port_list *list, char *const *names, int n);

/* flow_show.c: print the counters of flows */
int rf_flows_show(char *const *names, int n);	/* 0: all ports */

/* rule_show.c, rule_json.c: print rules */
int rf_rules_show(struct rf_nl *nl, uint32_t ifindex, const char *netdev);
int rf_rules_save(struct rf_nl *nl, const struct rf_target *t, uint32_t dir);
void rf_rule_fields(const struct rf_rule_info *rule);	/* only in JSON */
void rf_fields_json(const void *from, const struct rf_key *keys, const struct rf_field *fields,
		    int max);

/*
 * queuelist.c: read and print the queues of the ports that the command line names, and the
 * counters of the eight priorities, one column per priority.
 */

/* A counter that exists per priority. A table of counters ends with a NULL key. */
struct rf_prio_row {
	const char *key;
	size_t off;		/* offset in struct rf_prio_stats */
	enum { RF_ROW_U64, RF_ROW_U32, RF_ROW_BOOL } kind;
};

extern const struct rf_prio_row rf_queue_rows[];	/* queues */
extern const struct rf_prio_row rf_ecn_rows[];
extern const struct rf_prio_row rf_pause_rows[];	/* pauses and the watchdog */

void rf_prio_rows_json(const struct rf_prio_row *rows,
		       const struct rf_prio_stats *stats);
void rf_prio_rows_text(const struct rf_prio_row *rows,
		       const struct rf_prio_stats *stats);
void rf_prios_json(const char *key, uint32_t prios);	/* a list of numbers */

/* @argv: the verb, and optionally a device. Return: the exit status of the command. */
int rf_queues_show(char **argv, void (*print)(const struct rf_queue_info *info));
int rf_open_queues(const char *dev, struct rf_target *t, struct rf_nl **nl);
int rf_queue_change(const char *dev, const struct rf_queue_change *change,
		    const char *object, char **words);

/*
 * pause.c, pause_deadlock.c, pause_show.c, pause_storm.c, pause_report.c, pause_partner.c: shared
 * by the verbs of rdmafault pause
 */
char **rf_pause_take(char **argv, uint32_t *prios);

const char *rf_prios_text(uint32_t prios, char buf[RF_FMT_LEN]);
const char *rf_prios_phrase(uint32_t prios, char buf[RF_FMT_LEN]);

/* The link partner of a port. @info is only set if @is_port. */
struct rf_partner {
	bool known, is_port;
	char netdev[16];
	struct rf_queue_info info;
};

void rf_partner_find(struct rf_nl *nl, const char *netdev, uint32_t ifindex,
		     struct rf_partner *partner);
uint32_t rf_partner_deaf(const struct rf_partner *partner, uint32_t prios);

/*
 * Print the settings and results of a storm. rf_storm_json() adds them to the open JSON object.
 * @partner: which receives the frames of the storm
 */
void rf_storm_json(const struct rf_storm_info *storm, const struct rf_partner *partner);
void rf_storm_text(const struct rf_storm_info *storm, const struct rf_partner *partner,
		   bool histograms);

int rf_pause_storm(int argc, char **argv);
int rf_pause_show(int argc, char **argv);
int rf_pause_deadlock(uint64_t time);

/* watch.c: the devices and buffer sizes of monitor and record */
#define RF_WATCH_DEVS_MAX 32

/* Limits of the ring buffer, in bytes per CPU; the kernel requires two pages */
#define RF_BUFFER_MIN	(8u << 10)
#define RF_BUFFER_MAX	(4ull << 30)

/* The ports to monitor or record; an empty list means all ports */
struct rf_watch {
	uint32_t ifindex[RF_WATCH_DEVS_MAX];
	size_t n;
};

int rf_watch_add(struct rf_watch *w, struct rf_nl *nl, const char *dev);

#endif
