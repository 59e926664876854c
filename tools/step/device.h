/* SPDX-License-Identifier: GPL-2.0 */
/* The netdev of this process, from its environment */
#ifndef RF_STEP_DEVICE_H
#define RF_STEP_DEVICE_H

#include <net/if.h>

int rf_step_netdev(char netdev[IF_NAMESIZE], char *why, int len);

#endif
