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
