// SPDX-License-Identifier: GPL-2.0
/*
 * Which attribute a refusal is about.
 *
 * What the policies refuse, netlink itself points to. What our own checks
 * refuse, they say in words that begin with the field: "delay: missing". The
 * attribute of that name is looked for in the nest that was checked, and goes
 * into the extack beside the words.
 */
#include <net/netlink.h>

#include "fields.h"
#include "netlink_parse.h"

/* Do the words begin with this name and a colon? */
static bool words_name(const char *words, const char *name)
{
	size_t len = strcspn(words, ":");

	return name && strlen(name) == len && !strncmp(words, name, len);
}

/**
 * rf_netlink_blame - point to the attribute that the words of a refusal name
 * @extack: has the words, and gets the attribute, or that it is missing in the
 *	nest; stays as it is if the words name no attribute of the nest
 * @nest: the nest, or NULL
 * @fields: the names of its attributes
 * @max: the highest of them
 *
 * Context: any.
 */
void rf_netlink_blame(struct netlink_ext_ack *extack,
		      const struct nlattr *nest, const struct rf_field *fields,
		      int max)
{
	const struct nlattr *attr;
	int rem;

	if (!nest || !extack->_msg)
		return;
	for (; max > 0 && !words_name(extack->_msg, fields[max].name); max--)
		;
	if (!max)
		return;
	nla_for_each_nested(attr, nest, rem) {
		if (nla_type(attr) == max) {
			NL_SET_BAD_ATTR(extack, attr);
			return;
		}
	}
	NL_SET_ERR_ATTR_MISS(extack, nest, max);
}
