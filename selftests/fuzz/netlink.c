// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the tools' parsers of netlink attributes: ports, flows, rules and queues. The kernel
 * module that sends the attributes may be older or newer than the tools. A parsed rule must
 * be packed as the same rule, and an error at any of its attributes must be explained.
 */
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "genl.h"
#include "genl_attrs.h"
#include "quiet.h"
#include "words.h"

/* Return: a netlink message, in memory of exactly the message's length. */
static struct nlmsghdr *message(const uint8_t *attrs, size_t size)
{
	struct nlmsghdr *nlh = calloc(1, NLMSG_HDRLEN + GENL_HDRLEN + size);

	must(nlh);
	nlh->nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN + size;
	nlh->nlmsg_type = 0x20;
	if (size)
		memcpy((char *)nlh + NLMSG_HDRLEN + GENL_HDRLEN, attrs, size);
	return nlh;
}

static bool ends(const char *name, size_t room)
{
	return strnlen(name, room) < room;
}

/* Let the tools explain an error at each offset in a request. */
static void explain(struct nl_msg *msg)
{
	uint32_t at;
	char *words;

	for (at = 0; at < nlmsg_hdr(msg)->nlmsg_len + 4; at += 4) {
		words = strdup("out of range");
		rf_genl_explain(msg, at, &words);
		rf_genl_explain_prio(msg, at, &words);
		must(strstr(words, "out of range"));
		free(words);
	}
}

/* Return: true if the rule has actions and each action has a type. */
static bool is_whole(const struct rf_rule_spec *spec)
{
	uint32_t i;

	for (i = 0; i < spec->actions; i++)
		if (!RF_ACTION_HAS(&spec->action[i], TYPE))
			return false;
	return spec->actions;
}

static void comes_back(const struct rf_rule_spec *spec)
{
	struct nl_msg *msg = nlmsg_alloc_size(16384);
	struct rf_rule_info again;

	must(msg);
	genlmsg_put(msg, 0, 0, 0x20, 0, 0, RDMAFAULT_CMD_RULE_NEW, 1);
	must(!(rf_genl_put_rule(msg, spec) < 0));
	must((size_t)genlmsg_attrlen(nlmsg_data(nlmsg_hdr(msg)), 0) <=
	     rf_genl_rule_room(spec));
	must(!rf_genl_parse_rule(nlmsg_hdr(msg), &again));
	must(!memcmp(&again.spec, spec, sizeof(*spec)));
	explain(msg);
	nlmsg_free(msg);
}

static void rule(struct nlmsghdr *nlh, const uint8_t *attrs, size_t size)
{
	struct rf_rule_info info, parsed;
	char text[RF_RULE_TEXT_LEN];
	int err = rf_genl_parse_rule(nlh, &info);

	must(!err == !rf_nl_rule_parse(attrs, size, &parsed));
	if (err)
		return;
	must(!memcmp(&info, &parsed, sizeof(info)));
	must(ends(info.ifname, sizeof(info.ifname)));
	must(info.spec.match.qps <= RDMAFAULT_QPS_MAX);
	must(info.spec.actions <= RDMAFAULT_ACTIONS_MAX);
	rf_rule_format(&info.spec, text, sizeof(text));
	if (is_whole(&info.spec))
		comes_back(&info.spec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nlmsghdr *nlh = message(data, size);
	struct rf_queue_info queue;
	struct rf_port_info port;
	struct rf_flow_info flow;

	if (!rf_genl_parse_port(nlh, &port))
		must(ends(port.ifname, sizeof(port.ifname)));
	if (!rf_genl_parse_flow(nlh, &flow))
		must(flow.addr_len == 4 || flow.addr_len == 16);
	if (!rf_genl_parse_queue(nlh, &queue))
		must(ends(queue.ifname, sizeof(queue.ifname)));
	rule(nlh, data, size);
	free(nlh);
	return 0;
}
