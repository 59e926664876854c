// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault doctor: check this host, and print how to fix what is missing or wrong.
 *
 * It needs neither the module nor root, and changes nothing. It also does not load a
 * module: it opens a netlink socket only if the module of that netlink family is already
 * loaded, and otherwise reads files. doctor_parse.c parses their text.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "cmd.h"
#include "doctor.h"
#include "doctor_parse.h"
#include "err.h"
#include "fabric.h"
#include "genl.h"
#include "host.h"
#include "kmod/queue/config.h"
#include "nl.h"
#include "out.h"
#include "port.h"
#include "text.h"
#include "units.h"
#include "words.h"

#define FILE_MAX (8u << 20)

static const char *const health_names[] = { "ok", "warning", "error", "unknown" };
static uint64_t count[4];	/* number of results per enum health */

/**
 * rf_doctor_say - print a result
 * @check: name of the check
 * @object: the checked device or module, or NULL
 * @health: status of the result
 * @fix: a command or setting that fixes the problem, or NULL
 * @fmt: what was found
 */
void rf_doctor_say(const char *check, const char *object, enum health health,
		   const char *fix, const char *fmt, ...)
{
	char found[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(found, sizeof(found), fmt, ap);
	va_end(ap);
	count[health]++;
	rf_out_push_object(NULL);
	rf_out_str("check", NULL, check);
	if (object)
		rf_out_str("object", NULL, object);
	else
		rf_out_null("object");
	rf_out_str("status", "%-8s ", health_names[health]);
	rf_out_text("%s%s%s: ", check, object ? " " : "", object ?: "");
	rf_out_str("found", "%s", found);
	if (fix)
		rf_out_str("fix", "; fix: %s", fix);
	else
		rf_out_null("fix");
	rf_out_text("\n");
	rf_out_pop();
}

/**
 * rf_doctor_text - read a file
 * @fmt: path of the file
 *
 * Return: the text, to be freed; NULL with errno set if the file cannot be read.
 */
char *rf_doctor_text(const char *fmt, ...)
{
	char path[256], *text;
	size_t n = 0;
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	f = fopen(path, "re");
	if (!f)
		return NULL;
	text = malloc(FILE_MAX);
	if (text) {
		n = fread(text, 1, FILE_MAX - 1, f);
		if (ferror(f)) {
			free(text);
			text = NULL;
		} else {
			text[n] = '\0';
		}
	}
	fclose(f);
	return text;
}

static bool has_capability(unsigned int cap)
{
	char *status = rf_doctor_text("/proc/self/status");
	bool has = status && rf_doctor_capability(status, cap);

	free(status);
	return has;
}

/* Return: true if a module is loaded; false also if it is built into the kernel. */
static bool module_is_loaded(const char *module)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", module);
	return !access(path, F_OK);
}

/* ---- kernel, its options and modules, Secure Boot and lockdown ---- */

#define EFI "/sys/firmware/efi"
#define SECURE_BOOT EFI "/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define LOCKDOWN "/sys/kernel/security/lockdown"

struct host {
	struct utsname uts;
	char distribution[32];
	char *dep, *builtin;	/* lists of modules; NULL: unreadable */
	bool module;		/* true if rdmafault is loaded or can be loaded */
};

static bool is_like_debian(const struct host *h)
{
	return !strcmp(h->distribution, "debian") ||
	       !strcmp(h->distribution, "ubuntu");
}

static void check_kernel(const struct host *h)
{
	static const char fix[] = "boot Linux 6.1, 6.12 or 7.x on x86_64";
	const char *release = h->uts.release;

	if (strcmp(h->uts.machine, "x86_64") && sizeof(long) == 8) {
		rf_doctor_say("kernel", NULL, HEALTH_WARNING, fix,
			      "%s on %s; only x86_64 is tested", release,
			      h->uts.machine);
		return;
	}
	switch (rf_doctor_kernel(release)) {
	case RF_KERNEL_TESTED:
		rf_doctor_say("kernel", NULL, HEALTH_OK, NULL, "%s", release);
		break;
	case RF_KERNEL_UNTESTED:
		rf_doctor_say("kernel", NULL, HEALTH_WARNING, fix,
			      "%s; tested are 6.1, 6.12 and 7.x", release);
		break;
	case RF_KERNEL_OLD:
		rf_doctor_say("kernel", NULL, HEALTH_ERROR, fix,
			      "%s is older than 6.1", release);
		break;
	case RF_KERNEL_UNREADABLE:
		rf_doctor_say("kernel", NULL, HEALTH_UNKNOWN, NULL,
			      "release \"%s\" has no version", release);
		break;
	}
}

/*
 * Read the configuration of the running kernel. /proc/config.gz is compressed, so gzip(1)
 * reads it.
 */
static char *read_config(const char *release)
{
	FILE *f = popen("gzip -dc /proc/config.gz 2>/dev/null", "re");
	size_t size = 1 << 20, n = 0;
	char *text = malloc(size);

	if (f && text)
		n = fread(text, 1, size - 1, f);
	if (f)
		pclose(f);
	if (n) {
		text[n] = '\0';
		return text;
	}
	free(text);
	text = rf_doctor_text("/boot/config-%s", release);
	if (!text)
		text = rf_doctor_text("/lib/modules/%s/config", release);
	return text ?: rf_doctor_text("/lib/modules/%s/build/.config", release);
}

