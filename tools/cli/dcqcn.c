// SPDX-License-Identifier: GPL-2.0
/* rdmafault dcqcn: set and print DCQCN of a port. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kmod/fields.h"
#include "cmd.h"
#include "doctor.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"
#include "units.h"
#include "words.h"

/* Flows whose rates CNPs have limited */
struct rates {
	struct rf_rate_info *rate;
	size_t n;
};

static int dcqcn_set(int argc, char **argv);
static int dcqcn_off(int argc, char **argv);
static int dcqcn_show(int argc, char **argv);

const struct rf_cmd rf_dcqcn_verbs[] = {
	{ "set", dcqcn_set,
	  "dcqcn set DEV [ np on | off ] [ rp on | off ] [ parameters paper | ns3 | mlx5 ] [ np-min-time-between-cnps TIME ] [ np-scope qp | pair | port ] [ np-cnp-dscp DSCP ] [ cnp-queue control | dscp ] [ scale N ] [ PARAMETER VALUE ]...",
	  "change settings of DCQCN; those not named stay as they are",
	  .words = rf_dcqcn_args, .example = "dcqcn set rxe1 np on rp on scale 200" },
	{ "off", dcqcn_off, "dcqcn off DEV",
	  "send and obey no CNPs; the other settings stay", .example = "dcqcn off rxe2" },
	{ "show", dcqcn_show, "dcqcn show [ DEV ]",
	  "print DCQCN and the rates of flows of one port, by default of all", .example = "dcqcn show rxe2" },
	{ }
};

/*
 * Refuse a lowest rate at which a flow needs longer than max-hold for the packets that rxe has
 * in flight. The module refuses it, too, but cannot print the numbers.
 */
static int check_window(const struct rf_target *t, const struct rf_queue_info *info,
			uint64_t max_hold)
{
	const struct rf_rp_conf *rate = &info->conf.dcqcn.rate;
	char text[3][RF_FMT_LEN];
	uint64_t window;
	long mtu;

	mtu = rf_doctor_number(t->netdev, "mtu");
	if (!info->conf.dcqcn.rp || mtu < 0)
		return 0;
	window = rf_dcqcn_window(&info->conf, mtu);
	if (window < max_hold)
		return 0;
	rf_err("%s: min-rate %s with scale %u: 64 packets take %s, more than max-hold, %s; raise min-rate",
	       t->netdev, rf_exact_rate(rate->min_rate, text[0]), rate->scale,
	       rf_fmt_time(window, text[1]), rf_exact_time(max_hold, text[2]));
	return RF_EXIT_FAILED;
}

/* A failed request is refused again, with its reason, when the change is made. */
static int check_change(const char *dev, const struct rf_queue_change *change)
{
	struct rf_queue_info info;
	struct rf_port_info port;
	struct rf_target t;
	struct rf_nl *nl;
	int status = rf_open_target(dev, &t, &nl);

	if (status)
		return status;
	if (!rf_nl_port_get(nl, t.ifindex, &port) && !rf_nl_queue_get(nl, t.ifindex, &info)) {
		rf_conf_apply(&info.conf, change);
		status = check_window(&t, &info, port.max_hold);
	}
	rf_nl_close(nl);
	return status;
}

static int dcqcn_set(int argc, char **argv)
{
	int status;

	struct rf_queue_change change = {};
	struct rf_why why;

	if (rf_check_words(rf_dcqcn_verbs, argc, argv, "DEV setting", -1))
		return RF_EXIT_USAGE;
	if (rf_dcqcn_words(argv + 2, &change, &why))
		return rf_refuse_words(&why);
	status = check_change(argv[1], &change);
	return status ? status : rf_queue_change(argv[1], &change, "dcqcn", argv + 2);
}

static int dcqcn_off(int argc, char **argv)
{
	const struct rf_queue_change change = { .dcqcn = RF_DCQCN_BIT(NP) | RF_DCQCN_BIT(RP) };

	if (rf_check_words(rf_dcqcn_verbs, argc, argv, "DEV", 0))
		return RF_EXIT_USAGE;
	return rf_queue_change(argv[1], &change, "dcqcn off", argv + 2);
}

