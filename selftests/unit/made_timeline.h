/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The timeline of a job, made by hand for tests of the analysis: two ranks, one flow, and four
 * steps of 10 ms. The second step has a fault.
 */
#ifndef RF_TEST_MADE_TIMELINE_H
#define RF_TEST_MADE_TIMELINE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/run/record.h"

#define MS 1000000ull
#define STEPS 4

static const char head[] =
	"{\"type\":\"job\",\"ranks\":2,\"bytes\":65536,\"iters\":4}\n"
	"{\"type\":\"qp\",\"rank\":0,\"peer\":1,\"dir\":\"out\",\"device\":\"rxe1\",\"netdev\":\"v1\",\"qpn\":17,\"peer_qpn\":18,\"psn\":1,\"addr\":\"10.77.0.1\",\"peer_addr\":\"10.77.0.2\"}\n"
	"{\"type\":\"news\",\"from\":\"a later collperf\"}\n";

static inline void put_step(FILE *f, int rank, int step, uint64_t ns)
{
	uint64_t start = step * 1000 * MS + rank;

	fprintf(f, "{\"type\":\"step\",\"rank\":%d,\"step\":%d,\"start_ns\":%llu,\"end_ns\":%llu,\"sync_ns\":%llu,\"wait_recv_ns\":%llu,\"wait_send_ns\":1,\"wait_sync_ns\":2,\"wrong\":0}\n",
		rank, step, (unsigned long long)start,
		(unsigned long long)(start + ns - 10),
		(unsigned long long)(start + ns),
		(unsigned long long)(ns / 2));
}

/* Write a timeline file and read it. In the file, step 2 takes @ns; the last line is @tail. */
static inline int make_timeline(struct rf_timeline *tl, uint64_t ns, const char *tail)
{
	char path[] = "/tmp/timeline-XXXXXX";
	int fd = mkstemp(path), step, err;
	FILE *f = fdopen(fd, "w");

	fputs(head, f);
	for (step = 1; step <= STEPS; step++) {
		put_step(f, 0, step, step == 2 ? ns : 10 * MS + step);
		put_step(f, 1, step, step == 2 ? ns : 10 * MS + step);
	}
	fputs(tail, f);
	fclose(f);
	err = rf_timeline_read(path, false, tl);
	unlink(path);
	return err;
}

static const char ended[] =
	"{\"type\":\"end\",\"rank\":0,\"status\":0,\"wrong\":0,\"error\":null}\n"
	"{\"type\":\"end\",\"rank\":1,\"status\":0,\"wrong\":3,\"error\":null}\n";

#endif
