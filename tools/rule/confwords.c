// SPDX-License-Identifier: GPL-2.0
/*
 * Format the settings of a port that are not the defaults. The text has the syntax of the
 * commands "link set", "prio set", "ecn set" and "pause watchdog".
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"
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
	const struct rf_conf *now, *def;
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

static const char *size_words(uint64_t v, const char *zero, char *buf)
{
	return v ? rf_exact_size(v, buf) : zero;
}

static void put_link_words(struct text *t)
{
	const struct rf_link_conf *now = &t->now->link, *def = &t->def->link;
	char buf[RF_FMT_LEN];

	begin_group(t, "link");
	if (now->rate != def->rate)
		append_setting(t, "rate %s", now->rate ? rf_exact_rate(now->rate, buf) :
					      "none");
	if (now->delay != def->delay)
		append_setting(t, "delay %s", rf_exact_time(now->delay, buf));
	if (now->jitter != def->jitter)
		append_setting(t, "jitter %s", rf_exact_time(now->jitter, buf));
	if (now->overhead != def->overhead)
		append_setting(t, "overhead %" PRIu32, now->overhead);
	if (now->seed != def->seed)
		append_setting(t, "seed %" PRIu64, now->seed);
	if (t->now->buffer != t->def->buffer)
		append_setting(t, "buffer %s", size_words(t->now->buffer, "none", buf));
}

static void put_dscp(struct text *t)
{
	unsigned int i;

	for (i = 0; i < RF_DSCPS; i++)
		if (t->now->dscp_prio[i] != t->def->dscp_prio[i])
			append_setting(t, "dscp-prio %u:%u", i, t->now->dscp_prio[i]);
}

static void put_buffer_words(struct text *t, uint32_t i)
{
	const struct rf_prio_conf *now = &t->now->prio[i];
	const struct rf_prio_conf *def = &t->def->prio[i];
	char buf[RF_FMT_LEN];

	if (now->share != def->share)
		append_setting(t, "prio-share %u:%s", i,
			       size_words(now->share, "default", buf));
	if (now->headroom != def->headroom)
		append_setting(t, "prio-headroom %u:%s", i,
			       rf_exact_size(now->headroom, buf));
	if (now->xoff != def->xoff)
		append_setting(t, "prio-xoff %u:%s", i,
			       size_words(now->xoff, "default", buf));
	if (now->xon != def->xon)
		append_setting(t, "prio-xon %u:%s", i,
			       size_words(now->xon, "default", buf));
}

static void put_prio_words(struct text *t, uint32_t i)
{
	const struct rf_prio_conf *now = &t->now->prio[i];
	const struct rf_prio_conf *def = &t->def->prio[i];
	char buf[RF_FMT_LEN];

	if (now->tsa != def->tsa)
		append_setting(t, "prio-tsa %u:%s", i,
			       rf_value_name(rf_tsa_names, now->tsa) ?: "unknown");
	if (now->weight != def->weight)
		append_setting(t, "prio-bw %u:%u", i, now->weight);
	if (now->limit != def->limit)
		append_setting(t, "prio-limit %u:%up", i, now->limit);
	if (now->limit_bytes != def->limit_bytes)
		append_setting(t, "prio-limit %u:%s", i,
			       size_words(now->limit_bytes, "none", buf));
	if (now->pfc != def->pfc)
		append_setting(t, "prio-pfc %u:%s", i, now->pfc ? "on" : "off");
	put_buffer_words(t, i);
}

static void put_ecn_words(struct text *t, uint32_t i)
{
	const struct rf_ecn_conf *ecn = &t->now->prio[i].ecn;
	char buf[RF_FMT_LEN];

	if (!ecn->enabled)
		return;
	begin_group(t, "ecn");
	append_setting(t, "prio %u", i);
	append_setting(t, "kmin %s", rf_exact_size(ecn->kmin, buf));
	append_setting(t, "kmax %s", rf_exact_size(ecn->kmax, buf));
	append_setting(t, "pmax %s", rf_fmt_probability(ecn->pmax, buf));
	if (ecn->weight)
		append_setting(t, "weight %u", ecn->weight);
	if (ecn->phantom)
		append_setting(t, "phantom %s", rf_exact_rate(ecn->phantom, buf));
	if (ecn->ect)
		append_setting(t, "ect %s", rf_value_name(rf_ect_names, ecn->ect) ?:
				 "unknown");
	if (ecn->not_ect)
		append_setting(t, "not-ect %s",
			       rf_value_name(rf_not_ect_names, ecn->not_ect) ?: "unknown");
}

static void put_watchdog_words(struct text *t)
{
	const struct rf_watchdog_conf *now = &t->now->watchdog;
	const struct rf_watchdog_conf *def = &t->def->watchdog;
	char buf[RF_FMT_LEN], prios[2 * RDMAFAULT_PRIOS + 1] = "";
	size_t used = 0;
	uint32_t i;

	begin_group(t, "watchdog");
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (now->prios >> i & 1)
			used += sprintf(prios + used, "%s%u", used ? "," : "", i);
	if (now->prios != def->prios)
		append_setting(t, "prio %s", prios);
	if (now->detect != def->detect)
		append_setting(t, "detect %s", rf_exact_time(now->detect, buf));
	if (now->restore != def->restore)
		append_setting(t, "restore %s", rf_exact_time(now->restore, buf));
	if (now->poll != def->poll)
		append_setting(t, "poll %s", rf_exact_time(now->poll, buf));
	if (now->action != def->action)
		append_setting(t, "action %s",
			       rf_value_name(rf_guard_names, now->action) ?: "unknown");
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
	struct rf_conf def;
	struct text t = { .now = conf, .def = &def };
	char *words = NULL;
	size_t len;
	uint32_t i;

	rf_conf_init(&def);
	t.f = open_memstream(&words, &len);
	if (!t.f)
		return NULL;
	put_link_words(&t);
	begin_group(&t, "prio");
	put_dscp(&t);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		put_prio_words(&t, i);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		put_ecn_words(&t, i);
	put_watchdog_words(&t);
	if (fclose(t.f)) {
		free(words);
		return NULL;
	}
	return words;
}
