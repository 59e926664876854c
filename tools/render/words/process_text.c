// SPDX-License-Identifier: GPL-2.0
/* The values of a process, as one line of text */
#include <string.h>

#include "words.h"

/**
 * rf_process_text - describe the values of a process: "exit 0, time 1.2 s, bw 980 Mbit/s"
 * @run: the run
 * @run_case: a case of the run
 * @p: a process of the case
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_process_text(const struct rf_run *run, const struct rf_run_case *run_case,
		      const struct rf_process *p, char *buf, size_t len)
{
	char text[RF_COMPARE_LEN];
	const struct rf_value *v;
	const char *why;
	size_t n = 0;
	double value;

	buf[0] = '\0';
	for (v = p->values; v < p->values + p->nvalues && n < len; v++) {
		why = rf_metric_value(run, run_case, v->info.name, &value);
		n += snprintf(buf + n, len - n, "%s%s ", n ? ", " : "",
			      v->info.name + strlen(p->name) + 1);
		if (n < len && why)
			n += snprintf(buf + n, len - n, "no value (%s)", why);
		else if (n < len)
			n += snprintf(buf + n, len - n, "%s", rf_compare_value(&v->info, value, text));
	}
	return buf;
}