static const struct {
	const char *option;
	enum health health;	/* what to report if the option is not set */
	const char *use;
} options[] = {
	{ "MODULES", HEALTH_ERROR, "rdmafault is a module" },
	{ "NET_SCHED", HEALTH_ERROR, "a port is a qdisc" },
	{ "NET_CLS_ACT", HEALTH_ERROR, "the module does not build without it" },
	{ "NETFILTER_INGRESS", HEALTH_ERROR, "no port can be added without it" },
	{ "NETFILTER_EGRESS", HEALTH_ERROR, "the module does not build without it" },
	{ "INFINIBAND", HEALTH_ERROR, "RDMA" },
	{ "INFINIBAND_USER_ACCESS", HEALTH_ERROR, "RDMA in user space" },
	{ "RDMA_RXE", HEALTH_ERROR, "SoftRoCE" },
	{ "INFINIBAND_ADDR_TRANS", HEALTH_WARNING, "rdma_cm programs need it" },
	{ "VETH", HEALTH_WARNING, "rdmafault fabric needs it" },
	{ "BRIDGE", HEALTH_WARNING, "rdmafault fabric needs it" },
	{ "RPS", HEALTH_WARNING, "keeps the packets of a flow in order" },
	{ "TRACING", HEALTH_WARNING, "monitor, record and run read tracepoints" },
	{ "HIGH_RES_TIMERS", HEALTH_WARNING, "delays are as coarse as the clock tick" },
};

static void check_kernel_options(const struct host *h)
{
	char *config = read_config(h->uts.release);
	char name[64], fix[96];
	size_t i, missing = 0;

	if (!config) {
		rf_doctor_say("options", NULL, HEALTH_UNKNOWN, "modprobe configs",
			      "cannot read /proc/config.gz or /boot/config-%s: %s",
			      h->uts.release, strerror(errno));
		return;
	}
	for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (rf_doctor_option(config, options[i].option) != 'n')
			continue;
		missing++;
		snprintf(name, sizeof(name), "CONFIG_%s", options[i].option);
		snprintf(fix, sizeof(fix), "boot a kernel with %s", name);
		rf_doctor_say("option", name, options[i].health, fix,
			      "not set: %s", options[i].use);
	}
	if (rf_doctor_option(config, "PREEMPT_RT") == 'y') {
		missing++;
		rf_doctor_say("option", "CONFIG_PREEMPT_RT", HEALTH_ERROR,
			      "boot a kernel without CONFIG_PREEMPT_RT",
			      "set: the module does not build for a real-time kernel");
	}
	if (!missing)
		rf_doctor_say("options", NULL, HEALTH_OK, NULL,
			      "the kernel has all that module and fabric need");
	free(config);
}

/* Check whether a module is loaded, built into the kernel, or on disk for modprobe. */
static bool has_module(const struct host *h, const char *module)
{
	return module_is_loaded(module) ||
	       (h->builtin && rf_doctor_lists_module(h->builtin, module)) ||
	       (h->dep && rf_doctor_lists_module(h->dep, module));
}

static bool module_file_exists(const char *release)
{
	static const char *const places[] = {
		"updates", "updates/dkms", "extra", "kernel/net/sched",
	};
	static const char *const ends[] = { "", ".xz", ".zst", ".gz" };
	char path[256];
	size_t i;

	for (i = 0; i < 16; i++) {
		snprintf(path, sizeof(path), "/lib/modules/%s/%s/rdmafault.ko%s",
			 release, places[i / 4], ends[i % 4]);
		if (!access(path, F_OK))
			return true;
	}
	return false;
}

/* In a container, and for a kernel that was copied to the host, all modules can be missing. */
static void say_no_list(const struct host *h, const char *module, const char *found)
{
	char path[96];

	snprintf(path, sizeof(path), "/lib/modules/%s", h->uts.release);
	if (access(path, F_OK))
		rf_doctor_say("module", module, HEALTH_UNKNOWN,
			      "install the modules of this kernel; in a container, run modprobe on the host",
			      "there is no %s; %s", path, found);
	else
		rf_doctor_say("module", module, HEALTH_UNKNOWN, "depmod -a",
			      "%s/modules.dep cannot be read; %s", path, found);
}

static void report_missing(const struct host *h)
{
	const char *release = h->uts.release;

	if (!h->dep)
		say_no_list(h, "rdmafault", "not loaded");
	else if (module_file_exists(release))
		rf_doctor_say("module", "rdmafault", HEALTH_ERROR, "depmod -a",
			      "installed, but modprobe does not find it");
	else if (!access("/usr/src/rdmafault-" RF_VERSION, F_OK))
		rf_doctor_say("module", "rdmafault", HEALTH_ERROR,
			      "dkms install rdmafault/" RF_VERSION,
			      "not built for kernel %s", release);
	else
		rf_doctor_say("module", "rdmafault", HEALTH_ERROR,
			      "install the package rdmafault-dkms, or make && make install; then modprobe rdmafault",
			      "not installed for kernel %s", release);
}

static void check_module(struct host *h)
{
	char *version;

	h->module = has_module(h, "rdmafault");
	if (!h->module) {
		report_missing(h);
		return;
	}
	if (!module_is_loaded("rdmafault")) {
		rf_doctor_say("module", "rdmafault", HEALTH_WARNING,
			      "modprobe rdmafault", "installed, not loaded");
		return;
	}
	version = rf_doctor_text("/sys/module/rdmafault/version");
	if (!version) {
		rf_doctor_say("module", "rdmafault", HEALTH_UNKNOWN, NULL,
			      "loaded; version: %s", strerror(errno));
		return;
	}
	version[strcspn(version, "\n")] = '\0';
	if (strcmp(version, RF_VERSION))
		rf_doctor_say("module", "rdmafault", HEALTH_WARNING,
			      "install version " RF_VERSION " of the module, delete all ports (rdmafault fabric down, rdmafault port del), then modprobe -r rdmafault && modprobe rdmafault",
			      "version %s is loaded, the tools have version %s",
			      version, RF_VERSION);
	else
		rf_doctor_say("module", "rdmafault", HEALTH_OK, NULL,
			      "version %s is loaded", version);
	free(version);
}

