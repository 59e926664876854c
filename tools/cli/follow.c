// SPDX-License-Identifier: GPL-2.0
/*
 * Follow the owner of a rule: a process or RDMA device whose queue pairs the rule matches.
 * "rule add" does this with "-- COMMAND" or --follow. A library can create queue pairs long
 * after the program started. Therefore the tool looks up the queue pairs of the owner every
 * 100 ms, and adds a rule for new queue pairs.
 *
 * Each added rule has separate counters and a separate trigger, so "count 1" hits one
 * packet per added rule. Packets that a queue pair sends before the tool finds it are not
 * matched.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "port.h"
#include "tools/run/job.h"
#include "words.h"

/*
 * A rule with an owner (process or RDMA device). @qps: the queue pairs for which rules have
 * already been added
 */
struct followed {
	const struct rf_rule_spec *rule;
	struct rf_owner_qps qps;
};

struct follow {
	struct rf_nl *nl;
	const struct rf_target *target;
	uint32_t dir;
	struct followed *rules;
	size_t n;
	uint32_t *ids;			/* numbers of the added rules */
	size_t nids;
	int status;			/* RF_EXIT_OK until a lookup fails */
};

static int no_memory(void)
{
	rf_err("no memory for rules");
	return RF_EXIT_FAILED;
}

static int add_rule_now(struct follow *f, const struct rf_rule_spec *rule)
{
	char words[RF_RULE_TEXT_LEN];
	uint32_t id, *more;
	int err;

	err = rf_nl_rule_new(f->nl, f->target->ifindex, f->dir, 0, rule, 1, &id);
	if (err)
		return rf_target_failed(f->nl, f->target, f->target->netdev, err);
	rf_note("%s %s rule %u: %s", f->target->netdev, rf_dir_name(f->dir), id,
		rf_rule_format(rule, words, sizeof(words)));
	more = reallocarray(f->ids, f->nids + 1, sizeof(*more));
	if (!more)
		return no_memory();
	f->ids = more;
	f->ids[f->nids++] = id;
	return RF_EXIT_OK;
}

/* Add rules for the new queue pairs in @qps, up to RDMAFAULT_QPS_MAX queue pairs per rule. */
static int add_new(struct follow *f, struct followed *followed,
		   const struct rf_owner_qps *qps)
{
	struct rf_owner_qps *known = &followed->qps;
	struct rf_rule_spec rule = *followed->rule;
	size_t i, n, first = known->n;
	int status = RF_EXIT_OK;

	for (i = 0; i < qps->n; i++)
		if (rf_owner_qps_add(known, qps->qp[i]))
			return no_memory();
	for (; first < known->n && !status; first += n) {
		n = known->n - first;
		if (n > RDMAFAULT_QPS_MAX)
			n = RDMAFAULT_QPS_MAX;
		rf_owner_qps_to_rule(known, first, n, &rule);
		status = add_rule_now(f, &rule);
	}
	return status;
}

/*
 * Look up the queue pairs of all owners, and add rules for new queue pairs. After an error
 * in this call or an earlier one, look up nothing more.
 */
static void look_up_owners(void *arg)
{
	struct follow *f = arg;
	struct rf_owner_qps qps;
	size_t i;

	for (i = 0; i < f->n && !f->status; i++) {
		if (rf_owner_find(&f->rules[i].rule->owner, f->target, f->dir,
				  &qps))
			f->status = RF_EXIT_FAILED;
		else
			f->status = add_new(f, &f->rules[i], &qps);
		free(qps.qp);
	}
}

static void until_signal(struct follow *f)
{
	struct rf_signals signals;
	struct pollfd wake;

	if (rf_signals_open(&signals)) {
		f->status = RF_EXIT_FAILED;
		return;
	}
	wake = (struct pollfd){ .fd = signals.fd, .events = POLLIN };
	rf_hint("%s: looking for queue pairs every %d ms; Ctrl-C ends", f->target->netdev,
		RF_TICK_MS);
	while (!signals.aborted && !f->status) {
		look_up_owners(f);
		poll(&wake, 1, RF_TICK_MS);
		rf_signals_read(&signals);
	}
	rf_signals_close(&signals);
}

/*
 * Check all rules now. The module checks a rule only when the rule is added, and a rule with
 * an owner is added only when a queue pair of the owner is found.
 */
static int check_rules(const struct follow *f, const struct rf_rule_list *rules)
{
	struct rf_port_info port;
	struct rf_rule_spec rule;
	struct rf_why why;
	size_t i;
	int err;

	err = rf_nl_port_get(f->nl, f->target->ifindex, &port);
	if (err == -ENODEV) {
		err = rf_nl_port_new(f->nl, f->target->ifindex);
		if (!err)
			err = rf_nl_port_get(f->nl, f->target->ifindex, &port);
	}
	if (err)
		return rf_target_failed(f->nl, f->target, f->target->netdev, err);
	for (i = 0; i < rules->n; i++) {
		rule = rules->rule[i];
		if (rf_owner_is_named(&rule.owner)) {
			rule.match.set |= RF_MATCH_BIT(QP);
			rule.match.qps = 1;
			rule.match.qp[0] = 2;	/* any valid number except 1 */
		}
		if (!rf_validate_rule(&rule, port.max_hold, &why))
			continue;
		rf_err("%s: %s", f->target->netdev, why.text);
		return RF_EXIT_FAILED;
	}
	return RF_EXIT_OK;
}

/* Add the rules without an owner now. Prepare the rules with an owner. */
static int begin_following(struct follow *f, const struct rf_rule_list *rules)
{
	int status = check_rules(f, rules);
	size_t i;

	if (status)
		return status;
	f->rules = calloc(rules->n, sizeof(*f->rules));
	if (!f->rules)
		return no_memory();
	for (i = 0; i < rules->n && !status; i++) {
		if (rf_owner_is_named(&rules->rule[i].owner))
			f->rules[f->n++].rule = &rules->rule[i];
		else
			status = add_rule_now(f, &rules->rule[i]);
	}
	if (!status)
		look_up_owners(f);
	return status ? status : f->status;
}

static void report_rules(const struct follow *f)
{
	size_t i;

	for (i = 0; i < f->nids; i++)
		rf_report_rule(f->nl, f->target, f->ids[i]);
	if (!f->nids)
		rf_note("%s: no rule was added, because no queue pairs were found",
			f->target->netdev);
}

static void free_follow(struct follow *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		free(f->rules[i].qps.qp);
	free(f->rules);
	free(f->ids);
}

/**
 * rf_follow - add rules for the existing and future queue pairs of owners
 * @nl: the socket that owns the rules
 * @t: the port
 * @dir: the direction
 * @rules: the rules, some with an owner
 * @command: the command to run while following the owners; NULL: wait for a signal
 *
 * Return: the exit status of the command; RF_EXIT_FAILED if the command succeeded but a
 * lookup failed.
 */
int rf_follow(struct rf_nl *nl, const struct rf_target *t, uint32_t dir,
	      const struct rf_rule_list *rules, char **command)
{
	struct follow f = { .nl = nl, .target = t, .dir = dir };
	int status = begin_following(&f, rules);

	if (!status) {
		if (command)
			status = rf_run_command(command, look_up_owners, &f);
		else
			until_signal(&f);
		report_rules(&f);
	}
	free_follow(&f);
	return status ? status : f.status;
}
