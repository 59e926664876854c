// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault stat: print the counters of a port, with tx and rx side by side, and below them
 * the counters of its rxe device. The port counts injected faults, rxe counts the effects
 * of faults.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"

const struct rf_key rf_stat_options[] = {
	{ "--flows", .help = "print the tracked flows; default: the counters" },
	{ "--reset", .help = "set the counters to 0; default: print them" },
	{ "DEV", .help = "the port; default: all ports" },
	{ }
};

struct row {
	const char *key;
	size_t off;
	bool is_u32;
};

#define ROW(member, is_u32) \
	{ #member, offsetof(struct rf_dir_stats, member), is_u32 }

static const struct row rows[] = {
	ROW(packets, false), ROW(bytes, false),
	ROW(roce, false), ROW(roce_bytes, false),
	ROW(malformed, false), ROW(retransmitted, false),
	ROW(hits, false), ROW(dropped, false),
	ROW(flows_lost, false), ROW(retransmitted_bytes, false),
	ROW(naks, false), ROW(rnrs, false),
	ROW(delayed, false), ROW(reordered, false), ROW(duplicated, false),
	ROW(corrupted, false), ROW(truncated, false), ROW(trimmed, false),
	ROW(marked, false), ROW(rewritten, false), ROW(answered, false), ROW(unanswered, false),
	ROW(blackholed, false), ROW(delay_queue_full, false), ROW(unchanged, false),
	ROW(ce, false), ROW(cnps_sent, false), ROW(cnps_suppressed, false),
	ROW(cnps_unsent, false), ROW(cnps_received, false), ROW(cnps_refused, false),
	ROW(paced, false), ROW(pace_dropped, false), ROW(pace_expired, false),
	ROW(rules, true), ROW(flows, true), ROW(held, true),
	{ }
};

static uint64_t dir_counter(const struct row *r, const struct rf_dir_stats *st)
{
	const char *at = (const char *)st + r->off;

	return r->is_u32 ? *(const uint32_t *)at : *(const uint64_t *)at;
}

static void json_dir(const char *key, const struct rf_dir_stats *st)
{
	const struct row *r;

	rf_out_push_object(key);
	for (r = rows; r->key; r++)
		rf_out_u64(r->key, NULL, dir_counter(r, st));
	rf_out_pop();
}

/* Print the counters of both directions, except counters that are 0 in both. */
static void text_dirs(const struct rf_port_info *p)
{
	const struct row *r;

	rf_out_text("  %-20s %14s %14s\n", "", "tx", "rx");
	for (r = rows; r->key; r++)
		if (dir_counter(r, &p->dir[0]) || dir_counter(r, &p->dir[1]))
			rf_out_text("  %-20s %14" PRIu64 " %14" PRIu64 "\n",
				    r->key, dir_counter(r, &p->dir[0]),
				    dir_counter(r, &p->dir[1]));
}

static int print_counter(const char *name, uint64_t v, void *arg)
{
	(void)arg;
	if (v)
		rf_out_text("  %-20s", name);
	rf_out_u64(name, v ? " %14" PRIu64 "\n" : NULL, v);
	return 0;
}

static void print_rdma(const char *netdev)
{
	char rdma[RF_RDMA_NAME_LEN];

	if (rf_netdev_to_rdma(netdev, rdma, sizeof(rdma))) {
		rf_out_null("rdma");
		return;
	}
	rf_out_str("rdma", " %s\n", rdma);
	rf_out_push_object("rdma_counters");
	rf_rdma_counter_each(rdma, print_counter, NULL);
	rf_out_pop();
}

static void print_job_counters(const struct rf_port_info *p)
{
	rf_out_u64("messages", p->messages ? " messages %" PRIu64 : NULL,
		   p->messages);
	rf_out_u64("messages_total",
		   !p->messages_total ? NULL :
		   p->messages ? " of %" PRIu64 : " messages_total %" PRIu64,
		   p->messages_total);
	rf_out_u64("max_hold_ns", NULL, p->max_hold);
	rf_out_bool("hold_forwarded", NULL, p->hold_forwarded);
}

static void print_port_counters(const struct rf_port_info *p)
{
	rf_out_push_object(NULL);
	rf_out_str("netdev", "%s", p->ifname);
	rf_out_u64("step", " step %" PRIu64, p->step);
	rf_out_u64("generation", " generation %" PRIu64, p->generation);
	print_job_counters(p);
	rf_out_text("\n");
	text_dirs(p);
	if (rf_json) {
		json_dir("tx", &p->dir[0]);
		json_dir("rx", &p->dir[1]);
	}
	print_rdma(p->ifname);
	rf_out_pop();
}

static int reset_stats(const char *dev)
{
	struct rf_target t = {};
	struct rf_nl *nl;
	int err, status;

	status = dev ? rf_open_target(dev, &t, &nl) : rf_open_module(&nl);
	if (status)
		return status;
	err = rf_nl_stats_reset(nl, t.ifindex);
	if (err)
		rf_nl_failed(nl, dev ? t.netdev : "stat --reset", err);
	else
		rf_out_done("%s: counters set to 0", dev ? t.netdev : "all ports");
	rf_nl_close(nl);
	return err ? RF_EXIT_FAILED : RF_EXIT_OK;
}

/**
 * rf_cmd_stat - run "rdmafault stat"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "stat"
 *
 * Return: the exit status.
 */
int rf_cmd_stat(int argc, char **argv)
{
	bool flows = rf_take_flag(&argc, argv, "--flows");
	bool reset = rf_take_flag(&argc, argv, "--reset");
	struct rf_port_list list;
	int i, status;

	if (rf_check_words(rf_commands, argc, argv, "", -1))
		return RF_EXIT_USAGE;
	if (flows && reset) {
		rf_err("stat: --flows and --reset exclude each other");
		return RF_EXIT_USAGE;
	}
	if (reset && argc < 2)
		return reset_stats(NULL);
	for (i = 1, status = RF_EXIT_OK; reset && !status && i < argc; i++)
		status = reset_stats(argv[i]);
	if (reset)
		return status;
	if (flows)
		return rf_flows_show(argv + 1, argc - 1);
	status = rf_port_list_get(&list, argv + 1, argc - 1);
	if (status)
		return status;
	rf_out_begin_array();
	for (i = 0; i < list.n; i++)
		print_port_counters(&list.port[i]);
	rf_out_end();
	free(list.port);
	return RF_EXIT_OK;
}
