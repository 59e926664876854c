// SPDX-License-Identifier: GPL-2.0
/* rdmafault doctor: check the kernel, its options and modules, Secure Boot and lockdown. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor.h"
#include "doctor_parse.h"

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
		rf_doctor_say("kernel", NULL, RF_HEALTH_WARNING, fix,
			      "%s on %s; only x86_64 is tested", release,
			      h->uts.machine);
		return;
	}
	switch (rf_doctor_kernel(release)) {
	case RF_KERNEL_TESTED:
		rf_doctor_say("kernel", NULL, RF_HEALTH_OK, NULL, "%s", release);
		break;
	case RF_KERNEL_UNTESTED:
		rf_doctor_say("kernel", NULL, RF_HEALTH_WARNING, fix,
			      "%s; tested are 6.1, 6.12 and 7.x", release);
		break;
	case RF_KERNEL_OLD:
		rf_doctor_say("kernel", NULL, RF_HEALTH_ERROR, fix,
			      "%s is older than 6.1", release);
		break;
	case RF_KERNEL_UNREADABLE:
		rf_doctor_say("kernel", NULL, RF_HEALTH_UNKNOWN, NULL,
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
	text = rf_doctor_read("/boot/config-%s", release);
	if (!text)
		text = rf_doctor_read("/lib/modules/%s/config", release);
	return text ?: rf_doctor_read("/lib/modules/%s/build/.config", release);
}

static const struct {
	const char *option;
	enum rf_health health;	/* what to report if the option is not set */
	const char *use;
} options[] = {
	{ "MODULES", RF_HEALTH_ERROR, "rdmafault is a module" },
	{ "NET_SCHED", RF_HEALTH_ERROR, "a port is a qdisc" },
	{ "NET_CLS_ACT", RF_HEALTH_ERROR, "the module does not build without it" },
	{ "NETFILTER_INGRESS", RF_HEALTH_ERROR, "no port can be added without it" },
	{ "NETFILTER_EGRESS", RF_HEALTH_ERROR, "the module does not build without it" },
	{ "INFINIBAND", RF_HEALTH_ERROR, "RDMA" },
	{ "INFINIBAND_USER_ACCESS", RF_HEALTH_ERROR, "RDMA in user space" },
	{ "RDMA_RXE", RF_HEALTH_ERROR, "SoftRoCE" },
	{ "INFINIBAND_ADDR_TRANS", RF_HEALTH_WARNING, "rdma_cm programs need it" },
	{ "VETH", RF_HEALTH_WARNING, "rdmafault fabric needs it" },
	{ "BRIDGE", RF_HEALTH_WARNING, "rdmafault fabric needs it" },
	{ "RPS", RF_HEALTH_WARNING, "keeps the packets of a flow in order" },
	{ "TRACING", RF_HEALTH_WARNING, "monitor, record and run read tracepoints" },
	{ "HIGH_RES_TIMERS", RF_HEALTH_WARNING, "delays are as coarse as the clock tick" },
};

