/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracepoints, one record each:
 *
 *   rf_hit      a packet and a rule that hit it, after the rule's actions
 *   rf_retransmit
 *               a retransmission: attempt 2 or later of its PSN
 *   rf_nak      a NAK or RNR NAK
 *   rf_hold     a packet that enters the delay queue
 *   rf_release  a packet that leaves the delay queue
 *   rf_packet   up to RF_TRACE_CHUNK bytes of a packet as it arrived
 *   rf_sent     likewise, of a packet as it leaves, after the actions
 *   rf_pause    a priority that is paused, or resumes
 *   rf_mark     a packet that the ECN profile of its priority has marked, or dropped
 *   rf_watchdog a storm that the PFC watchdog detects, or its end
 *   rf_cnp      a CNP that is sent, or that is received and obeyed
 *   rf_rate     a flow whose rate or target rate DCQCN has changed
 *   rf_rule     a rule that was made, in the attributes of rule-get's reply
 *
 * seq is the number of a packet: records with the same number are about the same
 * packet. 0: no tracepoint about packets was enabled when the packet arrived.
 */
#ifndef RF_TRACE_PACKET_H
#define RF_TRACE_PACKET_H

#include <linux/jump_label.h>
#include <linux/types.h>
#include <uapi/rdmafault/rdmafault.h>

struct net_device;
struct rf_dcqcn_flow;
struct sk_buff;

/*
 * The most bytes of a packet in one record of rf_packet or rf_sent. The first record is small
 * and has all headers, so that a reader can select it with the filter "offset < 1".
 * Two of the other records fill a page of the ring buffer: 4080 bytes, 68 of each
 * record for its other fields.
 */
#define RF_TRACE_HEAD	320u
#define RF_TRACE_CHUNK	1952u

/**
 * struct rf_label - what rf_hold and rf_release show of a packet
 * @seq: number of the packet
 * @rule: number of the rule that delays it
 * @qp: destination QP
 * @psn: PSN
 * @opcode: opcode
 * @attempt: attempt
 * @len: bytes from the IP header to the ICRC
 */
struct rf_label {
	u64 seq;
	u32 rule;
	u32 qp;
	u32 psn;
	u32 opcode;
	u32 attempt;
	u32 len;
};

/**
 * struct rf_trace_packet - what rf_hit, rf_retransmit and rf_nak show of a packet
 * @seq: number of the packet
 * @dev: the netdev
 * @dir: RDMAFAULT_DIRECTION_*
 * @addr_len: bytes of an address, 4 or 16
 * @saddr: source address, 16 bytes
 * @daddr: destination address, 16 bytes
 * @qp: destination QP
 * @psn: PSN
 * @psn_rel: @psn minus the first PSN of the flow
 * @opcode: opcode
 * @syndrome: AETH syndrome
 * @classes: RDMAFAULT_CLASS_*
 * @position: RDMAFAULT_POSITION_*
 * @attempt: attempt
 * @flow: ordinal of the flow
 * @message: ordinal of the message in the flow
 * @step_message: ordinal of the message in the flow and step
 * @packet: ordinal of the packet in its message
 * @step: step of the port
 * @len: bytes from the IP header to the ICRC
 */
struct rf_trace_packet {
	u64 seq;
	const struct net_device *dev;
	u32 dir;
	u32 addr_len;
	const u8 *saddr;
	const u8 *daddr;
	u32 qp;
	u32 psn;
	u32 psn_rel;
	u32 opcode;
	u32 syndrome;
	u32 classes;
	u32 position;
	u32 attempt;
	u32 flow;
	u32 message;
	u32 step_message;
	u32 packet;
	u32 step;
	u32 len;
};

/**
 * struct rf_trace_hit - what rf_hit shows of the rule
 * @rule: number of the rule
 * @count: number of its actions
 * @types: types of the actions, RDMAFAULT_ACTION_*
 * @values: random values of the actions
 * @unchanged: bits of the actions that could not change the packet, by index
 */
struct rf_trace_hit {
	u32 rule;
	u32 count;
	u8 types[RDMAFAULT_ACTIONS_MAX];
	u64 values[RDMAFAULT_ACTIONS_MAX];
	u32 unchanged;
};

/**
 * struct rf_trace_frame - a packet as it arrived
 * @seq: number of the packet in the trace, 0 if no tracepoint was enabled
 * @bytes: its bytes from the MAC header on, or NULL
 * @len: number of bytes; 0 if the packet is not recorded
 */
