/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Announce the steps of a job to the module rdmafault, so that its rules can match a step.
 * Link with -lrdmafault-step. See rf_step_announce(3).
 */
#ifndef RDMAFAULT_STEP_H
#define RDMAFAULT_STEP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * rf_step_announce - announce the current step of this process
 * @step: the step, counted from 1; 0: no step. A step must not be less than the last one, except
 *	after 0.
 *
 * The port is that of the netdev RF_NETDEV, or of the first RDMA device in RF_DEVICE,
 * UCX_NET_DEVICES or NCCL_IB_HCA; the first of these environment variables that is set counts.
 *
 * Context: any thread.
 *
 * Return: 0, or -errno: -EPERM without CAP_NET_ADMIN, -ENOENT without the module, -ENODEV
 * without a port, -EINVAL for a step that goes backwards. The first error is also printed to
 * standard error. After an error other than -EINVAL, each later call returns the same error.
 */
int rf_step_announce(uint32_t step);

#ifdef __cplusplus
}
#endif

#endif
