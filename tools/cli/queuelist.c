// SPDX-License-Identifier: GPL-2.0
/*
 * Code that the commands link, prio, ecn and pause share: read the queues of ports, change
 * the settings of a port, and print the table of counters per priority. Ports are sorted by
 * netdev. All ports are read before the first one is printed. The table omits counters that
 * are 0 on all priorities.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "err.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"

#define ROW(member) \
	{ #member, offsetof(struct rf_prio_stats, member), RF_ROW_U64 }
#define ROW_NS(member) \
	{ #member "_ns", offsetof(struct rf_prio_stats, member), RF_ROW_U64 }
#define ROW_U32(member) \
	{ #member, offsetof(struct rf_prio_stats, member), RF_ROW_U32 }
#define ROW_BOOL(member) \
	{ #member, offsetof(struct rf_prio_stats, member), RF_ROW_BOOL }

const struct rf_prio_row rf_queue_rows[] = {
	ROW(packets), ROW(bytes), ROW_U32(backlog), ROW(backlog_bytes),
	ROW(peak_bytes), ROW(full), ROW(no_buffer), ROW(expired), ROW(watchdog_dropped),
	ROW(buffer_used), ROW(buffer_peak),
	{ }
};

const struct rf_prio_row rf_ecn_rows[] = {
	ROW(marked), ROW(mark_dropped), ROW(ecn_queue),
	{ }
};

const struct rf_prio_row rf_pause_rows[] = {
	ROW_BOOL(paused), ROW_NS(pause_left), ROW_NS(paused_total), ROW(pauses),
	ROW(xoff_rx), ROW(xon_rx), ROW(xoff_tx), ROW(xon_tx),
	ROW(xoff_ignored),
	ROW_BOOL(watchdog), ROW(detected), ROW(restored), ROW_NS(detect_time),
	ROW_NS(restore_time),
	{ }
};

static uint64_t prio_counter(const struct rf_prio_row *r,
			     const struct rf_prio_stats *st)
{
	const char *at = (const char *)st + r->off;

	return r->kind == RF_ROW_U64 ? *(const uint64_t *)at :
				       *(const uint32_t *)at;
}

/**
 * rf_prio_rows_json - add the counters of a priority to the open JSON object
 * @rows: table of the counters to print
 * @stats: counters of the priority
 */
void rf_prio_rows_json(const struct rf_prio_row *rows,
		       const struct rf_prio_stats *stats)
{
	for (; rf_json && rows->key; rows++) {
		if (rows->kind == RF_ROW_BOOL)
			rf_out_bool(rows->key, NULL, prio_counter(rows, stats));
		else
			rf_out_u64(rows->key, NULL, prio_counter(rows, stats));
	}
}

static uint32_t busy_prios(const struct rf_prio_row *r,
			   const struct rf_prio_stats *stats)
{
	uint32_t busy = 0;
	unsigned int i;

	for (; r->key; r++)
		for (i = 0; i < RDMAFAULT_PRIOS; i++)
			if (prio_counter(r, &stats[i]))
				busy |= 1u << i;
	return busy;
}

static bool is_zero(const struct rf_prio_row *r,
		    const struct rf_prio_stats *stats)
{
	unsigned int i;

	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (prio_counter(r, &stats[i]))
			return false;
	return true;
}

/**
 * rf_prio_rows_text - print the counters of all priorities, one column per priority
 * @rows: table of the counters to print
 * @stats: array with the counters of all priorities
 */
void rf_prio_rows_text(const struct rf_prio_row *rows,
		       const struct rf_prio_stats *stats)
{
	uint32_t busy = busy_prios(rows, stats);
	unsigned int i;

	if (!busy)
		return;
	rf_out_text("  %-16s", "");
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (busy >> i & 1)
			rf_out_text("        prio %u", i);
	rf_out_text("\n");
	for (; rows->key; rows++) {
		if (is_zero(rows, stats))
			continue;
		rf_out_text("  %-16s", rows->key);
		for (i = 0; i < RDMAFAULT_PRIOS; i++)
			if (busy >> i & 1)
				rf_out_text(" %13" PRIu64,
					    prio_counter(rows, &stats[i]));
		rf_out_text("\n");
	}
}

/**
 * rf_prios_json - add priorities in JSON, as an array of numbers
 * @key: key of the array
 * @prios: bit n for priority n
 */
