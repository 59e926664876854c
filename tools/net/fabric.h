/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fabric: N SoftRoCE nodes in this kernel, connected by one or several bridges (see
 * fabric_shape.h).
 *
 *	rxe1   rxe2   ...   rxeN
 *	 v1     v2           vN		10.77.0.1 ... 10.77.0.N
 *	 |      |            |
 *	 p1     p2           pN
 *	 +------+---rfbr0----+
 *
 * These functions print errors with rf_err().
 */
#ifndef RF_FABRIC_H
#define RF_FABRIC_H

#include <stdbool.h>

#include "fabric_shape.h"

#define RF_FABRIC_ADDR "10.77.0.%u"	/* address of a node, numbered from 1 */

#define RF_FABRIC_MTU 4200	/* in bytes; enough for an IB MTU of 4096 and all headers */

int rf_fabric_up(const struct rf_fabric *f, bool *made);
int rf_fabric_down(bool force);		/* @force: kill processes that use the fabric */
int rf_fabric_is_up(void);	/* number of nodes, 0 without a fabric, or -errno */
int rf_fabric_read(struct rf_fabric *f);	/* reads the existing fabric; returns 0 or -errno */

#endif