struct rf_trace_frame {
	u64 seq;
	u8 *bytes;
	u32 len;
};

/**
 * struct rf_trace_cnp - what rf_cnp shows of a CNP
 * @received: the CNP was received; otherwise it was sent
 * @addr_len: bytes of an address, 4 or 16
 * @saddr: source address of the flow that the CNP is about, 16 bytes
 * @daddr: its destination address, 16 bytes
 * @qp: its destination QP
 */
struct rf_trace_cnp {
	bool received;
	u32 addr_len;
	const u8 *saddr;
	const u8 *daddr;
	u32 qp;
};

/**
 * enum rf_rate_cause - what has changed the rate of a flow
 * @RF_RATE_CUT: a reduction
 * @RF_RATE_TIMER: the increase timer
 * @RF_RATE_BYTES: the byte counter
 * @RF_RATE_FIRST_CNP: the first CNP of the flow, without a reduction
 */
enum rf_rate_cause {
	RF_RATE_CUT,
	RF_RATE_TIMER,
	RF_RATE_BYTES,
	RF_RATE_FIRST_CNP,
};

DECLARE_STATIC_KEY_FALSE(rf_tracing);

/**
 * rf_trace_enabled - test whether a tracepoint about packets is enabled
 *
 * Return: true if one is: rf_hit, rf_retransmit, rf_nak, rf_hold, rf_release,
 * rf_packet or rf_sent.
 */
static inline bool rf_trace_enabled(void)
{
	return static_branch_unlikely(&rf_tracing);
}

/* Callbacks of these tracepoints */
int rf_trace_reg(void);
void rf_trace_unreg(void);

/* Softirq or BH off */
void rf_trace_begin(struct rf_trace_frame *frame, const struct sk_buff *skb);
void rf_trace_record(struct rf_trace_frame *frame, const struct net_device *dev,
		     u32 dir, u32 rule, u32 verdict);
void rf_trace_sent(const struct sk_buff *skb, const struct net_device *dev, u32 dir, u64 of);

#endif

#undef TRACE_SYSTEM
#define TRACE_SYSTEM rdmafault

#if !defined(RF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RF_TRACE_H

#include <linux/netdevice.h>
#include <linux/tracepoint.h>

#include "report.h"

/* Enums that are printed by name, for perf and trace-cmd as well. */
#define RF_ACTIONS							\
	EM(RDMAFAULT_ACTION_DROP, "drop")				\
	EM(RDMAFAULT_ACTION_OBSERVE, "observe")				\
	EM(RDMAFAULT_ACTION_DELAY, "delay")				\
	EM(RDMAFAULT_ACTION_REORDER, "reorder")				\
	EM(RDMAFAULT_ACTION_DUPLICATE, "duplicate")			\
	EM(RDMAFAULT_ACTION_CORRUPT, "corrupt")				\
	EM(RDMAFAULT_ACTION_TRUNCATE, "truncate")			\
	EM(RDMAFAULT_ACTION_MARK, "mark")				\
	EM(RDMAFAULT_ACTION_REWRITE, "rewrite")				\
	EM(RDMAFAULT_ACTION_NAK, "nak")					\
	EM(RDMAFAULT_ACTION_RNR, "rnr")					\
	EM(RDMAFAULT_ACTION_BLACKHOLE, "blackhole")			\
	EMe(RDMAFAULT_ACTION_TRIM, "trim")

/* enum rf_pause_source */
#define RF_PAUSED_BY	{ 0, "frame" }, { 1, "storm" }, { 2, "-" }

/* enum rf_rate_cause */
#define RF_RATE_CHANGED_BY						\
	{ 0, "cut" }, { 1, "timer" }, { 2, "bytes" }, { 3, "first-cnp" }

#define RF_WATCHDOG_ACTIONS						\
	EM(RDMAFAULT_WATCHDOG_ACTION_DROP, "drop")			\
	EM(RDMAFAULT_WATCHDOG_ACTION_FORWARD, "forward")		\
	EMe(RDMAFAULT_WATCHDOG_ACTION_ALERT, "alert")

#undef EM
#undef EMe
#define EM(value, name)		TRACE_DEFINE_ENUM(value);
#define EMe(value, name)	TRACE_DEFINE_ENUM(value);

