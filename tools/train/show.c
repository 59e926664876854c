// SPDX-License-Identifier: GPL-2.0
/*
 * Progress on a terminal: one line per epoch, with a bar for the accuracy, and below
 * it a line that is redrawn during the steps. If stdout is not a terminal, or with
 * --json, lines.c writes JSON instead.
 *
 * The straggler of a step is the rank with the longest computing time. Rank 0
 * determines it from durations, so the clocks of several machines need not agree.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "random.h"
#include "show.h"
#include "units.h"

#define REDRAW_NS	(100 * COLL_NSEC_PER_MSEC)
#define BAR		30

/** tr_percent() - get the percentage of rows whose class was predicted correctly */
double tr_percent(const struct tr_loss *loss)
{
	return loss->seen ? 100.0 * loss->correct / loss->seen : 0;
}

/** tr_mean() - get the mean loss per row */
double tr_mean(const struct tr_loss *loss)
{
	return loss->seen ? loss->sum / loss->seen : 0;
}

/** tr_weights() - get a hash of the parameters of the whole neural network */
uint64_t tr_weights(const struct tr_config *cfg, const struct tr_report *all)
{
	uint64_t hash = 0;

	if (cfg->mode->alike)
		return all[0].weights;
	for (uint32_t r = 0; r < cfg->ranks; r++)
		hash = tr_mix(hash + all[r].weights);
	return hash;
}

static int busiest(const struct tr_config *cfg, const struct tr_report *all)
{
	int last = 0;

	for (int r = 1; r < (int)cfg->ranks; r++)
		if (all[r].busy_ns > all[last].busy_ns)
			last = r;
	return last;
}

static void add(struct tr_sum *sum, const struct tr_config *cfg,
		const struct tr_report *all, int last)
{
	uint64_t longest = 0;

	for (uint32_t r = 0; r < cfg->ranks; r++) {
		sum->loss.sum += all[r].loss.sum;
		sum->loss.correct += all[r].loss.correct;
		sum->loss.seen += all[r].loss.seen;
		sum->cut += all[r].cut;
		if (all[r].step_ns > longest)
			longest = all[r].step_ns;
	}
	sum->steps++;
	sum->step_ns += longest;
	sum->busy_ns += all[last].busy_ns;
	sum->last[last]++;
}

static void print_net(const struct tr_config *cfg)
{
	for (int l = 0; l <= cfg->net.layers; l++)
		printf("%s%u", l ? "-" : "", cfg->net.width[l]);
}

static void head(const struct tr_config *cfg)
{
	char bytes[RF_FMT_LEN];

	printf("# %u ranks, %s; %s: %u examples to learn from, %u to test with\n# network ",
	       cfg->ranks, cfg->mode->name, cfg->data_name, cfg->data.train,
	       cfg->data.n - cfg->data.train);
	print_net(cfg);
	printf(", %llu parameters, %s of gradient; batch %u, %u steps\n",
	       (unsigned long long)cfg->net.n,
	       rf_fmt_size(tr_vector_length(cfg) * sizeof(float), bytes),
	       cfg->batch, cfg->steps);
	printf("#%5s %7s %8s %8s %8s %8s %8s  %s\n", "epoch", "step", "loss",
	       "train %", "test %", "ms/step", "computes", "waited for");
	fflush(stdout);
}

/** tr_show_lines() - check whether the output is JSON */
bool tr_show_lines(const struct tr_config *cfg)
{
	return cfg->json || !isatty(STDOUT_FILENO);
}

/** tr_show_begin() - print the header lines */
void tr_show_begin(struct tr_show *s, const struct tr_rank *me)
{
	*s = (struct tr_show){
		.cfg = me->cfg,
		.lines = tr_show_lines(me->cfg),
		.began_ns = coll_now(),
	};
	if (s->lines)
		tr_lines_begin(s, me);
	else
		head(me->cfg);
}

static double millis(uint64_t ns, uint32_t n)
{
	return n ? (double)ns / n / COLL_NSEC_PER_MSEC : 0;
}

