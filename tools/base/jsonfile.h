/* SPDX-License-Identifier: GPL-2.0 */
/* Write JSON to a file. */
#ifndef RF_JSONFILE_H
#define RF_JSONFILE_H

struct json_object;

int rf_json_write(const char *path, struct json_object *o);

#endif
