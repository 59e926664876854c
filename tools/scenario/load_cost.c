// SPDX-License-Identifier: GPL-2.0
/* Load the keys "cost" (cost estimate) and "qp" (queue-pair attributes) of a scenario. */
#include <stdio.h>
#include <string.h>

#include "load.h"

static int take_cost_mtu(struct rf_doc *doc, struct rf_node *node,
			 const struct rf_field *field, void *to)
{
	int err = rf_take_u32(doc, node, field, to);
	uint32_t mtu = *(uint32_t *)to;

	if (!err && mtu & (mtu - 1))
		return rf_doc_refuse(doc, node, "%s %u: not an MTU of InfiniBand; 256, 512, 1024, 2048 or 4096",
				     field->name, mtu);
	return err;
}

/* retry-cnt is at most 6: with 7, rxe retries without limit, and the case would not end. */
const struct rf_field rf_qp_fields[] = {
	{ .name = "timeout", .help = "the timer is 4.096 us * 2^timeout (14)",
	  .take = rf_take_u32, .form = RF_FORM_NUMBER, .optional = true,
	  .offset = AT(rf_qp_attr, timeout), .min = 1, .max = 31 },
	{ .name = "retry-cnt", .help = "retransmissions before giving up (6)",
	  .take = rf_take_u32, .form = RF_FORM_NUMBER, .optional = true,
	  .offset = AT(rf_qp_attr, retry_cnt), .min = 0, .max = 6 },
	{ .name = "mtu", .help = "256, 512, 1024, 2048 or 4096 (4096)",
	  .take = take_cost_mtu, .form = RF_FORM_NUMBER, .optional = true,
	  .offset = AT(rf_qp_attr, mtu), .min = 256, .max = 4096 },
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
			  const struct rf_field *field, void *to)
{
	char list[128] = "";
	int err = 0;
	size_t i;

	if (node->kind != RF_NODE_LIST)
		return rf_doc_refuse(doc, node, "%s: expected a list of numbers; for example [256, 1024]",
				     field->name);
	for (i = 0; !err && i < node->n; i++)
		err = add_text(doc, node->kids[i], list, sizeof(list));
	if (!err && rf_price_parse_gpus(list, to))
		err = rf_doc_refuse(doc, node, "%s \"%s\": not valid; up to 8 numbers, each 1 or more",
				    field->name, list);
	return err;
}

static int take_gpu_price(struct rf_doc *doc, struct rf_node *node,
			  const struct rf_field *field, void *to)
{
	const char *text = rf_doc_text(node);

	if (!rf_doc_is_plain(node) || rf_price_parse_rate(text, to))
		return rf_doc_refuse(doc, node, "%s \"%s\": not a price; dollars per GPU and hour, 0 to 1000000, for example 2.06",
				     field->name, rf_doc_shown(node));
	return 0;
}

const struct rf_field rf_cost_fields[] = {
	{ .name = "gpus", .help = "sizes of cluster ([256, 1024, 4096])",
	  .take = take_cost_gpus, .form = RF_FORM_NUMBERS, .optional = true },
	{ .name = "rate", .help = "dollars per GPU and hour (30)",
	  .take = take_gpu_price, .form = RF_FORM_DOLLARS, .optional = true,
	  .offset = AT(rf_price, rate) },
	{ .name = "stall-every", .help = "one such stall in this time is assumed (60s)",
	  .take = rf_take_time, .form = RF_FORM_TIME, .optional = true,
	  .offset = AT(rf_price, every_ns), .min = RF_STALL_EVERY_MIN,
	  .max = RF_STALL_EVERY_MAX },
	{ }
};
