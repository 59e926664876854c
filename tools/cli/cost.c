// SPDX-License-Identifier: GPL-2.0
/*
 * rdmafault cost: calculate the size of a gradient, the time that NICs need to
 * exchange it, and the cost of a stall. It needs neither the module nor a device.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "err.h"
#include "out.h"
#include "tools/analysis/analysis.h"
#include "units.h"

#define ONE UINT64_C(1000000000000)	/* 100%, in units of 10^-12 */
#define TIME_MIN 1000			/* ns */
#define RATE_MIN 1000000		/* bit/s */
#define NICS_MAX 1000
#define RANKS_MAX 1000000

struct job {
	double params;
	uint32_t bytes;			/* bytes per parameter */
	uint64_t gradient;		/* size in bytes; 0: compute @params * @bytes */
	uint32_t nics, ranks;
	uint64_t nic_rate;
	uint64_t every_ns;
	uint64_t compute_ns;		/* compute time per step; 0: not given */
	uint64_t stall_ns;		/* duration of a stall; 0: not given */
	uint64_t slower, for_ns;	/* --slower in units of 10^-12, --for in ns; 0: not given */
	struct rf_price price;
	bool params_given;
};

#define AT(member) .at = offsetof(struct job, member)

static int params_take(const struct rf_key *key, const char *word, void *fields)
{
	struct job *job = fields;

	(void)key;
	job->params_given = true;
	return rf_parse_count(word, &job->params);
}

static const struct rf_kind params_kind = { .take = params_take };

const struct rf_key rf_cost_options[] = {
	{ "params", "1 to 1000T, for example 25M, 7B or 1.8T", &params_kind, .value = "N",
	  .help = "parameters of the model, 1 to 1000T, for example 7B; default: 175B" },
	{ "bytes", NULL, &rf_kind_u32, AT(bytes), 1, 8, .value = "N",
	  .help = "bytes per parameter in the gradient, 1 to 8; default: 4" },
	{ "gradient", NULL, &rf_kind_size, AT(gradient), 1, 0, .value = "SIZE",
	  .help = "size of the gradient, from 1 byte, for example 256KiB; default: --params times --bytes" },
	{ "nics", NULL, &rf_kind_u32, AT(nics), 1, NICS_MAX, .value = "N",
	  .help = "NICs per rank, 1 to 1000; default: 8" },
	{ "nic-rate", "1mbit or more, for example 400gbit", &rf_kind_rate, AT(nic_rate), RATE_MIN,
	  .value = "RATE",
	  .help = "rate of a NIC in bits per second, from 1mbit; default: 400gbit" },
	{ "ranks", NULL, &rf_kind_u32, AT(ranks), 2, RANKS_MAX, .value = "N",
	  .help = "ranks in the ring, 2 to 1000000; default: 1000" },
	{ "every", NULL, &rf_kind_time, AT(every_ns), TIME_MIN, 0, .value = "TIME",
	  .help = "interval between two exchanges of the gradient, from 1us; default: 2s" },
	{ "compute", NULL, &rf_kind_time, AT(compute_ns), TIME_MIN, 0, .value = "TIME",
	  .help = "compute time of a step, from 1us; default: no share of compute time" },
	{ "gpus", RF_GPUS_FORM, &rf_kind_gpus, AT(price), .value = "N,N",
	  .help = "sizes of the clusters in GPUs, up to 8 numbers from 1; default: 256,1024,4096" },
	{ "gpu-rate", RF_GPU_RATE_FORM, &rf_kind_gpu_rate, AT(price.rate), .value = "DOLLARS",
	  .help = "price of a GPU in dollars per hour, 0 to 1000000; default: 30" },
	{ "stall", NULL, &rf_kind_time, AT(stall_ns), TIME_MIN, 0, .value = "TIME",
	  .help = "price a stall of this length, from 1us; default: none" },
	{ "stall-every", NULL, &rf_kind_time,
	  AT(price.every_ns), RF_STALL_EVERY_MIN, RF_STALL_EVERY_MAX,
	  .value = "TIME",
	  .help = "interval between two stalls, 1ms to 366 days; default: 60s, with --slower the time of --for" },
	{ "slower", "above 0% up to 100%, for example 10%", &rf_kind_probability,
	  AT(slower), 1, ONE,
	  .value = "SHARE",
	  .help = "price a job that is slower by this share, above 0% up to 100%, with --for; default: none" },
	{ "for", NULL, &rf_kind_time, AT(for_ns), TIME_MIN, 0, .value = "TIME",
	  .help = "how long the job is slower, from 1us, with --slower; default: none" },
	{ }
};