static void check_headers(const struct host *h)
{
	char path[160], fix[160];

	snprintf(path, sizeof(path), "/lib/modules/%s/build/Makefile",
		 h->uts.release);
	if (is_like_debian(h))
		snprintf(fix, sizeof(fix), "apt install linux-headers-%s",
			 h->uts.release);
	else
		snprintf(fix, sizeof(fix), "dnf install kernel-devel-%s",
			 h->uts.release);
	if (!access(path, F_OK))
		rf_doctor_say("headers", NULL, HEALTH_OK, NULL,
			      "those of kernel %s are installed", h->uts.release);
	else if (h->module)
		rf_doctor_say("headers", NULL, HEALTH_OK, NULL,
			      "not installed; only needed to build the module");
	else
		rf_doctor_say("headers", NULL, HEALTH_WARNING, fix,
			      "not installed; needed to build the module");
}

/* Check a kernel module that the fabric needs. */
static void check_kernel_module(const struct host *h, const char *module,
				enum health health, const char *use)
{
	char fix[160] = "boot a kernel that has it";

	if (has_module(h, module)) {
		rf_doctor_say("module", module, HEALTH_OK, NULL, "%s",
			      module_is_loaded(module) ? "loaded" :
			      "available");
		return;
	}
	if (!strcmp(h->distribution, "ubuntu"))
		snprintf(fix, sizeof(fix), "apt install linux-modules-extra-%s",
			 h->uts.release);
	else if (!strcmp(h->distribution, "fedora"))
		snprintf(fix, sizeof(fix), "dnf install kernel-modules-extra");
	if (!h->dep)
		say_no_list(h, module, use);
	else
		rf_doctor_say("module", module, health, fix,
			      "kernel %s does not have it; %s", h->uts.release, use);
}

/*
 * Report that the kernel refuses unsigned modules. If rdmafault is already loaded, this is
 * no problem: the module was signed with a key that the kernel accepts, for example the
 * key of DKMS.
 */
static void say_unsigned(const struct host *h, const char *check,
			 const char *found)
{
	static const char fix[] =
		"sign the module: mokutil --import /var/lib/dkms/mok.pub, then reboot";

	if (module_is_loaded("rdmafault"))
		rf_doctor_say(check, NULL, HEALTH_OK, NULL,
			      "%s; the module is loaded nevertheless", found);
	else
		rf_doctor_say(check, NULL, HEALTH_WARNING, fix,
			      "%s: kernel %s loads only signed modules", found,
			      h->uts.release);
}

static void check_secure_boot(const struct host *h)
{
	unsigned char bytes[5];
	FILE *f;
	size_t n;

	if (access(EFI, F_OK)) {
		rf_doctor_say("secure-boot", NULL, HEALTH_OK, NULL,
			      "off: not booted by UEFI");
		return;
	}
	f = fopen(SECURE_BOOT, "re");
	if (!f && errno == ENOENT) {
		rf_doctor_say("secure-boot", NULL, HEALTH_OK, NULL,
			      "off: no variable SecureBoot");
		return;
	}
	if (!f) {
		rf_doctor_say("secure-boot", NULL, HEALTH_UNKNOWN, NULL,
			      "the variable SecureBoot cannot be read: %s", strerror(errno));
		return;
	}
	n = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	if (n == sizeof(bytes) && bytes[4] == 1)
		say_unsigned(h, "secure-boot", "on");
	else
		rf_doctor_say("secure-boot", NULL, HEALTH_OK, NULL, "off");
}

static void check_signatures(const struct host *h)
{
	char *text = rf_doctor_text("/sys/module/module/parameters/sig_enforce");

	if (text && text[0] == 'Y')
		say_unsigned(h, "signatures", "enforced");
	else
		rf_doctor_say("signatures", NULL, HEALTH_OK, NULL, "not enforced");
	free(text);
}

/*
 * Report why the lockdown file cannot be read. The file does not exist if the kernel has no
 * lockdown, or if securityfs is not mounted.
 */
static void say_no_lockdown(int err)
{
	char *mounts = rf_doctor_text("/proc/self/mounts"), dir[64];
	bool mounted = mounts &&
		       rf_doctor_mounted(mounts, "securityfs", dir, sizeof(dir));

	free(mounts);
	if (err != ENOENT)
		rf_doctor_say("lockdown", NULL, HEALTH_UNKNOWN, NULL,
			      LOCKDOWN ": %s", strerror(err));
	else if (mounted)
		rf_doctor_say("lockdown", NULL, HEALTH_OK, NULL,
			      "none: the kernel does not have it");
	else
		rf_doctor_say("lockdown", NULL, HEALTH_UNKNOWN,
			      "mount -t securityfs none /sys/kernel/security",
			      "securityfs is not mounted");
}

static void check_lockdown(const struct host *h)
{
	char *text = rf_doctor_text(LOCKDOWN);

	switch (text ? rf_doctor_lockdown(text) : RF_LOCKDOWN_UNREADABLE) {
	case RF_LOCKDOWN_NONE:
		rf_doctor_say("lockdown", NULL, HEALTH_OK, NULL, "none");
		break;
	case RF_LOCKDOWN_INTEGRITY:
		say_unsigned(h, "lockdown", "integrity");
		break;
	case RF_LOCKDOWN_CONFIDENTIALITY:
		rf_doctor_say("lockdown", NULL, HEALTH_ERROR,
			      "boot with lockdown=integrity, or without lockdown",
			      "confidentiality: unsigned modules and tracefs are refused");
		break;
	case RF_LOCKDOWN_UNREADABLE:
		say_no_lockdown(errno);
		break;
	}
	free(text);
}

static void check_host(void)
{
	struct host h = { };
	char *text = rf_doctor_text("/etc/os-release");

	uname(&h.uts);
	if (text)
		rf_doctor_distribution(text, h.distribution, sizeof(h.distribution));
	free(text);
	h.builtin = rf_doctor_text("/lib/modules/%s/modules.builtin", h.uts.release);
	h.dep = rf_doctor_text("/lib/modules/%s/modules.dep", h.uts.release);
	check_kernel(&h);
	check_kernel_options(&h);
	check_module(&h);
	check_headers(&h);
	check_kernel_module(&h, "rdma_rxe", HEALTH_ERROR, "it is SoftRoCE");
	check_kernel_module(&h, "veth", HEALTH_WARNING, "rdmafault fabric needs it");
	check_kernel_module(&h, "bridge", HEALTH_WARNING, "rdmafault fabric needs it");
	check_secure_boot(&h);
	check_signatures(&h);
	check_lockdown(&h);
	free(h.builtin);
	free(h.dep);
}

