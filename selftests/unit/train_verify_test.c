// SPDX-License-Identifier: GPL-2.0
/*
 * Test the check of a training step. Ranks are threads that exchange data through an
 * array. If any received value is changed, all ranks must come to the same verdict and
 * report the first wrong element and the ranks that have it.
 */
#include <pthread.h>
#include <stdarg.h>

#include "../../tools/train/grid.c"
#include "../../tools/train/verify.c"
#include "golden.h"
#include "tap.h"

#define RANKS	5
#define N	1000u
#define STEP	7u

static float given[RANKS][N], got[RANKS][N];
static struct tr_rank ranks[RANKS];
static struct coll_state states[RANKS];
static struct tr_config cfg;
static int verdicts[RANKS];
static char words[512], failure[512];
static int n_words;

static struct {
	pthread_barrier_t in, out;
	char all[RANKS][8192];
} star;

int coll_allgather(struct coll_oob *oob, const void *mine, size_t len, void *all)
{
	memcpy(star.all[oob->rank], mine, len);
	pthread_barrier_wait(&star.in);
	for (int r = 0; r < oob->ranks; r++)
		memcpy((char *)all + (size_t)r * len, star.all[r], len);
	pthread_barrier_wait(&star.out);
	return 0;
}

int coll_fail(struct coll_state *st, enum coll_status status, const char *fmt, ...)
{
	va_list ap;

	st->status = status;
	va_start(ap, fmt);
	if (st == &states[0])
		vsnprintf(failure, sizeof(failure), fmt, ap);
	va_end(ap);
	return -EIO;
}

void rf_err(const char *fmt, ...)
{
	va_list ap;

	n_words++;
	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
}

uint64_t tr_vector_length(const struct tr_config *c)
{
	(void)c;
	return N;
}

static void *be_rank(void *arg)
{
	struct tr_rank *me = arg;
	struct tr_report all[RANKS];

	me->now.given = tr_grid_digest(given[me->rank], N, 0);
	me->now.got = tr_grid_digest(got[me->rank], N, 0);
	if (!cfg.mode->alike)
		me->now.given = me->account.sent[(me->rank + 1) % RANKS];
	if (!cfg.mode->alike)
		me->now.got =
			me->account.received[(me->rank + RANKS - 1) % RANKS];
	coll_allgather(&me->comm.oob, &me->now, sizeof(me->now), all);
	verdicts[me->rank] = tr_verify(me, all);
	return NULL;
}

/* Let all ranks check the step. Return: their verdict; 1 if the verdicts of two ranks differ */
static int verify(void)
{
	pthread_t threads[RANKS];
	int verdict;

	words[0] = '\0';
	failure[0] = '\0';
	n_words = 0;
	for (int r = 0; r < RANKS; r++)
		pthread_create(&threads[r], NULL, be_rank, &ranks[r]);
	for (int r = 0; r < RANKS; r++)
		pthread_join(threads[r], NULL);
	verdict = verdicts[0];
	for (int r = 1; r < RANKS; r++)
		verdict = verdicts[r] == verdict ? verdict : 1;
	return verdict;
}

static void sum_up(void)
{
	memset(got, 0, sizeof(got));
	for (int r = 0; r < RANKS; r++)
		for (int k = 0; k < RANKS; k++)
			for (uint32_t i = 0; i < N; i++)
				got[r][i] += given[k][i];
}

static void set_up(const struct tr_mode *mode)
{
	struct tr_random random = { 3 };

	cfg.mode = mode;
	for (int r = 0; r < RANKS; r++) {
		for (uint32_t i = 0; i < N; i++)
			given[r][i] = tr_symmetric(&random);
		tr_grid_round(given[r], given[r], N, RANKS);
		ranks[r] = (struct tr_rank){
			.cfg = &cfg, .state = &states[r], .rank = r,
			.ranks = RANKS,
			.now = { .step = STEP, .weights = 99 },
		};
		ranks[r].comm.oob.rank = r;
		ranks[r].comm.oob.ranks = RANKS;
		ranks[r].comm.tp.mem[COLL_SEND].addr = (char *)given[r];
		ranks[r].comm.tp.mem[COLL_RECV].addr = (char *)got[r];
	}
	sum_up();
}

static void changed_for_one_fails(uint32_t at)
{
	sum_up();
	got[2][at] += 1;
	ok(verify() == -EBADMSG && n_words == 1, "tr_verify() finds the wrong element %u of one rank", at);
	golden(words, "rank 2 holds a wrong element %u", at);
}

static void changed_for_several_fails(void)
{
	sum_up();
	for (int r = 1; r < 4; r++)
		got[r][500] = -got[r][500];
	got[3][700] = 0;
	ok(verify() == -EBADMSG, "tr_verify() finds a wrong element of three ranks");
	golden(words, "ranks 1, 2 and 3 hold the same wrong element, rank 3 a second one");
	sum_up();
	for (int r = 0; r < RANKS; r++)
		got[r][0] += 0.5f;
	ok(verify() == -EBADMSG, "tr_verify() finds the same wrong sum of all ranks");
	golden(words, "all ranks hold the same wrong sum");
}

static void values_fail(void)
{
	sum_up();
	got[4][999] = 4;
	ok(verify() == -EBADMSG, "tr_verify() finds a wrong value");
	golden(words, "rank 4 holds 4 instead of %.9g", (double)got[0][999]);
	sum_up();
}

static void weights_fail(void)
{
	ranks[3].now.weights = 100;
	ok(verify() == -EBADMSG, "tr_verify() finds a rank with different weights");
	golden(words, "rank 3 has other weights");
	ranks[0].now.weights = 100;
	ok(verify() == -EBADMSG, "tr_verify() finds two ranks with different weights");
	golden(words, "ranks 0 and 3 have other weights");
	ranks[0].now.weights = 99;
	ranks[3].now.weights = 99;
}

static void other_steps_fail(void)
{
	ranks[4].now.step = STEP + 1;
	ok(verify() != 0, "tr_verify() fails if ranks are in different steps");
	golden(failure, "rank 4 is one step ahead");
	ranks[4].now.step = STEP;
}

static void links_ok(void)
{
	for (int r = 0; r < RANKS; r++) {
		ranks[r].account.sent[(r + 1) % RANKS] = 10 + (uint64_t)r;
		ranks[(r + 1) % RANKS].account.received[r] = 10 + (uint64_t)r;
		ranks[r].now.weights = (uint64_t)r;
	}
	ok(verify() == 0, "tr_verify() accepts messages that arrived unchanged");
	ranks[3].account.received[2]++;
	ok(verify() == -EBADMSG && n_words == 1, "tr_verify() finds a message that arrived changed");
	golden(words, "rank 3 received other data than rank 2 sent");
}

int main(void)
{
	const struct tr_mode alike = { .name = "alike", .alike = true };
	const struct tr_mode unlike = { .name = "unlike" };

	pthread_barrier_init(&star.in, NULL, RANKS);
	pthread_barrier_init(&star.out, NULL, RANKS);
	set_up(&alike);
	ok(verify() == 0 && !n_words, "tr_verify() accepts right sums and prints nothing");
	changed_for_one_fails(0);
	changed_for_one_fails(31);
	changed_for_one_fails(777);
	changed_for_one_fails(999);
	changed_for_several_fails();
	values_fail();
	weights_fail();
	other_steps_fail();
	ok(verify() == 0, "tr_verify() accepts right sums after failures");
	set_up(&unlike);
	links_ok();
	golden_compare("train_verify.txt");
	return done_testing();
}
