// SPDX-License-Identifier: GPL-2.0
/* The short name of a fault, for places without room for its command */
#include <string.h>

#include "words.h"

/**
 * rf_fault_name - write what a fault does, and its port
 * @fault: the fault
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf: the verb of the command and the port, for example "drop v2"; for the command
 * pause, which has several verbs, "storm v2", "watchdog p2" or "pause v2"; for a link that goes
 * down, "down v2".
 */
char *rf_fault_name(const struct rf_fault *fault, char *buf, size_t len)
{
	const char *verb = fault->words;

	if (fault->kind == RF_FAULT_STORM)
		verb = "storm";
	else if (fault->kind == RF_FAULT_LINK_DOWN)
		verb = "down";
	else if (!strncmp(verb, "pause ", 6) && strstr(verb, " watchdog "))
		verb = "watchdog";
	snprintf(buf, len, "%.*s %s", (int)strcspn(verb, " "), verb, fault->port);
	return buf;
}
