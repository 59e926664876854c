/* SPDX-License-Identifier: GPL-2.0 */
/* Read files that have one JSON object per line */
#ifndef RF_LINES_H
#define RF_LINES_H

struct json_object;

struct rf_lines {
	int (*take)(void *arg, struct json_object *o);	/* called with each object */
	/* Called with each line that does not begin with "{"; NULL: such lines are refused */
	int (*take_text)(void *arg, const char *line);
	const char *valid;		/* description of valid lines, for the error message */
};

int rf_lines_read(const char *path, const struct rf_lines *lines, void *arg);

#endif