static int check_job(struct job *job, const char *rest)
{
	const char *what = NULL;

	if (rest)
		return rf_unexpected(rf_commands, "cost", rest);
	if (job->params_given && job->gradient)
		what = "cost: --params and --gradient exclude each other";
	else if (!job->slower != !job->for_ns)
		what = "cost: --slower and --for belong together; --slower SHARE --for TIME";
	else if (job->slower && job->stall_ns)
		what = "cost: --stall and --slower exclude each other";
	if (what) {
		rf_err("%s", what);
		return RF_EXIT_USAGE;
	}
	if (job->slower) {
		job->stall_ns = (__uint128_t)job->for_ns * job->slower / ONE;
		if (!job->price.every_ns)
			job->price.every_ns = job->for_ns;
	}
	if (!job->price.every_ns)
		job->price.every_ns = RF_STALL_EVERY_NS;
	return RF_EXIT_OK;
}

static int parse_job(int argc, char **argv, struct job *job)
{
	int first = rf_opts_parse_command("cost", rf_cost_options, job, argc, argv);

	return first < 0 ? -first : check_job(job, argv[first]);
}

static void print_model(const struct job *job, double bytes)
{
	char size[RF_ESTIMATE_LEN], params[RF_ESTIMATE_LEN];

	rf_out_push_object("model");
	if (job->gradient) {
		rf_out_text("Gradient  %s\n", rf_fmt_decimal(bytes, "B", size));
	} else {
		rf_out_real("params", job->params);
		rf_out_u64("bytes_of_each", NULL, job->bytes);
		rf_out_text("Gradient  %s parameters of %u bytes: %s, as large as the model\n",
			    rf_fmt_decimal(job->params, "", params), job->bytes,
			    rf_fmt_decimal(bytes, "B", size));
	}
	rf_out_real("gradient_bytes", bytes);
	rf_out_pop();
}

static void print_move(const char *key, const char *what, double one,
		       const struct job *job)
{
	double budget = job->every_ns / 1e9, all = one / job->nics, share;
	uint64_t need = rf_nics_for(one, budget);
	char a[RF_ESTIMATE_LEN], b[RF_ESTIMATE_LEN], n[32];

	rf_out_push_object(key);
	rf_out_real("one_nic_s", one);
	rf_out_real("all_nics_s", all);
	rf_out_real("share_of_interval", all / budget);
	rf_out_u64("nics_needed", NULL, need);
	rf_out_text("  %-46s %10s %10s %7s NIC%s", what,
		    rf_fmt_seconds(one, a), rf_fmt_seconds(all, b),
		    rf_fmt_count(need, n), need == 1 ? " " : "s");
	if (job->compute_ns) {
		share = rf_efficiency(job->compute_ns / 1e9, all);
		rf_out_real("computing", share);
		rf_out_text(" %8.1f%%", share * 100);
	}
	rf_out_text("\n");
	rf_out_pop();
}