/* ---- privileges and limits of this process, tracefs, and the clock ---- */

#define MEMLOCK_MIN (64ul << 20)	/* bytes of memory that a job of a few ranks locks */
#define TRACING "/sys/kernel/tracing"

static void check_privilege(void)
{
	char *map = rf_doctor_text("/proc/self/uid_map");
	bool initial = !map || rf_doctor_initial_userns(map);

	free(map);
	if (!initial)
		rf_doctor_say("privilege", NULL, HEALTH_ERROR,
			      "run rdmafault outside of the container, as root of the host",
			      "this is not the initial user namespace: ports and rules cannot be changed");
	else if (!has_capability(CAP_NET_ADMIN))
		rf_doctor_say("privilege", NULL, HEALTH_WARNING, "sudo rdmafault doctor",
			      "no CAP_NET_ADMIN: ports and rules can only be shown");
	else
		rf_doctor_say("privilege", NULL, HEALTH_OK, NULL,
			      "CAP_NET_ADMIN in the initial user namespace");
}

static void check_memlock(void)
{
	struct rlimit limit = { };

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (has_capability(CAP_IPC_LOCK))
		rf_doctor_say("memlock", NULL, HEALTH_OK, NULL,
			      "no limit with CAP_IPC_LOCK");
	else if (limit.rlim_cur == RLIM_INFINITY)
		rf_doctor_say("memlock", NULL, HEALTH_OK, NULL, "no limit");
	else if (limit.rlim_cur < MEMLOCK_MIN)
		rf_doctor_say("memlock", NULL, HEALTH_WARNING,
			      "\"* - memlock unlimited\" in /etc/security/limits.conf, then log in again",
			      "%lu KiB; RDMA programs of this user need more than %lu KiB",
			      (unsigned long)limit.rlim_cur / 1024, MEMLOCK_MIN / 1024);
	else
		rf_doctor_say("memlock", NULL, HEALTH_OK, NULL, "%lu KiB",
			      (unsigned long)limit.rlim_cur / 1024);
}

static void check_tracefs(void)
{
	char *mounts = rf_doctor_text("/proc/self/mounts"), dir[256];
	bool mounted = mounts && rf_doctor_mounted(mounts, "tracefs", dir, sizeof(dir));
	char path[300];

	free(mounts);
	if (!mounted) {
		rf_doctor_say("tracefs", NULL, HEALTH_WARNING,
			      "mount -t tracefs none " TRACING,
			      "not mounted: monitor, record and run cannot read events");
		return;
	}
	snprintf(path, sizeof(path), "%s/events", dir);
	if (!access(path, R_OK | X_OK))
		rf_doctor_say("tracefs", NULL, HEALTH_OK, NULL, "readable in %s", dir);
	else if (geteuid())
		rf_doctor_say("tracefs", NULL, HEALTH_UNKNOWN, "sudo rdmafault doctor",
			      "mounted in %s, and only root can read it", dir);
	else
		rf_doctor_say("tracefs", NULL, HEALTH_WARNING, NULL,
			      "%s: %s: monitor, record and run cannot read events", path,
			      strerror(errno));
}

static void check_clock(void)
{
	char *text = rf_doctor_text("/sys/devices/system/clocksource/clocksource0/current_clocksource");

	if (!text) {
		rf_doctor_say("clock", NULL, HEALTH_UNKNOWN, NULL,
			      "the clock source cannot be read: %s", strerror(errno));
		return;
	}
	text[strcspn(text, "\n")] = '\0';
	if (strstr(text, "jiffies"))
		rf_doctor_say("clock", NULL, HEALTH_WARNING,
			      "boot without \"clocksource=jiffies\"",
			      "%s counts clock ticks: times are as coarse as a tick", text);
	else
		rf_doctor_say("clock", NULL, HEALTH_OK, NULL, "%s", text);
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
		rf_doctor_say("machine", NULL, HEALTH_OK, NULL, "not virtual");
	else if (!strcmp(name, "TCGTCGTCGTCG"))
		rf_doctor_say("machine", NULL, HEALTH_WARNING,
			      "run labs in virtual time: scripts/lab, or scripts/vm run --virtual-time",
			      "QEMU emulates the CPU: without virtual time, timers are late while the host is busy");
	else
		rf_doctor_say("machine", NULL, HEALTH_OK, NULL,
			      "virtual, hypervisor %s", name);
}

static void check_limits(void)
{
	check_privilege();
	check_memlock();
	check_tracefs();
	check_clock();
	check_machine();
}

/* ---- network ---- */

/*
 * The checks start at the netdevs of the rxe devices and at the ports, and follow veth pairs,
 * lower devices and bridges from there. So the checks find links that "rdmafault fabric"
 * created, and also links that the user created.
 */

#define NODES_MAX 256
#define DEVS_MAX 2048

struct node {
	char rdma[RF_RDMA_NAME_LEN];
	char netdev[16];
};

struct net {
	struct node node[NODES_MAX];
	int nodes;
	char dev[DEVS_MAX][16];		/* names of netdevs, first the netdevs of @node */
	int devs;
};

/**
 * rf_doctor_number - read a number of a netdev from sysfs
 * @dev: name of the netdev
 * @file: path below /sys/class/net/DEV
 *
 * Return: the number, or -1 if the file cannot be read.
 */
long rf_doctor_number(const char *dev, const char *file)
{
	char *text = rf_doctor_text("/sys/class/net/%s/%s", dev, file);
	long n = text ? strtol(text, NULL, 10) : -1;

	free(text);
	return n;
}

/* ---- netdevs ---- */

