// SPDX-License-Identifier: GPL-2.0
/*
 * Test the tc plugin: it prints the statistics of a port as text and as JSON. The statistics
 * come from a module of the same version, from an older module, from a newer module, and from
 * invalid messages. The test replaces the functions of tc.
 */
#include <stdarg.h>
#include <string.h>

#include "../../tools/base/units.c"
#include "../../tools/tc/xstats.c"
#include "tap.h"

static bool json;
static char out[65536];

__attribute__((format(printf, 1, 2)))
static void say(const char *fmt, ...)
{
	size_t n = strlen(out);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(out + n, sizeof(out) - n, fmt, ap);
	va_end(ap);
}

static bool goes(enum output_type t)
{
	return t == PRINT_ANY || t == (json ? PRINT_JSON : PRINT_FP);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

int print_color_string(enum output_type t, int color, const char *key,
		       const char *fmt, const char *value)
{
	(void)color;
	if (goes(t))
		json ? say("%s=%s ", key, value) : say(fmt, value);
	return 0;
}

int print_color_u64(enum output_type t, int color, const char *key,
		    const char *fmt, uint64_t value)
{
	(void)color;
	if (goes(t))
		json ? say("%s=%" PRIu64 " ", key, value) : say(fmt, value);
	return 0;
}

void open_json_object(const char *key)
{
	if (json)
		say("%s{", key ? key : "");
}

void close_json_object(void)
{
	if (json)
		say("}");
}

void open_json_array(enum output_type t, const char *key)
{
	if (json && goes(t))
		say("%s[", key);
}

void close_json_array(enum output_type t, const char *delim)
{
	(void)delim;
	if (json && goes(t))
		say("]");
}

bool is_json_context(void)
{
	return json;
}

void print_nl(void)
{
	if (!json)
		say("\n");
}

/* The statistics as a module of the same version sends them */
struct message {
	struct rdmafault_tc_stats port;
	struct rdmafault_tc_prio prio[8];
};

static const struct message plain = {
	.port = {
		.size = sizeof(struct rdmafault_tc_stats),
		.prio_size = sizeof(struct rdmafault_tc_prio),
		.prios = 8, .roce = 9, .hits = 2, .in_flight = 1,
	},
	.prio[3] = { .packets = 5, .paused_total = 1500000, .restored = 1 },
};

static int print(const void *data, size_t len, bool as_json)
{
	json = as_json;
	out[0] = '\0';
	return rf_xstats_print(data, len);
}

static void is(const char *words, const char *wanted)
{
	ok(!strcmp(out, wanted), "%s", words);
	if (strcmp(out, wanted))
		printf("# got:      %s\n# expected: %s\n", out, wanted);
}

static void same_age_ok(void)
{
	ok(!print(&plain, sizeof(plain), false), "rf_xstats_print() accepts the statistics of the same version");
	is("statistics as text omit counters of 0",
	   " roce 9 hits 2 rule_dropped 0 held 0 in_flight 1 in_flight_bytes 0\n"
	   " prio 3 packets 5 paused_total 1.5ms restored 1");
	ok(!print(&plain, sizeof(plain), true), "rf_xstats_print() prints the statistics as JSON");
	ok(strstr(out, "priorities[{prio=0 packets=0 ") &&
	   strstr(out, "paused_total_ns=1500000 ") &&
	   strstr(out, "{prio=7 ") && !strstr(out, "prio=8"),
	   "statistics in JSON have all members of all priorities");
}

/*
 * An older module sends shorter structs: the struct of the port ends before in_flight_bytes,
 * and the struct of each priority ends after bytes.
 */
static void older_module_ok(void)
{
	struct {
		char port[offsetof(struct rdmafault_tc_stats, in_flight_bytes)];
		char prio[8][offsetof(struct rdmafault_tc_prio, backlog)];
	} old;
	struct rdmafault_tc_stats head = plain.port;
	int i;

	head.size = sizeof(old.port);
	head.prio_size = sizeof(old.prio[0]);
	memcpy(old.port, &head, sizeof(old.port));
	for (i = 0; i < 8; i++)
		memcpy(old.prio[i], &plain.prio[i], sizeof(old.prio[0]));
	ok(!print(&old, sizeof(old), false), "rf_xstats_print() accepts the statistics of an older module");
	is("statistics of an older module as text have its members",
	   " roce 9 hits 2 rule_dropped 0 held 0 in_flight 1\n"
	   " prio 3 packets 5");
	print(&old, sizeof(old), true);
	ok(!strstr(out, "in_flight_bytes") && !strstr(out, "backlog"),
	   "statistics of an older module in JSON have no members that it lacks");
}

/* A newer module sends longer structs: both have additional members at the end. */
static void newer_module_ok(void)
{
	struct {
		struct rdmafault_tc_stats port;
		uint64_t more;
		struct {
			struct rdmafault_tc_prio prio;
			uint64_t more[3];
		} prio[8];
	} new = { .port = plain.port, .more = 77 };
	char same[sizeof(out)];
	int i;

	new.port.size += sizeof(new.more);
	new.port.prio_size = sizeof(new.prio[0]);
	for (i = 0; i < 8; i++) {
		new.prio[i].prio = plain.prio[i];
		new.prio[i].more[0] = 77;
	}
	print(&plain, sizeof(plain), true);
	memcpy(same, out, sizeof(same));
	ok(!print(&new, sizeof(new), true), "rf_xstats_print() accepts the statistics of a newer module");
	is("statistics of a newer module are printed without unknown members", same);
}

static void refused(const char *words, const struct message *m, size_t len)
{
	ok(print(m, len, false) && !out[0], "rf_xstats_print() refuses statistics of %s and prints nothing", words);
}

static void nonsense_fails(void)
{
	struct message m = plain;

	refused("no bytes", &m, 0);
	refused("an incomplete header", &m, 8);
	refused("a truncated port", &m, sizeof(m.port) - 1);
	refused("a truncated priority", &m, sizeof(m) - 1);
	m.port.prios = 9;
	refused("nine priorities", &m, sizeof(m));
	m.port.prios = UINT32_MAX;
	refused("four billion priorities", &m, sizeof(m));
	m = plain;
	m.port.prio_size = 0;
	refused("priorities of size 0", &m, sizeof(m));
	m = plain;
	m.port.size = 4;
	refused("a port smaller than its header", &m, sizeof(m));
}

int main(void)
{
	same_age_ok();
	older_module_ok();
	newer_module_ok();
	nonsense_fails();
	return done_testing();
}