static void print_network(const struct job *job, double bytes)
{
	const struct rf_net one = {
		.nics = 1, .rate = job->nic_rate, .ranks = job->ranks,
	};
	char rate[RF_ESTIMATE_LEN], each[RF_ESTIMATE_LEN], every[RF_ESTIMATE_LEN];
	char head[80], ring[80], all[RF_THINGS_LEN], n[32];

	snprintf(head, sizeof(head), "NICs of %s, %s/s each",
		 rf_fmt_decimal(job->nic_rate, "bit/s", rate),
		 rf_fmt_decimal(job->nic_rate / 8.0, "B", each));
	rf_fmt_things(job->nics, "NIC", all);
	snprintf(ring, sizeof(ring), "all-reduce in a ring of %s, 2(n-1)/n of it",
		 rf_fmt_count(job->ranks, n));
	rf_out_push_object("network");
	rf_out_u64("nics", NULL, job->nics);
	rf_out_u64("nic_rate_bits", NULL, job->nic_rate);
	rf_out_u64("ranks", NULL, job->ranks);
	rf_out_u64("every_ns", NULL, job->every_ns);
	rf_out_text("\n%-48s %10s %10s   in %s%s\n", head, "one NIC", all,
		    rf_fmt_time(job->every_ns, every),
		    job->compute_ns ? "  computing" : "");
	print_move("once", "the gradient once", rf_move_once(bytes, &one), job);
	print_move("ring", ring, rf_move_ring(bytes, &one), job);
	rf_out_pop();
}

static void print_cell(const char *key, double dollars)
{
	char buf[32];

	rf_out_real(key, dollars);
	rf_out_text(" %12s", rf_fmt_dollars(dollars, buf));
}

static void print_gpus(const struct job *job, uint32_t gpus)
{
	const uint64_t second = 1000000000;
	double rate = job->price.rate;
	char n[32];

	rf_out_push_object(NULL);
	rf_out_u64("gpus", NULL, gpus);
	rf_out_text("  %12s", rf_fmt_count(gpus, n));
	print_cell("hour", rf_cost(3600 * second, gpus, rate));
	print_cell("minute", rf_cost(60 * second, gpus, rate));
	print_cell("second", rf_cost(second, gpus, rate));
	if (job->stall_ns) {
		print_cell("stall", rf_cost(job->stall_ns, gpus, rate));
		print_cell("day", rf_cost_of_day(job->stall_ns, gpus, rate,
						 job->price.every_ns));
	}
	rf_out_text("\n");
	rf_out_pop();
}

static void print_money(const struct job *job)
{
	char rate[32], stall[RF_FMT_LEN], every[RF_FMT_LEN];
	size_t i;

	rf_out_real("dollars_per_gpu_hour", job->price.rate);
	rf_out_text("\nCost of waiting GPUs, at %s per GPU and hour",
		    rf_fmt_dollars(job->price.rate, rate));
	if (job->stall_ns) {
		rf_out_u64("stall_ns", NULL, job->stall_ns);
		rf_out_u64("stall_every_ns", NULL, job->price.every_ns);
		rf_out_text("; per day: 1 stall every %s",
			    rf_fmt_time(job->price.every_ns, every));
	}
	rf_out_text("\n  %12s %12s %12s %12s", "GPUs", "an hour", "a minute",
		    "a second");
	if (job->stall_ns)
		rf_out_text(" %12s %12s", rf_fmt_time(job->stall_ns, stall),
			    "per day");
	rf_out_text("\n");
	rf_out_push_array("cost");
	for (i = 0; i < job->price.ngpus; i++)
		print_gpus(job, job->price.gpus[i]);
	rf_out_pop();
}

static void print_job(const struct job *job)
{
	double bytes = job->gradient ? job->gradient :
		       rf_gradient(job->params, job->bytes);

	rf_out_begin_object();
	print_model(job, bytes);
	print_network(job, bytes);
	print_money(job);
	rf_out_end();
}

/**
 * rf_cmd_cost - run "rdmafault cost [OPTION...]"
 * @argc: number of words in @argv
 * @argv: the words of the command line; the first is "cost"
 *
 * Return: the exit status.
 */
int rf_cmd_cost(int argc, char **argv)
{
	/* rdmafault-cost(8) gives the sources of these default values. */
	struct job job = {
		.params = 175e9, .bytes = 4, .nics = 8, .ranks = 1000,
		.nic_rate = 400000000000, .every_ns = 2000000000,
		.price.rate = 30,
	};
	int ret = RF_EXIT_FAILED;

	if (rf_price_parse_gpus("256,1024,4096", &job.price))
		rf_err("no memory");
	else
		ret = parse_job(argc, argv, &job);
	if (!ret)
		print_job(&job);
	free(job.price.gpus);
	return ret;
}
