// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault doctor: check this host, and print how to fix what is missing or wrong.
 *
 * It needs neither the module nor root, and changes nothing. It also does not load a
 * module: it opens a netlink socket only if the module of that netlink family is already
 * loaded, and otherwise reads files.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "doctor.h"
#include "doctor_parse.h"
#include "err.h"
#include "out.h"

#define FILE_MAX (8u << 20)

static const char *const names[] = { "ok", "warning", "error", "unknown" };
static uint64_t count[4];	/* number of results per enum rf_health */

/**
 * rf_doctor_say - print a result
 * @check: name of the check
 * @object: the device or module that was checked, or NULL
 * @health: the result
 * @fix: a command or a setting that fixes the problem, or NULL
 * @fmt: printf format of the finding
 */
void rf_doctor_say(const char *check, const char *object, enum rf_health health,
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
	rf_out_str("status", "%-8s ", names[health]);
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
 * rf_doctor_read - read a file
 * @fmt: printf format of the path
 *
 * Return: the text, to be freed by the caller; NULL with errno set if it cannot be read.
 */
char *rf_doctor_read(const char *fmt, ...)
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

/**
 * rf_doctor_has_cap - check whether this process has a capability
 * @cap: number of the capability
 *
 * Return: true if the process has the capability.
 */
bool rf_doctor_has_cap(unsigned int cap)
{
	char *status = rf_doctor_read("/proc/self/status");
	bool has = status && rf_doctor_capability(status, cap);

	free(status);
	return has;
}

/**
 * rf_doctor_module_is_loaded - check whether a module is loaded
 * @module: the module
 *
 * Return: true if it is loaded; false also if it is built into the kernel.
 */
bool rf_doctor_module_is_loaded(const char *module)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", module);
	return !access(path, F_OK);
}

static void print_total(void)
{
	rf_out_u64("errors", "\n%" PRIu64 " errors, ", count[RF_HEALTH_ERROR]);
	rf_out_u64("warnings", "%" PRIu64 " warnings, ", count[RF_HEALTH_WARNING]);
	rf_out_u64("unknown", "%" PRIu64 " unknown\n", count[RF_HEALTH_UNKNOWN]);
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
	rf_doctor_host();
	rf_doctor_limits();
	rf_doctor_net();
	rf_doctor_ports();
	rf_out_pop();
	print_total();
	rf_out_end();
	return count[RF_HEALTH_ERROR] ? RF_EXIT_FAILED : RF_EXIT_OK;
}
