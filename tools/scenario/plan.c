// SPDX-License-Identifier: GPL-2.0
/*
 * Print the plan of a run (--dry-run). Each fault of a case is a bar over the steps of
 * the job or over time, followed by its command line.
 */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "scenario.h"
#include "text.h"
#include "units.h"
#include "words.h"

#define WIDTH	48			/* columns of a bar */

/* First and last column of a bar; they are equal if the fault has no duration */
struct bar {
	unsigned int from, to;
};

static bool has_step_range(const struct rf_fault *f)
{
	return RF_ASKS(&f->spec.match, STEP_MIN) ||
	       RF_ASKS(&f->spec.match, STEP_MAX);
}

/* Get the first and last step of a fault; 0: the fault has no first or last step */
static void fault_steps(const struct rf_fault *f, uint64_t *from, uint64_t *to)
{
	const struct rf_match *m = &f->spec.match;

	*from = *to = 0;
	if (f->when.clock == RF_CLOCK_STEP) {
		*from = f->when.begin;
		*to = f->when.end ? f->when.end - 1 : 0;
		return;
	}
	if (RF_ASKS(m, STEP_MIN))
		*from = m->step_min;
	if (RF_ASKS(m, STEP_MAX))
		*to = m->step_max;
}

/* Return: the end of a fault; for xoff, xon and stop, which have no duration, the begin. */
static uint64_t end_of(const struct rf_fault *f)
{
	if (f->kind == RF_FAULT_PAUSE || f->kind == RF_FAULT_STOP)
		return f->when.begin;
	if (f->when.clock == RF_CLOCK_TIME && rf_fault_length(f) &&
	    (!f->when.end || f->when.begin + rf_fault_length(f) < f->when.end))
		return f->when.begin + rf_fault_length(f);
	return f->when.end;
}

static unsigned int column(uint64_t at, uint64_t end)
{
	if (!end)
		return 0;
	return at >= end ? WIDTH - 1 :
	       (unsigned int)((long double)at * (WIDTH - 1) / end);
}

/*
 * Return: the last step of a fault that begins with step @from and ends by itself. A step takes at
 * least its computing time; without computing, the length of a step is not known, and the bar has
 * only the begin.
 */
static uint64_t step_of_end(const struct rf_fault *f, const struct rf_workload *w, uint64_t from)
{
	uint64_t more = w->compute_ns ? (rf_fault_length(f) - 1) / w->compute_ns : 0;

	return more < w->steps - from ? from + more : w->steps;
}

static struct bar bar_of(const struct rf_fault *f, const struct rf_workload *w, uint64_t span)
{
	struct bar bar = { 0, WIDTH - 1 };
	uint64_t from, to, last;
	uint32_t steps = w->steps;

	if (f->when.clock == RF_CLOCK_TIME) {
		bar.from = column(f->when.begin, span);
		if (end_of(f))
			bar.to = column(end_of(f), span);
		return bar;
	}
	fault_steps(f, &from, &to);
	if (rf_fault_length(f) && steps) {
		last = step_of_end(f, w, from ? from : 1);
		to = to && to < last ? to : last;
	}
	if (from)
		bar.from = column(from - 1, steps - 1);
	if (to)
		bar.to = column(to - 1, steps - 1);
	if (f->kind == RF_FAULT_PAUSE || f->kind == RF_FAULT_STOP)
		bar.to = bar.from;
	return bar;
}

static void draw(FILE *f, const struct bar *bar)
{
	unsigned int i;

	fputc('|', f);
	for (i = 0; i < WIDTH; i++)
		fputc(i < bar->from || i > bar->to ? '.' :
		      bar->from == bar->to ? '^' : '=', f);
	fputc('|', f);
}

