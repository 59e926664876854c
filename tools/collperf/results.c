// SPDX-License-Identifier: GPL-2.0
/*
 * The results as JSON, with the keys of format 3 of nccl-tests, so that programs for
 * nccl-tests can read them; as in nccl-tests, true and false are strings. Some keys do not
 * exist in nccl-tests: "collperf" contains the version, "ranks" contains the stragglers,
 * "config" also contains the options of the transport, and each result has the key
 * "algorithm". "env" contains only the environment variables that had an effect. The file is
 * opened before a rank starts, and written at the end.
 */
#include <json-c/json.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "results.h"

#define FORMAT	3

static void put_member(struct json_object *o, const char *key, struct json_object *v)
{
	json_object_object_add(o, key, v);
}

static void put_int(struct json_object *o, const char *key, uint64_t v)
{
	put_member(o, key, json_object_new_int64((int64_t)v));
}

static void put_str(struct json_object *o, const char *key, const char *v)
{
	put_member(o, key, rf_json_text(v));
}

static void put_double(struct json_object *o, const char *key, double v)
{
	put_member(o, key, json_object_new_double(v));
}

static void put_bool(struct json_object *o, const char *key, bool v)
{
	put_str(o, key, v ? "true" : "false");
}

static void put_date(struct json_object *o, const char *key)
{
	time_t now = time(NULL);
	struct tm tm;
	char buf[32];

	strftime(buf, sizeof(buf), "%Y-%m-%d %H:%M:%S",
		 localtime_r(&now, &tm));
	put_str(o, key, buf);
}

static struct json_object *words_json(int argc, char **argv)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < argc; i++)
		json_object_array_add(list, rf_json_text(argv[i]));
	return list;
}

static struct json_object *obeyed(const struct cp_config *cfg)
{
	struct json_object *list = json_object_new_array();
	char words[64];

	snprintf(words, sizeof(words), "NCCL_TESTS_MIN_BW=%g", cfg->min_bw);
	if (cfg->min_bw >= 0)
		json_object_array_add(list, json_object_new_string(words));
	return list;
}

static struct json_object *device(const struct cp_config *cfg, uint32_t rank, uint32_t rail,
				  const struct coll_member *m)
{
	struct json_object *o = json_object_new_object();
	uint32_t rails = cfg->options.verbs.rails;

	put_int(o, "rank", rank);
	put_int(o, "group", 0);
	put_int(o, "pid", (uint64_t)m->pid);
	put_str(o, "hostname", m->host);
	put_int(o, "device", rank * rails + rail);
	put_str(o, "device_hex", "");
	put_str(o, "device_info", m->rail[rail].name);
	put_str(o, "netdev", m->rail[rail].netdev);
	put_str(o, "address", m->addr[rail]);
	return o;
}

static struct json_object *devices(const struct cp_config *cfg, const struct coll_member *all)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t r = 0; r < cfg->ranks; r++)
		for (uint32_t i = 0; i < cfg->options.verbs.rails; i++)
			json_object_array_add(list, device(cfg, r, i, &all[r]));
	return list;
}

static void put_transport(struct json_object *o, const struct cp_config *cfg)
{
	put_int(o, "ranks", cfg->ranks);
	put_int(o, "rails", cfg->options.verbs.rails);
	put_str(o, "algorithm", cp_algo_word(cfg));
	put_int(o, "timeout", cfg->options.verbs.timeout);
	put_int(o, "retry_cnt", cfg->options.verbs.retry_cnt);
	put_member(o, "mtu", NULL);
	put_int(o, "traffic_class", cfg->options.verbs.tclass[0]);
}

static struct json_object *config(const struct cp_config *cfg)
{
	struct json_object *o = json_object_new_object();

	put_int(o, "nthreads", 1);
	put_int(o, "ngpus", 1);
	put_int(o, "minimum_bytes", cfg->min_bytes);
	put_int(o, "maximum_bytes", cfg->max_bytes);
	if (cfg->step_factor)
		put_int(o, "step_factor", cfg->step_factor);
	else
		put_int(o, "step_bytes", cfg->step_bytes);
	put_int(o, "warmup_iters", cfg->warmups);
	put_int(o, "iterations", cfg->iters);
	put_int(o, "aggregated_iterations", 1);
	put_int(o, "validation", cfg->checks);
	put_int(o, "graph", 0);
	put_bool(o, "blocking_collectives", cfg->blocking);
	put_bool(o, "per_iter_timing", cfg->per_iter);
	put_int(o, "per_iter_skip", cfg->skip);
	put_bool(o, "parallel_init", false);
	put_transport(o, cfg);
	return o;
}

