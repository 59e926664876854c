// SPDX-License-Identifier: GPL-2.0
/*
 * DCQCN of the ports of all nodes: the words of "rdmafault dcqcn set" without the port, or "off".
 * The words of a case change the settings of the scenario. A fault changes those of one port.
 *
 * A lowest rate at which packets wait longer than max-hold is refused. One at which they wait
 * longer than the retransmission timer of the job can be intended, so it causes a warning.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "units.h"

#define OFF "off"
#define TIMEOUT_MAX 31
#define HEADERS 60	/* IPv4, UDP, BTH, RETH and ICRC */

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

/* Get the settings of a port after the words of the scenario and the case, and after all faults. */
static void conf_of_case(const struct rf_scenario *s, const struct rf_case *test_case,
			 uint32_t port, struct rf_conf *conf)
{
	struct rf_queue_change change;
	const struct rf_fault *f;

	rf_conf_of_port(s, port, s->nsettings, conf);
	if (rf_case_dcqcn(s, test_case, &change))
		rf_conf_apply(conf, &change);
	for (f = test_case->faults; f < test_case->faults + test_case->nfaults; f++)
		if (f->kind == RF_FAULT_CHANGE && rf_port_number(s, f->port) == port)
			rf_conf_apply(conf, &f->change);
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
	struct rf_conf conf;

	conf_of_case(s, test_case, rf_port_number(s, port), &conf);
	return conf.dcqcn.rate.scale;
}

/* Return: the least timeout of queue pairs that is longer than a time */
static uint32_t long_enough(uint64_t ns)
{
	uint32_t timeout = 1;

	while (timeout < TIMEOUT_MAX && rf_qp_timeout_ns(timeout) <= ns)
		timeout++;
	return timeout;
}

static char *warn_window(const struct rf_case *test_case, const char *port,
			 const struct rf_conf *conf)
{
	uint64_t window = rf_dcqcn_window(conf, test_case->qp.mtu + HEADERS);
	uint64_t timer = rf_qp_timeout_ns(test_case->qp.timeout);
	char text[3][RF_FMT_LEN], *warning;

	if (!conf->dcqcn.rp || !test_case->qp.timeout || window < timer)
		return NULL;
	if (asprintf(&warning, "dcqcn: %s: min-rate %s with scale %u: 64 packets take %s, more than the retransmission timer, %s (timeout %u), so packets that wait are sent again; raise min-rate, or qp: timeout %u",
		     port, rf_exact_rate(conf->dcqcn.rate.min_rate, text[0]),
		     conf->dcqcn.rate.scale, rf_fmt_time(window, text[1]),
		     rf_fmt_time(timer, text[2]), test_case->qp.timeout, long_enough(window)) < 0)
		return NULL;
	return warning;
}

/**
 * rf_dcqcn_warning - find a lowest rate that is too low for the timer of the queue pairs
 * @s: the scenario
 * @test_case: the case
 *
 * Return: the warning about the first node with such a rate, to be freed by the caller; NULL: none.
 */
char *rf_dcqcn_warning(const struct rf_scenario *s, const struct rf_case *test_case)
{
	struct rf_conf conf;
	char port[16], *warning = NULL;
	uint32_t i;

	if (rf_fabric_is_remote(&s->fabric))
		return NULL;
	for (i = 1; !warning && i <= s->fabric.nodes; i++) {
		rf_fabric_node_port(&s->fabric, i, port);
		conf_of_case(s, test_case, rf_port_number(s, port), &conf);
		warning = warn_window(test_case, port, &conf);
	}
	return warning;
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