RF_ACTIONS
RF_WATCHDOG_ACTIONS

#undef EM
#undef EMe
#define EM(value, name)		{ value, name },
#define EMe(value, name)	{ value, name }

#define RF_PACKET_FIELDS						\
		__field(u64, seq)					\
		__field(u32, ifindex)					\
		__array(char, dev, IFNAMSIZ)				\
		__field(u32, dir)					\
		__field(u32, family)					\
		__array(u8, saddr, 16)					\
		__array(u8, daddr, 16)					\
		__field(u32, qp)					\
		__field(u32, psn)					\
		__field(u32, psn_rel)					\
		__field(u32, opcode)					\
		__field(u32, syndrome)					\
		__field(u32, class)					\
		__field(u32, position)					\
		__field(u32, attempt)					\
		__field(u32, flow)					\
		__field(u32, message)					\
		__field(u32, step_message)				\
		__field(u32, packet)					\
		__field(u32, step)					\
		__field(u32, len)

#define RF_PACKET_ASSIGN(p)						\
		__entry->seq = (p)->seq;				\
		__entry->ifindex = (p)->dev->ifindex;			\
		strscpy(__entry->dev, (p)->dev->name, IFNAMSIZ);	\
		__entry->dir = (p)->dir;				\
		__entry->family = (p)->addr_len == 4 ? AF_INET : AF_INET6; \
		memcpy(__entry->saddr, (p)->saddr, 16);			\
		memcpy(__entry->daddr, (p)->daddr, 16);			\
		__entry->qp = (p)->qp;					\
		__entry->psn = (p)->psn;				\
		__entry->psn_rel = (p)->psn_rel;			\
		__entry->opcode = (p)->opcode;				\
		__entry->syndrome = (p)->syndrome;			\
		__entry->class = (p)->classes;				\
		__entry->position = (p)->position;			\
		__entry->attempt = (p)->attempt;			\
		__entry->flow = (p)->flow;				\
		__entry->message = (p)->message;			\
		__entry->step_message = (p)->step_message;		\
		__entry->packet = (p)->packet;				\
		__entry->step = (p)->step;				\
		__entry->len = (p)->len

/*
 * action is the type of the rule's first action; actions has a bit for the type of
 * each. types and values have count entries, in the order of the rule's actions. Values
 * are nanoseconds for a delay with jitter, the offset and in the upper 32 bits the value
 * for corrupt, and 0 for the other actions. unchanged has a bit, by index, for each action
 * that could not change the packet.
 */
TRACE_EVENT_FN(rf_hit,
	TP_PROTO(const struct rf_trace_packet *packet, const struct rf_trace_hit *hit),
	TP_ARGS(packet, hit),

	TP_STRUCT__entry(
		RF_PACKET_FIELDS
		__field(u32, rule)
		__field(u32, action)
		__field(u32, actions)
		__field(u32, count)
		__field(u64, value)
		__array(u64, values, RDMAFAULT_ACTIONS_MAX)
		__array(u8, types, RDMAFAULT_ACTIONS_MAX)
		__field(u32, unchanged)
	),

	TP_fast_assign(
		u32 i;

		RF_PACKET_ASSIGN(packet);
		__entry->rule = hit->rule;
		__entry->action = hit->types[0];
		__entry->actions = 0;
		__entry->count = hit->count;
		__entry->value = hit->values[0];
		memcpy(__entry->values, hit->values, sizeof(__entry->values));
		memcpy(__entry->types, hit->types, sizeof(__entry->types));
		__entry->unchanged = hit->unchanged;
		for (i = 0; i < hit->count; i++)
			__entry->actions |= BIT(hit->types[i]);
	),

	TP_printk("%s %s seq=%llu rule=%u %s value=0x%llx qp=%u psn=0x%06x (+%u) opcode=0x%02x syndrome=0x%02x attempt=%u flow=%u message=%u step=%u len=%u",
		  __entry->dev, __entry->dir ? "rx" : "tx", __entry->seq,
		  __entry->rule, __print_symbolic(__entry->action, RF_ACTIONS),
		  __entry->value, __entry->qp, __entry->psn, __entry->psn_rel,
		  __entry->opcode, __entry->syndrome, __entry->attempt,
		  __entry->flow, __entry->message, __entry->step,
		  __entry->len),

	rf_trace_reg, rf_trace_unreg
);

