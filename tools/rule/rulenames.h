/* SPDX-License-Identifier: GPL-2.0 */
/* Names of the values in a rule */
#ifndef RF_RULENAMES_H
#define RF_RULENAMES_H

#include <stddef.h>
#include <stdint.h>

struct rf_name {
	const char *name;
	uint32_t value;
};

/* Tables end with a NULL name. */
extern const struct rf_name rf_class_names[];
extern const struct rf_name rf_position_names[];
extern const struct rf_name rf_ecn_names[];
extern const struct rf_name rf_codepoint_names[];
extern const struct rf_name rf_once_names[];
extern const struct rf_name rf_action_names[];
extern const struct rf_name rf_distribution_names[];
extern const struct rf_name rf_unit_names[];
extern const struct rf_name rf_not_ect_names[];
extern const struct rf_name rf_nak_names[];

int rf_name_value(const struct rf_name *n, const char *s, size_t len,
		  uint32_t *value);
const char *rf_value_name(const struct rf_name *n, uint32_t value);
int rf_dir_parse(const char *s, uint32_t *dir);		/* tx, rx */
const char *rf_dir_name(uint32_t dir);
const char *rf_action_name(uint32_t action);

#endif
