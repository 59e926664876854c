/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse the words that follow the port in the commands link, prio, ecn and pause, and in
 * scenarios. The last word of each list is NULL.
 */
#ifndef RF_QUEUEWORDS_H
#define RF_QUEUEWORDS_H

#include "argwords.h"
#include "queue.h"

extern const struct rf_name rf_tsa_names[];
extern const struct rf_name rf_ect_names[];
#define RF_PAUSE_QUANTA_FORM	"1 to 65535"
#define RF_WATCHDOG_TIME_FORM	"1ms to 86400s, for example 200ms"
#define RF_PAUSE_TIME_FORM	"1ns to 86400s, for example 200ms"

extern const struct rf_name rf_guard_names[];	/* actions of the watchdog */

/* Parse a pause time in quanta. Return: 0, or -EINVAL if the word is not a valid value. */
int rf_pause_quanta(const char *s, uint32_t *quanta);
int rf_pause_time(const char *s, uint64_t *ns);

/*
 * The words of "link set", "prio set", "ecn set" and "pause". The help of these commands
 * also uses the tables.
 */
extern const struct rf_arg rf_link_args[];
extern const struct rf_arg rf_prio_args[];
extern const struct rf_arg rf_profile_args[];
extern const struct rf_arg rf_xoff_args[];
extern const struct rf_arg rf_storm_args[];
extern const struct rf_arg rf_watchdog_args[];

int rf_link_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_prio_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_ecn_words(char **argv, struct rf_queue_change *c, struct rf_why *why);
int rf_watchdog_words(char **argv, struct rf_queue_change *c,
		      struct rf_why *why);
int rf_xoff_words(char **argv, uint32_t *quanta, struct rf_why *why);
int rf_storm_words(char **argv, struct rf_storm_spec *spec, struct rf_why *why);

#endif
