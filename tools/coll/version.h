/* SPDX-License-Identifier: GPL-2.0 */
/* The version; the build can define a more precise one. */
#ifndef COLL_VERSION_H
#define COLL_VERSION_H

#ifndef RF_VERSION
#define RF_VERSION "0.1"
#endif

#endif
