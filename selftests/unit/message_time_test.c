// SPDX-License-Identifier: GPL-2.0
/*
 * Test the completion times of messages: in step 2, rank 0 sends a message of three packets, one
 * of one packet that is lost, and one that is never acknowledged. Step 3
 * is not recorded in full.
 */
#include "made_packets.h"
#include "said.h"
#include "tap.h"
#include "tools/analysis/analysis.h"

static struct rf_event request(unsigned int ms, uint32_t psn, uint32_t attempt,
			       uint32_t position)
{
	struct rf_event e = write_at(2000 * MS + ms * MS, psn, attempt);

	e.position = position;
	return e;
}

static struct rf_event ack(unsigned int ms, uint32_t psn)
{
	struct rf_event e = nak_at(2000 * MS + ms * MS, psn);

	e.class = RDMAFAULT_CLASS_ACK;
	e.syndrome = 0x1f;
	return e;
}

static struct rf_event lost(unsigned int ms, uint32_t psn, uint32_t step)
{
	struct rf_event e = drop_at(2000 * MS + ms * MS, psn);

	e.position = RDMAFAULT_POSITION_ONLY;
	e.step = step;
	return e;
}

static void times_ok(void)
{
	const struct rf_event packets[] = {
		request(10, 1, 1, RDMAFAULT_POSITION_FIRST),
		request(11, 2, 1, RDMAFAULT_POSITION_MIDDLE),
		request(12, 3, 1, RDMAFAULT_POSITION_LAST),
		ack(14, 2), ack(15, 3),
		lost(20, 4, 2),
		request(80, 4, 2, RDMAFAULT_POSITION_ONLY), ack(81, 4),
		request(90, 5, 1, RDMAFAULT_POSITION_ONLY),
		lost(1010, 6, 3),
	};
	struct rf_analysis an;
	struct rf_record rec;
	struct rf_case test_case = { .name = "made" };
	struct rf_run_case p = { .test_case = &test_case, .an = &an };
	struct rf_run run = { .cases = &p, .ncases = 1 };
	double v;

	make_record(&rec, 100 * MS, packets, sizeof(packets) / sizeof(*packets));
	ok(!rf_analyse(&rec, NULL, &an), "the packets are analysed");
	ok(an.messages.n == 2 && an.messages.ns[0] == 5 * MS && an.messages.ns[1] == 61 * MS,
	   "a message ends with the ACK of its last packet, also of a lost one; other steps do not count");
	ok(an.flows.n == 1 && an.flows.ns[0] == 71 * MS,
	   "the time of a queue pair in a step is from its first packet to its last ACK");
	p.rec = rec;
	ok(rf_metric(&run, &p, "message.time.p50") == 33 * MS &&
	   rf_metric(&run, &p, "message.time.p99") == 61 * MS &&
	   rf_metric(&run, &p, "message.time.max") == 61 * MS &&
	   rf_metric(&run, &p, "flow.time.max") == 71 * MS, "the metrics have the completion times");
	rf_analysis_free(&an);
	rf_record_free(&rec);

	make_record(&rec, 100 * MS, packets + 9, 1);
	ok(!rf_analyse(&rec, NULL, &an) && !an.messages.n, "without a recorded step, no message has a time");
	p.rec = rec;
	ok(rf_metric_value(&run, &p, "message.time.p50", &v) &&
	   rf_metric_value(&run, &p, "flow.time.max", &v), "the metrics have no value then");
	rf_analysis_free(&an);
	rf_record_free(&rec);
}

int main(void)
{
	times_ok();
	return done_testing();
}
