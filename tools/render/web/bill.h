/* SPDX-License-Identifier: GPL-2.0 */
/* The time of all ranks of a case by activity, as a bar and as table cells */
#ifndef RF_BILL_H
#define RF_BILL_H

#include "html.h"
#include "tools/run/timeline.h"

enum rf_bill_part { RF_BILL_WORK, RF_BILL_DATA, RF_BILL_ACKS, RF_BILL_OTHERS,
		    RF_BILL_PARTS };

/* Time of all ranks in ns, by activity and in total */
struct rf_bill {
	double ns[RF_BILL_PARTS], all;
};

extern const struct rf_key rf_bill_keys[];

void rf_bill_of(const struct rf_timeline *tl, struct rf_bill *b);
void rf_bill_json(struct json_object *o, const struct rf_timeline *tl);
void rf_bill_cells(FILE *f, const struct rf_bill *b);

#endif