static void add_dev(struct net *net, const char *dev)
{
	int i;

	for (i = 0; i < net->devs; i++)
		if (!strcmp(net->dev[i], dev))
			return;
	if (net->devs < DEVS_MAX && strlen(dev) < sizeof(net->dev[0]))
		strcpy(net->dev[net->devs++], dev);
}

static bool is_bridge(const char *dev)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/net/%s/bridge", dev);
	return !access(path, F_OK);
}

/*
 * Count the entries with names that begin with @prefix in a sysfs directory of a netdev.
 * The rest of such a name is the name of another netdev. If @net is not NULL, add the other
 * netdev to @net. Return: the number of entries.
 */
static int each_entry(const char *dev, const char *dir, const char *prefix,
		      struct net *net)
{
	size_t len = strlen(prefix);
	struct dirent *d;
	char path[300];
	int n = 0;
	DIR *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", dev, dir);
	f = opendir(path);
	if (!f)
		return 0;
	while ((d = readdir(f))) {
		if (d->d_name[0] == '.' || strncmp(d->d_name, prefix, len))
			continue;
		n++;
		if (net)
			add_dev(net, d->d_name + len);
	}
	closedir(f);
	return n;
}

static bool is_veth(const char *dev)
{
	long peer = rf_doctor_number(dev, "iflink");

	return peer > 0 && peer != rf_doctor_number(dev, "ifindex") &&
	       !each_entry(dev, "", "lower_", NULL);
}

struct search {
	const char *dev;
	long ifindex, iflink;
	struct net *net;
};

/*
 * Add @link to the list of netdevs if it is the peer of the veth device in @arg. The peer can
 * be in another namespace, and an unrelated netdev of this namespace can have the ifindex of
 * the peer. So also check that the veth device is the peer of @link.
 */
static int add_peer(const struct rf_link_info *link, void *arg)
{
	struct search *s = arg;

	if (link->ifindex == s->iflink &&
	    rf_doctor_number(link->name, "iflink") == s->ifindex)
		add_dev(s->net, link->name);
	return 0;
}

static void follow_device(struct rf_sock *s, struct net *net, const char *dev)
{
	struct search search = {
		.ifindex = rf_doctor_number(dev, "ifindex"),
		.iflink = rf_doctor_number(dev, "iflink"), .net = net,
	};
	char bridge[RF_IFNAME_LEN];

	if (is_bridge(dev)) {
		each_entry(dev, "brif", "", net);
		return;
	}
	each_entry(dev, "", "lower_", net);
	if (search.iflink > 0 && search.iflink != search.ifindex)
		rf_rtnl_link_each(s, add_peer, &search);
	if (rf_bridge_of(dev, bridge))
		add_dev(net, bridge);
}

/* ---- RDMA devices ---- */

/* Check an RDMA device. Return: true if it is an rxe device that this namespace can use. */
static bool check_rdma_device(const char *rdma, char netdev[16])
{
	int err = rf_rdma_to_netdev(rdma, netdev, 16);
	int kind = rf_rdma_kind(rdma);
	char fix[64], *state;

	if (kind == RF_RDMA_HARDWARE || kind == RF_RDMA_SIW || err) {
		rf_doctor_say("device", rdma, HEALTH_OK, NULL, "%s",
			      kind == RF_RDMA_HARDWARE ?
			      "hardware: its packets do not pass the kernel, it cannot be a port" :
			      kind == RF_RDMA_SIW ? "siw is iWARP: it cannot be a port" :
			      "has no netdev in this network namespace");
		return false;
	}
	if (kind < 0)
		rf_doctor_say("device", rdma, HEALTH_ERROR, "modprobe ib_uverbs",
			      "its driver is unknown without ib_uverbs: %s",
			      strerror(-kind));
	state = rf_doctor_text("/sys/class/infiniband/%s/ports/1/state", rdma);
	if (state && !strstr(state, "ACTIVE")) {
		snprintf(fix, sizeof(fix), "ip link set %s up", netdev);
		rf_doctor_say("device", rdma, HEALTH_ERROR, fix,
			      "port is not active: %s is down, or has no carrier", netdev);
	} else if (rf_rdma_gid_index(rdma) < 0) {
		snprintf(fix, sizeof(fix), "ip addr add ADDRESS/PREFIX dev %s", netdev);
		rf_doctor_say("device", rdma, HEALTH_WARNING, fix,
			      "%s has no IPv4 address, so there is no IPv4 GID", netdev);
	} else if (kind >= 0) {
		rf_doctor_say("device", rdma, HEALTH_OK, NULL, "rxe on %s", netdev);
	}
	free(state);
	return true;
}