/**
 * cp_results_begin() - start the document, before the ranks connect
 * @cfg: options of the job
 *
 * Return: the document, to be completed by cp_results_end().
 */
struct json_object *cp_results_begin(const struct cp_config *cfg)
{
	struct json_object *doc = json_object_new_object();

	put_int(doc, "version", FORMAT);
	put_str(doc, "collperf", RF_VERSION);
	put_date(doc, "start_time");
	put_member(doc, "args", words_json(cfg->argc, cfg->argv));
	put_member(doc, "env", obeyed(cfg));
	put_member(doc, "config", config(cfg));
	put_member(doc, "results", json_object_new_array());
	return doc;
}

/**
 * cp_results_met() - add the path MTU and the ranks' devices, which are known after the
 * ranks are connected
 * @doc: the JSON document
 * @cfg: options of the job
 * @all: data about each rank
 * @mtu: the path MTU, the same for all ranks
 */
void cp_results_met(struct json_object *doc, const struct cp_config *cfg,
		    const struct coll_member *all, uint32_t mtu)
{
	struct json_object *o = json_object_object_get(doc, "config");

	put_int(o, "mtu", mtu);
	put_member(o, "devices", devices(cfg, all));
}

static struct json_object *measure_json(const struct cp_measure *m)
{
	struct json_object *o;

	if (!m->done)
		return NULL;
	o = json_object_new_object();
	put_double(o, "time", m->time_us);
	put_double(o, "alg_bw", m->alg_bw);
	put_double(o, "bus_bw", m->bus_bw);
	put_member(o, "nwrong", m->wrong == CP_NOT_VERIFIED ? NULL :
			 json_object_new_int64(m->wrong));
	return o;
}

static struct json_object *times_json(const double *us, uint32_t n)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_double(us[i]));
	return list;
}

static struct json_object *per_rank(const struct cp_config *cfg,
				    const double *us)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t r = 0; r < cfg->ranks; r++)
		json_object_array_add(list, times_json(us + (size_t)r * cfg->iters,
						       cfg->iters));
	return list;
}

static struct json_object *per_iter(const struct cp_config *cfg,
				    const struct cp_measure *m)
{
	struct json_object *o = json_object_new_object();

	put_int(o, "skipped_iterations", cfg->skip);
	put_double(o, "min_us", m->spread.min);
	put_double(o, "max_us", m->spread.max);
	put_double(o, "avg_us", m->spread.avg);
	put_double(o, "p50_us", m->spread.p50);
	put_double(o, "p95_us", m->spread.p95);
	put_double(o, "p99_us", m->spread.p99);
	put_double(o, "stdev_us", m->spread.stdev);
	put_double(o, "cv_pct", m->spread.cv_pct);
	put_member(o, "times_us", times_json(m->times_us, cfg->iters));
	if (cfg->ranks > 1)
		put_member(o, "per_process_max_times_us",
			   per_rank(cfg, m->times_us + cfg->iters));
	return o;
}

/**
 * cp_results_row() - add the results of one size
 * @doc: the JSON document
 * @cfg: options of the job
 * @row: the results of the size
 */
void cp_results_row(struct json_object *doc, const struct cp_config *cfg,
		    const struct cp_row *row)
{
	static const char *const places[CP_PLACES][2] = {
		{ "out_of_place", "out_of_place_per_iter" },
		{ "in_place", "in_place_per_iter" },
	};
	struct json_object *o = json_object_new_object();
	char root[16];

	snprintf(root, sizeof(root), "%6d", row->what.root);
	put_int(o, "size", row->size.bytes);
	put_int(o, "count", row->size.count);
	put_str(o, "type", cp_type_word(cfg, &row->what));
	put_str(o, "redop", cp_op_word(&row->what));
	put_str(o, "root", root);
	for (int i = 0; i < CP_PLACES; i++) {
		put_member(o, places[i][0], measure_json(&row->place[i]));
		if (row->place[i].times_us)
			put_member(o, places[i][1], per_iter(cfg, &row->place[i]));
	}
	put_int(o, "actual_iterations", cfg->iters);
	put_str(o, "experiment_name", cfg->coll->name);
	put_str(o, "algorithm", coll_algo_names[row->algo].name);
	json_object_array_add(json_object_object_get(doc, "results"), o);
}

