/* SPDX-License-Identifier: GPL-2.0 */
/* Structs as attributes and back, by the module's tables; for genl_*.c alone. */
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

/* Of an attribute that may be missing or too short, which is 0 then */
static inline uint32_t rf_genl_u32(const struct nlattr *a)
{
	return a && nla_len(a) >= (int)sizeof(uint32_t) ? nla_get_u32(a) : 0;
}

static inline uint64_t rf_genl_u64(const struct nlattr *a)
{
	return a && nla_len(a) >= (int)sizeof(uint64_t) ? nla_get_u64(a) : 0;
}

#endif
