// SPDX-License-Identifier: GPL-2.0
/*
 * The verdict on a step: ranks are threads, and their words go over an array.
 * Whatever is changed in what one of them got, all come to the same verdict,
 * and the first wrong element and those who hold it are named.
 */
#include <pthread.h>
#include <stdarg.h>

#include "../../tools/train/grid.c"
#include "../../tools/train/judge.c"
#include "tap.h"

#define RANKS	5
#define N	1000u
#define STEP	7u

static float given[RANKS][N], got[RANKS][N];
static struct tr_rank ranks[RANKS];
static struct cp_state states[RANKS];
static struct tr_config cfg;
static int verdicts[RANKS];
static char words[512], failure[512];
static int n_words;

static struct {
	pthread_barrier_t in, out;
	char all[RANKS][8192];
} star;

int cp_allgather(struct cp_oob *oob, const void *mine, size_t len, void *all)
{
	memcpy(star.all[oob->rank], mine, len);
	pthread_barrier_wait(&star.in);
	for (int r = 0; r < oob->ranks; r++)
		memcpy((char *)all + (size_t)r * len, star.all[r], len);
	pthread_barrier_wait(&star.out);
	return 0;
}

int cp_fail(struct cp_state *st, enum cp_status status, const char *fmt, ...)
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
	cp_allgather(&me->comm.oob, &me->now, sizeof(me->now), all);
	verdicts[me->rank] = tr_judge(me, all);
	return NULL;
}

/* What all came to, or 1 if they didn't agree */
static int judge(void)
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
		ranks[r].comm.tp.mem[CP_SEND].addr = (char *)given[r];
		ranks[r].comm.tp.mem[CP_RECV].addr = (char *)got[r];
	}
	sum_up();
}

static void changed_for_one_fails(uint32_t at)
{
	char want[80];

	sum_up();
	got[2][at] += 1;
	snprintf(want, sizeof(want), "rank 2, step 7: element %u of 1000 ", at);
	ok(judge() == -EBADMSG && n_words == 1 &&
	   !strncmp(words, want, strlen(want)),
	   "element %u is wrong on one rank: %s", at, words);
}

static void changed_for_several_fails(void)
{
	sum_up();
	for (int r = 1; r < 4; r++)
		got[r][500] = -got[r][500];
	got[3][700] = 0;
	ok(judge() == -EBADMSG &&
	   strstr(words, "ranks 1, 2 and 3, step 7: element 500 "),
	   "the first wrong element, and all who hold it: %s", words);
	sum_up();
	for (int r = 0; r < RANKS; r++)
		got[r][0] += 0.5f;
	ok(judge() == -EBADMSG &&
	   strstr(words, "ranks 0, 1, 2, 3 and 4, step 7: element 0 "),
	   "all hold the same wrong sum: %s", words);
}

static void values_fail(void)
{
	char want[80];

	sum_up();
	snprintf(want, sizeof(want), "is 4 and must be %.9g:",
		 (double)got[0][999]);
	got[4][999] = 4;
	ok(judge() == -EBADMSG && strstr(words, want),
	   "what it is and what it must be: %s", words);
	sum_up();
}

static void weights_fail(void)
{
	ranks[3].now.weights = 100;
	ok(judge() == -EBADMSG &&
	   !strcmp(words, "step 7: the weights of rank 3 are not those of the others"),
	   "other weights: %s", words);
	ranks[0].now.weights = 100;
	ok(judge() == -EBADMSG && strstr(words, "the weights of ranks 0 and 3 "),
	   "the fewest are the odd ones: %s", words);
	ranks[0].now.weights = 99;
	ranks[3].now.weights = 99;
}

static void other_steps_fail(void)
{
	ranks[4].now.step = STEP + 1;
	ok(judge() != 0 && strstr(failure, "rank 4 is at step 8, this one at 7"),
	   "ranks in different steps: %s", failure);
	ranks[4].now.step = STEP;
}

static void links_ok(void)
{
	for (int r = 0; r < RANKS; r++) {
		ranks[r].account.sent[(r + 1) % RANKS] = 10 + (uint64_t)r;
		ranks[(r + 1) % RANKS].account.received[r] = 10 + (uint64_t)r;
		ranks[r].now.weights = (uint64_t)r;
	}
	ok(judge() == 0, "each message arrived as it was sent");
	ranks[3].account.received[2]++;
	ok(judge() == -EBADMSG && n_words == 1 &&
	   strstr(words, "rank 3, step 7: what it got of rank 2 is not"),
	   "one did not: %s", words);
}

int main(void)
{
	const struct tr_mode alike = { .name = "alike", .alike = true };
	const struct tr_mode unlike = { .name = "unlike" };

	pthread_barrier_init(&star.in, NULL, RANKS);
	pthread_barrier_init(&star.out, NULL, RANKS);
	set_up(&alike);
	ok(judge() == 0 && !n_words, "all is well, and nothing is said");
	changed_for_one_fails(0);
	changed_for_one_fails(31);
	changed_for_one_fails(777);
	changed_for_one_fails(999);
	changed_for_several_fails();
	values_fail();
	weights_fail();
	other_steps_fail();
	ok(judge() == 0, "all is well again");
	set_up(&unlike);
	links_ok();
	return done_testing();
}
