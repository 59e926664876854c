// SPDX-License-Identifier: GPL-2.0
/*
 * Print step times as one line of bars. Each bar is one character and has one of eight
 * heights. If a case has more steps than the line has columns, each column shows the
 * longest of several steps. A step that did not end is shown as a space.
 */
#include "page.h"

#define COLUMNS 64

static const char *const heights[] = {
	"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"
};

static uint32_t steps_a_column(const struct rf_timeline *tl)
{
	return (tl->iters + COLUMNS - 1) / COLUMNS;
}

/** rf_spark_column - get the column of a step, from 0 */
size_t rf_spark_column(const struct rf_timeline *tl, uint32_t step)
{
	return (step - 1) / steps_a_column(tl);
}

static const char *height(uint64_t ns, uint64_t max_ns)
{
	uint64_t h = max_ns ? ns * 8 / max_ns : 0;

	return heights[h < 8 ? h : 7];
}

/**
 * rf_spark - print the step times of a case as one line
 * @f: output stream
 * @tl: its timeline
 * @max_ns: step time that is drawn with the full height
 */
void rf_spark(FILE *f, const struct rf_timeline *tl, uint64_t max_ns)
{
	uint32_t per = steps_a_column(tl), step;
	uint64_t ns, most = 0;

	for (step = 1; step <= tl->iters; step++) {
		ns = rf_timeline_whole_ns(tl, step);
		if (ns > most)
			most = ns;
		if (step % per && step != tl->iters)
			continue;
		fputs(most ? height(most, max_ns) : " ", f);
		most = 0;
	}
}
