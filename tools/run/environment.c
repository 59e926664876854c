// SPDX-License-Identifier: GPL-2.0
/*
 * The machine of a run. A VM can have virtual time: its clock counts instructions. In
 * virtual time, a busy host does not change the measured times. In real time it does, so
 * the report names the kind of clock.
 *
 * A VM cannot detect the kind of its clock, so scripts/vm writes it to vm.conf.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "run.h"
#include "text.h"
#include "tools/scenario/program.h"
#include "units.h"

#define VM_CONF "/run/vm/vm.conf"
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

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

/** rf_time_parse - parse the name of a kind of clock. Return: false if the name is unknown */
bool rf_time_parse(const char *word, enum rf_time *t)
{
	for (*t = RF_TIME_UNKNOWN; *t <= RF_TIME_VIRTUAL; (*t)++)
		if (!strcmp(times[*t], word))
			return true;
	return false;
}

/*
 * Get the text after @key in the first line of a file that begins with @key. Return: false if
 * there is no such line
 */
static bool find_line(const char *path, const char *key, char *buf, size_t len)
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

	return find_line(conf, "vm_virtual=", value, sizeof(value)) && value[0] ?
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
	find_line(CLOCKSOURCE, "", env->clocksource, sizeof(env->clocksource));
	if (find_line("/proc/cpuinfo", "model name", model, sizeof(model)))
		snprintf(env->cpu, sizeof(env->cpu), "%.63s",
			 model + strspn(model, " \t:"));
}

/**
 * rf_environment_text - describe the machine of a run
 * @run: the run
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf.
 */
char *rf_environment_text(const struct rf_run *run, char *buf, size_t len)
{
	static const char *const words[] = {
		[RF_TIME_UNKNOWN] = "",
		[RF_TIME_REAL] = ", real time",
		[RF_TIME_VIRTUAL] = ", virtual time (1 instruction = 1 ns)",
	};
	const struct rf_environment *env = &run->env;

	snprintf(buf, len, "Linux %s, %u CPU%s%s%s%s%s%s", run->kernel, run->cpus,
		 run->cpus == 1 ? "" : "s", env->machine[0] ? ", " : "",
		 env->machine, env->cpu[0] ? " " : "", env->cpu, words[env->time]);
	return buf;
}

/* Return: the first case without faults; NULL: there is none */
static const struct rf_run_case *find_clean(const struct rf_run *run)
{
	const struct rf_run_case *p;

	for (p = run->cases; p < run->cases + run->ncases; p++)
		if (rf_case_is_clean(p->kase))
			return p;
	return NULL;
}

/**
 * rf_advice - warn if a busy machine affected a run
 * @run: the run, judged
 * @buf: output buffer
 * @len: size of @buf
 *
 * If the machine responds later than the retransmission timer allows, packets are
 * retransmitted without a loss. If the times of clean steps vary much, the impact of a
 * fault is uncertain. In virtual time, a busy host causes neither problem.
 *
 * Return: @buf, or NULL if there is no warning.
 */
char *rf_advice(const struct rf_run *run, char *buf, size_t len)
{
	static const char instead[] = "Run the scenario on a less busy machine, or in virtual time (scripts/lab, scripts/vm run --virtual-time)";
	const struct rf_run_case *clean = find_clean(run);
	char usual[RF_FMT_LEN], most[RF_FMT_LEN];

	if (!clean)
		return NULL;
	if (clean->an.measure[RF_RETRANSMITTED]) {
		snprintf(buf, len, "packets were also retransmitted in the clean case, because its steps take longer than the retransmission timer of the QPs. %s, or increase qp: timeout.",
			 instead);
		return buf;
	}
	if (run->verdict == RF_VERDICT_PASS || run->env.time == RF_TIME_VIRTUAL ||
	    clean->an.clean_max_ns <= 3 * clean->an.clean_ns / 2)
		return NULL;
	snprintf(buf, len, "clean steps take %s (median), but up to %s: the machine is busy, and expectations can fail for this reason. %s.",
		 rf_fmt_time(clean->an.clean_ns, usual),
		 rf_fmt_time(clean->an.clean_max_ns, most), instead);
	return buf;
}
