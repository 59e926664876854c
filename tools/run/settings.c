// SPDX-License-Identifier: GPL-2.0
/*
 * Port settings at the start of a run.
 *
 * Settings of earlier commands change the results of a run: a slow link makes every step
 * longer, PFC moves a loss to another port. So a run refuses ports whose settings are not
 * the defaults, except with --keep. The settings of each port are written to environment.json.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "json.h"
#include "kmod/queue/config.h"
#include "runner.h"
#include "units.h"
#include "words.h"

struct survey {
	const struct rf_cluster *cluster;
	struct rf_fabric fabric;	/* the existing fabric; not read if nodes are remote */
	struct rf_nl *nl;
	struct json_object *list;
	int err;
};

/* Check whether a port belongs to the fabric; the scenario need not use it. */
static bool is_in_fabric(const struct survey *s, const char *name)
{
	const struct rf_fabric *f = &s->fabric;
	char port[16];
	uint32_t i;

	if (rf_cluster_find(s->cluster, name))
		return true;
	for (i = 1; rf_fabric_netdev(f, i, port); i++)
		if (!strcmp(port, name))
			return true;
	return false;
}

static bool is_made(const struct rf_cluster *c, uint32_t ifindex)
{
	uint32_t i;

	for (i = c->first; i < c->end; i++)
		if (c->node[i].ifindex == ifindex)
			return c->made_port[i];
	for (i = 0; i < RF_FABRIC_PORTS_MAX; i++)
		if (c->far[i].ifindex == ifindex)
			return c->made_far[i];
	return false;
}

static void refuse_setting(struct survey *s, const char *port, const char *what)
{
	rf_err("run: port %s has %s from an earlier command; restore the defaults with \"rdmafault reset\", or use --keep to run with this setting",
	       port, what);
	s->err = -EBUSY;
}

static int check_queue(const struct rf_queue_info *info, void *arg)
{
	struct survey *s = arg;
	char *words;

	if (!is_in_fabric(s, info->ifname) ||
	    is_made(s->cluster, info->ifindex))
		return 0;
	words = rf_conf_words(&info->conf);
	if (!words)
		return -ENOMEM;
	if (words[0])
		refuse_setting(s, info->ifname, words);
	free(words);
	return 0;
}

static int check_port(const struct rf_port_info *port, void *arg)
{
	char what[RDMAFAULT_NAME_LEN + 16], cap[RF_FMT_LEN];
	struct survey *s = arg;

	if (!is_in_fabric(s, port->ifname))
		return 0;
	if (port->max_hold != RF_MAX_HOLD) {
		snprintf(what, sizeof(what), "max-hold %s",
			 rf_exact_time(port->max_hold, cap));
		refuse_setting(s, port->ifname, what);
	}
	if (port->hold_forwarded)
		refuse_setting(s, port->ifname, "hold-forwarded on");
	if (strcmp(port->name, port->ifname)) {
		snprintf(what, sizeof(what), "name %s", port->name);
		refuse_setting(s, port->ifname, what);
	}
	return 0;
}

static int check_rule(const struct rf_rule_info *rule, void *arg)
{
	char words[RF_RULE_TEXT_LEN], *what;
	struct survey *s = arg;

	if (!is_in_fabric(s, rule->ifname))
		return 0;
	rf_rule_show(&rule->spec, words, sizeof(words));
	if (asprintf(&what, "rule %u (%s %s)", rule->id,
		     rf_dir_name(rule->direction), words) < 0)
		return -ENOMEM;
	refuse_setting(s, rule->ifname, what);
	free(what);
	return 0;
}

static int check_path(const struct rf_path_info *path, void *arg)
{
	struct survey *s = arg;

	if (is_in_fabric(s, path->ifname))
		refuse_setting(s, path->ifname, "a path");
	return 0;
}

static int begin_survey(struct survey *s, const struct rf_cluster *c)
{
	int err = c->remote ? 0 : rf_fabric_read(&s->fabric);

	s->cluster = c;
	if (err) {
		rf_err("fabric: %s", strerror(-err));
		return err;
	}
	err = rf_nl_open(&s->nl);
	if (err)
		rf_err_no_module();
	return err;
}

/* Print the error of a request. */
static int end_survey(struct survey *s, int err)
{
	if (err)
		rf_err("run: settings of the ports: %s", rf_nl_why(s->nl, err));
	rf_nl_close(s->nl);
	return err ? err : s->err;
}

/**
 * rf_settings_check - check that all ports of the fabric have default settings
 * @c: the cluster, before the settings of the scenario are applied
 *
 * Return: 0; -EBUSY after an rf_err() for each port with other settings; or another
 * -errno after rf_err().
 */
int rf_settings_check(const struct rf_cluster *c)
{
	struct survey s = { };
	int err = begin_survey(&s, c);

	if (err)
		return err;
	err = rf_nl_queue_each(s.nl, check_queue, &s);
	if (!err)
		err = rf_nl_port_each(s.nl, check_port, &s);
	if (!err)
		err = rf_nl_rule_each(s.nl, 0, check_rule, &s);
	if (!err)
		err = rf_nl_path_each(s.nl, check_path, &s);
	return end_survey(&s, err);
}

static void put_link_json(struct json_object *o, const struct rf_conf *conf)
{
	struct json_object *link = rf_put_object(o, "link");

	rf_put_u64(link, "rate", conf->link.rate);
	rf_put_u64(link, "delay_ns", conf->link.delay);
	rf_put_u64(link, "jitter_ns", conf->link.jitter);
	rf_put_u64(link, "overhead", conf->link.overhead);
	rf_put_u64(link, "seed", conf->link.seed);
	rf_put_u64(link, "buffer", conf->buffer);
}

