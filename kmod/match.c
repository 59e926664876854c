// SPDX-License-Identifier: GPL-2.0
/*
 * One rule's predicate: all that it asks for must be true of the packet.
 *
 * QP 1 carries connection management. A fault there breaks the set-up of a
 * job instead of the job, so a rule reaches it only by naming it, as "qp 1" or
 * "class cm".
 */
#include "match.h"

#ifdef __KERNEL__
#include <uapi/rdmafault/rdmafault.h>
#else
#include <rdmafault/rdmafault.h>
#endif

static bool names_cm(const struct rf_match *match)
{
	return (match->set & RF_MATCH_QP && match->qp == RF_QP_GSI) ||
	       (match->set & RF_MATCH_CLASS &&
		match->classes & RDMAFAULT_CLASS_CM);
}

static bool who_matches(const struct rf_match *match,
			const struct rf_desc *desc)
{
	if (match->set & RF_MATCH_QP && match->qp != desc->qp)
		return false;
	if (match->set & RF_MATCH_PSN && match->psn != desc->psn)
		return false;
	/* Without a flow there is no first PSN to be relative to. */
	if (match->set & RF_MATCH_PSN_REL &&
	    (!desc->pass || match->psn_rel != desc->psn_rel))
		return false;
	return desc->qp != RF_QP_GSI || names_cm(match);
}

static bool what_matches(const struct rf_match *match,
			 const struct rf_desc *desc)
{
	if (match->set & RF_MATCH_OPCODE && match->opcode != desc->opcode)
		return false;
	if (match->set & RF_MATCH_CLASS && !(match->classes & desc->classes))
		return false;
	return !(match->set & RF_MATCH_POSITION) ||
	       match->positions & desc->position;
}

static bool when_matches(const struct rf_match *match,
			 const struct rf_desc *desc, u32 step)
{
	/* An unknown pass is 0 and below every minimum. */
	if (match->set & RF_MATCH_PASS_MIN && desc->pass < match->pass_min)
		return false;
	if (match->set & RF_MATCH_PASS_MAX &&
	    (!desc->pass || desc->pass > match->pass_max))
		return false;
	return !(match->set & RF_MATCH_STEP) || match->step == step;
}

/**
 * rf_match_is_empty - does a match ask for nothing?
 * @match: the match
 *
 * Return: true if every packet but those to QP 1 would match.
 */
bool rf_match_is_empty(const struct rf_match *match)
{
	return !match->set;
}

/**
 * rf_match_true - does a packet match?
 * @match: what the rule asks for
 * @desc: the packet
 * @step: the step that the port is in
 *
 * Context: any.
 * Return: true if all that is asked for is true.
 */
bool rf_match_true(const struct rf_match *match, const struct rf_desc *desc,
		   u32 step)
{
	return who_matches(match, desc) && what_matches(match, desc) &&
	       when_matches(match, desc, step);
}
