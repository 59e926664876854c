// SPDX-License-Identifier: GPL-2.0
/*
 * Test the JSON results of collperf, for a job that runs and for a job of which rank 0 was
 * killed.
 */
#include <stdlib.h>

#include "tools/collperf/stragglers.c"
#include "../../tools/collperf/results.c"
#include "../../tools/collperf/total.c"
#include "../../tools/base/jsonput.c"
#include "../../tools/base/text.c"
#include "said.h"
#include "tap.h"

const struct rf_name coll_algo_names[COLL_ALGOS + 2] = { [COLL_ALGOS] = { "auto", COLL_ALGOS } };

static char *args[] = {
	(char *)"collperf", (char *)"all_reduce", (char *)"-J",
	(char *)"\303\244\377\n", NULL
};

static const struct cp_config job = {
	.argc = 4, .argv = args, .ranks = 2, .algo = CP_AUTO, .min_bw = -1,
	.options.verbs.rails = 1,
};

static const struct coll_member members[COLL_RANKS_MAX] = {
	{ .host = "here", .rail = { { "rxe1", "v1" }, { "rxe2", "v2" } },
	  .addr = { "10.0.0.1", "10.0.0.2" } },
	{ .host = "here", .rail = { { "rxe3", "v3" }, { "rxe4", "v4" } },
	  .addr = { "fe80::1", "fe80::2" } },
};

static struct json_object *at(struct json_object *o, const char *a,
			      const char *b)
{
	return json_object_object_get(json_object_object_get(o, a), b);
}

static void mtu_ok(void)
{
	struct json_object *doc = cp_results_begin(&job);

	ok(!at(doc, "config", "mtu"), "JSON results have no MTU before the ranks have connected");
	cp_results_met(doc, &job, members, 1024);
	ok(json_object_get_int(at(doc, "config", "mtu")) == 1024,
	   "JSON results have the MTU in use after the ranks have connected");
	ok(json_object_array_length(at(doc, "config", "devices")) == 2,
	   "JSON results list the devices of both ranks");
	json_object_put(doc);
}

/* Return: the results of a job with these totals */
static struct json_object *results_of(const struct cp_config *options, const struct cp_total *total)
{
	struct cp_stragglers stragglers = { .steps = 0 };
	struct cp_config cfg = *options;
	struct json_object *doc;
	char *text;
	size_t len;

	cfg.json = open_memstream(&text, &len);
	doc = cp_results_begin(&cfg);
	cp_results_met(doc, &cfg, members, 1024);
	cp_results_end(doc, &cfg, total, &stragglers, NULL);
	fclose(cfg.json);
	doc = json_tokener_parse(text);
	free(text);
	return doc;
}

static void rails_ok(void)
{
	struct cp_total total = { .failover = { .rail = 2, .rank = 1, .step = 3 } };
	struct cp_config cfg = job;
	struct json_object *doc, *last;

	cfg.options.verbs.rails = 2;
	doc = results_of(&cfg, &total);
	last = json_object_array_get_idx(at(doc, "config", "devices"), 3);
	ok(last && !strcmp(json_object_get_string(json_object_object_get(last, "netdev")), "v4") &&
	   json_object_get_int(json_object_object_get(last, "rank")) == 1,
	   "JSON results list both devices of each rank");
	ok(json_object_get_int(at(doc, "failover", "rail")) == 2 &&
	   !at(doc, "failover", "repeated_bytes"),
	   "JSON results have the rail that failed, and no bytes without a repetition");
	json_object_put(doc);

	total.failover.end_ns = 1;
	total.failover.repeated_bytes = 4096;
	doc = results_of(&cfg, &total);
	ok(json_object_get_int(at(doc, "failover", "repeated_bytes")) == 4096,
	   "JSON results have the repeated bytes");
	json_object_put(doc);

	total = (struct cp_total){ .n = 0 };
	doc = results_of(&job, &total);
	ok(!json_object_object_get(doc, "failover"),
	   "JSON results have no failover if no rail failed");
	json_object_put(doc);
}

static void lost_ok(void)
{
	const char *error = "killed by signal 9 (Killed): step 3, compute";
	struct cp_config cfg = job;
	struct json_object *doc, *errors;
	char *text;
	size_t len;

	cfg.json = open_memstream(&text, &len);
	ok(!cp_results_lost(&cfg, error), "results can be written after rank 0 was killed");
	fclose(cfg.json);
	doc = json_tokener_parse(text);
	ok(!json_object_array_length(json_object_object_get(doc, "results")) &&
	   !json_object_object_get(doc, "start_time"),
	   "JSON results of a killed rank 0 have no rows and no start time");
	errors = json_object_object_get(doc, "errors");
	ok(!strcmp(json_object_get_string(json_object_array_get_idx(errors, 0)),
		   error), "JSON results of a killed rank 0 have the error");
	json_object_put(doc);
	free(text);
}

static void words_ok(void)
{
	struct json_object *doc = cp_results_begin(&job), *last;

	last = json_object_array_get_idx(json_object_object_get(doc, "args"), 3);
	ok(!strcmp(json_object_get_string(last), "\303\244?\n"),
	   "JSON results replace bytes of arguments that are not UTF-8 and keep the others");
	json_object_put(doc);
}

int main(void)
{
	words_ok();
	mtu_ok();
	rails_ok();
	lost_ok();
	return done_testing();
}
