// SPDX-License-Identifier: GPL-2.0
/* rdmafault doctor: parse the text of files such as /proc/self/status. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor_parse.h"

#define RXE_HEADERS 80		/* RXE_MAX_HDR_LENGTH of rdma_rxe */

/**
 * rf_doctor_kernel - check whether a kernel is supported
 * @release: the kernel release, as printed by "uname -r"
 *
 * Return: enum rf_kernel_age.
 */
enum rf_kernel_age rf_doctor_kernel(const char *release)
{
	unsigned int major, minor;

	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		return RF_KERNEL_UNREADABLE;
	if (major < 6 || (major == 6 && minor < 1))
		return RF_KERNEL_OLD;
	if (major == 7 || (major == 6 && (minor == 1 || minor == 12)))
		return RF_KERNEL_TESTED;
	return RF_KERNEL_UNTESTED;
}

/* Return: the next line that begins with @word, or NULL. */
static const char *find_line(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (text && strncmp(text, word, len)) {
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return text;
}

/**
 * rf_doctor_option - get the value of a kernel option
 * @config: the text of the .config file of the kernel
 * @option: name of the option, without CONFIG_
 *
 * Return: 'y' or 'm', or 'n' if the option is not set.
 */
char rf_doctor_option(const char *config, const char *option)
{
	char word[64];
	const char *line;

	snprintf(word, sizeof(word), "CONFIG_%s=", option);
	line = find_line(config, word);
	return line ? line[strlen(word)] : 'n';
}

/* Compare two names of a module; "-" and "_" are equivalent. */
static bool same_module(const char *path, const char *module)
{
	for (; *module; path++, module++)
		if (*path != *module && !(*path == '-' && *module == '_'))
			return false;
	return !strncmp(path, ".ko", 3);
}

/**
 * rf_doctor_lists_module - check whether a list of kernel modules contains a module
 * @text: modules.dep or modules.builtin: one file per line, dependencies after ":"
 * @module: the module, with "_" in its name
 *
 * Return: true if the list contains the module.
 */
bool rf_doctor_lists_module(const char *text, const char *module)
{
	const char *name = text;

	for (; *text; text++) {
		if (*text == '/') {
			name = text + 1;
		} else if (*text == '\n') {
			name = text + 1;
		} else if (text == name && same_module(name, module)) {
			return true;
		} else if (*text == ':') {
			text += strcspn(text, "\n");
			if (!*text)
				break;
			name = text + 1;
		}
	}
	return false;
}

/**
 * rf_doctor_lockdown - get the current lockdown mode
 * @text: the text of /sys/kernel/security/lockdown, for example "[none] integrity"
 *
 * Return: enum rf_lockdown.
 */
enum rf_lockdown rf_doctor_lockdown(const char *text)
{
	if (strstr(text, "[none]"))
		return RF_LOCKDOWN_NONE;
	if (strstr(text, "[integrity]"))
		return RF_LOCKDOWN_INTEGRITY;
	if (strstr(text, "[confidentiality]"))
		return RF_LOCKDOWN_CONFIDENTIALITY;
	return RF_LOCKDOWN_UNREADABLE;
}

/**
 * rf_doctor_mounted - find the mount point of a file system
 * @mounts: the text of /proc/self/mounts
 * @type: type of the file system
 * @dir: gets the first mount point
 * @len: size of @dir
 *
 * Return: true if the file system is mounted.
 */
bool rf_doctor_mounted(const char *mounts, const char *type, char *dir,
		       size_t len)
{
	char where[256], what[64];

	for (; mounts && *mounts; mounts = strchr(mounts, '\n')) {
		mounts += *mounts == '\n';
		if (sscanf(mounts, "%*s %255s %63s", where, what) != 2)
			continue;
		if (strcmp(what, type))
			continue;
		snprintf(dir, len, "%s", where);
		return true;
	}
	return false;
}

/**
 * rf_doctor_capability - check whether a capability is in the effective set
 * @status: the text of /proc/self/status
 * @cap: number of the capability
 *
 * Return: true if the capability is in the effective set.
 */
bool rf_doctor_capability(const char *status, unsigned int cap)
{
	static const char word[] = "CapEff:";
	const char *line = find_line(status, word);

	return line && strtoull(line + strlen(word), NULL, 16) >> cap & 1;
}

/**
 * rf_doctor_initial_userns - check whether this is the initial user namespace
 * @uid_map: the text of /proc/self/uid_map
 *
 * Return: true if all user IDs are mapped to themselves.
 */
bool rf_doctor_initial_userns(const char *uid_map)
{
	unsigned long inside, outside, count;

	return sscanf(uid_map, "%lu %lu %lu", &inside, &outside, &count) == 3 &&
	       !inside && !outside && count == 4294967295UL;
}

/**
 * rf_doctor_mask_is_empty - check whether a CPU mask is empty
 * @mask: as in sysfs, for example "00000000,00000003"
 *
 * Return: true if the mask contains no CPU.
 */
bool rf_doctor_mask_is_empty(const char *mask)
{
	return !mask[strspn(mask, "0,\n")];
}

/**
 * rf_doctor_ib_mtu - compute the IB MTU of an rxe device
 * @mtu: MTU of the netdev of the rxe device
 *
 * Return: 256 to 4096, or 0 if the MTU of the netdev is too small for RDMA.
 */
unsigned int rf_doctor_ib_mtu(unsigned int mtu)
{
	unsigned int ib = 4096;

	while (ib >= 256 && ib + RXE_HEADERS > mtu)
		ib /= 2;
	return ib >= 256 ? ib : 0;
}

/**
 * rf_doctor_distribution - get the ID of the distribution
 * @os_release: the text of /etc/os-release
 * @id: gets the ID of the distribution, for example "debian"; "" if there is none
 * @len: size of @id
 */
void rf_doctor_distribution(const char *os_release, char *id, size_t len)
{
	const char *line = find_line(os_release, "ID=");

	id[0] = '\0';
	if (!line)
		return;
	line += strlen("ID=");
	line += *line == '"';
	snprintf(id, len, "%.*s", (int)strcspn(line, "\"\n"), line);
}
