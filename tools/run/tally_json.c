// SPDX-License-Identifier: GPL-2.0
/* Convert the counters of a priority to a JSON object and back. */
#include <string.h>

#include <json-c/json.h>

#include "json.h"
#include "record.h"

static const struct {
	const char *key;
	size_t at;
} members[] = {
#define MEMBER(name) { #name, offsetof(struct rf_prio_tally, name) }
	MEMBER(packets), MEMBER(bytes), MEMBER(marked), MEMBER(dropped),
	MEMBER(pauses), MEMBER(paused_ns), MEMBER(xoff_rx), MEMBER(xon_rx),
	MEMBER(xoff_tx), MEMBER(xon_tx), MEMBER(detected), MEMBER(restored),
	MEMBER(peak_bytes),
};

#define MEMBERS (sizeof(members) / sizeof(members[0]))

/**
 * rf_tally_json - make an object of the counters of a priority
 * @t: the counters
 * @prio: the priority
 *
 * Return: the object; release it with json_object_put().
 */
struct json_object *rf_tally_json(const struct rf_prio_tally *t, uint32_t prio)
{
	struct json_object *o = json_object_new_object();
	const char *from = (const char *)t;
	int64_t v;
	size_t i;

	json_object_object_add(o, "prio", json_object_new_int64(prio));
	for (i = 0; i < MEMBERS; i++) {
		memcpy(&v, from + members[i].at, sizeof(v));
		json_object_object_add(o, members[i].key,
				       json_object_new_int64(v));
	}
	return o;
}

/**
 * rf_tally_take - read the counters of a priority from an object
 * @o: the object
 * @t: the counters; filled in
 *
 * Return: false if a member is missing or wrong.
 */
bool rf_tally_take(struct json_object *o, struct rf_prio_tally *t)
{
	char *to = (char *)t;
	size_t i;

	for (i = 0; i < MEMBERS; i++)
		if (!rf_get_u64(o, members[i].key, INT64_MAX,
				(uint64_t *)(void *)(to + members[i].at)))
			return false;
	return true;
}