/* Write when a fault is active: "step 20", "steps 20 to 24", "from step 20 on", "2 s to 2.5 s" */
static void write_when(FILE *f, const struct rf_fault *fault)
{
	char from[RF_FMT_LEN], to[RF_FMT_LEN];
	uint64_t first, last;

	if (fault->when.clock == RF_CLOCK_TIME) {
		fprintf(f, "%s", rf_fmt_time(fault->when.begin, from));
		if (end_of(fault) > fault->when.begin)
			fprintf(f, " to %s", rf_fmt_time(end_of(fault), to));
		else if (!end_of(fault))
			fputs(" to the end", f);
		return;
	}
	fault_steps(fault, &first, &last);
	if (!first && !last)
		fputs(rf_fault_length(fault) ? "before the job" : "always", f);
	else if (first == last || fault->kind == RF_FAULT_PAUSE ||
		 fault->kind == RF_FAULT_STOP)
		fprintf(f, "step %" PRIu64, first);
	else if (!last)
		fprintf(f, rf_fault_length(fault) ? "at step %" PRIu64 : "from step %" PRIu64 " on",
			first);
	else
		fprintf(f, "steps %" PRIu64 " to %" PRIu64, first ? first : 1,
			last);
}

static void write_fault(FILE *f, const struct rf_fault *fault, const struct rf_workload *w,
			uint64_t span)
{
	struct bar bar = bar_of(fault, w, span);

	fputs("    ", f);
	draw(f, &bar);
	fputs("  ", f);
	write_when(f, fault);
	fprintf(f, ": %s\n", fault->words);
}

/* Return: the length of the time axis: a quarter longer than the end of the last fault */
static uint64_t axis_length(const struct rf_case *p)
{
	const struct rf_fault *f;
	uint64_t span = 0, end;

	for (f = p->faults; f < p->faults + p->nfaults; f++) {
		if (f->when.clock != RF_CLOCK_TIME)
			continue;
		end = end_of(f) ? end_of(f) : f->when.begin;
		if (end > span)
			span = end;
	}
	return span + span / 4;
}

static void write_axis(FILE *f, const struct rf_case *p, uint64_t span)
{
	char end[RF_FMT_LEN], steps[32];

	snprintf(steps, sizeof(steps), "step %u", p->workload.steps);
	if (p->workload.steps)
		fprintf(f, "    step 1%*s\n", WIDTH - 4, steps);
	if (span)
		fprintf(f, "    0 s%*s\n", WIDTH - 1, rf_fmt_time(span, end));
}

static void write_expectations(FILE *f, const struct rf_case *p)
{
	size_t i;

	for (i = 0; i < p->nchecks; i++)
		fprintf(f, "    expect %s\n", p->checks[i].text);
}

/* Write words in lines of at most 80 columns, with 12 columns before each line. */
static void write_lines(FILE *f, const char *head, const char *text)
{
	size_t used = 12, len, columns;

	fprintf(f, "  %-10s", head);
	for (; *text; text += len + strspn(text + len, " ")) {
		len = strcspn(text, " ");
		columns = rf_columns(text, len);
		if (used > 12 && used + 1 + columns > 80) {
			fprintf(f, "\n%12s", "");
			used = 12;
		}
		fprintf(f, "%s%.*s", used > 12 ? " " : "", (int)len, text);
		used += columns + (used > 12);
	}
	fputc('\n', f);
}

