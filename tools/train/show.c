// SPDX-License-Identifier: GPL-2.0
/*
 * Print the progress. On a terminal, print one line per epoch, with a bar for the accuracy, and
 * below it a line that is redrawn during the steps.
 *
 * If stdout is not a terminal, or with --json, print JSON, one object per line: "job", then
 * "step" for each step and "test" for each test, and "end" if the training completed.
 *
 * The straggler of a step is the rank with the longest computing time. Rank 0
 * determines it from durations, so the clocks of several machines need not agree.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "net.h"
#include "ranks.h"
#include "train.h"
#include "units.h"

#define REDRAW_NS	(100 * COLL_NSEC_PER_MSEC)
#define BAR		30

/* Return the percentage of rows whose class was predicted correctly. */
static double percent_of(const struct tr_loss *loss)
{
	return loss->seen ? 100.0 * loss->correct / loss->seen : 0;
}

/* Return the mean loss per row. */
static double mean_of(const struct tr_loss *loss)
{
	return loss->seen ? loss->sum / loss->seen : 0;
}

/* Return a hash of the parameters of the whole neural network. */
static uint64_t weights_of(const struct tr_config *cfg, const struct tr_report *all)
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

static void add_reports(struct tr_sum *sum, const struct tr_config *cfg,
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

/* ---- JSON lines ---- */

static void put_real(struct json_object *o, const char *key, double v)
{
	char text[40];

	snprintf(text, sizeof(text), "%.9g", v);
	json_object_object_add(o, key, isfinite(v) ?
			       json_object_new_double_s(v, text) : NULL);
}

static void put_hash(struct json_object *o, const char *key, uint64_t v)
{
	char text[20];

	snprintf(text, sizeof(text), "%016llx", (unsigned long long)v);
	rf_put_text(o, key, text);
}

static void print_line(struct json_object *o)
{
	rf_json_emit(stdout, o);
	fflush(stdout);
}

static struct json_object *numbers(const uint32_t *v, int n)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_int64(v[i]));
	return list;
}

static void print_job_line(const struct tr_show *s, const struct tr_rank *me)
{
	const struct tr_config *cfg = s->cfg;
	struct json_object *o = rf_json_typed("job");

	rf_put_u64(o, "ranks", cfg->ranks);
	rf_put_text(o, "parallel", cfg->mode->name);
	rf_put_text(o, "data", cfg->data_name);
	rf_put_u64(o, "train", cfg->data.train);
	rf_put_u64(o, "test", cfg->data.n - cfg->data.train);
	json_object_object_add(o, "network", numbers(cfg->net.width,
						     cfg->net.layers + 1));
	rf_put_u64(o, "parameters", cfg->net.n);
	rf_put_u64(o, "gradient_bytes", tr_vector_length(cfg) * sizeof(float));
	rf_put_u64(o, "buckets", cfg->buckets);
	rf_put_u64(o, "batch", cfg->batch);
	rf_put_u64(o, "steps", cfg->steps);
	rf_put_u64(o, "steps_per_epoch", tr_steps_per_epoch(cfg));
	rf_put_u64(o, "seed", cfg->seed);
	rf_put_u64(o, "compute_ns", cfg->compute_ns);
	rf_put_u64(o, "messages", me->announcer.messages);
	rf_put_u64(o, "mtu", me->state->mtu);
	print_line(o);
}

static void put_each(struct json_object *o, const char *key,
		     const struct tr_report *all, int ranks, size_t field)
{
	struct json_object *list = json_object_new_array();

	for (int r = 0; r < ranks; r++) {
		const char *rep = (const char *)&all[r];
		uint64_t ns = *(const uint64_t *)(const void *)(rep + field);

		json_object_array_add(list, json_object_new_int64((int64_t)ns));
	}
	json_object_object_add(o, key, list);
}

/* Write the "step" line of a step; @last: the straggler. */
static void print_step_line(const struct tr_show *s, const struct tr_report *all, int last)
{
	struct json_object *o = rf_json_typed("step");
	struct tr_loss loss = { 0 };
	int ranks = (int)s->cfg->ranks;

	for (int r = 0; r < ranks; r++) {
		loss.sum += all[r].loss.sum;
		loss.correct += all[r].loss.correct;
		loss.seen += all[r].loss.seen;
	}
	rf_put_u64(o, "step", all[0].step);
	put_real(o, "loss", mean_of(&loss));
	put_real(o, "accuracy", percent_of(&loss));
	rf_put_u64(o, "last_rank", (uint64_t)last);
	put_each(o, "start_ns", all, ranks,
		 offsetof(struct tr_report, start_ns));
	put_each(o, "step_ns", all, ranks, offsetof(struct tr_report, step_ns));
	put_each(o, "busy_ns", all, ranks, offsetof(struct tr_report, busy_ns));
	put_hash(o, "weights", weights_of(s->cfg, all));
	print_line(o);
}

