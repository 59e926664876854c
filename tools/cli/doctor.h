/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the checks of rdmafault doctor. */
#ifndef RF_DOCTOR_H
#define RF_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum rf_health {
	RF_HEALTH_OK,
	RF_HEALTH_WARNING,	/* works, with a limitation */
	RF_HEALTH_ERROR,	/* prevents use */
	RF_HEALTH_UNKNOWN,	/* cannot be checked, for example without root */
};

/*
 * Print a result. @object: the checked device or module. @fix: a command or setting that
 * fixes the problem.
 */
void rf_doctor_say(const char *check, const char *object, enum rf_health health,
		   const char *fix, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

char *rf_doctor_read(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
bool rf_doctor_has_cap(unsigned int cap);
bool rf_doctor_module_is_loaded(const char *module);

void rf_doctor_host(void);	/* doctor_host.c */
void rf_doctor_limits(void);	/* doctor_limits.c */
void rf_doctor_net(void);	/* doctor_net.c */
void rf_doctor_ports(void);	/* doctor_ports.c */

#endif
