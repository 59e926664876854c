// SPDX-License-Identifier: GPL-2.0
/*
 * The results as JSON, with the keys of nccl-tests' format 3, so that what
 * reads theirs reads ours. Keys of our own stand beside them: "collperf" has
 * the version, "config" also has the transport's settings. The file is opened
 * before anything runs and written as a whole at the end.
 */
#include <json-c/json.h>
#include <string.h>
#include <time.h>

#include "results.h"
#include "version.h"

#define FORMAT	3

static void put(struct json_object *o, const char *key, struct json_object *v)
{
	json_object_object_add(o, key, v);
}

static void put_int(struct json_object *o, const char *key, uint64_t v)
{
	put(o, key, json_object_new_int64((int64_t)v));
}

static void put_str(struct json_object *o, const char *key, const char *v)
{
	put(o, key, json_object_new_string(v));
}

static void put_time(struct json_object *o, const char *key)
{
	time_t now = time(NULL);
	struct tm tm;
	char buf[32];

	strftime(buf, sizeof(buf), "%Y-%m-%d %H:%M:%S",
		 localtime_r(&now, &tm));
	put_str(o, key, buf);
}

static struct json_object *words(int argc, char **argv)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < argc; i++)
		json_object_array_add(list, json_object_new_string(argv[i]));
	return list;
}

static struct json_object *device(int rank, const struct cp_member *m)
{
	struct json_object *o = json_object_new_object();

	put_int(o, "rank", (uint64_t)rank);
	put_int(o, "group", 0);
	put_int(o, "pid", (uint64_t)m->pid);
	put_str(o, "hostname", m->host);
	put_int(o, "device", (uint64_t)rank);
	put_str(o, "device_hex", "");
	put_str(o, "device_info", m->device);
	put_str(o, "netdev", m->netdev);
	put_str(o, "address", m->addr);
	return o;
}

static struct json_object *devices(uint32_t ranks, const struct cp_member *all)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t r = 0; r < ranks; r++)
		json_object_array_add(list, device((int)r, &all[r]));
	return list;
}

static void put_transport(struct json_object *o, const struct cp_config *cfg)
{
	put_int(o, "ranks", cfg->ranks);
	put_str(o, "algorithm", cfg->coll->algo->name);
	put_int(o, "timeout", cfg->verbs.timeout);
	put_int(o, "retry_cnt", cfg->verbs.retry_cnt);
	put_int(o, "mtu", cfg->verbs.mtu);
	put_int(o, "traffic_class", cfg->verbs.tclass);
}

static struct json_object *config(const struct cp_config *cfg,
				  const struct cp_member *all)
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
	put(o, "blocking_collectives", json_object_new_boolean(cfg->blocking));
	put(o, "parallel_init", json_object_new_boolean(false));
	put_transport(o, cfg);
	put(o, "devices", devices(cfg->ranks, all));
	return o;
}

/** cp_results_begin() - the document, as far as it is known at the start */
struct json_object *cp_results_begin(const struct cp_config *cfg,
				     const struct cp_member *all)
{
	struct json_object *doc = json_object_new_object();

	put_int(doc, "version", FORMAT);
	put_str(doc, "collperf", RF_VERSION);
	put_time(doc, "start_time");
	put(doc, "args", words(cfg->argc, cfg->argv));
	put(doc, "env", json_object_new_array());
	put(doc, "config", config(cfg, all));
	put(doc, "results", json_object_new_array());
	return doc;
}

static struct json_object *measure(const struct cp_measure *m)
{
	struct json_object *o;

	if (!m->done)
		return NULL;
	o = json_object_new_object();
	put(o, "time", json_object_new_double(m->time_us));
	put(o, "alg_bw", json_object_new_double(m->alg_bw));
	put(o, "bus_bw", json_object_new_double(m->bus_bw));
	put(o, "nwrong", m->wrong == CP_NOT_VERIFIED ? NULL :
			 json_object_new_int64(m->wrong));
	return o;
}

/** cp_results_row() - add one size */
void cp_results_row(struct json_object *doc, const struct cp_config *cfg,
		    const struct cp_row *row)
{
	struct json_object *o = json_object_new_object();

	put_int(o, "size", row->bytes);
	put_int(o, "count", row->count);
	put_str(o, "type", cfg->type->name);
	put_str(o, "redop", cfg->op->name);
	put_str(o, "root", "-1");
	put(o, "out_of_place", measure(&row->place[0]));
	put(o, "in_place", measure(&row->place[1]));
	json_object_array_add(json_object_object_get(doc, "results"), o);
}

static void put_verdict(struct json_object *doc, const struct cp_total *total)
{
	struct json_object *bounds = json_object_new_object();
	struct json_object *bw = json_object_new_object();

	put_int(bounds, "count", total->wrong);
	put(bounds, "okay", json_object_new_boolean(!total->wrong));
	put(doc, "out_of_bounds", bounds);
	put(bw, "bandwidth", json_object_new_double(cp_total_bus_bw(total)));
	put_str(bw, "okay", "unchecked");
	put(doc, "average_bus_bandwidth", bw);
	put_time(doc, "end_time");
}

/**
 * cp_results_end() - complete the document and write it
 * Return: 0, or -1 if the file could not be written.
 */
int cp_results_end(struct json_object *doc, const struct cp_config *cfg,
		   const struct cp_total *total)
{
	int ret;

	put_verdict(doc, total);
	ret = fprintf(cfg->json, "%s\n",
		      json_object_to_json_string_ext(doc,
						     JSON_C_TO_STRING_PRETTY));
	json_object_put(doc);
	return ret < 0 || fflush(cfg->json) ? -1 : 0;
}
