// SPDX-License-Identifier: GPL-2.0
/* Load the keys "cost" (cost estimate) and "qp" (queue-pair attributes) of a scenario. */
#include <stdio.h>
#include <string.h>

#include "load.h"

/* retry-cnt is at most 6: with 7, rxe retries without limit, and the case would not end. */
const struct rf_key rf_qp_fields[] = {
	{ .name = "timeout", .help = "the timer is 4.096 us * 2^timeout (14; a command: not known)",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_qp_attr, timeout), .min = 1, .max = 31 },
	{ .name = "retry-cnt", .help = "retransmissions before giving up (6)",
	  .kind = &rf_kind_u32, .optional = true,
	  .at = AT(rf_qp_attr, retry_cnt), .min = 0, .max = 6 },
	{ .name = "mtu", .help = "256, 512, 1024, 2048 or 4096 (4096)",
	  .form = "256, 512, 1024, 2048 or 4096", .kind = &rf_kind_mtu, .optional = true,
	  .at = AT(rf_qp_attr, mtu), .min = 256, .max = 4096 },
	{ }
};

static int add_text(struct rf_doc *doc, const struct rf_node *node, char *list,
		    size_t len)
{
	size_t used = strlen(list);
	const char *text = rf_doc_text(node);

	if (!text || !rf_doc_is_plain(node) ||
	    used + strlen(text) + 2 > len)
		return rf_doc_refuse(doc, node, "gpus \"%s\": not a number",
				     rf_doc_shown(node));
	sprintf(list + used, "%s%s", used ? "," : "", text);
	return 0;
}

static int take_cost_gpus(struct rf_doc *doc, struct rf_node *node,
			  const struct rf_key *key, void *to)
{
	char list[128] = "";
	struct rf_why why;
	int err = 0;
	size_t i;

	if (node->kind != RF_NODE_LIST)
		return rf_doc_refuse(doc, node, "%s: expected a list of numbers; for example [256, 1024]",
				     key->name);
	for (i = 0; !err && i < node->n; i++)
		err = add_text(doc, node->kids[i], list, sizeof(list));
	if (err || !rf_price_parse_gpus(list, to))
		return err;
	rf_key_refuse(key, list, &why);
	return rf_doc_refuse(doc, node, "%s", why.text);
}

static const struct rf_kind gpus_kind = { .take_node = take_cost_gpus, .form = RF_FORM_NUMBERS };

const struct rf_key rf_cost_fields[] = {
	{ .name = "gpus", .help = "sizes of cluster ([256, 1024, 4096])",
	  .form = "up to 8 numbers from 1",
	  .kind = &gpus_kind, .optional = true },
	{ .name = "rate", .help = "dollars per GPU and hour (30)",
	  .form = RF_GPU_RATE_FORM, .kind = &rf_kind_gpu_rate, .optional = true,
	  .at = AT(rf_price, rate) },
	{ .name = "stall-every", .help = "one such stall in this time is assumed (60s)",
	  .kind = &rf_kind_time, .optional = true,
	  .at = AT(rf_price, every_ns), .min = RF_STALL_EVERY_MIN,
	  .max = RF_STALL_EVERY_MAX },
	{ }
};