/* Write the "test" line with the result after @step steps. */
static void print_test_line(const struct tr_show *s, uint32_t step)
{
	struct json_object *o = rf_json_typed("test");

	rf_put_u64(o, "step", step);
	rf_put_u64(o, "epoch", step / tr_steps_per_epoch(s->cfg));
	rf_put_u64(o, "time_ns", rf_now_ns() - s->began_ns);
	put_real(o, "loss", mean_of(&s->test));
	put_real(o, "accuracy", percent_of(&s->test));
	print_line(o);
}

static void print_end_line(const struct tr_show *s, uint64_t weights)
{
	struct json_object *o = rf_json_typed("end");

	rf_put_u64(o, "steps", s->all.steps);
	rf_put_u64(o, "time_ns", rf_now_ns() - s->began_ns);
	rf_put_u64(o, "step_ns",
		   s->all.steps ? s->all.step_ns / s->all.steps : 0);
	rf_put_u64(o, "busy_ns",
		   s->all.steps ? s->all.busy_ns / s->all.steps : 0);
	json_object_object_add(o, "last", numbers(s->all.last,
						  (int)s->cfg->ranks));
	rf_put_u64(o, "cut", s->all.cut);
	put_real(o, "test_accuracy", percent_of(&s->test));
	put_real(o, "test_loss", mean_of(&s->test));
	put_hash(o, "weights", weights);
	print_line(o);
}

/* ---- lines of a terminal ---- */

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

/** tr_show_begin() - print the header lines */
void tr_show_begin(struct tr_show *s, const struct tr_rank *me)
{
	*s = (struct tr_show){
		.cfg = me->cfg,
		.lines = me->cfg->json || !isatty(STDOUT_FILENO),
		.began_ns = rf_now_ns(),
	};
	if (s->lines)
		print_job_line(s, me);
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
	uint64_t now = rf_now_ns();
	char ranks[40];

	if (s->drawn_ns && now - s->drawn_ns < REDRAW_NS)
		return;
	clear_live(s);
	s->drawn_ns = now;
	waited_for(&s->epoch, ranks, sizeof(ranks));
	printf(" %5u %7u %8.4f %8.2f %8s %8.2f %8.2f  %s",
	       (step - 1) / tr_steps_per_epoch(s->cfg) + 1, step,
	       mean_of(&s->epoch.loss), percent_of(&s->epoch.loss), "...",
	       millis(s->epoch.step_ns, s->epoch.steps),
	       millis(s->epoch.busy_ns, s->epoch.steps), ranks);
	fflush(stdout);
}

/** tr_show_step() - add a completed step to the sums, and show it */
void tr_show_step(struct tr_show *s, const struct tr_report *all)
{
	int last = busiest(s->cfg, all);

	add_reports(&s->epoch, s->cfg, all, last);
	add_reports(&s->all, s->cfg, all, last);
	if (s->lines)
		print_step_line(s, all, last);
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
		       mean_of(&s->epoch.loss), percent_of(&s->epoch.loss),
		       percent_of(&s->test),
		       millis(s->epoch.step_ns, s->epoch.steps),
		       millis(s->epoch.busy_ns, s->epoch.steps), ranks);
	else
		printf("%8s %8s %8.2f %8s %8s  %-16s ", "", "",
		       percent_of(&s->test), "", "", "");
	bar(percent_of(&s->test));
	printf("\n");
	fflush(stdout);
}

/** tr_show_test() - print the result of a test after @step steps */
void tr_show_test(struct tr_show *s, uint32_t step, const struct tr_loss *test)
{
	s->test = *test;
	if (s->lines) {
		print_test_line(s, step);
	} else {
		clear_live(s);
		epoch_line(s, step);
	}
	s->epoch = (struct tr_sum){ .steps = 0 };
}

/** tr_show_end() - print the last lines of the training */
void tr_show_end(struct tr_show *s, const struct tr_report *all)
{
	uint64_t weights = weights_of(s->cfg, all);
	double sec = (double)(rf_now_ns() - s->began_ns) / COLL_NSEC_PER_SEC;
	char ranks[40];

	if (s->lines) {
		print_end_line(s, weights);
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
	       percent_of(&s->test), (unsigned long long)weights);
}
