// SPDX-License-Identifier: GPL-2.0
/* rdmafault doctor: report rules and settings that an earlier command left on a port. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "confwords.h"
#include "doctor.h"
#include "genl.h"
#include "kmod/queue/config.h"
#include "text.h"
#include "units.h"

#define PORTS_MAX 1024

struct survey {
	struct rf_nl *nl;
	int ports;
	struct {
		char port[16];
		char *what;		/* "2 rules, max-hold 1s" */
	} left[PORTS_MAX];
	int nleft;
};

/* Add something that was left on a port. A port has one line, with all that was left on it. */
static void add_left(struct survey *s, const char *port, const char *what)
{
	int i;

	for (i = 0; i < s->nleft && strcmp(s->left[i].port, port); i++)
		;
	if (i == PORTS_MAX)
		return;
	if (i == s->nleft)
		snprintf(s->left[s->nleft++].port, sizeof(s->left[i].port), "%s", port);
	s->left[i].what = rf_text_list(s->left[i].what, what);
}

static void say_left(const struct survey *s)
{
	char fix[64];
	int i;

	for (i = 0; i < s->nleft; i++) {
		snprintf(fix, sizeof(fix), "rdmafault reset %s", s->left[i].port);
		rf_doctor_say("port", s->left[i].port, RF_HEALTH_WARNING, fix,
			      "%s, from an earlier command or another process",
			      s->left[i].what ? s->left[i].what : "settings");
	}
}

static int check_port(const struct rf_port_info *port, void *arg)
{
	unsigned int rules = port->dir[0].rules + port->dir[1].rules;
	char what[RF_THINGS_LEN], time[RF_FMT_LEN];
	struct survey *s = arg;

	s->ports++;
	if (rules)
		add_left(s, port->ifname, rf_fmt_things(rules, "rule", what));
	if (port->max_hold != RF_MAX_HOLD) {
		snprintf(what, sizeof(what), "max-hold %s",
			 rf_exact_time(port->max_hold, time));
		add_left(s, port->ifname, what);
	}
	return 0;
}

static int check_queue(const struct rf_queue_info *info, void *arg)
{
	char *words = rf_conf_words(&info->conf);
	struct survey *s = arg;
	unsigned int i;

	if (words && words[0])
		add_left(s, info->ifname, words);
	free(words);
	for (i = 0; i < RDMAFAULT_PRIOS; i++) {
		if (!info->has_storm[i] || !info->storm[i].running)
			continue;
		add_left(s, info->ifname, "a pause storm");
		break;
	}
	return 0;
}

/**
 * rf_doctor_ports - check for rules and settings that earlier commands left on the ports
 *
 * Opening a socket to the module would load it, so check first whether it is loaded.
 */
void rf_doctor_ports(void)
{
	struct survey *s;
	int err;

	if (!rf_doctor_module_is_loaded("rdmafault"))
		return;
	s = calloc(1, sizeof(*s));
	err = s ? rf_nl_open(&s->nl) : -ENOMEM;
	if (!err) {
		err = rf_nl_port_each(s->nl, check_port, s);
		if (!err)
			err = rf_nl_queue_each(s->nl, check_queue, s);
		rf_nl_close(s->nl);
	}
	if (err)
		rf_doctor_say("port", NULL, RF_HEALTH_UNKNOWN, NULL,
			      "the module does not list its ports: %s", strerror(-err));
	else if (!s->nleft)
		rf_doctor_say("port", NULL, RF_HEALTH_OK, NULL,
			      "%d ports, all with default settings and no rules", s->ports);
	else
		say_left(s);
	while (s && s->nleft)
		free(s->left[--s->nleft].what);
	free(s);
}
