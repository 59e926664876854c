/* SPDX-License-Identifier: GPL-2.0 */
/* rdmafault doctor: results, and files that several checks read */
#ifndef RF_DOCTOR_H
#define RF_DOCTOR_H

#include <stdbool.h>

enum health {
	HEALTH_OK,
	HEALTH_WARNING,		/* works, with a limitation */
	HEALTH_ERROR,		/* prevents use */
	HEALTH_UNKNOWN,		/* cannot be checked, for example without root */
};

__attribute__((format(printf, 5, 6)))
void rf_doctor_say(const char *check, const char *object, enum health health,
		   const char *fix, const char *fmt, ...);
__attribute__((format(printf, 1, 2)))
char *rf_doctor_text(const char *fmt, ...);
long rf_doctor_number(const char *dev, const char *file);

/* doctor_bridge.c */
bool rf_doctor_bridge(const char *bridge);

#endif