void rf_prios_json(const char *key, uint32_t prios)
{
	unsigned int i;

	rf_out_push_array(key);
	for (i = 0; i < RDMAFAULT_PRIOS; i++)
		if (prios >> i & 1)
			rf_out_u64(NULL, NULL, i);
	rf_out_pop();
}

struct list {
	struct rf_queue_info *info;
	size_t n;
};

static int append_queue(const struct rf_queue_info *info, void *arg)
{
	struct list *list = arg;
	struct rf_queue_info *more;

	more = reallocarray(list->info, list->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	list->info = more;
	list->info[list->n++] = *info;
	return 0;
}

static int queues_by_ifindex(const void *a, const void *b)
{
	const struct rf_queue_info *x = a, *y = b;

	return x->ifindex < y->ifindex ? -1 : x->ifindex > y->ifindex;
}

static int get_queue(struct rf_nl *nl, struct list *list, const char *name)
{
	struct rf_queue_info info;
	struct rf_target t;
	int err;

	if (rf_target_find(name, &t))
		return RF_EXIT_FAILED;
	err = rf_nl_queue_get(nl, t.ifindex, &info);
	if (!err)
		err = append_queue(&info, list);
	return err ? rf_nl_failed(nl, t.netdev, err) : RF_EXIT_OK;
}

static int get_queues(struct rf_nl *nl, struct list *list)
{
	int err = rf_nl_queue_each(nl, append_queue, list);

	if (err)
		return rf_nl_failed(nl, "list of ports", err);
	if (list->n)
		qsort(list->info, list->n, sizeof(*list->info), queues_by_ifindex);
	return RF_EXIT_OK;
}

/**
 * rf_queues_show - print one port, or all
 * @argv: the verb; optionally a device follows
 * @print: function that prints one port
 *
 * Return: the exit status.
 */
int rf_queues_show(char **argv, void (*print)(const struct rf_queue_info *info))
{
	struct list list = {};
	struct rf_nl *nl;
	int status;
	size_t i;

	status = rf_open_module(&nl);
	if (status)
		return status;
	status = argv[1] ? get_queue(nl, &list, argv[1]) : get_queues(nl, &list);
	rf_nl_close(nl);
	if (status)
		goto out;
	rf_out_begin_array();
	for (i = 0; i < list.n; i++) {
		rf_out_push_object(NULL);
		print(&list.info[i]);
		rf_out_pop();
	}
	rf_out_end();
out:
	free(list.info);
	return status;
}

/**
 * rf_open_queues - open a socket for a request that needs the queues of a port
 * @dev: netdev or RDMA device; a port that has rules only gets queues
 * @t: gets the netdev
 * @nl: the socket
 *
 * Return: RF_EXIT_OK, or another exit status after an error message.
 */
int rf_open_queues(const char *dev, struct rf_target *t, struct rf_nl **nl)
{
	struct rf_port_info port;
	int status = rf_open_target(dev, t, nl);

	if (status)
		return status;
	/* If the netdev is no port, the request fails. */
	if (rf_nl_port_get(*nl, t->ifindex, &port) || port.queues ||
	    !rf_port_add_queues(t))
		return RF_EXIT_OK;
	rf_nl_close(*nl);
	return RF_EXIT_FAILED;
}

static void print_change(const char *netdev, const char *object, char **words)
{
	rf_out_text("%s:%s%s", netdev, object ? " " : "", object ? object : "");
	for (; *words; words++)
		rf_out_text(" %s", *words);
	rf_out_text("\n");
}

/**
 * rf_queue_change - change the settings of a port, and print them
 * @dev: the port
 * @change: the new values
 * @object: word to print before @words, for example "link"; NULL: none
 * @words: the words of the change, NULL at the end
 *
 * Return: the exit status.
 */
int rf_queue_change(const char *dev, const struct rf_queue_change *change,
		    const char *object, char **words)
{
	struct rf_target t;
	struct rf_nl *nl;
	int status;

	status = rf_open_queues(dev, &t, &nl);
	if (status)
		return status;
	status = rf_close_target(&t, nl, rf_nl_queue_set(nl, t.ifindex, change));
	if (!status && !rf_quiet)
		print_change(t.netdev, object, words);
	return status;
}
