// SPDX-License-Identifier: GPL-2.0
/*
 * The environment of a run: the machine, the settings of the ports, and what the command line
 * overrides in the scenario. environment.json has it.
 *
 * A VM can have virtual time: its clock counts instructions. In virtual time, a
 * busy host does not change the measured times. In real time it does, so the report names the
 * kind of clock. A VM cannot detect the kind of its clock, so scripts/vm writes it to vm.conf.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "err.h"
#include "json.h"
#include "run.h"
#include "text.h"

#define VM_CONF "/run/vm/vm.conf"
#define GPUS_MAX 8
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

typedef struct json_object *obj;

static const char *const times[] = {
	[RF_TIME_UNKNOWN] = "unknown",
	[RF_TIME_REAL] = "real",
	[RF_TIME_VIRTUAL] = "virtual",
};

/** rf_time_name - get the name of a kind of clock: real or virtual */
const char *rf_time_name(enum rf_time t)
{
	return times[t];
}

/*
 * Get the text after @key in the first line of a file that begins with @key. Return: false if
 * there is no such line
 */
static bool read_value(const char *path, const char *key, char *buf, size_t len)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (f && !found && getline(&line, &room, f) > 0) {
		found = !strncmp(line, key, strlen(key));
		if (found) {
			line[strcspn(line, "\n")] = '\0';
			snprintf(buf, len, "%s", line + strlen(key));
			rf_text_line(buf);
		}
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

/**
 * rf_time_of_machine - find out whether a machine has real or virtual time
 * @conf: path of vm.conf, which scripts/vm writes in its VMs
 *
 * Return: virtual time if the file says so; otherwise real time.
 */
enum rf_time rf_time_of_machine(const char *conf)
{
	char value[8] = "";

	return read_value(conf, "vm_virtual=", value, sizeof(value)) && value[0] ?
	       RF_TIME_VIRTUAL : RF_TIME_REAL;
}

/**
 * rf_environment_read - read the properties of this machine
 * @run: gets the kernel, the CPUs and the environment
 */
void rf_environment_read(struct rf_run *run)
{
	struct rf_environment *env = &run->env;
	struct utsname uts;
	char model[128];

	*env = (struct rf_environment){ .time = rf_time_of_machine(VM_CONF) };
	run->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (!uname(&uts)) {
		snprintf(run->kernel, sizeof(run->kernel), "%s", uts.release);
		snprintf(env->machine, sizeof(env->machine), "%.31s", uts.machine);
	}
	read_value(CLOCKSOURCE, "", env->clocksource, sizeof(env->clocksource));
	if (read_value("/proc/cpuinfo", "model name", model, sizeof(model)))
		snprintf(env->cpu, sizeof(env->cpu), "%.63s",
			 model + strspn(model, " \t:"));
}

static void put_price(obj o, const struct rf_price *price)
{
	obj gpus = rf_put_list(o, "gpus");
	size_t i;

	for (i = 0; i < price->ngpus; i++)
		json_object_array_add(gpus, json_object_new_int64(price->gpus[i]));
	json_object_object_add(o, "rate", json_object_new_double(price->rate));
	rf_put_u64(o, "stall_every_ns", price->every_ns);
}

/**
 * rf_environment_write - write environment.json
 * @path: the file
 * @run: the run
 *
 * The file has everything that influenced the run and is not in the scenario: the machine, the
 * settings of the ports, and what the command line overrides.
 *
 * Return: 0, or -EIO after rf_err().
 */
int rf_environment_write(const char *path, const struct rf_run *run)
{
	obj o = json_object_new_object();

	rf_put_u64(o, "version", RF_RUN_VERSION);
	rf_put_text(o, "scenario", run->scenario->path);
	rf_put_text(o, "ended", rf_verdict_name(run->ended));
	rf_put_u64(o, "rounds", run->rounds);
	rf_put_u64(o, "cases", run->ncases);
	rf_put_u64(o, "deadline_ns", run->scenario->deadline_ns);
	put_price(rf_put_object(o, "cost"), run->price);
	rf_put_text(o, "kernel", run->kernel);
	rf_put_u64(o, "cpus", run->cpus);
	rf_put_text(o, "machine", run->env.machine);
	rf_put_text(o, "cpu", run->env.cpu);
	rf_put_text(o, "clocksource", run->env.clocksource);
	rf_put_text(o, "time", rf_time_name(run->env.time));
	if (run->machines)
		json_object_object_add(o, "machines", json_object_get(run->machines));
	if (run->ports)
		json_object_object_add(o, "ports", json_object_get(run->ports));
	return rf_json_write(path, o);
}

static bool take_verdict(obj o, const char *key, enum rf_verdict *v)
{
	static const enum rf_verdict all[] = {
		RF_VERDICT_PASS, RF_VERDICT_FAIL, RF_VERDICT_BROKEN,
		RF_VERDICT_ABORTED,
	};
	char name[16];
	size_t i;

	if (!rf_get_text(o, key, name, sizeof(name)))
		return false;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		*v = all[i];
		if (!strcmp(rf_verdict_name(*v), name))
			return true;
	}
	return false;
}

