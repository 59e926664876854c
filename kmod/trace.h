/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module tells while it works. rf_hit is one record per packet and
 * rule that hit it.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rdmafault

#if !defined(RF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RF_TRACE_H

#include <linux/netdevice.h>
#include <linux/tracepoint.h>

#include "packet.h"
#include "port.h"

TRACE_EVENT(rf_hit,
	TP_PROTO(const struct rf_side *side, const struct rf_rule *rule,
		 const struct rf_pkt *pkt),
	TP_ARGS(side, rule, pkt),

	TP_STRUCT__entry(
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, dir)
		__field(u32, rule)
		__field(u32, action)
		__field(u32, family)
		__array(u8, saddr, 16)
		__array(u8, daddr, 16)
		__field(u32, qp)
		__field(u32, psn)
		__field(u32, psn_rel)
		__field(u32, opcode)
		__field(u32, syndrome)
		__field(u32, class)
		__field(u32, position)
		__field(u32, pass)
		__field(u32, step)
		__field(u32, len)
	),

	TP_fast_assign(
		__entry->ifindex = side->port->dev->ifindex;
		strscpy(__entry->dev, side->port->dev->name, IFNAMSIZ);
		__entry->dir = side->dir;
		__entry->rule = rule->id;
		__entry->action = rule->action[0].type;
		__entry->family = pkt->desc.addr_len == 4 ? AF_INET : AF_INET6;
		memcpy(__entry->saddr, pkt->desc.saddr, 16);
		memcpy(__entry->daddr, pkt->desc.daddr, 16);
		__entry->qp = pkt->desc.qp;
		__entry->psn = pkt->desc.psn;
		__entry->psn_rel = pkt->desc.psn_rel;
		__entry->opcode = pkt->desc.opcode;
		__entry->syndrome = pkt->desc.syndrome;
		__entry->class = pkt->desc.classes;
		__entry->position = pkt->desc.position;
		__entry->pass = pkt->desc.pass;
		__entry->step = pkt->desc.step;
		__entry->len = pkt->desc.len;
	),

	TP_printk("%s %s rule=%u %s qp=%u psn=0x%06x (+%u) opcode=0x%02x syndrome=0x%02x pass=%u step=%u len=%u",
		  __entry->dev, __entry->dir ? "rx" : "tx", __entry->rule,
		  __print_symbolic(__entry->action,
				   { 0, "drop" }, { 1, "watch" },
				   { 2, "delay" }, { 3, "reorder" },
				   { 4, "duplicate" }, { 5, "corrupt" },
				   { 6, "truncate" }, { 7, "mark" },
				   { 8, "rewrite" }, { 9, "nak" },
				   { 10, "rnr" }, { 11, "blackhole" }),
		  __entry->qp, __entry->psn, __entry->psn_rel, __entry->opcode,
		  __entry->syndrome, __entry->pass, __entry->step,
		  __entry->len)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