/* Format the most frequent straggler: "rank 3 (62 %)". */
static void waited_for(const struct tr_sum *sum, char *buf, size_t len)
{
	uint32_t most = 0;

	for (uint32_t r = 1; r < COLL_RANKS_MAX; r++)
		if (sum->last[r] > sum->last[most])
			most = r;
	snprintf(buf, len, "rank %u (%.0f %%)", most,
		 sum->steps ? 100.0 * sum->last[most] / sum->steps : 0);
}

static void clear_live(struct tr_show *s)
{
	if (s->drawn_ns)
		printf("\r\033[K");
	s->drawn_ns = 0;
}

static void draw_live(struct tr_show *s, uint32_t step)
{
	uint64_t now = coll_now();
	char ranks[40];

	if (s->drawn_ns && now - s->drawn_ns < REDRAW_NS)
		return;
	clear_live(s);
	s->drawn_ns = now;
	waited_for(&s->epoch, ranks, sizeof(ranks));
	printf(" %5u %7u %8.4f %8.2f %8s %8.2f %8.2f  %s",
	       (step - 1) / tr_steps_per_epoch(s->cfg) + 1, step,
	       tr_mean(&s->epoch.loss), tr_percent(&s->epoch.loss), "...",
	       millis(s->epoch.step_ns, s->epoch.steps),
	       millis(s->epoch.busy_ns, s->epoch.steps), ranks);
	fflush(stdout);
}

/** tr_show_step() - add a completed step to the sums, and show it */
void tr_show_step(struct tr_show *s, const struct tr_report *all)
{
	int last = busiest(s->cfg, all);

	add(&s->epoch, s->cfg, all, last);
	add(&s->all, s->cfg, all, last);
	if (s->lines)
		tr_lines_step(s, all, last);
	else
		draw_live(s, all[0].step);
}

static void bar(double percent)
{
	int full = (int)(percent * BAR / 100 + 0.5);

	for (int i = 0; i < BAR; i++)
		fputs(i < full ? "█" : "·", stdout);
}

static void epoch_line(const struct tr_show *s, uint32_t step)
{
	char ranks[40];

	waited_for(&s->epoch, ranks, sizeof(ranks));
	printf(" %5u %7u ", step / tr_steps_per_epoch(s->cfg), step);
	if (s->epoch.steps)
		printf("%8.4f %8.2f %8.2f %8.2f %8.2f  %-16s ",
		       tr_mean(&s->epoch.loss), tr_percent(&s->epoch.loss),
		       tr_percent(&s->test),
		       millis(s->epoch.step_ns, s->epoch.steps),
		       millis(s->epoch.busy_ns, s->epoch.steps), ranks);
	else
		printf("%8s %8s %8.2f %8s %8s  %-16s ", "", "",
		       tr_percent(&s->test), "", "", "");
	bar(tr_percent(&s->test));
	printf("\n");
	fflush(stdout);
}

/** tr_show_test() - print the result of a test after @step steps */
void tr_show_test(struct tr_show *s, uint32_t step, const struct tr_loss *test)
{
	s->test = *test;
	if (s->lines) {
		tr_lines_test(s, step);
	} else {
		clear_live(s);
		epoch_line(s, step);
	}
	s->epoch = (struct tr_sum){ .steps = 0 };
}

/** tr_show_end() - print the last lines of the training */
void tr_show_end(struct tr_show *s, const struct tr_report *all)
{
	uint64_t weights = tr_weights(s->cfg, all);
	double sec = (double)(coll_now() - s->began_ns) / COLL_NSEC_PER_SEC;
	char ranks[40];

	if (s->lines) {
		tr_lines_end(s, weights);
		return;
	}
	clear_live(s);
	waited_for(&s->all, ranks, sizeof(ranks));
	printf("# %u steps in %.2f s, %.2f ms each, of which %.2f ms computing; waited for most: %s\n",
	       s->all.steps, sec, millis(s->all.step_ns, s->all.steps),
	       millis(s->all.busy_ns, s->all.steps), ranks);
	if (s->all.cut)
		printf("# %llu values of gradients were too large and were cut: is the learning rate too high?\n",
		       (unsigned long long)s->all.cut);
	printf("# test accuracy %.2f %%, weights %016llx\n",
	       tr_percent(&s->test), (unsigned long long)weights);
}