static int is_name(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Opening a NETLINK_RDMA socket would load ib_core, so check in sysfs first. */
static void check_devices(struct net *net)
{
	struct dirent **list = NULL;
	int i, n = scandir("/sys/class/infiniband", &list, is_name, versionsort);
	struct node *node;

	for (i = 0; i < n; i++) {
		node = &net->node[net->nodes];
		if (net->nodes < NODES_MAX && check_rdma_device(list[i]->d_name, node->netdev)) {
			snprintf(node->rdma, sizeof(node->rdma), "%.63s",
				 list[i]->d_name);
			add_dev(net, node->netdev);
			net->nodes++;
		}
		free(list[i]);
	}
	free(list);
	if (!net->nodes)
		rf_doctor_say("device", NULL, HEALTH_OK, NULL,
			      "no rxe device yet; \"rdmafault fabric up\" and \"rdma link add rxe0 type rxe netdev DEV\" create them");
}

static int add_port_dev(const struct rf_port_info *port, void *arg)
{
	add_dev(arg, port->ifname);
	return 0;
}

/* A machine with only a bridge has ports and no RDMA device. check_ports() reports errors. */
static void add_ports(struct net *net)
{
	struct rf_nl *nl;

	if (!module_is_loaded("rdmafault") || rf_nl_open(&nl))
		return;
	rf_nl_port_each(nl, add_port_dev, net);
	rf_nl_close(nl);
}

/* ---- checks of netdevs ---- */

static long largest_mtu(const struct net *net)
{
	long mtu, max = 0;
	int i;

	for (i = 0; i < net->nodes; i++) {
		mtu = rf_doctor_number(net->node[i].netdev, "mtu");
		if (mtu > max)
			max = mtu;
	}
	return max;
}

static bool mtu_is_fine(const struct net *net, int i, long need)
{
	const char *dev = net->dev[i];
	long mtu = rf_doctor_number(dev, "mtu");
	char fix[64];

	if (i < net->nodes) {
		if (rf_doctor_ib_mtu(mtu) == 4096)
			return true;
		snprintf(fix, sizeof(fix), "ip link set %s mtu %d", dev, RF_FABRIC_MTU);
		rf_doctor_say("mtu", dev, HEALTH_WARNING, fix,
			      "%ld, so the IB MTU is %u; 4096 needs %d", mtu,
			      rf_doctor_ib_mtu(mtu), RF_FABRIC_MTU);
		return false;
	}
	if (is_bridge(dev) || mtu >= need)
		return true;
	snprintf(fix, sizeof(fix), "ip link set %s mtu %ld", dev, need);
	if (!net->nodes) {
		rf_doctor_say("mtu", dev, HEALTH_WARNING, fix,
			      "%ld: drops packets of hosts whose IB MTU is larger than %u, and no counter shows these drops",
			      mtu, rf_doctor_ib_mtu(mtu));
		return false;
	}
	rf_doctor_say("mtu", dev, HEALTH_ERROR, fix,
		      "%ld: drops larger packets of the nodes, whose MTU is %ld", mtu, need);
	return false;
}

static void check_mtu(const struct net *net)
{
	long need = net->nodes ? largest_mtu(net) : RF_FABRIC_MTU;
	bool fine = true;
	int i;

	for (i = 0; i < net->devs; i++)
		fine = mtu_is_fine(net, i, need) && fine;
	if (fine && net->devs)
		rf_doctor_say("mtu", NULL, HEALTH_OK, NULL,
			      "large enough for an IB MTU of 4096 on %d netdevs", net->devs);
}

static bool is_steered(const char *dev)
{
	bool steered = true;
	char *mask;
	int i;

	for (i = 0; steered; i++) {
		mask = rf_doctor_text("/sys/class/net/%s/queues/rx-%d/rps_cpus", dev, i);
		if (!mask)
			break;
		steered = !rf_doctor_mask_is_empty(mask);
		free(mask);
	}
	return steered;
}

static void say_unsteered(const char *dev, long cpus)
{
	char fix[256];
	int n;

	n = snprintf(fix, sizeof(fix), "echo %x",
		     cpus % 32 ? (1u << cpus % 32) - 1 : 0xffffffffu);
	for (cpus = (cpus - 1) / 32; cpus > 0 && n < 100; cpus--)
		n += snprintf(fix + n, sizeof(fix) - n, ",ffffffff");
	snprintf(fix + n, sizeof(fix) - n,
		 " | tee /sys/class/net/%s/queues/rx-*/rps_cpus", dev);
	rf_doctor_say("rps", dev, HEALTH_WARNING, fix,
		      "receive packet steering is off: packets of a flow can overtake each other");
}

static void check_rps(const struct net *net)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int i, veths = 0, off = 0;

	for (i = 0; i < net->devs; i++) {
		if (!is_veth(net->dev[i]))
			continue;
		veths++;
		if (cpus < 2 || is_steered(net->dev[i]))
			continue;
		off++;
		say_unsteered(net->dev[i], cpus);
	}
	if (veths && !off)
		rf_doctor_say("rps", NULL, HEALTH_OK, NULL, cpus < 2 ?
			      "not needed with one CPU" : "on for all veth netdevs");
}

static void check_root_qdiscs(struct rf_sock *s, const struct net *net)
{
	struct rf_qdisc_info q;
	char fix[64];
	int i;

	for (i = 0; i < net->devs; i++) {
		if (rf_rtnl_qdisc_root(s, rf_rtnl_ifindex(s, net->dev[i]), &q) ||
		    !q.handle || !strcmp(q.kind, "rdmafault"))
			continue;
		snprintf(fix, sizeof(fix), "tc qdisc del dev %s root", net->dev[i]);
		rf_doctor_say("qdisc", net->dev[i], HEALTH_WARNING, fix,
			      "root qdisc %s: a port on the netdev cannot have queues", q.kind);
	}
}

static int check_xdp(const struct rf_link_info *link, void *arg)
{
	const struct net *net = arg;
	char fix[64];
	int i;

	for (i = 0; link->xdp_skb && i < net->devs; i++) {
		if (strcmp(net->dev[i], link->name))
			continue;
		snprintf(fix, sizeof(fix), "ip link set dev %s xdpgeneric off", link->name);
		rf_doctor_say("xdp", link->name, HEALTH_WARNING, fix,
			      "XDP program in skb mode: it runs again for each packet that leaves the delay queue on rx");
	}
	return 0;
}

/* ---- sysctls ---- */

/* Return: the value that the kernel uses: the larger of the values of @dev and of "all". */
static long effective(const char *dev, const char *name, long *all)
{
	char path[128];
	long own = 0;

	*all = 0;
	snprintf(path, sizeof(path), "ipv4/conf/all/%s", name);
	rf_sysctl_get(path, all);
	snprintf(path, sizeof(path), "ipv4/conf/%s/%s", dev, name);
	rf_sysctl_get(path, &own);
	return own > *all ? own : *all;
}

static void say_sysctl(const char *dev, const char *name, long value, long need,
		       enum health health, const char *effect)
{
	char fix[128], quoted[16], *dot;

	/* sysctl(8) needs "/" in place of "." in the name of a netdev, such as eth0.5. */
	snprintf(quoted, sizeof(quoted), "%s", dev);
	while ((dot = strchr(quoted, '.')))
		*dot = '/';
	snprintf(fix, sizeof(fix), "sysctl -w net.ipv4.conf.%s.%s=%ld", quoted, name,
		 need);
	rf_doctor_say("sysctl", dev, health, fix, "%s is %ld: %s", name, value, effect);
}

