// SPDX-License-Identifier: GPL-2.0
/*
 * The measures that a scenario can hold a case to, and the ranges it gives
 * them: "3" is exactly 3, "1..128" from 1 to 128, "60ms.." at least and
 * "..5ms" at most that. One table says what each is called and counted in.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "units.h"

struct measure {
	const char *name;
	enum rf_measure_kind kind;
};

static const struct measure measures[RF_MEASURES] = {
	[RF_HITS] = { "hits", RF_KIND_COUNT },
	[RF_NAKS] = { "naks", RF_KIND_COUNT },
	[RF_TIMEOUTS] = { "timeouts", RF_KIND_COUNT },
	[RF_RETRANSMITTED] = { "retransmitted", RF_KIND_COUNT },
	[RF_WRONG] = { "wrong", RF_KIND_COUNT },
	[RF_SEND_ERRORS] = { "send_errors", RF_KIND_COUNT },
	[RF_DETECTED_BY] = { "detected_by", RF_KIND_DETECTED },
	[RF_STALL] = { "stall", RF_KIND_TIME },
	[RF_STALL_EVERY_RANK] = { "stall.every_rank", RF_KIND_TIME },
	[RF_STEP_EVERY_RANK] = { "step.every_rank", RF_KIND_TIME },
	[RF_RECOVERY_TIME] = { "recovery_time", RF_KIND_TIME },
};

static const char *const forms[] = {
	[RF_KIND_COUNT] = "a count or a range, as 1, 1..128, 2.. or ..5",
	[RF_KIND_TIME] = "a time or a range of times, as 60ms.. or 1ms..5ms",
	[RF_KIND_DETECTED] = "nak, timeout or rnr",
};

static const char *const detections[] = {
	[RF_DETECTED_NOT] = "nothing",
	[RF_DETECTED_NAK] = "nak",
	[RF_DETECTED_TIMEOUT] = "timeout",
	[RF_DETECTED_RNR] = "rnr",
};

/**
 * rf_measure_name - the word for a measure
 * @m: the measure
 *
 * Return: the key in scenarios and in JSON.
 */
const char *rf_measure_name(enum rf_measure m)
{
	return measures[m].name;
}

/**
 * rf_measure_kind - what a measure is counted in
 * @m: the measure
 *
 * Return: the kind.
 */
enum rf_measure_kind rf_measure_kind(enum rf_measure m)
{
	return measures[m].kind;
}

/**
 * rf_detected_name - the word for how a loss was detected
 * @found: enum rf_detected
 *
 * Return: "nak", "timeout" or "nothing".
 */
const char *rf_detected_name(uint64_t found)
{
	return detections[found];
}

/**
 * rf_range_form - the legal form of a measure's range
 * @m: the measure
 *
 * Return: words for an error message.
 */
const char *rf_range_form(enum rf_measure m)
{
	return forms[measures[m].kind];
}

static int parse_found(const char *text, struct rf_range *r)
{
	uint64_t found;

	for (found = RF_DETECTED_NAK; found <= RF_DETECTED_RNR; found++) {
		if (strcmp(detections[found], text))
			continue;
		*r = (struct rf_range){ true, found, found };
		return 0;
	}
	return -EINVAL;
}

static int parse_value(enum rf_measure m, const char *text, uint64_t *v)
{
	if (measures[m].kind == RF_KIND_TIME)
		return rf_parse_time(text, v);
	return rf_parse_u64(text, v);
}

/* FROM..TO, of which one may be missing. */
static int parse_ends(enum rf_measure m, const char *from, const char *to,
		      struct rf_range *r)
{
	struct rf_range both = { true, 0, UINT64_MAX };

	if (!*from && !*to)
		return -EINVAL;
	if (*from && parse_value(m, from, &both.min))
		return -EINVAL;
	if (*to && parse_value(m, to, &both.max))
		return -EINVAL;
	if (both.min > both.max)
		return -EINVAL;
	*r = both;
	return 0;
}

/**
 * rf_range_parse - a range from its text
 * @m: whose range
 * @text: the text
 * @r: the range
 *
 * Return: 0, or -EINVAL; rf_range_form() has the legal form.
 */
int rf_range_parse(enum rf_measure m, const char *text, struct rf_range *r)
{
	char from[64], *dots;

	if (measures[m].kind == RF_KIND_DETECTED)
		return parse_found(text, r);
	if (strlen(text) >= sizeof(from))
		return -EINVAL;
	strcpy(from, text);
	dots = strstr(from, "..");
	if (!dots)
		return parse_ends(m, from, from, r);
	*dots = '\0';
	return parse_ends(m, from, dots + 2, r);
}

/**
 * rf_measure_format - a measure for a human
 * @m: the measure
 * @value: its value
 * @buf: where to write
 * @len: room there
 *
 * Return: @buf.
 */
char *rf_measure_format(enum rf_measure m, uint64_t value, char *buf,
			size_t len)
{
	char time[RF_FMT_LEN];

	if (measures[m].kind == RF_KIND_TIME)
		snprintf(buf, len, "%s", rf_fmt_time(value, time));
	else if (measures[m].kind == RF_KIND_DETECTED)
		snprintf(buf, len, "%s", rf_detected_name(value));
	else
		snprintf(buf, len, "%llu", (unsigned long long)value);
	return buf;
}

/**
 * rf_range_format - a range for a human
 * @m: whose range
 * @r: the range
 * @buf: where to write
 * @len: room there
 *
 * Return: @buf.
 */
char *rf_range_format(enum rf_measure m, const struct rf_range *r, char *buf,
		      size_t len)
{
	char min[64], max[64];

	rf_measure_format(m, r->min, min, sizeof(min));
	if (r->max == UINT64_MAX) {
		snprintf(buf, len, "at least %s", min);
		return buf;
	}
	rf_measure_format(m, r->max, max, sizeof(max));
	if (r->min == r->max)
		snprintf(buf, len, "%s", min);
	else
		snprintf(buf, len, "%s to %s", min, max);
	return buf;
}

/**
 * rf_range_holds - is a value what was expected?
 * @r: the range; one that isn't set holds anything
 * @value: the value
 *
 * Return: true if so.
 */
bool rf_range_holds(const struct rf_range *r, uint64_t value)
{
	return !r->set || (value >= r->min && value <= r->max);
}
