/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of link, prio, ecn and pause, as they follow the port on the
 * command line and in scenarios. Each function takes words up to a NULL.
 */
#ifndef RF_QUEUEWORDS_H
#define RF_QUEUEWORDS_H

#include "argwords.h"
#include "queue.h"

extern const struct rf_name rf_tsa_names[];
extern const struct rf_name rf_ect_names[];
#define RF_PAUSE_QUANTA_FORM	"1 to 65535"
#define RF_PAUSE_TIME_FORM	"a time of 1ns to 86400s, as 200ms"

extern const struct rf_name rf_guard_names[];	/* actions of the watchdog */

/* -EINVAL: the value is not of the form */
int rf_pause_quanta(const char *s, uint32_t *quanta);
int rf_pause_time(const char *s, uint64_t *ns);

int rf_link_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_prio_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_ecn_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_watchdog_words(char **argv, struct rf_queue_change *c,
		      struct rf_why *why);
int rf_xoff_words(char **argv, uint32_t *quanta, struct rf_why *why);
int rf_storm_words(char **argv, struct rf_storm_spec *spec, struct rf_why *why);

#endif