static struct json_object *last(const struct cp_last *l, uint64_t steps)
{
	struct json_object *o = json_object_new_object();

	put_int(o, "count", l->times);
	put_double(o, "pct", 100 * (double)l->times / (double)steps);
	put_double(o, "avg_behind_us", cp_last_behind_us(l));
	return o;
}

static struct json_object *ranks(const struct cp_config *cfg,
				 const struct cp_stragglers *stragglers)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t r = 0; r < cfg->ranks; r++) {
		struct json_object *o = json_object_new_object();

		put_int(o, "rank", r);
		put_int(o, "iterations", stragglers->steps);
		put_member(o, "in_last", last(&stragglers->in[r], stragglers->steps));
		put_member(o, "out_last", last(&stragglers->out[r], stragglers->steps));
		put_double(o, "avg_waited_us", stragglers->waited_ns[r] /
					       (double)stragglers->steps / 1e3);
		json_object_array_add(list, o);
	}
	return list;
}

static void put_errors(struct json_object *doc, const char *error)
{
	struct json_object *list = json_object_new_array();

	if (error)
		json_object_array_add(list, rf_json_text(error));
	put_member(doc, "errors", list);
}

static void put_total_verdict(struct json_object *doc, const struct cp_config *cfg,
			      const struct cp_total *total)
{
	struct json_object *bounds = json_object_new_object();
	struct json_object *bw = json_object_new_object();

	put_int(bounds, "count", total->wrong);
	put_bool(bounds, "okay", !total->wrong);
	put_member(doc, "out_of_bounds", bounds);
	put_double(bw, "bandwidth", cp_total_bus_bw(total));
	if (cfg->min_bw < 0)
		put_str(bw, "okay", "unchecked");
	else
		put_bool(bw, "okay", cp_total_fast_enough(cfg, total));
	put_member(doc, "average_bus_bandwidth", bw);
}

/* A rail that failed; without a value if the collective was not completed on the other rail */
static struct json_object *failover_json(const struct coll_failover *failover)
{
	struct json_object *o = json_object_new_object();

	put_int(o, "rail", failover->rail);
	put_int(o, "rank", failover->rank);
	put_int(o, "step", failover->step);
	if (failover->end_ns) {
		put_double(o, "time_us", (double)failover->time_ns / 1e3);
		put_int(o, "repeated_bytes", failover->repeated_bytes);
	}
	return o;
}

/**
 * cp_results_end() - complete, write and free the document
 * @doc: the JSON document
 * @cfg: options of the job
 * @total: totals of all rows
 * @stragglers: statistics of the stragglers
 * @error: reason of a failure, or NULL
 *
 * Return: 0, or -1 if the file could not be written.
 */
int cp_results_end(struct json_object *doc, const struct cp_config *cfg,
		   const struct cp_total *total, const struct cp_stragglers *stragglers,
		   const char *error)
{
	int ret;

	put_total_verdict(doc, cfg, total);
	if (total->failover.rail)
		put_member(doc, "failover", failover_json(&total->failover));
	put_errors(doc, error);
	if (stragglers->steps)
		put_member(doc, "ranks", ranks(cfg, stragglers));
	put_date(doc, "end_time");
	ret = fprintf(cfg->json, "%s\n",
		      json_object_to_json_string_ext(doc,
						     JSON_C_TO_STRING_PRETTY));
	json_object_put(doc);
	return ret < 0 || fflush(cfg->json) ? -1 : 0;
}

/**
 * cp_results_lost() - write an error if rank 0 ended without writing results
 * @cfg: options of the job
 * @error: the reason
 *
 * Return: 0, or -1 if the file could not be written.
 */
int cp_results_lost(const struct cp_config *cfg, const char *error)
{
	struct json_object *doc = cp_results_begin(cfg);
	struct cp_total total = { .n = 0 };
	struct cp_stragglers stragglers = { .steps = 0 };

	put_member(doc, "start_time", NULL);
	return cp_results_end(doc, cfg, &total, &stragglers, error);
}