DECLARE_EVENT_CLASS(rf_seen,
	TP_PROTO(const struct rf_trace_packet *packet),
	TP_ARGS(packet),

	TP_STRUCT__entry(
		RF_PACKET_FIELDS
	),

	TP_fast_assign(
		RF_PACKET_ASSIGN(packet);
	),

	TP_printk("%s %s seq=%llu qp=%u psn=0x%06x (+%u) opcode=0x%02x syndrome=0x%02x attempt=%u flow=%u message=%u step=%u len=%u",
		  __entry->dev, __entry->dir ? "rx" : "tx", __entry->seq,
		  __entry->qp, __entry->psn, __entry->psn_rel,
		  __entry->opcode, __entry->syndrome, __entry->attempt,
		  __entry->flow, __entry->message, __entry->step,
		  __entry->len)
);

DEFINE_EVENT_FN(rf_seen, rf_retransmit,
	TP_PROTO(const struct rf_trace_packet *packet),
	TP_ARGS(packet),
	rf_trace_reg, rf_trace_unreg
);

DEFINE_EVENT_FN(rf_seen, rf_nak,
	TP_PROTO(const struct rf_trace_packet *packet),
	TP_ARGS(packet),
	rf_trace_reg, rf_trace_unreg
);

/* ns: the delay, or how long the packet was in the delay queue. */
DECLARE_EVENT_CLASS(rf_held,
	TP_PROTO(const struct net_device *dev, u32 dir, const struct rf_label *label,
		 u64 ns),
	TP_ARGS(dev, dir, label, ns),

	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u64, ns)
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, dir)
		__field(u32, rule)
		__field(u32, qp)
		__field(u32, psn)
		__field(u32, opcode)
		__field(u32, attempt)
		__field(u32, len)
	),

	TP_fast_assign(
		__entry->seq = label->seq;
		__entry->ns = ns;
		__entry->ifindex = dev->ifindex;
		strscpy(__entry->dev, dev->name, IFNAMSIZ);
		__entry->dir = dir;
		__entry->rule = label->rule;
		__entry->qp = label->qp;
		__entry->psn = label->psn;
		__entry->opcode = label->opcode;
		__entry->attempt = label->attempt;
		__entry->len = label->len;
	),

	TP_printk("%s %s seq=%llu rule=%u ns=%llu qp=%u psn=0x%06x opcode=0x%02x attempt=%u len=%u",
		  __entry->dev, __entry->dir ? "rx" : "tx", __entry->seq,
		  __entry->rule, __entry->ns, __entry->qp, __entry->psn,
		  __entry->opcode, __entry->attempt, __entry->len)
);

DEFINE_EVENT_FN(rf_held, rf_hold,
	TP_PROTO(const struct net_device *dev, u32 dir, const struct rf_label *label,
		 u64 ns),
	TP_ARGS(dev, dir, label, ns),
	rf_trace_reg, rf_trace_unreg
);

DEFINE_EVENT_FN(rf_held, rf_release,
	TP_PROTO(const struct net_device *dev, u32 dir, const struct rf_label *label,
		 u64 ns),
	TP_ARGS(dev, dir, label, ns),
	rf_trace_reg, rf_trace_unreg
);

/*
 * len is the length of the packet from the MAC header on, VLAN tag included; data
 * are its bytes from offset on. rule is the first rule that hit the packet, 0 if
 * none did. verdict is enum rf_verdict.
 */
TRACE_EVENT_FN(rf_packet,
	TP_PROTO(const struct rf_trace_frame *frame, const struct net_device *dev,
		 u32 dir, u32 rule, u32 verdict, u32 offset, u32 chunk),
	TP_ARGS(frame, dev, dir, rule, verdict, offset, chunk),

	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, dir)
		__field(u32, len)
		__field(u32, offset)
		__field(u32, rule)
		__field(u32, verdict)
		__dynamic_array(u8, data, chunk)
	),

	TP_fast_assign(
		__entry->seq = frame->seq;
		__entry->ifindex = dev->ifindex;
		strscpy(__entry->dev, dev->name, IFNAMSIZ);
		__entry->dir = dir;
		__entry->len = frame->len;
		__entry->offset = offset;
		__entry->rule = rule;
		__entry->verdict = verdict;
		memcpy(__get_dynamic_array(data), frame->bytes + offset, chunk);
	),

	TP_printk("%s %s seq=%llu len=%u offset=%u rule=%u verdict=%u",
		  __entry->dev, __entry->dir ? "rx" : "tx", __entry->seq,
		  __entry->len, __entry->offset, __entry->rule,
		  __entry->verdict),

	rf_trace_reg, rf_trace_unreg
);

