// SPDX-License-Identifier: GPL-2.0
/* rdmafault doctor: check privileges and limits of this process, tracefs, and the clock. */
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "doctor.h"
#include "doctor_parse.h"

#define MEMLOCK_MIN (64ul << 20)	/* bytes of memory that a job of a few ranks locks */
#define TRACING "/sys/kernel/tracing"

static void check_privilege(void)
{
	char *map = rf_doctor_read("/proc/self/uid_map");
	bool initial = !map || rf_doctor_initial_userns(map);

	free(map);
	if (!initial)
		rf_doctor_say("privilege", NULL, RF_HEALTH_ERROR,
			      "run rdmafault outside of the container, as root of the host",
			      "this is not the initial user namespace: ports and rules cannot be changed");
	else if (!rf_doctor_has_cap(CAP_NET_ADMIN))
		rf_doctor_say("privilege", NULL, RF_HEALTH_WARNING, "sudo rdmafault doctor",
			      "no CAP_NET_ADMIN: ports and rules can only be shown");
	else
		rf_doctor_say("privilege", NULL, RF_HEALTH_OK, NULL,
			      "CAP_NET_ADMIN in the initial user namespace");
}

static void check_memlock(void)
{
	struct rlimit limit = { };

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (rf_doctor_has_cap(CAP_IPC_LOCK))
		rf_doctor_say("memlock", NULL, RF_HEALTH_OK, NULL,
			      "no limit with CAP_IPC_LOCK");
	else if (limit.rlim_cur == RLIM_INFINITY)
		rf_doctor_say("memlock", NULL, RF_HEALTH_OK, NULL, "no limit");
	else if (limit.rlim_cur < MEMLOCK_MIN)
		rf_doctor_say("memlock", NULL, RF_HEALTH_WARNING,
			      "\"* - memlock unlimited\" in /etc/security/limits.conf, then log in again",
			      "%lu KiB; RDMA programs of this user need more than %lu KiB",
			      (unsigned long)limit.rlim_cur / 1024, MEMLOCK_MIN / 1024);
	else
		rf_doctor_say("memlock", NULL, RF_HEALTH_OK, NULL, "%lu KiB",
			      (unsigned long)limit.rlim_cur / 1024);
}

static void check_tracefs(void)
{
	char *mounts = rf_doctor_read("/proc/self/mounts"), dir[256];
	bool mounted = mounts && rf_doctor_mounted(mounts, "tracefs", dir, sizeof(dir));
	char path[300];

	free(mounts);
	if (!mounted) {
		rf_doctor_say("tracefs", NULL, RF_HEALTH_WARNING,
			      "mount -t tracefs none " TRACING,
			      "not mounted: monitor, record and run cannot read events");
		return;
	}
	snprintf(path, sizeof(path), "%s/events", dir);
	if (!access(path, R_OK | X_OK))
		rf_doctor_say("tracefs", NULL, RF_HEALTH_OK, NULL, "readable in %s", dir);
	else if (geteuid())
		rf_doctor_say("tracefs", NULL, RF_HEALTH_UNKNOWN, "sudo rdmafault doctor",
			      "mounted in %s, and only root can read it", dir);
	else
		rf_doctor_say("tracefs", NULL, RF_HEALTH_WARNING, NULL,
			      "%s: %s: monitor, record and run cannot read events", path,
			      strerror(errno));
}

static void check_clock(void)
{
	char *text = rf_doctor_read("/sys/devices/system/clocksource/clocksource0/current_clocksource");

	if (!text) {
		rf_doctor_say("clock", NULL, RF_HEALTH_UNKNOWN, NULL,
			      "the clock source cannot be read: %s", strerror(errno));
		return;
	}
	text[strcspn(text, "\n")] = '\0';
	if (strstr(text, "jiffies"))
		rf_doctor_say("clock", NULL, RF_HEALTH_WARNING,
			      "boot without \"clocksource=jiffies\"",
			      "%s counts clock ticks: times are as coarse as a tick", text);
	else
		rf_doctor_say("clock", NULL, RF_HEALTH_OK, NULL, "%s", text);
	free(text);
}

/* Get the hypervisor's name from CPUID; "" if there is none. */
static void read_hypervisor(char name[13])
{
	name[0] = '\0';
#ifdef __x86_64__
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx >> 31))
		return;
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(name, &ebx, 4);
	memcpy(name + 4, &ecx, 4);
	memcpy(name + 8, &edx, 4);
	name[12] = '\0';
#endif
}

static void check_machine(void)
{
	char name[13];

	read_hypervisor(name);
	if (!name[0])
		rf_doctor_say("machine", NULL, RF_HEALTH_OK, NULL, "not virtual");
	else if (!strcmp(name, "TCGTCGTCGTCG"))
		rf_doctor_say("machine", NULL, RF_HEALTH_WARNING,
			      "run labs in virtual time: scripts/lab, or scripts/vm run --virtual-time",
			      "QEMU emulates the CPU: without virtual time, timers are late while the host is busy");
	else
		rf_doctor_say("machine", NULL, RF_HEALTH_OK, NULL,
			      "virtual, hypervisor %s", name);
}

/**
 * rf_doctor_limits - check privileges, limits, tracefs and clock
 */
void rf_doctor_limits(void)
{
	check_privilege();
	check_memlock();
	check_tracefs();
	check_clock();
	check_machine();
}