static bool take_time_kind(obj o, enum rf_time *t)
{
	char word[16];

	if (!rf_get_text(o, "time", word, sizeof(word)))
		return false;
	for (*t = RF_TIME_UNKNOWN; *t <= RF_TIME_VIRTUAL; (*t)++)
		if (!strcmp(rf_time_name(*t), word))
			return true;
	return false;
}

static bool take_price(obj o, struct rf_price *price)
{
	obj gpus = rf_get_list(o, "gpus");
	size_t i, n = gpus ? json_object_array_length(gpus) : 0;
	uint32_t *all = calloc(n + 1, sizeof(*all));

	free(price->gpus);
	*price = (struct rf_price){ .gpus = all, .ngpus = all ? n : 0 };
	for (i = 0; i < price->ngpus; i++)
		all[i] = json_object_get_int64(json_object_array_get_idx(gpus, i));
	return all && gpus && n <= GPUS_MAX && rf_get_real(o, "rate", &price->rate) &&
	       rf_get_u64(o, "stall_every_ns", RF_STALL_EVERY_MAX, &price->every_ns) &&
	       price->every_ns >= RF_STALL_EVERY_MIN;
}

/* Read the members that replace those of the scenario. */
static bool take_overrides(obj o, struct rf_run *run, struct rf_scenario *s)
{
	free(s->path);
	s->path = rf_get_copy(o, "scenario");
	s->repeat = run->rounds;
	return s->path && rf_get_u64(o, "deadline_ns", RF_DEADLINE_MAX, &s->deadline_ns) &&
	       take_price(rf_get_object(o, "cost"), &s->price);
}

static bool take_environment(obj o, struct rf_run *run)
{
	struct rf_environment *env = &run->env;

	run->ports = json_object_get(rf_get_list(o, "ports"));
	run->machines = json_object_get(rf_get_list(o, "machines"));
	return rf_get_u32(o, "rounds", RF_REPEAT_MAX, &run->rounds) && run->rounds &&
	       take_verdict(o, "ended", &run->ended) &&
	       rf_get_text(o, "kernel", run->kernel, sizeof(run->kernel)) &&
	       rf_get_u32(o, "cpus", UINT32_MAX, &run->cpus) &&
	       rf_get_text(o, "machine", env->machine, sizeof(env->machine)) &&
	       rf_get_text(o, "cpu", env->cpu, sizeof(env->cpu)) &&
	       rf_get_text(o, "clocksource", env->clocksource, sizeof(env->clocksource)) &&
	       take_time_kind(o, &env->time);
}

static int check_version(obj o, const char *path)
{
	uint32_t version;

	if (!rf_get_u32(o, "version", UINT32_MAX, &version)) {
		rf_err("%s: no version; not a file that rdmafault run wrote", path);
		return -EINVAL;
	}
	if (version >= RF_RUN_VERSION_MIN && version <= RF_RUN_VERSION)
		return 0;
	rf_err("%s: format version %u, written by %s rdmafault; this rdmafault reads versions %u to %u; repeat the run, or use the rdmafault that wrote the file",
	       path, version, version < RF_RUN_VERSION ? "an older" : "a newer",
	       RF_RUN_VERSION_MIN, RF_RUN_VERSION);
	return -EINVAL;
}

static int refuse_json(const char *path, const char *what)
{
	rf_err("%s: %s; only unchanged files of \"rdmafault run\" can be read", path, what);
	return -EINVAL;
}

/**
 * rf_environment_open - read environment.json, and check its version
 * @path: the file
 *
 * Return: its object, for rf_environment_take(), or NULL after rf_err(). The caller releases it.
 */
struct json_object *rf_environment_open(const char *path)
{
	obj o;

	if (access(path, R_OK)) {
		rf_err("%s: %s", path, strerror(errno));
		return NULL;
	}
	o = json_object_from_file(path);
	if (!o)
		refuse_json(path, "not valid JSON");
	if (!o || !check_version(o, path))
		return o;
	json_object_put(o);
	return NULL;
}

/**
 * rf_environment_take - get the environment of a run
 * @o: the object of environment.json
 * @path: the file
 * @run: the run, with the scenario that was loaded from its directory; gets the environment,
 *	and the values of the scenario that the command line overrode
 * @cases: gets the number of cases that were run
 *
 * Return: 0, or -EINVAL after rf_err().
 */
int rf_environment_take(struct json_object *o, const char *path, struct rf_run *run,
			uint32_t *cases)
{
	if (take_environment(o, run) && take_overrides(o, run, run->own) &&
	    rf_get_u32(o, "cases", run->own->ncases * run->rounds, cases))
		return 0;
	return refuse_json(path, "a JSON member is missing or invalid");
}
