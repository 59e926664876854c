/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of rdmafault doctor that parses the text of files such as /proc/self/status. It
 * opens no file: doctor.c reads the files.
 */
#ifndef RF_DOCTOR_PARSE_H
#define RF_DOCTOR_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rf_kernel_age {
	RF_KERNEL_UNREADABLE,
	RF_KERNEL_OLD,		/* before 6.1 */
	RF_KERNEL_UNTESTED,
	RF_KERNEL_TESTED,	/* 6.1, 6.12, 7.x */
};

enum rf_lockdown {
	RF_LOCKDOWN_UNREADABLE,
	RF_LOCKDOWN_NONE,
	RF_LOCKDOWN_INTEGRITY,
	RF_LOCKDOWN_CONFIDENTIALITY,
};

enum rf_kernel_age rf_doctor_kernel(const char *release);
char rf_doctor_option(const char *config, const char *option);
bool rf_doctor_lists_module(const char *text, const char *module);
enum rf_lockdown rf_doctor_lockdown(const char *text);
bool rf_doctor_mounted(const char *mounts, const char *type, char *dir,
		       size_t len);
bool rf_doctor_capability(const char *status, unsigned int cap);
bool rf_doctor_initial_userns(const char *uid_map);
bool rf_doctor_mask_is_empty(const char *mask);
unsigned int rf_doctor_ib_mtu(unsigned int mtu);
void rf_doctor_distribution(const char *os_release, char *id, size_t len);

#endif
