// SPDX-License-Identifier: GPL-2.0
/*
 * Compare the clocks of two machines.
 *
 * Process 0 sends a message, and the other process answers with its time. The answer was written
 * after the message was sent and before the answer arrived, so each exchange gives a lower and an
 * upper bound of the offset:
 *
 *     offset  >=  time of sending at process 0 - time of the answer
 *     offset  <=  time of arrival at process 0 - time of the answer
 *
 * The exchanges with the smallest delays give the tightest bounds. The offset is the middle of
 * both; half of their distance is its largest error. Clocks drift: about 10 us per second. So the
 * clocks are compared before and after a case, and the offset between is interpolated.
 */
#include "machines.h"

/**
 * rf_clock_take - add an exchange to a comparison
 * @b: the bounds
 * @sent_ns: time of process 0 when it sent the message
 * @answer_ns: time of the other machine
 * @arrived_ns: time of process 0 when the answer had arrived
 */
void rf_clock_take(struct rf_clock_bounds *b, uint64_t sent_ns, uint64_t answer_ns,
		   uint64_t arrived_ns)
{
	int64_t low = sent_ns - answer_ns, high = arrived_ns - answer_ns;

	if (!b->any || low > b->low)
		b->low = low;
	if (!b->any || high < b->high)
		b->high = high;
	b->at_ns = answer_ns;
	b->any = true;
}

/** rf_clock_result - get the result of a comparison with at least one exchange */
struct rf_clock_look rf_clock_result(const struct rf_clock_bounds *b)
{
	return (struct rf_clock_look){
		.at_ns = b->at_ns, .offset_ns = b->low + (b->high - b->low) / 2,
		.error_ns = (b->high - b->low + 1) / 2,
	};
}

/**
 * rf_clock_offset - get the clock of process 0 minus the clock of a machine
 * @c: the clock of the machine
 * @at_ns: time of the machine
 *
 * Return: the offset, in ns.
 */
int64_t rf_clock_offset(const struct rf_machine_clock *c, uint64_t at_ns)
{
	const struct rf_clock_look *a = &c->before, *b = &c->after;
	double share;

	if (at_ns <= a->at_ns || b->at_ns <= a->at_ns)
		return a->offset_ns;
	if (at_ns >= b->at_ns)
		return b->offset_ns;
	share = (double)(at_ns - a->at_ns) / (b->at_ns - a->at_ns);
	return a->offset_ns + (int64_t)(share * (b->offset_ns - a->offset_ns));
}

/** rf_clock_error - get the largest error of rf_clock_offset() */
uint64_t rf_clock_error(const struct rf_machine_clock *c)
{
	return c->before.error_ns > c->after.error_ns ? c->before.error_ns : c->after.error_ns;
}

/** rf_clock_drift - get by how much the clock of process 0 is faster, as a fraction; 0: unknown */
double rf_clock_drift(const struct rf_machine_clock *c)
{
	if (c->after.at_ns <= c->before.at_ns)
		return 0;
	return (double)(c->after.offset_ns - c->before.offset_ns) /
	       (c->after.at_ns - c->before.at_ns);
}
