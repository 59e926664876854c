// SPDX-License-Identifier: GPL-2.0
/*
 * Convert the numeric members of a struct to netlink attributes and back. Tables, which
 * the kernel module shares, say which member belongs to which attribute.
 */
#include "genl_attrs.h"
#include "kmod/fields.h"

/*
 * nla_parse() ignores attributes with numbers above @max, which later versions of the module
 * can send. But nla_parse() accepts attributes that are too short for their type. The functions
 * here ignore such short attributes.
 */

/**
 * rf_genl_put_fields - append the numbers of a struct to a nested attribute
 * @msg: the request
 * @from: the struct
 * @set: attribute n is appended if bit n is set
 * @fields: the struct member of each attribute
 * @max: number of the last attribute
 *
 * Return: 0, or another value if the message is full.
 */
int rf_genl_put_fields(struct nl_msg *msg, const void *from, uint64_t set,
		       const struct rf_field *fields, int max)
{
	int attr, err = 0;

	for (attr = 1; attr <= max && !err; attr++) {
		const char *at = (const char *)from + fields[attr].offset;

		if (!(set & BIT_ULL(attr)) || !fields[attr].size)
			continue;
		if (fields[attr].size == sizeof(uint64_t))
			err = nla_put_u64(msg, attr, *(const uint64_t *)at);
		else
			err = nla_put_u32(msg, attr, *(const uint32_t *)at);
	}
	return err;
}

/**
 * rf_genl_get_fields - copy the numbers of a nested attribute to a struct
 * @tb: the parsed attributes, indexed by type
 * @to: the struct
 * @set: bit n is set if attribute n is present
 * @fields: the struct member of each attribute
 * @max: number of the last attribute
 */
void rf_genl_get_fields(struct nlattr **tb, void *to, uint64_t *set,
			const struct rf_field *fields, int max)
{
	int attr;

	for (attr = 1; attr <= max; attr++) {
		char *at = (char *)to + fields[attr].offset;

		if (!tb[attr] || !fields[attr].size ||
		    nla_len(tb[attr]) < fields[attr].size)
			continue;
		*set |= BIT_ULL(attr);
		if (fields[attr].size == sizeof(uint64_t))
			*(uint64_t *)at = nla_get_u64(tb[attr]);
		else
			*(uint32_t *)at = nla_get_u32(tb[attr]);
	}
}

/**
 * rf_genl_nest - begin a nested attribute with NLA_F_NESTED
 * @msg: the request
 * @attr: type of the attribute
 *
 * Return: the attribute, or NULL if the message is full.
 */
struct nlattr *rf_genl_nest(struct nl_msg *msg, int attr)
{
	struct nlattr *nest = nla_nest_start(msg, attr);

	if (nest)
		nest->nla_type |= NLA_F_NESTED;
	return nest;
}
