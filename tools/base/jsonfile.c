// SPDX-License-Identifier: GPL-2.0
/* Write JSON to a file. */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "err.h"
#include "json.h"

/**
 * rf_json_write - write an object to a file, with line breaks and indentation
 * @path: the file
 * @o: the object; the function releases it
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_json_write(const char *path, struct json_object *o)
{
	int ret = json_object_to_file_ext(path, o, JSON_C_TO_STRING_PRETTY |
					  JSON_C_TO_STRING_SPACED |
					  JSON_C_TO_STRING_NOSLASHESCAPE);

	json_object_put(o);
	if (!ret)
		return 0;
	rf_err("%s: %s", path, strerror(errno));
	return -EIO;
}
