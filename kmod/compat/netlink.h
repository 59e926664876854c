/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_COMPAT_NETLINK_H
#define RF_COMPAT_NETLINK_H

#include <linux/netlink.h>
#include <net/genetlink.h>

/* Older kernels have only genl_ops. Kbuild checks the headers. */
#ifndef RF_HAVE_GENL_SPLIT_OPS
#define genl_split_ops genl_ops
#endif

/**
 * rf_extack_set - set the message of an extack
 * @extack: the extack
 * @words: a constant string of at most 79 characters
 *
 * NL_SET_ERR_MSG() takes only a literal. Older kernels do not have NL_SET_ERR_MSG_FMT().
 *
 * Context: process.
 */
static inline void rf_extack_set(struct netlink_ext_ack *extack,
				 const char *words)
{
#ifdef NL_SET_ERR_MSG_FMT
	NL_SET_ERR_MSG_FMT(extack, "%s", words);
#else
	extack->_msg = words;
#endif
}

#endif /* RF_COMPAT_NETLINK_H */
