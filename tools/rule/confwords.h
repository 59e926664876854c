/* SPDX-License-Identifier: GPL-2.0 */
/* Format the settings of a port that are not the defaults, as on the command line. */
#ifndef RF_CONFWORDS_H
#define RF_CONFWORDS_H

#include "queue.h"

char *rf_conf_words(const struct rf_conf *conf);
void rf_conf_apply(struct rf_conf *conf, const struct rf_queue_change *change);

#endif