static void put_ecn_json(struct json_object *o, const struct rf_ecn_conf *ecn)
{
	rf_put_u64(o, "kmin", ecn->kmin);
	rf_put_u64(o, "kmax", ecn->kmax);
	json_object_object_add(o, "pmax",
			       json_object_new_double((double)ecn->pmax /
						      RDMAFAULT_PROBABILITY_ONE));
	rf_put_u64(o, "weight", ecn->weight);
	rf_put_u64(o, "phantom", ecn->phantom);
	rf_put_u64(o, "ect", ecn->ect);
	rf_put_u64(o, "not_ect", ecn->not_ect);
}

static void put_prio_json(struct json_object *o, const struct rf_prio_conf *prio)
{
	rf_put_u64(o, "strict", prio->tsa == RDMAFAULT_TSA_STRICT);
	rf_put_u64(o, "weight", prio->weight);
	rf_put_u64(o, "limit", prio->limit);
	rf_put_u64(o, "limit_bytes", prio->limit_bytes);
	rf_put_u64(o, "pfc", prio->pfc);
	rf_put_u64(o, "share", prio->share);
	rf_put_u64(o, "headroom", prio->headroom);
	rf_put_u64(o, "xoff", prio->xoff);
	rf_put_u64(o, "xon", prio->xon);
	if (prio->ecn.enabled)
		put_ecn_json(rf_put_object(o, "ecn"), &prio->ecn);
}

static void put_watchdog_json(struct json_object *o,
			      const struct rf_watchdog_conf *dog)
{
	rf_put_u64(o, "prios", dog->prios);
	rf_put_u64(o, "detect_ns", dog->detect);
	rf_put_u64(o, "restore_ns", dog->restore);
	rf_put_u64(o, "poll_ns", dog->poll);
	rf_put_u64(o, "action", dog->action);
}

static int put_queue(const struct rf_queue_info *info, void *arg)
{
	struct json_object *o, *list;
	struct survey *s = arg;
	char *words;
	uint32_t i;

	if (!is_in_fabric(s, info->ifname))
		return 0;
	words = rf_conf_words(&info->conf);
	if (!words)
		return -ENOMEM;
	o = rf_list_object(s->list);
	rf_put_text(o, "netdev", info->ifname);
	json_object_object_add(o, "made_by_run",
			       json_object_new_boolean(is_made(s->cluster, info->ifindex)));
	rf_put_text(o, "not_default", words);
	free(words);
	put_link_json(o, &info->conf);
	list = rf_put_list(o, "prio");
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		put_prio_json(rf_list_object(list), &info->conf.prio[i]);
	list = rf_put_list(o, "dscp_prio");
	for (i = 0; i < sizeof(info->conf.dscp_prio); i++)
		json_object_array_add(list, json_object_new_int(info->conf.dscp_prio[i]));
	put_watchdog_json(rf_put_object(o, "watchdog"), &info->conf.watchdog);
	rf_put_list(o, "rules");
	return 0;
}

static struct json_object *find_port_object(struct json_object *list, const char *netdev)
{
	struct json_object *o, *name;
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++) {
		o = json_object_array_get_idx(list, i);
		if (json_object_object_get_ex(o, "netdev", &name) &&
		    !strcmp(json_object_get_string(name), netdev))
			return o;
	}
	return NULL;
}

static int put_port_json(const struct rf_port_info *port, void *arg)
{
	struct survey *s = arg;
	struct json_object *o = find_port_object(s->list, port->ifname);

	if (!o)
		return 0;
	rf_put_text(o, "name", port->name);
	rf_put_u64(o, "max_hold_ns", port->max_hold);
	json_object_object_add(o, "hold_forwarded", json_object_new_boolean(port->hold_forwarded));
	return 0;
}

static int put_rule_json(const struct rf_rule_info *rule, void *arg)
{
	char words[RF_RULE_TEXT_LEN], *what;
	struct json_object *o, *rules;
	struct survey *s = arg;

	o = find_port_object(s->list, rule->ifname);
	if (!o || !json_object_object_get_ex(o, "rules", &rules))
		return 0;
	rf_rule_show(&rule->spec, words, sizeof(words));
	if (asprintf(&what, "rule %u: %s %s", rule->id,
		     rf_dir_name(rule->direction), words) < 0)
		return -ENOMEM;
	json_object_array_add(rules, rf_json_text(what));
	free(what);
	return 0;
}

/**
 * rf_settings_json - get the settings and rules of each port of the fabric as JSON
 * @c: the cluster, with the settings of the scenario
 * @list: set to the new list; release it with json_object_put()
 *
 * Return: 0, or -errno after rf_err(); after an error, @list is not set.
 */
int rf_settings_json(const struct rf_cluster *c, struct json_object **list)
{
	struct survey s = { };
	int err = begin_survey(&s, c);

	if (err)
		return err;
	s.list = json_object_new_array();
	err = rf_nl_queue_each(s.nl, put_queue, &s);
	if (!err)
		err = rf_nl_port_each(s.nl, put_port_json, &s);
	if (!err)
		err = rf_nl_rule_each(s.nl, 0, put_rule_json, &s);
	err = end_survey(&s, err);
	if (err)
		json_object_put(s.list);
	else
		*list = s.list;
	return err;
}
