// SPDX-License-Identifier: GPL-2.0
/*
 * Print the settings, the coverage and the gaps of a storm, for "storm" and "show".
 */
#include <inttypes.h>

#include "out.h"
#include "show.h"
#include "units.h"

static void histogram_json(const char *key, const uint64_t *bucket)
{
	unsigned int i;

	rf_out_push_array(key);
	for (i = 0; i < RDMAFAULT_GAP_BUCKETS; i++)
		rf_out_u64(NULL, NULL, bucket[i]);
	rf_out_pop();
}

static void spec_json(const struct rf_storm_spec *spec)
{
	if (spec->quanta)
		rf_out_u64("quanta", NULL, spec->quanta);
	else
		rf_out_null("quanta");
	if (spec->duration)
		rf_out_u64("for_ns", NULL, spec->duration);
	else
		rf_out_null("for_ns");
	rf_out_u64("on_ns", NULL, spec->on_time);
	rf_out_u64("off_ns", NULL, spec->off_time);
	rf_out_bool("frames", NULL, spec->flags & RDMAFAULT_STORM_FLAG_FRAMES);
	rf_out_bool("persist", NULL, spec->flags & RDMAFAULT_STORM_FLAG_PERSIST);
}

static bool by_frames(const struct rf_storm_info *storm)
{
	return storm->spec.flags & RDMAFAULT_STORM_FLAG_FRAMES;
}

/* Can it be known how long XOFF was in effect? It is if a port obeys, or if nothing does. */
static bool coverage_is_known(const struct rf_storm_info *storm, const struct rf_partner *partner)
{
	return !by_frames(storm) || partner->known;
}

/*
 * The module counts the time of the XOFFs of a storm with frames from when they leave. They have
 * no effect on a link partner that ignores them.
 */
static uint64_t covered(const struct rf_storm_info *storm, const struct rf_partner *partner)
{
	return by_frames(storm) && rf_partner_deaf(partner, storm->spec.prios) ?
	       0 : storm->covered;
}

/*
 * Return: the fraction of the storm during which XOFF was in effect, in units of 1 / @one.
 * The fraction is rounded down: if XOFF was not in effect for any time, the result is less
 * than @one.
 */
static uint64_t coverage(const struct rf_storm_info *storm, uint64_t time, uint64_t one)
{
	if (time >= storm->requested)
		return one;
	return (long double)time / storm->requested * one;
}

static void coverage_json(const struct rf_storm_info *storm, const struct rf_partner *partner)
{
	uint64_t time = covered(storm, partner);

	if (coverage_is_known(storm, partner)) {
		rf_out_u64("covered_ns", NULL, time);
		rf_out_fraction("coverage", coverage(storm, time, RDMAFAULT_PROBABILITY_ONE));
	} else {
		rf_out_null("covered_ns");
		rf_out_null("coverage");
	}
	if (by_frames(storm))
		rf_out_u64("sent_ns", NULL, storm->covered);
	else
		rf_out_null("sent_ns");
}

/**
 * rf_storm_json - add a storm to the open JSON object
 * @storm: the storm
 * @partner: the link partner
 */
void rf_storm_json(const struct rf_storm_info *storm, const struct rf_partner *partner)
{
	spec_json(&storm->spec);
	rf_out_bool("running", NULL, storm->running);
	rf_out_u64("left_ns", NULL, storm->left);
	rf_out_u64("requested_ns", NULL, storm->requested);
	coverage_json(storm, partner);
	rf_out_u64("xoffs", NULL, storm->xoffs);
	rf_out_u64("lapses", NULL, storm->lapses);
	rf_out_u64("interval_max_ns", NULL, storm->interval_max);
	histogram_json("interval", storm->interval);
	histogram_json("gap", storm->gap);
}

static void histogram_text(const char *what, const uint64_t *bucket)
{
	char from[RF_FMT_LEN], to[RF_FMT_LEN];
	unsigned int i;

	for (i = 0; i < RDMAFAULT_GAP_BUCKETS; i++)
		if (bucket[i])
			rf_out_text("    %s of %s to %s: %" PRIu64 "\n", what,
				    rf_fmt_time(1ull << i, from),
				    rf_fmt_time(2ull << i, to), bucket[i]);
}

static void spec_text(const struct rf_storm_spec *spec)
{
	char buf[RF_FMT_LEN];

	rf_out_text("storm");
	if (spec->duration)
		rf_out_text(" for %s", rf_exact_time(spec->duration, buf));
	else
		rf_out_text(" forever");
	if (spec->quanta)
		rf_out_text(" quanta %" PRIu32, spec->quanta);
	if (spec->on_time)
		rf_out_text(" duty %s", rf_exact_time(spec->on_time, buf));
	if (spec->on_time)
		rf_out_text("/%s", rf_exact_time(spec->off_time, buf));
	if (spec->flags & RDMAFAULT_STORM_FLAG_FRAMES)
		rf_out_text(" frames");
	if (spec->flags & RDMAFAULT_STORM_FLAG_PERSIST)
		rf_out_text(" persist");
}

static void coverage_text(const struct rf_storm_info *storm, const struct rf_partner *partner)
{
	uint64_t time = covered(storm, partner);
	uint64_t c = coverage(storm, time, 100000);
	bool known = coverage_is_known(storm, partner);
	char buf[RF_FMT_LEN], all[RF_FMT_LEN];

	rf_fmt_time(storm->requested, all);
	if (!known) {
		rf_out_text("    XOFF sent for %s of %s; the coverage is not known, because the link partner is not a port of this namespace\n",
			    rf_fmt_time(storm->covered, buf), all);
		return;
	}
	rf_out_text("    covered %s of %s, %" PRIu64 ".%03" PRIu64 "%%", rf_fmt_time(time, buf),
		    all, c / 1000, c % 1000);
	if (time != storm->covered)
		rf_out_text("; %s ignored the XOFFs, sent for %s", partner->netdev,
			    rf_fmt_time(storm->covered, buf));
	rf_out_text("\n");
}

/**
 * rf_storm_text - print the settings and the coverage of a storm as text
 * @storm: the storm
 * @partner: the link partner
 * @histograms: also print the histograms of intervals and gaps
 */
void rf_storm_text(const struct rf_storm_info *storm, const struct rf_partner *partner,
		   bool histograms)
{
	char buf[RF_FMT_LEN];

	spec_text(&storm->spec);
	rf_out_text(": %s", storm->running ? "running" : "over");
	if (storm->left)
		rf_out_text(", %s left", rf_fmt_time(storm->left, buf));
	rf_out_text("\n");
	coverage_text(storm, partner);
	rf_out_text("    XOFFs %" PRIu64 ", lapses %" PRIu64, storm->xoffs,
		    storm->lapses);
	if (storm->interval_max)
		rf_out_text(", at most %s between two",
			    rf_fmt_time(storm->interval_max, buf));
	rf_out_text("\n");
	if (!histograms)
		return;
	histogram_text("intervals", storm->interval);
	histogram_text("gaps", storm->gap);
}