/*
 * of is the number of the packet as it arrived, which a copy shares with its original; 0: the
 * module has made the packet.
 */
TRACE_EVENT_FN(rf_sent,
	TP_PROTO(const struct rf_trace_frame *frame, const struct net_device *dev,
		 u32 dir, u64 of, u32 offset, u32 chunk),
	TP_ARGS(frame, dev, dir, of, offset, chunk),

	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u64, of)
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, dir)
		__field(u32, len)
		__field(u32, offset)
		__dynamic_array(u8, data, chunk)
	),

	TP_fast_assign(
		__entry->seq = frame->seq;
		__entry->of = of;
		__entry->ifindex = dev->ifindex;
		strscpy(__entry->dev, dev->name, IFNAMSIZ);
		__entry->dir = dir;
		__entry->len = frame->len;
		__entry->offset = offset;
		memcpy(__get_dynamic_array(data), frame->bytes + offset, chunk);
	),

	TP_printk("%s %s seq=%llu of=%llu len=%u offset=%u", __entry->dev,
		  __entry->dir ? "rx" : "tx", __entry->seq, __entry->of,
		  __entry->len, __entry->offset),

	rf_trace_reg, rf_trace_unreg
);

/* With this, a recording has also the rules that were removed meanwhile. */
TRACE_EVENT(rf_rule,
	TP_PROTO(const struct net_device *dev, u32 dir, u32 rule,
		 const struct sk_buff *attrs),
	TP_ARGS(dev, dir, rule, attrs),

	TP_STRUCT__entry(
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, dir)
		__field(u32, rule)
		__dynamic_array(u8, data, attrs->len)
	),

	TP_fast_assign(
		__entry->ifindex = dev->ifindex;
		strscpy(__entry->dev, dev->name, IFNAMSIZ);
		__entry->dir = dir;
		__entry->rule = rule;
		memcpy(__get_dynamic_array(data), attrs->data, attrs->len);
	),

	TP_printk("%s %s rule=%u", __entry->dev, __entry->dir ? "rx" : "tx",
		  __entry->rule)
);

/*
 * A pause begins: source is its cause, ns its first length, and until the time at
 * which it ends without another XOFF. A pause has ended: until is the time of its
 * end, and ns how long it lasted. This event can be late: it is recorded when the
 * timer or a packet finds the pause over.
 */
TRACE_EVENT(rf_pause,
	TP_PROTO(u32 ifindex, const char *dev, u32 prio, u32 source,
		 bool paused, u64 until, u64 ns),
	TP_ARGS(ifindex, dev, prio, source, paused, until, ns),

	TP_STRUCT__entry(
		__field(u64, until)
		__field(u64, ns)
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, prio)
		__field(u32, source)
		__field(u32, paused)
	),

	TP_fast_assign(
		__entry->until = until;
		__entry->ns = ns;
		__entry->ifindex = ifindex;
		strscpy(__entry->dev, dev, IFNAMSIZ);
		__entry->prio = prio;
		__entry->source = source;
		__entry->paused = paused;
	),

	TP_printk("%s prio=%u %s by=%s until=%llu ns=%llu", __entry->dev,
		  __entry->prio, __entry->paused ? "paused" : "resumed",
		  __print_symbolic(__entry->source, RF_PAUSED_BY),
		  __entry->until, __entry->ns)
);

/* queue is what the ECN profile went by, and len the packet's length: bytes. */
TRACE_EVENT(rf_mark,
	TP_PROTO(u32 ifindex, const char *dev, u32 prio, u64 queue, bool dropped,
		 u32 len),
	TP_ARGS(ifindex, dev, prio, queue, dropped, len),

	TP_STRUCT__entry(
		__field(u64, queue)
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, prio)
		__field(u32, dropped)
		__field(u32, len)
	),

	TP_fast_assign(
		__entry->queue = queue;
		__entry->ifindex = ifindex;
		strscpy(__entry->dev, dev, IFNAMSIZ);
		__entry->prio = prio;
		__entry->dropped = dropped;
		__entry->len = len;
	),

	TP_printk("%s prio=%u %s queue=%llu len=%u", __entry->dev,
		  __entry->prio, __entry->dropped ? "dropped" : "marked",
		  __entry->queue, __entry->len)
);

