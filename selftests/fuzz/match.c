// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the matching of a packet. The input gives the match, restricted to what the netlink
 * policy and rf_match_validate() accept, and the packet. If a packet matches, it must also
 * match with any word of the match removed, and the index must find the match.
 */
#include "fuzz.h"

#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#include "../../kmod/rule/index.c"
#include "../../kmod/rule/match.c"
#include "../../kmod/rule/validate.c"
#include "../../kmod/rocev2/opcode.c"

/* Restrict a match to values that the netlink policy accepts. */
static void obey_policy(struct rf_match *m)
{
	uint32_t i;

	m->set &= BIT_ULL(RDMAFAULT_A_MATCH_MAX + 1) - 2;
	m->qps = m->set & RF_MATCH_BIT(QP) ? m->qps % RDMAFAULT_QPS_MAX + 1 : 0;
	for (i = 0; i < RDMAFAULT_QPS_MAX; i++)
		m->qp[i] &= RF_PSN_MASK;
	m->psn &= RF_PSN_MASK;
	m->psn_max &= RF_PSN_MASK;
	m->psn_rel &= RF_PSN_MASK;
	m->psn_rel_max &= RF_PSN_MASK;
	m->opcode &= 0xff;
	m->syndrome &= 0xff;
	m->syndrome_mask &= 0xff;
	m->priorities &= 0xff;
	m->dscp &= 0x3f;
	m->ecn &= 0xf;
	m->cms &= 0x7ff;
	m->sport &= 0xffff;
	m->saddr_prefix %= 129;
	m->daddr_prefix %= 129;
	m->saddr_len = m->saddr_len & 1 ? 16 : 4;
	m->daddr_len = m->daddr_len & 1 ? 16 : 4;
}

/* Restrict a packet to values that rf_packet_read() can return. */
static void obey_headers(struct rf_desc *d)
{
	const struct rf_opcode *op = rf_opcode(d->opcode);

	d->qp &= RF_PSN_MASK;
	d->psn &= RF_PSN_MASK;
	d->psn_rel &= RF_PSN_MASK;
	d->classes = op ? op->classes : 0;
	d->position = op ? op->position : 0;
	d->has_aeth = op && op->aeth;
	d->response = op && op->response;
	d->addr_len = d->addr_len & 1 ? 16 : 4;
	d->priority &= 7;
	d->dscp &= 0x3f;
	d->ecn &= 3;
	d->cm = d->qp == RF_QP_GSI && rf_opcode_is_ud(d->opcode) ? 1u << d->cm % 11 : 0;
}

/* Replace numbers of the match by those of the packet. The bits of @same select the numbers. */
static void resemble(struct rf_match *m, const struct rf_desc *d, uint64_t same)
{
	const struct { uint32_t *to, value; } numbers[] = {
		{ &m->qp[0], d->qp }, { &m->psn, d->psn },
		{ &m->psn_rel, d->psn_rel }, { &m->opcode, d->opcode },
		{ &m->classes, d->classes }, { &m->positions, d->position },
		{ &m->attempt_min, d->attempt }, { &m->attempt_max, d->attempt },
		{ &m->step_min, d->step }, { &m->step_max, d->step },
		{ &m->syndrome, d->syndrome }, { &m->flow, d->flow },
		{ &m->message, d->message }, { &m->packet, d->packet },
		{ &m->step_message, d->step_message }, { &m->dscp, d->dscp },
		{ &m->message_end, d->messages_total - d->message + 1 },
		{ &m->step_message_end, d->messages - d->step_message + 1 },
		{ &m->priorities, 1u << d->priority }, { &m->ecn, 1u << d->ecn },
		{ &m->sport, d->sport }, { &m->payload, d->payload },
		{ &m->saddr_len, d->addr_len }, { &m->daddr_len, d->addr_len },
		{ &m->cms, d->cm },
	};
	size_t i, n = sizeof(numbers) / sizeof(numbers[0]);

	for (i = 0; i < n; i++)
		if (same >> i & 1)
			*numbers[i].to = numbers[i].value;
	if (same >> n & 1)
		memcpy(m->saddr, d->saddr, sizeof(m->saddr));
	if (same >> n >> 1 & 1)
		memcpy(m->daddr, d->daddr, sizeof(m->daddr));
}

/*
 * Return: true if a packet that matches must still match when this attribute is removed from
 * the match. The exceptions are the attributes "QP", "class of opcodes" and "CM": a packet to
 * QP 1 matches only if the match has one of them.
 */
static bool may_go(uint32_t attr)
{
	return attr != RDMAFAULT_A_MATCH_QP && attr != RDMAFAULT_A_MATCH_CLASS &&
	       attr != RDMAFAULT_A_MATCH_CM;
}

static void ask_for_less(const struct rf_match *m, const struct rf_desc *d)
{
	struct rf_match less;
	uint32_t attr;

	for (attr = 1; attr <= RDMAFAULT_A_MATCH_MAX; attr++) {
		less = *m;
		less.set &= ~BIT_ULL(attr);
		if (may_go(attr))
			must(rf_match_true(&less, d));
	}
}

static bool is_found(struct rf_index *index, const struct rf_desc *d)
{
	struct rf_index_cursor cursor;

	rf_index_begin(index, d, &cursor);
	return rf_index_next(&cursor);
}

static void look_up(const struct rf_match *m, const struct rf_desc *d)
{
	struct rf_index_node node[RDMAFAULT_QPS_MAX] = { 0 };
	uint32_t i, bits = rf_index_bits(1);
	struct rf_index *index = calloc(1, rf_index_size(bits));

	must(index && rf_index_nodes(m) <= RDMAFAULT_QPS_MAX);
	index->bits = bits;
	for (i = 0; i < rf_index_nodes(m); i++) {
		node[i].order = 1;
		rf_index_add(index, m, i, &node[i]);
	}
	must(is_found(index, d));
	for (i = 0; i < rf_index_nodes(m); i++)
		rf_index_del(&node[i]);
	must(!is_found(index, d));
	free(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rf_match m;
	struct rf_desc d;
	uint64_t same;

	fuzz_take(&data, &size, &same, sizeof(same));
	fuzz_take(&data, &size, &m, sizeof(m));
	fuzz_take(&data, &size, &d.qp, offsetof(struct rf_desc, has_aeth));
	fuzz_take(&data, &size, &d.key64,
		  offsetof(struct rf_desc, saddr) - offsetof(struct rf_desc, key64));
	fuzz_take(&data, &size, d.saddr, sizeof(d.saddr));
	fuzz_take(&data, &size, d.daddr, sizeof(d.daddr));
	obey_headers(&d);
	obey_policy(&m);
	resemble(&m, &d, same);
	rf_match_complete(&m);
	if (rf_match_validate(&m))
		return 0;
	if (!rf_match_true(&m, &d))
		return 0;
	ask_for_less(&m, &d);
	look_up(&m, &d);
	return 0;
}