static int append_rate(const struct rf_rate_info *rate, void *arg)
{
	struct rates *rates = arg;
	struct rf_rate_info *more;

	more = reallocarray(rates->rate, rates->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	rates->rate = more;
	rates->rate[rates->n++] = *rate;
	return 0;
}

static int rates_by_flow(const void *a, const void *b)
{
	const struct rf_rate_info *x = a, *y = b;
	int order = memcmp(x->flow.daddr, y->flow.daddr, sizeof(x->flow.daddr));

	return order ? order : x->flow.qp < y->flow.qp ? -1 : x->flow.qp > y->flow.qp;
}

static void print_rate(const struct rf_dcqcn_flow *flow)
{
	int family = flow->addr_len == 4 ? AF_INET : AF_INET6;
	char addr[INET6_ADDRSTRLEN], buf[RF_FMT_LEN];

	rf_out_push_object(NULL);
	inet_ntop(family, flow->saddr, addr, sizeof(addr));
	rf_out_str("saddr", "  src %s", addr);
	inet_ntop(family, flow->daddr, addr, sizeof(addr));
	rf_out_str("daddr", " dst %s", addr);
	rf_out_u64("qp", " qp %" PRIu64, flow->qp);
	rf_out_u64("rate", NULL, flow->rate);
	rf_out_text(" rate %s", rf_exact_rate(flow->rate, buf));
	rf_out_u64("target", NULL, flow->target);
	rf_out_text(" target %s", rf_exact_rate(flow->target, buf));
	rf_out_fraction("alpha", flow->alpha);
	rf_out_text(" alpha %.4f", (double)flow->alpha / RDMAFAULT_PROBABILITY_ONE);
	rf_out_u64("cnps", " cnps %" PRIu64, flow->cnps);
	rf_out_u64("cuts", " cuts %" PRIu64, flow->cuts);
	rf_out_u64("time_stage", NULL, flow->time_stage);
	rf_out_u64("byte_stage", NULL, flow->byte_stage);
	rf_out_u64("held", " held %" PRIu64, flow->held);
	rf_out_u64("paced", " paced %" PRIu64 "\n", flow->paced);
	rf_out_pop();
}

static void print_rates(const struct rf_queue_info *info)
{
	struct rates rates = {};
	struct rf_nl *nl;
	size_t i;

	if (info->conf.dcqcn.rp && !rf_open_module(&nl)) {
		if (rf_nl_rate_each(nl, info->ifindex, append_rate, &rates))
			rf_note("%s: the rates of its flows could not be read", info->ifname);
		rf_nl_close(nl);
	}
	if (rates.n)
		qsort(rates.rate, rates.n, sizeof(*rates.rate), rates_by_flow);
	rf_out_push_array("flows");
	for (i = 0; i < rates.n; i++)
		print_rate(&rates.rate[i].flow);
	rf_out_pop();
	free(rates.rate);
}

static void print_dcqcn(const struct rf_queue_info *info)
{
	const struct rf_queue_change now = { .conf = info->conf };
	const struct rf_key *key;
	char text[RF_KEY_TEXT_LEN];

	rf_out_str("netdev", "%s", info->ifname);
	rf_fields_json(&info->conf.dcqcn, rf_dcqcn_args, rf_dcqcn_fields, RDMAFAULT_A_DCQCN_MAX);
	for (key = rf_dcqcn_args; key->name; key++) {
		if (!key->kind->put)
			continue;
		key->kind->put(key, &now, text);
		rf_out_text(" %s %s", key->name, text);
	}
	rf_out_text("\n");
	print_rates(info);
}

static int dcqcn_show(int argc, char **argv)
{
	if (rf_check_words(rf_dcqcn_verbs, argc, argv, "", 1))
		return RF_EXIT_USAGE;
	return rf_queues_show(argv, print_dcqcn);
}

/**
 * rf_cmd_dcqcn - run "rdmafault dcqcn"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "dcqcn"
 *
 * Return: the exit status.
 */
int rf_cmd_dcqcn(int argc, char **argv)
{
	return rf_dispatch(rf_dcqcn_verbs, argc - 1, argv + 1);
}
