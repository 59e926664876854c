/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RF_RDMA_H
#define RF_RDMA_H

/* Without CONFIG_INFINIBAND, the machine only forwards packets of other machines. */
#if IS_ENABLED(CONFIG_INFINIBAND)
int rf_rdma_register(void);
void rf_rdma_unregister(void);
#else
static inline int rf_rdma_register(void) { return 0; }
static inline void rf_rdma_unregister(void) { }
#endif

#endif
