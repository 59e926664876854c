// SPDX-License-Identifier: GPL-2.0
/*
 * DCQCN of the ports of all nodes: the words of "rdmafault dcqcn set" without the port, or "off".
 * The words of a case change the settings of the scenario. A fault changes those of one port.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "units.h"

#define OFF "off"

static int dcqcn_parse(const char *text, struct rf_queue_change *change, struct rf_why *why)
{
	char *argv[RF_RULE_WORDS_MAX + 1] = { }, *copy;
	int n, err;

	if (!strcmp(text, OFF)) {
		change->dcqcn |= RF_DCQCN_BIT(NP) | RF_DCQCN_BIT(RP);
		change->conf.dcqcn.np = 0;
		change->conf.dcqcn.rp = 0;
		return 0;
	}
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	n = rf_split_words(copy, argv, RF_RULE_WORDS_MAX);
	if (n > 0)
		err = rf_dcqcn_words(argv, change, why);
	else
		err = rf_why_refuse(why, "expected off, or the words of rdmafault dcqcn set");
	free(copy);
	return err;
}

static int take_dcqcn(struct rf_doc *doc, struct rf_node *node, const struct rf_key *key, void *to)
{
	const char *text = rf_doc_text(node);
	struct rf_queue_change change = { };
	char **stored = to;
	struct rf_why why;
	int err;

	(void)key;
	if (!text)
		return rf_doc_refuse(doc, node, "dcqcn: expected " RF_DCQCN_FORM);
	err = dcqcn_parse(text, &change, &why);
	if (err == -EINVAL)
		return rf_doc_refuse(doc, node, "dcqcn: %s", why.text);
	if (err)
		return err;
	free(*stored);
	*stored = strdup(text);
	return *stored ? 0 : -ENOMEM;
}

const struct rf_kind rf_kind_dcqcn = { .take_node = take_dcqcn };

/**
 * rf_case_dcqcn - get the settings of DCQCN of a case
 * @s: the scenario
 * @test_case: the case
 * @change: gets the settings that the scenario and the case name
 *
 * Return: false if they name none.
 */
bool rf_case_dcqcn(const struct rf_scenario *s, const struct rf_case *test_case,
		   struct rf_queue_change *change)
{
	struct rf_why why;

	*change = (struct rf_queue_change){ };
	if (s->dcqcn)
		dcqcn_parse(s->dcqcn, change, &why);
	if (test_case->dcqcn)
		dcqcn_parse(test_case->dcqcn, change, &why);
	return change->dcqcn;
}

/**
 * rf_case_dcqcn_words - format the settings of DCQCN of a case that are not the defaults
 * @s: the scenario
 * @test_case: the case
 *
 * Return: the words of "rdmafault dcqcn set", to be freed by the caller; NULL if there are none.
 */
char *rf_case_dcqcn_words(const struct rf_scenario *s, const struct rf_case *test_case)
{
	static const char group[] = "dcqcn ";
	struct rf_queue_change change;
	struct rf_conf conf;
	char *words;

	if (!rf_case_dcqcn(s, test_case, &change))
		return NULL;
	rf_conf_init(&conf);
	rf_conf_apply(&conf, &change);
	words = rf_conf_words(&conf);
	if (!words || strncmp(words, group, strlen(group))) {
		free(words);
		return NULL;
	}
	memmove(words, words + strlen(group), strlen(words) + 1 - strlen(group));
	return words;
}

/**
 * rf_case_time_scale - get the time scale of DCQCN of a port
 * @s: the scenario
 * @test_case: the case
 * @port: netdev of the port
 *
 * Return: the scale after all faults of the case.
 */
uint32_t rf_case_time_scale(const struct rf_scenario *s, const struct rf_case *test_case,
			    const char *port)
{
	uint32_t number = rf_port_number(s, port);
	struct rf_queue_change change;
	struct rf_conf conf;
	size_t i;

	rf_conf_init(&conf);
	if (rf_case_dcqcn(s, test_case, &change))
		rf_conf_apply(&conf, &change);
	for (i = 0; i < test_case->nfaults; i++)
		if (test_case->faults[i].kind == RF_FAULT_CHANGE &&
		    rf_port_number(s, test_case->faults[i].port) == number)
			rf_conf_apply(&conf, &test_case->faults[i].change);
	return conf.dcqcn.rate.scale;
}

static int check_port(const struct rf_scenario *s, uint32_t port,
		      const struct rf_queue_change *change, struct rf_why *why)
{
	char text[3][RF_FMT_LEN];
	struct rf_conf conf;
	uint64_t window;
	int err;

	rf_conf_of_port(s, port, s->nsettings, &conf);
	rf_conf_apply(&conf, change);
	err = rf_validate_conf(&conf, why);
	window = rf_dcqcn_window(&conf, RF_FABRIC_MTU);
	if (err || !conf.dcqcn.rp || window < RF_MAX_HOLD)
		return err;
	return rf_why_refuse(why, "min-rate %s with scale %u: 64 packets take %s, more than max-hold, %s; raise min-rate",
			     rf_exact_rate(conf.dcqcn.rate.min_rate, text[0]),
			     conf.dcqcn.rate.scale, rf_fmt_time(window, text[1]),
			     rf_exact_time(RF_MAX_HOLD, text[2]));
}

/**
 * rf_dcqcn_check - check the settings of DCQCN of a case
 * @doc: the document
 * @node: the case in the file
 * @s: the scenario
 * @test_case: the case
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_dcqcn_check(struct rf_doc *doc, struct rf_node *node, const struct rf_scenario *s,
		   const struct rf_case *test_case)
{
	struct rf_node *at = rf_doc_find(test_case->dcqcn ? node : doc->root, "dcqcn");
	struct rf_queue_change change;
	struct rf_why why;
	char port[16];
	uint32_t i;

	if (!rf_case_dcqcn(s, test_case, &change))
		return 0;
	if (rf_fabric_is_remote(&s->fabric))
		return rf_doc_refuse(doc, at, "dcqcn: not possible with bridge, because the nodes are other machines; remove the key");
	for (i = 1; i <= s->fabric.nodes; i++) {
		rf_fabric_node_port(&s->fabric, i, port);
		if (check_port(s, rf_port_number(s, port), &change, &why))
			return rf_doc_refuse(doc, at, "dcqcn: %s: %s", port, why.text);
	}
	return 0;
}
