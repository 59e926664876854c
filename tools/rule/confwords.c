// SPDX-License-Identifier: GPL-2.0
/*
 * Format the settings of a port that are not the defaults. The text has the syntax of the
 * commands "link set", "prio set", "ecn set", "pause watchdog" and "dcqcn set".
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

/**
 * struct text - state of the function that writes the text
 * @f: output stream
 * @now: the port's settings
 * @def: the default settings
 * @group: name of the current group of settings, for example "link"; NULL if the name has
 *	already been written
 * @groups: number of groups that have been written
 */
struct text {
	FILE *f;
	struct rf_queue_change now, def;
	const char *group;
	unsigned int groups;
};

static void begin_group(struct text *t, const char *group)
{
	t->group = group;
}

static void append_setting(struct text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void append_setting(struct text *t, const char *fmt, ...)
{
	va_list ap;

	if (t->group)
		fprintf(t->f, "%s%s", t->groups++ ? "; " : "", t->group);
	t->group = NULL;
	fputc(' ', t->f);
	va_start(ap, fmt);
	vfprintf(t->f, fmt, ap);
	va_end(ap);
}

/* A limit in packets is another member than the limit in bytes, which the table has. */
static void append_packets(struct text *t, const struct rf_prio_change *now,
			   const struct rf_prio_change *def, const char *prio)
{
	if (now->conf.limit != def->conf.limit)
		append_setting(t, "prio-limit %s%up", prio, now->conf.limit);
}

/* Append the words of @keys whose values differ. @before: text between a name and its value */
static void append_changed(struct text *t, const struct rf_key *keys, const void *now,
			   const void *def, const char *before)
{
	char text[RF_KEY_TEXT_LEN], usual[RF_KEY_TEXT_LEN];

	for (; keys->name; keys++) {
		if (!keys->kind->put)
			continue;
		if (keys->kind == &rf_kind_limit)
			append_packets(t, now, def, before);
		keys->kind->put(keys, now, text);
		keys->kind->put(keys, def, usual);
		if (strcmp(text, usual))
			append_setting(t, "%s %s%s", keys->name, before, text);
	}
}

static void put_dscp(struct text *t)
{
	unsigned int i;

	for (i = 0; i < RF_DSCPS; i++)
		if (t->now.conf.dscp_prio[i] != t->def.conf.dscp_prio[i])
			append_setting(t, "dscp-prio %u:%u", i, t->now.conf.dscp_prio[i]);
}

static void put_prio_words(struct text *t, uint32_t i)
{
	const struct rf_prio_change now = { .conf = t->now.conf.prio[i] };
	const struct rf_prio_change def = { .conf = t->def.conf.prio[i] };
	char prio[8];

	snprintf(prio, sizeof(prio), "%u:", i);
	append_changed(t, rf_prio_args, &now, &def, prio);
}

static void put_ecn_words(struct text *t, uint32_t i)
{
	const struct rf_prio_change now = { .conf = t->now.conf.prio[i] };
	/* kmin, kmax and pmax are always printed, because no profile has these values. */
	const struct rf_prio_change def = {
		.conf.ecn = { .kmin = UINT64_MAX, .kmax = UINT64_MAX,
			      .pmax = 2 * RDMAFAULT_PROBABILITY_ONE },
	};

	if (!now.conf.ecn.enabled)
		return;
	begin_group(t, "ecn");
	append_setting(t, "prio %u", i);
	append_changed(t, rf_profile_args, &now, &def, "");
}

/**
 * rf_conf_words - format the settings of a port that are not the defaults
 * @conf: the settings of the port
 *
 * Return: the text, for example "link rate 20mbit; prio prio-pfc 3:on", to be freed by the
 * caller; "" if all settings are the defaults; NULL if out of memory.
 */
char *rf_conf_words(const struct rf_conf *conf)
{
	struct text t = { .now.conf = *conf };
	char *words = NULL;
	size_t len;
	uint32_t i;

	rf_conf_init(&t.def.conf);
	t.f = open_memstream(&words, &len);
	if (!t.f)
		return NULL;
	begin_group(&t, "link");
	append_changed(&t, rf_link_args, &t.now, &t.def, "");
	begin_group(&t, "prio");
	put_dscp(&t);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		put_prio_words(&t, i);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		put_ecn_words(&t, i);
	begin_group(&t, "watchdog");
	append_changed(&t, rf_watchdog_args, &t.now, &t.def, "");
	begin_group(&t, "dcqcn");
	append_changed(&t, rf_dcqcn_args, &t.now, &t.def, "");
	if (fclose(t.f)) {
		free(words);
		return NULL;
	}
	return words;
}