/* Check the sysctls that matter only if two nodes share a kernel. */
static bool sysctls_are_fine(const char *dev)
{
	enum health health = is_veth(dev) ? HEALTH_ERROR : HEALTH_WARNING;
	bool fine = true;
	long v, all;

	v = effective(dev, "accept_local", &all);
	if (!v) {
		say_sysctl(dev, "accept_local", v, 1, health,
			   "packets from other nodes of this host are dropped");
		fine = false;
	}
	v = effective(dev, "rp_filter", &all);
	if (v == 1) {
		say_sysctl(dev, "rp_filter", v, all == 1 ? 2 : 0, health,
			   "packets from other nodes of this host are dropped");
		fine = false;
	}
	v = effective(dev, "arp_ignore", &all);
	if (v < 1) {
		say_sysctl(dev, "arp_ignore", v, 1, HEALTH_WARNING,
			   "it answers ARP requests for the addresses of other nodes");
		fine = false;
	}
	v = effective(dev, "arp_announce", &all);
	if (v < 2) {
		say_sysctl(dev, "arp_announce", v, 2, HEALTH_WARNING,
			   "it sends ARP requests with the addresses of other nodes");
		fine = false;
	}
	return fine;
}

static void check_sysctls(const struct net *net)
{
	bool fine = true;
	int i;

	if (net->nodes < 2)
		return;
	for (i = 0; i < net->nodes; i++)
		fine = sysctls_are_fine(net->node[i].netdev) && fine;
	if (fine)
		rf_doctor_say("sysctl", NULL, HEALTH_OK, NULL,
			      "accept_local, rp_filter, arp_ignore and arp_announce let %d nodes share this host",
			      net->nodes);
}

static void check_backlog(const struct net *net)
{
	int i, veths = 0;
	long v;

	if (rf_sysctl_get(RF_FABRIC_BACKLOG, &v)) {
		rf_doctor_say("backlog", NULL, HEALTH_UNKNOWN, NULL,
			      "net.core.netdev_max_backlog: %s", strerror(errno));
		return;
	}
	for (i = 0; i < net->devs; i++)
		veths += is_veth(net->dev[i]);
	if (v >= RF_FABRIC_BACKLOG_MIN)
		rf_doctor_say("backlog", NULL, HEALTH_OK, NULL,
			      "net.core.netdev_max_backlog is %ld", v);
	else if (!veths)
		rf_doctor_say("backlog", NULL, HEALTH_OK, NULL,
			      "net.core.netdev_max_backlog is %ld; \"rdmafault fabric up\" raises it to %d",
			      v, RF_FABRIC_BACKLOG_MIN);
	else
		rf_doctor_say("backlog", NULL, HEALTH_WARNING,
			      "sysctl -w net.core.netdev_max_backlog=20000",
			      "net.core.netdev_max_backlog is %ld: bursts of many nodes are dropped", v);
}

static void check_bridge_nf(const struct net *net)
{
	int i, bridges = 0;
	long v = 0;

	for (i = 0; i < net->devs; i++)
		bridges += is_bridge(net->dev[i]);
	if (!bridges || rf_sysctl_get("bridge/bridge-nf-call-iptables", &v) || !v)
		return;
	rf_doctor_say("bridge-nf", NULL, HEALTH_WARNING,
		      "sysctl -w net.bridge.bridge-nf-call-iptables=0",
		      "bridged packets pass iptables, whose rules can drop them");
}

static void check_bridges(const struct net *net)
{
	int i, bridges = 0, wrong = 0;

	for (i = 0; i < net->devs; i++) {
		if (!is_bridge(net->dev[i]))
			continue;
		bridges++;
		wrong += !rf_doctor_bridge(net->dev[i]);
	}
	if (bridges && !wrong)
		rf_doctor_say("bridge", NULL, HEALTH_OK, NULL,
			      "all bridge ports forward, and the kernel sees each packet");
}

/* ---- loopback ---- */

static uint32_t address_of(const struct ifaddrs *list, const char *dev)
{
	const struct ifaddrs *a;

	for (a = list; a; a = a->ifa_next)
		if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET &&
		    !strcmp(a->ifa_name, dev))
			return ((const struct sockaddr_in *)a->ifa_addr)->sin_addr.s_addr;
	return 0;
}

/*
 * Check that the packets of rdma_cm programs between two nodes of this namespace leave by the
 * netdevs of the nodes. rdma_cm selects the RDMA device by the route. By default, the route to
 * a local address uses the loopback device.
 */
static void check_rdma_cm(struct rf_sock *s, const struct net *net)
{
	static const char fix[] =
		"name RDMA devices, for example ib_write_bw -d rxe1; or policy routing, see rdmafault-doctor(8)";
	uint32_t first = 0, second = 0;
	struct ifaddrs *list = NULL;
	int i;

	if (net->nodes < 2 || getifaddrs(&list))
		return;
	for (i = 0; i < net->nodes && !second; i++) {
		uint32_t addr = address_of(list, net->node[i].netdev);

		if (first)
			second = addr;
		else
			first = addr;
	}
	freeifaddrs(list);
	if (!second)
		return;
	if (rf_rtnl_route_is_local(s, first, second) ||
	    rf_rtnl_route_is_local(s, second, first))
		rf_doctor_say("rdma-cm", NULL, HEALTH_WARNING, fix,
			      "rdma_cm programs between nodes of this network namespace use the loopback of rxe: no port sees their packets");
	else
		rf_doctor_say("rdma-cm", NULL, HEALTH_OK, NULL,
			      "routes between the nodes of this network namespace leave by their netdevs");
}

