/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a case is expected to show: for each measure a range, from..to. A
 * measure that the file doesn't name is expected to be anything.
 */
#ifndef RF_EXPECT_H
#define RF_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rf_detected { RF_DETECTED_NOT, RF_DETECTED_NAK, RF_DETECTED_TIMEOUT, RF_DETECTED_RNR };

enum rf_measure {
	RF_HITS,		/* packets that the case's faults hit */
	RF_NAKS,		/* NAKs on the wire, on all ports */
	RF_TIMEOUTS,		/* retransmissions that no NAK asked for */
	RF_RETRANSMITTED,	/* retransmitted packets, on all ports */
	RF_WRONG,		/* wrong sums, over all ranks */
	RF_SEND_ERRORS,		/* rxe's send_err, over all devices */
	RF_DETECTED_BY,		/* enum rf_detected, of the first hit */
	RF_STALL,		/* ns, the step beyond the clean median */
	RF_STALL_EVERY_RANK,	/* ns, of the rank that it cost least */
	RF_STEP_EVERY_RANK,	/* ns, the step of the rank that was fastest */
	RF_RECOVERY_TIME,	/* ns, from the first hit to its repair */
	RF_MEASURES
};

enum rf_measure_kind { RF_KIND_COUNT, RF_KIND_TIME, RF_KIND_DETECTED };

struct rf_range {
	bool set;
	uint64_t min, max;
};

struct rf_expect {
	struct rf_range range[RF_MEASURES];
};

const char *rf_measure_name(enum rf_measure m);
const char *rf_detected_name(uint64_t found);
enum rf_measure_kind rf_measure_kind(enum rf_measure m);

int rf_range_parse(enum rf_measure m, const char *text, struct rf_range *r);
const char *rf_range_form(enum rf_measure m);
char *rf_range_format(enum rf_measure m, const struct rf_range *r, char *buf,
		      size_t len);
char *rf_measure_format(enum rf_measure m, uint64_t value, char *buf,
			size_t len);
bool rf_range_holds(const struct rf_range *r, uint64_t value);

#endif
