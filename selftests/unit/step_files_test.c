// SPDX-License-Identifier: GPL-2.0
/* Test reading the files of steps that the ranks of an MPI program write. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "said.h"
#include "tap.h"
#include "tools/run/runner.h"

static const struct rf_cluster cluster = {
	.nodes = 2, .node = { { 1, "v1", "rxe1" }, { 2, "v2", "rxe2" } },
};

static char dir[] = "/tmp/steps-XXXXXX";
static struct rf_timeline tl;

#define JOB(rank, netdev) "{\"type\":\"job\",\"rank\":" #rank ",\"ranks\":2,\"netdev\":\"" netdev "\"}\n"
#define STEP(step, op, bytes, start, end) \
	"{\"type\":\"step\",\"step\":" #step ",\"op\":\"" op "\",\"bytes\":" #bytes \
	",\"start_ns\":" #start ",\"end_ns\":" #end "}\n"
#define END "{\"type\":\"end\",\"collectives\":2}\n"

/* Write the file of a rank; NULL: remove it. */
static void put(uint32_t rank, const char *text)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/steps.%u.jsonl", dir, rank);
	unlink(path);
	f = text ? fopen(path, "w") : NULL;
	if (!f)
		return;
	fputs(text, f);
	fclose(f);
}

static int read_files(const char *rank0, const char *rank1, uint32_t steps)
{
	put(0, rank0);
	put(1, rank1);
	rf_timeline_free(&tl);
	said[0] = '\0';
	if (rf_timeline_of_command(&tl, 0, ""))
		return -ENOMEM;
	return rf_step_files_read(dir, &cluster, steps, &tl);
}

static bool is_step(uint32_t rank, uint32_t step, uint64_t start, uint64_t end)
{
	const struct rf_step *s = rf_timeline_step(&tl, rank, step);

	return s && s->start_ns == start && s->end_ns == end && s->sync_ns == end;
}

static const char rank1[] = JOB(1, "v2") STEP(1, "allreduce", 64, 11, 21) STEP(2, "allreduce", 64, 31, 41) END;

static void steps_ok(void)
{
	ok(!read_files(NULL, NULL, 0) && !tl.iters && tl.ranks == 1, "without files the timeline does not change");
	ok(!read_files(JOB(0, "v1") STEP(1, "allreduce", 64, 10, 20) STEP(2, "allreduce", 64, 30, 40) END, rank1, 0) &&
	   tl.ranks == 2 && tl.iters == 2, "the files have the ranks and the steps");
	ok(is_step(0, 1, 10, 20) && is_step(1, 2, 31, 41), "a step has the start and the end of its collective");
	ok(tl.bytes == 64 && tl.end[1].seen, "the bytes of equal all-reduces are known");
	ok(!read_files(JOB(0, "v1") STEP(1, "bcast", 64, 10, 20) STEP(2, "allreduce", 64, 30, 40), rank1, 0) &&
	   !tl.bytes, "the bytes of different operations are not known");
	ok(!read_files(JOB(0, "") STEP(1, "allreduce", 8, 10, 20) STEP(1, "allreduce", 8, 22, 25) STEP(2, "allreduce", 16, 30, 40), rank1, 0) &&
	   is_step(0, 1, 10, 25) && tl.bytes == 16, "several collectives of a step are one step");
	ok(!read_files(JOB(0, "v1") STEP(1, "allreduce", 64, 10, 20), rank1, 1) && tl.iters == 1 &&
	   is_step(1, 1, 11, 21), "further steps than those of the scenario are ignored");
	ok(!read_files(JOB(0, "v1") STEP(1, "allreduce", 64, 10, 20), rank1, 3) && tl.iters == 3 &&
	   !rf_timeline_step(&tl, 0, 2), "steps that a rank did not make are not known");
}

static void ranks_ok(void)
{
	ok(!read_files(JOB(0, "v1") STEP(1, "allreduce", 64, 10, 20), NULL, 0) && tl.ranks == 2 &&
	   is_step(0, 1, 10, 20) && !rf_timeline_step(&tl, 1, 1) &&
	   strstr(noted, "steps.1.jsonl: no such file"), "a rank without a file has no steps: %s", noted);
	ok(!read_files(NULL, rank1, 0) && tl.ranks == 2 && is_step(1, 1, 11, 21) && !tl.bytes,
	   "rank 0 can have no file");
	ok(!read_files(JOB(0, "v2") STEP(1, "allreduce", 64, 10, 20), rank1, 0) && !tl.iters &&
	   strstr(noted, "rank 0 uses v2 instead of v1"), "files of a rank on another node are not used: %s", noted);
	put(2, "{\"type\":\"job\",\"rank\":2,\"ranks\":3,\"netdev\":\"v1\"}\n");
	ok(!read_files(JOB(0, "v1"), rank1, 0) && !tl.iters && strstr(noted, "3 ranks on 2 nodes"),
	   "files of more ranks than nodes are not used: %s", noted);
	put(2, NULL);
}

static void refused(const char *text, const char *why)
{
	ok(read_files(text, rank1, 0) == -EINVAL && strstr(said, why), "refused: %s", said);
}

static void lines_ok(void)
{
	ok(!read_files(JOB(0, "v1") STEP(1, "allreduce", 64, 10, 20) "{\"type\":\"step\",\"st", rank1, 0) &&
	   is_step(0, 1, 10, 20) && !rf_timeline_step(&tl, 0, 2), "a last line that is cut off is ignored");
	refused(JOB(0, "v1") "{\"type\":\"step\",\"st\n" END, "steps.0.jsonl:2: invalid line");
	refused(JOB(1, "v1"), "steps.0.jsonl:1: invalid line");
	refused(JOB(0, "v1") STEP(0, "allreduce", 64, 10, 20), ":2: invalid line");
	refused(JOB(0, "v1") STEP(1, "allreduce", 64, 20, 10), ":2: invalid line");
	refused(JOB(0, "v1") STEP(100001, "allreduce", 64, 10, 20), "step 100001 is greater than 100000; RF_STEP_EVERY");
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	steps_ok();
	ranks_ok();
	lines_ok();
	put(0, NULL);
	put(1, NULL);
	rmdir(dir);
	rf_timeline_free(&tl);
	return done_testing();
}
