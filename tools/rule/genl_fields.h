/* SPDX-License-Identifier: GPL-2.0 */
/* Convert structs to attributes and back, with the module's tables; used only by genl_*.c. */
#ifndef RF_GENL_FIELDS_H
#define RF_GENL_FIELDS_H

#include <netlink/attr.h>
#include <netlink/msg.h>
#include "kmod/fields.h"

int rf_genl_put_fields(struct nl_msg *msg, const void *from, uint64_t set,
		       const struct rf_field *fields, int max);
void rf_genl_get_fields(struct nlattr **tb, void *to, uint64_t *set,
			const struct rf_field *fields, int max);
struct nlattr *rf_genl_nest(struct nl_msg *msg, int attr);

/* Return: the value of an attribute; 0 if the attribute is missing or too short. */
static inline uint32_t rf_genl_u32(const struct nlattr *a)
{
	return a && nla_len(a) >= (int)sizeof(uint32_t) ? nla_get_u32(a) : 0;
}

static inline uint64_t rf_genl_u64(const struct nlattr *a)
{
	return a && nla_len(a) >= (int)sizeof(uint64_t) ? nla_get_u64(a) : 0;
}

#endif
