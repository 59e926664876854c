// SPDX-License-Identifier: GPL-2.0
/* What formats of others call what happened to a packet. */
#include "export.h"
#include "rulewords.h"

static bool is_nak(const struct rf_event *e)
{
	return !e->fault &&
	       e->class & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR);
}

/**
 * rf_export_words - an event of a packet in a few words
 * @e: the event
 * @buf: where to write
 * @len: room there
 *
 * Return: @buf: "drop PSN +100", "NAK, wants PSN 0x0027e3", "again PSN +100".
 */
char *rf_export_words(const struct rf_event *e, char *buf, size_t len)
{
	const char *what = rf_event_opcode(e);

	if (is_nak(e)) {
		snprintf(buf, len, "%sNAK, wants PSN 0x%06x",
			 e->class & RDMAFAULT_CLASS_RNR ? "RNR " : "", e->psn);
		return buf;
	}
	if (e->fault)
		what = rf_action_name(e->action);
	else if (rf_event_is_retransmission(e))
		what = "again";
	snprintf(buf, len, "%s PSN +%u", what, e->psn_rel);
	return buf;
}

/**
 * rf_export_breach - the rule of go-back-N that a packet breaks
 * @an: what its case shows
 * @e: an event of the packet
 * @buf: where to write
 * @len: room there
 *
 * Return: @buf, or NULL if it breaks none.
 */
char *rf_export_breach(const struct rf_analysis *an, const struct rf_event *e,
		       char *buf, size_t len)
{
	const struct rf_gbn_flow *flow;
	int rule;

	if (!an->gbn.violations)
		return NULL;
	for (flow = an->gbn.flows; flow < an->gbn.flows + an->gbn.n; flow++)
		for (rule = 0; rule < RF_GBN_RULES; rule++)
			if (flow->where[rule] == e) {
				snprintf(buf, len, "breaks go-back-N: %s",
					 rf_gbn_rule_text(rule));
				return buf;
			}
	return NULL;
}
