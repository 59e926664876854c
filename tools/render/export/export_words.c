// SPDX-License-Identifier: GPL-2.0
/* Names of packet events in the exported formats. */
#include "export.h"
#include "words.h"

static bool is_nak_or_rnr(const struct rf_event *e)
{
	return !e->fault &&
	       e->class & (RDMAFAULT_CLASS_NAK | RDMAFAULT_CLASS_RNR);
}

/**
 * rf_export_words - name the event of a packet
 * @e: the event
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf: "drop PSN +100", "NAK, requests PSN 0x0027e3", "retransmit PSN +100".
 */
char *rf_export_words(const struct rf_event *e, char *buf, size_t len)
{
	const char *what = rf_event_opcode(e);

	if (is_nak_or_rnr(e)) {
		snprintf(buf, len, "%sNAK, requests PSN 0x%06x",
			 e->class & RDMAFAULT_CLASS_RNR ? "RNR " : "", e->psn);
		return buf;
	}
	if (e->fault)
		what = rf_action_name(e->action);
	else if (rf_event_is_retransmission(e))
		what = "retransmit";
	snprintf(buf, len, "%s PSN +%u", what, e->psn_rel);
	return buf;
}

/**
 * rf_export_breach - name the rule of go-back-N that a packet violates
 * @an: the analysis of the case
 * @e: an event of the packet
 * @buf: output buffer
 * @len: size of @buf
 *
 * Return: @buf, or NULL if the packet violates no rule.
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
				snprintf(buf, len, "violates go-back-N: %s",
					 rf_gbn_rule_text(rule));
				return buf;
			}
	return NULL;
}