static void check_options(const struct host *h)
{
	char *config = read_config(h->uts.release);
	char name[64], fix[96];
	size_t i, missing = 0;

	if (!config) {
		rf_doctor_say("options", NULL, RF_HEALTH_UNKNOWN, "modprobe configs",
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
		rf_doctor_say("option", "CONFIG_PREEMPT_RT", RF_HEALTH_ERROR,
			      "boot a kernel without CONFIG_PREEMPT_RT",
			      "set: the module does not build for a real-time kernel");
	}
	if (!missing)
		rf_doctor_say("options", NULL, RF_HEALTH_OK, NULL,
			      "the kernel has all that module and fabric need");
	free(config);
}

/* Check whether a module is loaded, built into the kernel, or on disk for modprobe. */
static bool has_module(const struct host *h, const char *module)
{
	return rf_doctor_module_is_loaded(module) ||
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

static void report_missing(const struct host *h)
{
	const char *release = h->uts.release;

	if (!h->dep)
		rf_doctor_say("module", "rdmafault", RF_HEALTH_UNKNOWN, "depmod -a",
			      "not loaded, and /lib/modules/%s/modules.dep cannot be read: %s",
			      release, strerror(errno));
	else if (module_file_exists(release))
		rf_doctor_say("module", "rdmafault", RF_HEALTH_ERROR, "depmod -a",
			      "installed, but modprobe does not find it");
	else if (!access("/usr/src/rdmafault-" RF_VERSION, F_OK))
		rf_doctor_say("module", "rdmafault", RF_HEALTH_ERROR,
			      "dkms install rdmafault/" RF_VERSION,
			      "not built for kernel %s", release);
	else
		rf_doctor_say("module", "rdmafault", RF_HEALTH_ERROR,
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
	if (!rf_doctor_module_is_loaded("rdmafault")) {
		rf_doctor_say("module", "rdmafault", RF_HEALTH_WARNING,
			      "modprobe rdmafault", "installed, not loaded");
		return;
	}
	version = rf_doctor_read("/sys/module/rdmafault/version");
	if (!version) {
		rf_doctor_say("module", "rdmafault", RF_HEALTH_UNKNOWN, NULL,
			      "loaded; version: %s", strerror(errno));
		return;
	}
	version[strcspn(version, "\n")] = '\0';
	if (strcmp(version, RF_VERSION))
		rf_doctor_say("module", "rdmafault", RF_HEALTH_WARNING,
			      "install version " RF_VERSION " of the module, delete all ports (rdmafault fabric down, rdmafault port del), then modprobe -r rdmafault && modprobe rdmafault",
			      "version %s is loaded, the tools have version %s",
			      version, RF_VERSION);
	else
		rf_doctor_say("module", "rdmafault", RF_HEALTH_OK, NULL,
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
		rf_doctor_say("headers", NULL, RF_HEALTH_OK, NULL,
			      "those of kernel %s are installed", h->uts.release);
	else if (h->module)
		rf_doctor_say("headers", NULL, RF_HEALTH_OK, NULL,
			      "not installed; only needed to build the module");
	else
		rf_doctor_say("headers", NULL, RF_HEALTH_WARNING, fix,
			      "not installed; needed to build the module");
}

/* Check a kernel module that the fabric needs. */
static void check_kernel_module(const struct host *h, const char *module,
				enum rf_health health, const char *use)
{
	char fix[160] = "boot a kernel that has it";

	if (has_module(h, module)) {
		rf_doctor_say("module", module, RF_HEALTH_OK, NULL, "%s",
			      rf_doctor_module_is_loaded(module) ? "loaded" :
			      "available");
		return;
	}
	if (!strcmp(h->distribution, "ubuntu"))
		snprintf(fix, sizeof(fix), "apt install linux-modules-extra-%s",
			 h->uts.release);
	else if (!strcmp(h->distribution, "fedora"))
		snprintf(fix, sizeof(fix), "dnf install kernel-modules-extra");
	if (!h->dep)
		rf_doctor_say("module", module, RF_HEALTH_UNKNOWN, "depmod -a",
			      "modules.dep cannot be read; %s", use);
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

	if (rf_doctor_module_is_loaded("rdmafault"))
		rf_doctor_say(check, NULL, RF_HEALTH_OK, NULL,
			      "%s; the module is loaded nevertheless", found);
	else
		rf_doctor_say(check, NULL, RF_HEALTH_WARNING, fix,
			      "%s: kernel %s loads only signed modules", found,
			      h->uts.release);
}

static void check_secure_boot(const struct host *h)
{
	unsigned char bytes[5];
	FILE *f;
	size_t n;

	if (access(EFI, F_OK)) {
		rf_doctor_say("secure-boot", NULL, RF_HEALTH_OK, NULL,
			      "off: not booted by UEFI");
		return;
	}
	f = fopen(SECURE_BOOT, "re");
	if (!f && errno == ENOENT) {
		rf_doctor_say("secure-boot", NULL, RF_HEALTH_OK, NULL,
			      "off: no variable SecureBoot");
		return;
	}
	if (!f) {
		rf_doctor_say("secure-boot", NULL, RF_HEALTH_UNKNOWN, NULL,
			      "the variable SecureBoot cannot be read: %s", strerror(errno));
		return;
	}
	n = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	if (n == sizeof(bytes) && bytes[4] == 1)
		say_unsigned(h, "secure-boot", "on");
	else
		rf_doctor_say("secure-boot", NULL, RF_HEALTH_OK, NULL, "off");
}

static void check_signatures(const struct host *h)
{
	char *text = rf_doctor_read("/sys/module/module/parameters/sig_enforce");

	if (text && text[0] == 'Y')
		say_unsigned(h, "signatures", "enforced");
	else
		rf_doctor_say("signatures", NULL, RF_HEALTH_OK, NULL, "not enforced");
	free(text);
}

/*
 * Report why the lockdown file cannot be read. The file does not exist if the kernel has no
 * lockdown, or if securityfs is not mounted.
 */
static void say_no_lockdown(int err)
{
	char *mounts = rf_doctor_read("/proc/self/mounts"), dir[64];
	bool mounted = mounts &&
		       rf_doctor_mounted(mounts, "securityfs", dir, sizeof(dir));

	free(mounts);
	if (err != ENOENT)
		rf_doctor_say("lockdown", NULL, RF_HEALTH_UNKNOWN, NULL,
			      LOCKDOWN ": %s", strerror(err));
	else if (mounted)
		rf_doctor_say("lockdown", NULL, RF_HEALTH_OK, NULL,
			      "none: the kernel does not have it");
	else
		rf_doctor_say("lockdown", NULL, RF_HEALTH_UNKNOWN,
			      "mount -t securityfs none /sys/kernel/security",
			      "securityfs is not mounted");
}

static void check_lockdown(const struct host *h)
{
	char *text = rf_doctor_read(LOCKDOWN);

	switch (text ? rf_doctor_lockdown(text) : RF_LOCKDOWN_UNREADABLE) {
	case RF_LOCKDOWN_NONE:
		rf_doctor_say("lockdown", NULL, RF_HEALTH_OK, NULL, "none");
		break;
	case RF_LOCKDOWN_INTEGRITY:
		say_unsigned(h, "lockdown", "integrity");
		break;
	case RF_LOCKDOWN_CONFIDENTIALITY:
		rf_doctor_say("lockdown", NULL, RF_HEALTH_ERROR,
			      "boot with lockdown=integrity, or without lockdown",
			      "confidentiality: unsigned modules and tracefs are refused");
		break;
	case RF_LOCKDOWN_UNREADABLE:
		say_no_lockdown(errno);
		break;
	}
	free(text);
}

/**
 * rf_doctor_host - check the kernel and its modules
 */
void rf_doctor_host(void)
{
	struct host h = { };
	char *text = rf_doctor_read("/etc/os-release");

	uname(&h.uts);
	if (text)
		rf_doctor_distribution(text, h.distribution, sizeof(h.distribution));
	free(text);
	h.builtin = rf_doctor_read("/lib/modules/%s/modules.builtin", h.uts.release);
	h.dep = rf_doctor_read("/lib/modules/%s/modules.dep", h.uts.release);
	check_kernel(&h);
	check_options(&h);
	check_module(&h);
	check_headers(&h);
	check_kernel_module(&h, "rdma_rxe", RF_HEALTH_ERROR, "it is SoftRoCE");
	check_kernel_module(&h, "veth", RF_HEALTH_WARNING, "rdmafault fabric needs it");
	check_kernel_module(&h, "bridge", RF_HEALTH_WARNING, "rdmafault fabric needs it");
	check_secure_boot(&h);
	check_signatures(&h);
	check_lockdown(&h);
	free(h.builtin);
	free(h.dep);
}