static void check_fabric(struct rf_sock *s)
{
	struct rf_fabric_census c;
	char netdev[16];
	unsigned int k, half = 0;

	if (rf_fabric_census(s, &c) || !c.links) {
		rf_doctor_say("fabric", NULL, HEALTH_OK, NULL, "none");
		return;
	}
	for (k = 1; k <= RF_FABRIC_MAX; k++)
		half += c.has[k] &&
			rf_rdma_to_netdev(rf_fabric_names(k).rdma, netdev, sizeof(netdev));
	if (half || !c.nodes)
		rf_doctor_say("fabric", NULL, HEALTH_ERROR,
			      "rdmafault fabric down && rdmafault fabric up",
			      "incomplete: %u of %u nodes have no rxe device", half,
			      c.nodes);
	else
		rf_doctor_say("fabric", NULL, HEALTH_OK, NULL, "%u nodes", c.nodes);
}

static void check_network(void)
{
	struct net *net = calloc(1, sizeof(*net));
	struct rf_sock s;
	int i;

	if (!net || rf_sock_open(&s, NETLINK_ROUTE)) {
		rf_doctor_say("device", NULL, HEALTH_UNKNOWN, NULL,
			      "netlink: %s", strerror(errno));
		free(net);
		return;
	}
	check_fabric(&s);
	check_devices(net);
	add_ports(net);
	for (i = 0; i < net->devs; i++)
		follow_device(&s, net, net->dev[i]);
	check_mtu(net);
	check_rps(net);
	check_root_qdiscs(&s, net);
	rf_rtnl_link_each(&s, check_xdp, net);
	check_sysctls(net);
	check_backlog(net);
	check_bridge_nf(net);
	check_bridges(net);
	check_rdma_cm(&s, net);
	rf_sock_close(&s);
	free(net);
}

/* ---- rules and settings that an earlier command left on a port ---- */

#define PORTS_MAX 2048

struct survey {
	struct rf_nl *nl;
	int ports;
	struct {
		char port[16];
		char *what;		/* "2 rules, max-hold 1s" */
	} left[PORTS_MAX];
	int nleft;
};

/* Add something that was left on a port. A port has one line, with all that was left on it. */
static void add_left(struct survey *s, const char *port, const char *what)
{
	int i;

	for (i = 0; i < s->nleft && strcmp(s->left[i].port, port); i++)
		;
	if (i == PORTS_MAX)
		return;
	if (i == s->nleft)
		snprintf(s->left[s->nleft++].port, sizeof(s->left[i].port), "%s", port);
	s->left[i].what = rf_text_list(s->left[i].what, what);
}

static void say_left(const struct survey *s)
{
	char fix[64];
	int i;

	for (i = 0; i < s->nleft; i++) {
		snprintf(fix, sizeof(fix), "rdmafault reset %s", s->left[i].port);
		rf_doctor_say("port", s->left[i].port, HEALTH_WARNING, fix,
			      "%s, from an earlier command or another process",
			      s->left[i].what ? s->left[i].what : "settings");
	}
}

static int survey_port(const struct rf_port_info *port, void *arg)
{
	unsigned int rules = port->dir[0].rules + port->dir[1].rules;
	char what[RF_THINGS_LEN], time[RF_FMT_LEN];
	struct survey *s = arg;

	s->ports++;
	if (rules)
		add_left(s, port->ifname, rf_fmt_things(rules, "rule", what));
	if (port->max_hold != RF_MAX_HOLD) {
		snprintf(what, sizeof(what), "max-hold %s",
			 rf_exact_time(port->max_hold, time));
		add_left(s, port->ifname, what);
	}
	if (port->hold_forwarded)
		add_left(s, port->ifname, "hold-forwarded on");
	return 0;
}

static int survey_queue(const struct rf_queue_info *info, void *arg)
{
	char *words = rf_conf_words(&info->conf);
	struct survey *s = arg;
	unsigned int i;

	if (words && words[0])
		add_left(s, info->ifname, words);
	free(words);
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!info->has_storm[i] || !info->storm[i].running)
			continue;
		add_left(s, info->ifname, "a pause storm");
		break;
	}
	return 0;
}

/* Opening a socket to the module would load it, so check first whether it is loaded. */
static void check_ports(void)
{
	struct survey *s;
	int err;

	if (!module_is_loaded("rdmafault"))
		return;
	s = calloc(1, sizeof(*s));
	err = s ? rf_nl_open(&s->nl) : -ENOMEM;
	if (!err) {
		err = rf_nl_port_each(s->nl, survey_port, s);
		if (!err)
			err = rf_nl_queue_each(s->nl, survey_queue, s);
		rf_nl_close(s->nl);
	}
	if (err)
		rf_doctor_say("port", NULL, HEALTH_UNKNOWN, NULL,
			      "the module does not list its ports: %s", strerror(-err));
	else if (!s->nleft)
		rf_doctor_say("port", NULL, HEALTH_OK, NULL,
			      "%d ports, all with default settings and no rules", s->ports);
	else
		say_left(s);
	while (s && s->nleft)
		free(s->left[--s->nleft].what);
	free(s);
}

/* ---- the command ---- */

static void print_total(void)
{
	rf_out_u64("errors", "\n%" PRIu64 " errors, ", count[HEALTH_ERROR]);
	rf_out_u64("warnings", "%" PRIu64 " warnings, ", count[HEALTH_WARNING]);
	rf_out_u64("unknown", "%" PRIu64 " unknown\n", count[HEALTH_UNKNOWN]);
}

/**
 * rf_cmd_doctor - run "rdmafault doctor"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "doctor"
 *
 * Return: RF_EXIT_OK, RF_EXIT_FAILED if a check found an error, or RF_EXIT_USAGE.
 */
int rf_cmd_doctor(int argc, char **argv)
{
	if (rf_check_words(rf_commands, argc, argv, "", 0))
		return RF_EXIT_USAGE;
	memset(count, 0, sizeof(count));
	rf_out_begin_object();
	rf_out_push_array("checks");
	check_host();
	check_limits();
	check_network();
	check_ports();
	rf_out_pop();
	print_total();
	rf_out_end();
	return count[HEALTH_ERROR] ? RF_EXIT_FAILED : RF_EXIT_OK;
}
