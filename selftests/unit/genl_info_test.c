// SPDX-License-Identifier: GPL-2.0
/*
 * Test that the fields of a flow are put into a request, and that a reply about a flow is
 * parsed.
 */
#include <string.h>

#include "../../tools/rule/genl_info.c"
#include "tap.h"

static struct nl_msg *new_msg(void)
{
	struct nl_msg *msg = nlmsg_alloc();

	genlmsg_put(msg, 0, 0, 0x20, 0, 0, RDMAFAULT_CMD_FLOW_GET, 1);
	return msg;
}

static void named_flow_ok(void)
{
	const struct rf_flow_info want = {
		.direction = RDMAFAULT_DIRECTION_RX, .addr_len = 16,
		.saddr = { 0x20, 1, [15] = 1 }, .daddr = { 0x20, 1, [15] = 2 },
		.qp = 0xffffff, .response = true,
	};
	struct nl_msg *msg = new_msg();
	struct rf_flow_info got;

	ok(!(rf_genl_put_flow(msg, &want) < 0), "rf_genl_put_flow() adds a flow to a message");
	memset(&got, 0xff, sizeof(got));
	ok(!rf_genl_parse_flow(nlmsg_hdr(msg), &got), "rf_genl_parse_flow() reads that flow");
	ok(!memcmp(&got, &want, sizeof(got)), "rf_genl_parse_flow() reads all fields of the flow unchanged");
	nlmsg_free(msg);
}

static void ledger_ok(void)
{
	struct nl_msg *msg = new_msg();
	struct rf_flow_info got;
	struct nlattr *nest;

	nla_put_u32(msg, RDMAFAULT_A_IFINDEX, 5);
	nla_put_string(msg, RDMAFAULT_A_IFNAME, "v1");
	nest = nla_nest_start(msg, RDMAFAULT_A_FLOW);
	nla_put(msg, RDMAFAULT_A_FLOW_SADDR, 4, "\1\2\3\4");
	nla_put(msg, RDMAFAULT_A_FLOW_DADDR, 4, "\1\2\3\5");
	nla_put_u64(msg, RDMAFAULT_A_FLOW_RETRANSMITTED_BYTES, 1ull << 40);
	nla_put_u32(msg, RDMAFAULT_A_FLOW_PEER_QP, 0);
	nla_put_u64(msg, RDMAFAULT_A_FLOW_NAKS, 0);
	nla_nest_end(msg, nest);
	ok(!rf_genl_parse_flow(nlmsg_hdr(msg), &got), "rf_genl_parse_flow() reads the counters of a flow");
	ok(got.ifindex == 5 && !strcmp(got.ifname, "v1"), "rf_genl_parse_flow() reads the port of a flow");
	ok(got.retransmitted_bytes == 1ull << 40, "rf_genl_parse_flow() reads counters of 64 bits");
	ok(got.peer_known && got.answers_seen, "rf_genl_parse_flow() distinguishes a value of 0 from a missing one");
	nlmsg_free(msg);
}

static void refused(const char *what, const void *saddr, int len)
{
	struct nl_msg *msg = new_msg();
	struct rf_flow_info got;
	struct nlattr *nest;

	nest = nla_nest_start(msg, RDMAFAULT_A_FLOW);
	nla_put(msg, RDMAFAULT_A_FLOW_SADDR, len, saddr);
	nla_nest_end(msg, nest);
	ok(rf_genl_parse_flow(nlmsg_hdr(msg), &got) < 0, "%s", what);
	nlmsg_free(msg);
}

int main(void)
{
	const char addr[17] = "";

	named_flow_ok();
	ledger_ok();
	refused("rf_genl_parse_flow() refuses an address of 17 bytes", addr, 17);
	refused("rf_genl_parse_flow() refuses a reply without the destination address", addr, 4);
	return done_testing();
}