/* Return: true if equal pairs cross two fabric links */
static bool are_pairs_equal(const struct rf_pairs *a, const struct rf_pairs *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/*
 * Write the fabric links that the same pairs cross as link @first: "l1s1, s1l2: ranks 1→2".
 * @over: the pairs of each link
 */
static void write_link(FILE *f, const struct rf_fabric *fabric, const struct rf_pairs *over,
		       uint32_t first, const char *head)
{
	char name[16], *line = NULL, *text;
	const char *sep = "";
	uint32_t i;
	size_t len;
	FILE *l;

	l = open_memstream(&line, &len);
	if (!l)
		return;
	for (i = first; rf_fabric_port(fabric, fabric->nodes + i, name); i++) {
		if (!are_pairs_equal(&over[first], &over[i]))
			continue;
		fprintf(l, "%s%s", sep, name);
		sep = ", ";
	}
	text = rf_pairs_text(&over[first], 0);
	fprintf(l, ": %s%s", text ? "ranks " : "no data", text ? text : "");
	free(text);
	fclose(l);
	write_lines(f, head, line);
	free(line);
}

/* Write which pairs of ranks send data over each fabric link; equal pairs have one line. */
static void write_links(FILE *f, const struct rf_scenario *s, const struct rf_workload *w,
			const char *head)
{
	const struct rf_fabric *fabric = &s->fabric;
	uint32_t i, k, n = 2 * rf_fabric_links(fabric);
	struct rf_pairs all, *over = calloc(n ?: 1, sizeof(*over));
	bool known = rf_workload_pairs(s, w, &all);

	if (!n || !over) {
		free(over);
		return;
	}
	if (!known) {
		write_lines(f, head, "any two ranks can send data to each other:");
		head = "";
	}
	for (i = 0; i < n; i++)
		rf_pairs_over(s, w, &all, 2 * fabric->nodes + 1 + i, RDMAFAULT_DIRECTION_TX,
			      &over[i]);
	for (i = 0; i < n; i++) {
		for (k = 0; k < i && !are_pairs_equal(&over[i], &over[k]); k++)
			;
		if (k < i)
			continue;
		write_link(f, fabric, over, i, head);
		head = "";
	}
	free(over);
}

/* Write the nodes of the ranks of the other jobs, and their data over each fabric link. */
static void write_other_jobs(FILE *f, const struct rf_scenario *s, const struct rf_case *p)
{
	char head[32], placement[RF_PLACEMENT_TEXT], line[80];
	const struct rf_workload *w;
	size_t i;

	for (i = 0; i < p->nothers; i++) {
		w = &p->others[i].workload;
		snprintf(head, sizeof(head), "  beside");
		snprintf(line, sizeof(line), "job %s, placement %s, %u steps", w->name,
			 rf_placement_text(&w->placement, placement), w->steps);
		write_lines(f, head, line);
		snprintf(head, sizeof(head), "  data %.3s", w->name);
		write_links(f, s, w, head);
	}
}

static void write_case(FILE *f, const struct rf_scenario *s,
		       const struct rf_case *p)
{
	uint64_t span = axis_length(p);
	char size[RF_FMT_LEN], placement[RF_PLACEMENT_TEXT];
	struct rf_pairs usual, own;
	bool moved = memcmp(&p->workload.placement, &s->workload.placement,
			    sizeof(p->workload.placement));
	size_t i;

	fprintf(f, "\n  %s%s", p->name, p->nfaults ? "" : ": no faults");
	if (p->workload.name)
		fprintf(f, ", job %s", p->workload.name);
	if (p->qp.timeout != s->qp.timeout)
		fprintf(f, ", timeout %u", p->qp.timeout);
	if (p->qp.retry_cnt != s->qp.retry_cnt)
		fprintf(f, ", retry-cnt %u", p->qp.retry_cnt);
	if (p->qp.mtu != s->qp.mtu)
		fprintf(f, ", mtu %u", p->qp.mtu);
	if (p->workload.size != s->workload.size)
		fprintf(f, ", %s", rf_fmt_size(p->workload.size, size));
	if (p->workload.steps != s->workload.steps)
		fprintf(f, ", %u steps", p->workload.steps);
	if (p->workload.options &&
	    strcmp(p->workload.options, s->workload.options ?: ""))
		fprintf(f, ", %s", p->workload.options);
	if (p->balance && strcmp(p->balance, s->balance ?: "static"))
		fprintf(f, ", balance %s", p->balance);
	if (p->convergence_ns && p->convergence_ns != s->convergence_ns)
		fprintf(f, ", convergence %s", rf_exact_time(p->convergence_ns, size));
	if (p->dcqcn)
		fprintf(f, ", dcqcn %s", p->dcqcn);
	if (moved)
		fprintf(f, ", placement %s",
			rf_placement_text(&p->workload.placement, placement));
	fputc('\n', f);
	rf_workload_pairs(s, &s->workload, &usual);
	rf_workload_pairs(s, &p->workload, &own);
	if (moved || memcmp(&usual, &own, sizeof(own)))
		write_links(f, s, &p->workload, "  data");
	write_other_jobs(f, s, p);
	if (p->nfaults)
		write_axis(f, p, span);
	for (i = 0; i < p->nfaults; i++)
		write_fault(f, &p->faults[i], &p->workload, span);
	write_expectations(f, p);
}

/* Write the ports in @on from number @from to @to: "v1 to v8"; every fabric link: "fabric links" */
static void write_ports(FILE *f, const struct rf_fabric *fabric, const bool *on, uint32_t from,
			uint32_t to)
{
	bool links = from > 2 * fabric->nodes;
	char a[16], b[16];
	uint32_t i, k;

	for (i = from; i < to; i = k + 1) {
		for (k = i; k < to && on[k]; k++)
			;
		if (k == i)
			continue;
		fputs(ftell(f) ? ", " : "", f);
		rf_fabric_netdev(fabric, i, a);
		rf_fabric_netdev(fabric, k - 1, b);
		if (links && k - i == 2 * rf_fabric_links(fabric))
			fputs("fabric links", f);
		else if (k - i > 2 && !links)
			fprintf(f, "%s to %s", a, b);
		else
			for (; i < k && rf_fabric_netdev(fabric, i, b); i++)
				fprintf(f, "%s%s", b, i + 1 < k ? ", " : "");
	}
}

/* Write the ports with the same settings as setting @first in one line. */
static void write_setting(FILE *f, const struct rf_scenario *s, size_t first)
{
	uint32_t nodes = s->fabric.nodes, end = 2 * nodes + 2 * rf_fabric_links(&s->fabric) + 1;
	bool on[RF_FABRIC_MAX + RF_FABRIC_PORTS_MAX + 1] = { };
	const char *words = s->settings[first].words;
	char *line = NULL;
	size_t i, len;
	FILE *l;

	for (i = first; i < s->nsettings; i++)
		if (!strcmp(s->settings[i].words, words))
			on[s->settings[i].number] = true;
	l = open_memstream(&line, &len);
	if (!l)
		return;
	write_ports(l, &s->fabric, on, 1, nodes + 1);
	write_ports(l, &s->fabric, on, nodes + 1, 2 * nodes + 1);
	write_ports(l, &s->fabric, on, 2 * nodes + 1, end);
	fprintf(l, ": %s", words);
	fclose(l);
	write_lines(f, "port", line);
	free(line);
}

static void write_settings(FILE *f, const struct rf_scenario *s)
{
	size_t i, k;

	for (i = 0; i < s->nsettings; i++) {
		for (k = 0; strcmp(s->settings[k].words, s->settings[i].words); k++)
			;
		if (k == i)
			write_setting(f, s, i);
	}
}

static void write_processes(FILE *f, const char *head, const struct rf_processes *all)
{
	const struct rf_process *p;

	for (p = all->p; p < all->p + all->n; p++) {
		fprintf(f, "  %-9s ", p == all->p ? head : "");
		if (all->listed)
			fprintf(f, "%s: ", p->name);
		if (p->ranks)
			fprintf(f, "mpirun, %u ranks: ", p->ranks);
		if (p->node)
			fprintf(f, "on node %u: ", p->node);
		fprintf(f, "%s\n", p->run);
	}
}

static void write_job(FILE *f, const struct rf_workload *w)
{
	char size[RF_FMT_LEN], compute[RF_FMT_LEN], placement[RF_PLACEMENT_TEXT];

	if (w->kind == RF_WORK_COMMAND) {
		write_processes(f, "workload", &w->processes);
		return;
	}
	fprintf(f, "  workload  %s%s%s%s%s", w->name ?: "", w->name ? ": " : "", w->collective,
		w->parallel ? " " : "", w->parallel ? w->parallel : "");
	if (w->size)
		fprintf(f, " of %s", rf_fmt_size(w->size, size));
	fprintf(f, ", %u ranks", w->ranks);
	if (w->rails > 1)
		fprintf(f, " with %u rails%s", w->rails, w->failover ? " and failover" : "");
	if (w->placement.how)
		fprintf(f, ", placement %s", rf_placement_text(&w->placement, placement));
	fprintf(f, ", %u steps", w->steps);
	if (w->warmup)
		fprintf(f, " after %u", w->warmup);
	if (w->compute_ns)
		fprintf(f, ", %s of computing in each",
			rf_fmt_time(w->compute_ns, compute));
	fprintf(f, "%s%s\n", w->options ? ", " : "",
		w->options ? w->options : "");
}

static void write_workload(FILE *f, const struct rf_workload *w)
{
	write_job(f, w);
	if (w->background)
		fprintf(f, "  background %s\n", w->background);
}

/**
 * rf_plan_write - print the plan of a run
 * @f: where to write
 * @s: the scenario
 */
void rf_plan_write(FILE *f, const struct rf_scenario *s)
{
	char time[RF_FMT_LEN], fabric[64];
	size_t i;

	fprintf(f, "%s\n\n  fabric    %s\n", s->title,
		rf_fabric_text(&s->fabric, fabric));
	write_settings(f, s);
	write_processes(f, "setup", &s->setup);
	write_workload(f, &s->workload);
	for (i = 0; i < s->nothers; i++)
		write_job(f, &s->others[i]);
	write_links(f, s, &s->workload, "data");
	if (s->balance)
		fprintf(f, "  balance   %s: any uplink of a leaf instead of these\n", s->balance);
	if (s->convergence_ns)
		fprintf(f, "  converge  leaf switches avoid a link that is down after %s\n",
			rf_exact_time(s->convergence_ns, time));
	if (s->dcqcn)
		fprintf(f, "  dcqcn     %s\n", s->dcqcn);
	if (s->workload.kind != RF_WORK_COMMAND)
		fprintf(f, "  qp        timeout %u (%s), retry-cnt %u, mtu %u\n",
			s->qp.timeout,
			rf_fmt_time(rf_qp_timeout_ns(s->qp.timeout), time),
			s->qp.retry_cnt, s->qp.mtu);
	fprintf(f, "  seed      %" PRIu64 "\n", s->seed);
	fprintf(f, "  rounds    %u of %zu cases, each ended after %s\n",
		s->repeat, s->ncases, rf_fmt_time(s->deadline_ns, time));
	for (i = 0; i < s->teardown.n; i++)
		fprintf(f, "  %-9s %s\n", i ? "" : "teardown", s->teardown.v[i]);
	for (i = 0; i < s->ncases; i++)
		write_case(f, s, &s->cases[i]);
}

/* ---- as JSON ---- */

typedef struct json_object *obj;

static obj fault_json(const struct rf_fault *f)
{
	obj o = json_object_new_object();
	uint64_t from, to;

	rf_put_text(o, "do", f->words);
	fault_steps(f, &from, &to);
	if (f->when.clock == RF_CLOCK_TIME)
		rf_put_u64(o, "from_ns", f->when.begin);
	else if (f->when.clock == RF_CLOCK_STEP || has_step_range(f))
		rf_put_u64(o, "from_step", from ? from : 1);
	if (f->when.clock == RF_CLOCK_TIME && end_of(f))
		rf_put_u64(o, "to_ns", end_of(f));
	else if (to)
		rf_put_u64(o, "to_step", to);
	return o;
}

static obj expect_json(const struct rf_case *p)
{
	obj lines = json_object_new_array();
	size_t i;

	for (i = 0; i < p->nchecks; i++)
		json_object_array_add(lines,
				      json_object_new_string(p->checks[i].text));
	return lines;
}

static void put_job(obj list, const struct rf_workload *w)
{
	obj o = rf_list_object(list), nodes;
	uint32_t i;

	rf_put_text(o, "name", w->name);
	nodes = rf_put_list(o, "nodes");
	for (i = 0; i < w->ranks; i++)
		json_object_array_add(nodes, json_object_new_int64(rf_workload_node(w, i, 0)));
}

/* Put the jobs that run in a case, the first one first. */
static void put_jobs(obj list, const struct rf_case *p)
{
	size_t i;

	put_job(list, &p->workload);
	for (i = 0; i < p->nothers; i++)
		put_job(list, &p->others[i].workload);
}

static obj case_json(const struct rf_case *p)
{
	obj o = json_object_new_object(), faults = json_object_new_array();
	size_t i;

	rf_put_text(o, "name", p->name);
	rf_put_u64(o, "steps", p->workload.steps);
	rf_put_nonzero(o, "timeout", p->qp.timeout);
	if (p->workload.name)
		put_jobs(rf_put_list(o, "jobs"), p);
	for (i = 0; i < p->nfaults; i++)
		json_object_array_add(faults, fault_json(&p->faults[i]));
	json_object_object_add(o, "faults", faults);
	json_object_object_add(o, "expect", expect_json(p));
	return o;
}

static void put_plan_processes(obj o, const char *key, const struct rf_processes *all)
{
	obj list = rf_put_list(o, key), process;
	const struct rf_process *p;

	for (p = all->p; p < all->p + all->n; p++) {
		process = rf_list_object(list);
		rf_put_text(process, "name", p->name);
		rf_put_nonzero(process, "node", p->node);
		rf_put_nonzero(process, "mpirun", p->ranks);
		rf_put_text(process, "run", p->run);
	}
}

/* Put the workload with the keys of a scenario. */
static void put_workload(obj work, const struct rf_workload *w)
{
	char placement[RF_PLACEMENT_TEXT];

	if (w->name)
		rf_put_text(work, "name", w->name);
	if (w->kind == RF_WORK_COMMAND)
		put_plan_processes(work, "command", &w->processes);
	else if (w->kind == RF_WORK_TRAIN)
		rf_put_text(work, "train", w->parallel);
	else
		rf_put_text(work, "collective", w->collective);
	rf_put_nonzero(work, "ranks", w->ranks);
	rf_put_nonzero(work, "rails", w->rails);
	if (w->placement.how)
		rf_put_text(work, "placement", rf_placement_text(&w->placement, placement));
	if (w->failover)
		json_object_object_add(work, "failover", json_object_new_boolean(true));
	rf_put_nonzero(work, "steps", w->steps);
	rf_put_nonzero(work, "size", w->size);
	rf_put_nonzero(work, "compute_ns", w->compute_ns);
	if (w->options)
		rf_put_text(work, "options", w->options);
	if (w->background)
		rf_put_text(work, "background", w->background);
}

/**
 * rf_plan_json - the plan of a run as JSON
 * @s: the scenario
 *
 * Return: the object; release it with json_object_put().
 */
struct json_object *rf_plan_json(const struct rf_scenario *s)
{
	obj o = json_object_new_object(), cases = json_object_new_array(), list;
	size_t i;

	rf_put_text(o, "name", s->name);
	rf_put_u64(o, "nodes", s->fabric.nodes);
	rf_put_text(o, "shape", rf_value_name(rf_shape_names, s->fabric.shape));
	rf_put_u64(o, "switches", rf_fabric_switches(&s->fabric));
	json_object_object_add(o, "cm", json_object_new_boolean(s->fabric.cm));
	list = rf_fabric_is_remote(&s->fabric) ? rf_put_list(o, "bridge") : NULL;
	for (i = 0; list && i < RF_FABRIC_BRIDGE_PORTS; i++)
		json_object_array_add(list, json_object_new_string(s->fabric.bridge[i]));
	if (s->setup.n)
		put_plan_processes(o, "setup", &s->setup);
	put_workload(rf_put_object(o, "workload"), &s->workload);
	list = s->nothers ? rf_put_list(o, "other_jobs") : NULL;
	for (i = 0; i < s->nothers; i++)
		put_workload(rf_list_object(list), &s->others[i]);
	rf_put_u64(o, "rounds", s->repeat);
	rf_put_u64(o, "seed", s->seed);
	for (i = 0; i < s->ncases; i++)
		json_object_array_add(cases, case_json(&s->cases[i]));
	json_object_object_add(o, "cases", cases);
	list = s->teardown.n ? rf_put_list(o, "teardown") : NULL;
	for (i = 0; i < s->teardown.n; i++)
		json_object_array_add(list, json_object_new_string(s->teardown.v[i]));
	return o;
}