/*
 * event is enum rf_watchdog_event. ns: how long the priority was stalled when its
 * storm was detected, or how long after the end of the storm it was restored.
 */
TRACE_EVENT(rf_watchdog,
	TP_PROTO(u32 ifindex, const char *dev, u32 prio, u32 event, u32 action,
		 u64 ns),
	TP_ARGS(ifindex, dev, prio, event, action, ns),

	TP_STRUCT__entry(
		__field(u64, ns)
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, prio)
		__field(u32, event)
		__field(u32, action)
	),

	TP_fast_assign(
		__entry->ns = ns;
		__entry->ifindex = ifindex;
		strscpy(__entry->dev, dev, IFNAMSIZ);
		__entry->prio = prio;
		__entry->event = event;
		__entry->action = action;
	),

	TP_printk("%s prio=%u %s action=%s ns=%llu", __entry->dev,
		  __entry->prio, __entry->event ? "restored" : "detected",
		  __print_symbolic(__entry->action, RF_WATCHDOG_ACTIONS),
		  __entry->ns)
);

/* The addresses and the QP are those of the flow, also at the receiver, which sends the CNP. */
TRACE_EVENT(rf_cnp,
	TP_PROTO(const struct net_device *dev, const struct rf_trace_cnp *cnp),
	TP_ARGS(dev, cnp),

	TP_STRUCT__entry(
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, received)
		__field(u32, family)
		__array(u8, saddr, 16)
		__array(u8, daddr, 16)
		__field(u32, qp)
	),

	TP_fast_assign(
		__entry->ifindex = dev->ifindex;
		strscpy(__entry->dev, dev->name, IFNAMSIZ);
		__entry->received = cnp->received;
		__entry->family = cnp->addr_len == 4 ? AF_INET : AF_INET6;
		memcpy(__entry->saddr, cnp->saddr, 16);
		memcpy(__entry->daddr, cnp->daddr, 16);
		__entry->qp = cnp->qp;
	),

	TP_printk("%s %s qp=%u", __entry->dev, __entry->received ? "received" : "sent",
		  __entry->qp)
);

/*
 * at is the time of the change. The event can be later: changes by the increase timer are
 * computed when a packet of the flow is sent. New settings are no event. before is the rate
 * before the change. alpha is in units of 10^-12. time_stage and byte_stage are the events of
 * the increase timer and of the byte counter since the last reduction.
 */
TRACE_EVENT(rf_rate,
	TP_PROTO(const struct net_device *dev, u32 cause, u64 at, u64 before,
		 const struct rf_dcqcn_flow *flow),
	TP_ARGS(dev, cause, at, before, flow),

	TP_STRUCT__entry(
		__field(u64, at)
		__field(u64, before)
		__field(u64, rate)
		__field(u64, target)
		__field(u64, alpha)
		__field(u32, ifindex)
		__array(char, dev, IFNAMSIZ)
		__field(u32, family)
		__array(u8, saddr, 16)
		__array(u8, daddr, 16)
		__field(u32, qp)
		__field(u32, cause)
		__field(u32, time_stage)
		__field(u32, byte_stage)
	),

	TP_fast_assign(
		__entry->at = at;
		__entry->before = before;
		__entry->rate = flow->rate;
		__entry->target = flow->target;
		__entry->alpha = flow->alpha;
		__entry->ifindex = dev->ifindex;
		strscpy(__entry->dev, dev->name, IFNAMSIZ);
		__entry->family = flow->addr_len == 4 ? AF_INET : AF_INET6;
		memcpy(__entry->saddr, flow->saddr, 16);
		memcpy(__entry->daddr, flow->daddr, 16);
		__entry->qp = flow->qp;
		__entry->cause = cause;
		__entry->time_stage = flow->time_stage;
		__entry->byte_stage = flow->byte_stage;
	),

	TP_printk("%s qp=%u %s rate=%llu before=%llu target=%llu alpha=%llu time_stage=%u byte_stage=%u at=%llu",
		  __entry->dev, __entry->qp,
		  __print_symbolic(__entry->cause, RF_RATE_CHANGED_BY), __entry->rate,
		  __entry->before, __entry->target, __entry->alpha, __entry->time_stage,
		  __entry->byte_stage, __entry->at)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
