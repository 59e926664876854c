// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault stat --flows: print the counters of each flow, a few lines per flow. Each flow
 * belongs to one queue pair, so these counters are more detailed than those of rxe, which
 * exist only per device.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "genl.h"
#include "out.h"
#include "port.h"
#include "show.h"
#include "words.h"

static const char *address(const uint8_t *addr, uint32_t len,
			   char text[INET6_ADDRSTRLEN])
{
	const char *s = inet_ntop(len == 4 ? AF_INET : AF_INET6, addr, text,
				  INET6_ADDRSTRLEN);

	return s ? s : "?";
}

/*
 * Print the port, direction, addresses, QP and number of a flow. In text output, these are
 * the words of a rule that matches only this flow.
 */
static void print_who(const struct rf_flow_info *f)
{
	char text[INET6_ADDRSTRLEN];

	rf_out_str("netdev", "%s ", f->ifname);
	rf_out_str("direction", "%s ", rf_dir_name(f->direction));
	rf_out_str("saddr", "src %s ", address(f->saddr, f->addr_len, text));
	rf_out_str("daddr", "dst %s ", address(f->daddr, f->addr_len, text));
	rf_out_u64("qp", "qp %" PRIu64, f->qp);
	rf_out_u64("ordinal", " flow %" PRIu64, f->ordinal);
	rf_out_str("kind", " %s", f->response ? "responses" : "requests");
	if (f->peer_known)
		rf_out_u64("peer_qp", ", peer qp %" PRIu64, f->peer_qp);
	else
		rf_out_null("peer_qp");
}

static void print_traffic(const struct rf_flow_info *f)
{
	rf_out_u64("first_psn", "\n  psn %" PRIu64, f->first_psn);
	rf_out_u64("highest_psn", " to %" PRIu64, f->highest_psn);
	rf_out_u64("packets", ", packets %" PRIu64, f->packets);
	rf_out_u64("bytes", ", bytes %" PRIu64, f->bytes);
	rf_out_u64("messages", f->messages ? ", messages %" PRIu64 : NULL,
		   f->messages);
	rf_out_u64("max_attempt", "\n  attempts %" PRIu64, f->max_attempt);
	rf_out_u64("retransmitted", ", retransmitted %" PRIu64 " packets",
		   f->retransmitted);
	rf_out_u64("retransmitted_bytes", " of %" PRIu64 " bytes",
		   f->retransmitted_bytes);
}

/* Only requests have timeouts, because only the requester has a retransmission timer. */
static void print_answers(const struct rf_flow_info *f)
{
	if (!f->answers_seen) {
		rf_out_null("naks");
		rf_out_null("rnrs");
		rf_out_null("timeouts");
		return;
	}
	rf_out_u64("naks", ", naks %" PRIu64, f->naks);
	rf_out_u64("rnrs", ", rnrs %" PRIu64, f->rnrs);
	if (f->response)
		rf_out_null("timeouts");
	else
		rf_out_u64("timeouts", ", timeouts %" PRIu64, f->timeouts);
}

static int print_flow(const struct rf_flow_info *f, void *arg)
{
	(void)arg;
	rf_out_push_object(NULL);
	print_who(f);
	print_traffic(f);
	print_answers(f);
	rf_out_text("\n");
	rf_out_pop();
	return 0;
}

static int show_flows(struct rf_nl *nl, uint32_t ifindex)
{
	int err;

	err = rf_nl_flow_each(nl, ifindex, print_flow, NULL);
	return err ? rf_nl_failed(nl, "list of flows", err) : RF_EXIT_OK;
}

/**
 * rf_flows_show - print the counters of flows
 * @names: the ports, netdevs or RDMA devices
 * @n: number of names; 0: all ports
 *
 * Return: the exit status.
 */
int rf_flows_show(char *const *names, int n)
{
	struct rf_port_list list;
	struct rf_nl *nl;
	int status, i;

	/* For a netdev that is not a port, the dump would be empty. This returns an error. */
	status = rf_port_list_get(&list, names, n);
	if (status)
		return status;
	status = rf_open_module(&nl);
	if (status) {
		free(list.port);
		return status;
	}
	rf_out_begin_array();
	for (i = 0; !status && i < list.n; i++)
		status = show_flows(nl, list.port[i].ifindex);
	if (!status)
		rf_out_end();
	rf_nl_close(nl);
	free(list.port);
	return status;
}
