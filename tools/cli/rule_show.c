// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault rule show and save. A rule is printed in the syntax of "rdmafault rule add".
 * The JSON output has this text and, in addition, each field (rule_json.c).
 */
#include <inttypes.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "rule.h"
#include "show.h"
#include "words.h"

#define LOOKS 20	/* number of attempts to read all rules before any rule changes */

static void print_rule_words(const struct rf_rule_spec *spec, const char *fmt)
{
	char words[RF_RULE_TEXT_LEN];

	rf_out_str("rule", fmt, rf_rule_show(spec, words, sizeof(words)));
}

/*
 * Print how many packets matched but were not hit, per reason. The text output omits
 * reasons with 0 packets.
 */
static void print_missed(const struct rf_rule_counters *counters)
{
	int i;

	rf_out_push_object("missed");
	for (i = 0; i < RF_MISSES; i++) {
		if (counters->missed[i])
			rf_out_text(", %s %" PRIu64, rf_miss_names[i],
				    counters->missed[i]);
		rf_out_u64(rf_miss_names[i], NULL, counters->missed[i]);
	}
	rf_out_pop();
}

static void print_tally(const struct rf_rule_counters *counters)
{
	rf_out_u64("matched", ", matched %" PRIu64, counters->matched);
	rf_out_u64("hits", ", hits %" PRIu64, counters->hits);
	rf_out_u64("bytes", counters->bytes ? ", bytes %" PRIu64 : NULL,
		   counters->bytes);
	/* Hits without effect */
	rf_out_u64("unanswered", counters->unanswered ?
		   ", unanswered %" PRIu64 : NULL, counters->unanswered);
	rf_out_u64("unchanged", counters->unchanged ?
		   ", unchanged %" PRIu64 : NULL, counters->unchanged);
	print_missed(counters);
}

static int print_rule(const struct rf_rule_info *r, void *arg)
{
	(void)arg;
	rf_out_push_object(NULL);
	rf_out_str("netdev", "%s ", r->ifname);
	rf_out_str("direction", "%s ", rf_dir_name(r->direction));
	rf_out_u64("id", "rule %" PRIu64 ": ", r->id);
	print_rule_words(&r->spec, "%s");
	if (rf_json)
		rf_rule_fields(r);
	print_tally(&r->counters);
	if (r->owner)
		rf_out_u64("owner", ", owner %" PRIu64, r->owner);
	else
		rf_out_null("owner");
	if (r->spec.flags & RDMAFAULT_RULE_FLAG_LOOKED_UP)
		rf_out_text(", queue pairs looked up when the rule was added: it misses earlier packets");
	rf_out_text("\n");
	rf_out_pop();
	return 0;
}

/*
 * Return an error if a netdev is not a port. Without this check, the list of rules would
 * just be empty.
 */
static int require_port(struct rf_nl *nl, uint32_t ifindex, const char *netdev)
{
	struct rf_port_info port;
	int err = rf_nl_port_get(nl, ifindex, &port);

	return err ? rf_nl_failed(nl, netdev, err) : RF_EXIT_OK;
}

/**
 * rf_rules_show - print rules
 * @nl: the socket
 * @ifindex: the port, or 0 for all ports
 * @netdev: name of the port
 *
 * Return: the exit status.
 */
int rf_rules_show(struct rf_nl *nl, uint32_t ifindex, const char *netdev)
{
	int err;

	if (ifindex && require_port(nl, ifindex, netdev))
		return RF_EXIT_FAILED;
	rf_out_begin_array();
	err = rf_nl_rule_each(nl, ifindex, print_rule, NULL);
	if (err)
		return rf_nl_failed(nl, ifindex ? netdev : "list of rules", err);
	rf_out_end();
	return RF_EXIT_OK;
}

/* The rules of a direction that have been read so far */
struct saved {
	struct rf_rule_list rules;
	uint32_t dir;
};

/*
 * Append a rule to the list, without the word "persist": "rule replace" makes all rules of
 * a file persistent.
 */
static int save_rule(const struct rf_rule_info *r, void *arg)
{
	struct rf_rule_spec spec = r->spec;
	struct saved *saved = arg;

	spec.flags &= ~(RDMAFAULT_RULE_FLAG_PERSIST |
			RDMAFAULT_RULE_FLAG_LOOKED_UP);
	return r->direction == saved->dir ?
		rf_rules_append(&saved->rules, &spec) : 0;
}

/*
 * Read the rules of a direction. Return: true if no rule changed while they were read. If
 * false, the list can contain old and new rules, and must not be saved.
 */
static bool read_rules(struct rf_nl *nl, const struct rf_target *t,
		       struct saved *saved, int *err)
{
	struct rf_port_info before, after;

	saved->rules.n = 0;
	*err = rf_nl_port_get(nl, t->ifindex, &before);
	if (!*err)
		*err = rf_nl_rule_each(nl, t->ifindex, save_rule, saved);
	if (!*err)
		*err = rf_nl_port_get(nl, t->ifindex, &after);
	return !*err && before.generation == after.generation;
}

static int collect_rules(struct rf_nl *nl, const struct rf_target *t,
			 struct saved *saved)
{
	int err, i;

	for (i = 0; i < LOOKS; i++) {
		if (read_rules(nl, t, saved, &err))
			return RF_EXIT_OK;
		if (err)
			return rf_nl_failed(nl, t->netdev, err);
	}
	rf_err("%s: the rules changed during each of %d attempts to read them; try again",
	       t->netdev, LOOKS);
	return RF_EXIT_FAILED;
}

/**
 * rf_rules_save - print the rules of a direction, one per line, for "rule replace"
 * @nl: the socket
 * @t: the port
 * @dir: the direction
 *
 * Return: the exit status.
 */
int rf_rules_save(struct rf_nl *nl, const struct rf_target *t, uint32_t dir)
{
	struct saved saved = { .dir = dir };
	int status = collect_rules(nl, t, &saved);
	size_t i;

	if (status == RF_EXIT_OK) {
		rf_out_begin_array();
		for (i = 0; i < saved.rules.n; i++)
			print_rule_words(&saved.rules.rule[i], "%s\n");
		rf_out_end();
	}
	rf_rules_free(&saved.rules);
	return status;
}
