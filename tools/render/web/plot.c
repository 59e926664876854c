// SPDX-License-Identifier: GPL-2.0
/*
 * Axes and marks of a figure in SVG. Colors and fonts come from CSS classes, so the same
 * drawing can be used on dark and light screens and on paper.
 */
#include <math.h>
#include <stdarg.h>

#include "html.h"

#define TICKS_WIDE	8
#define TICKS_NARROW	4
#define TICKS_Y		4

/**
 * rf_axis_time - make an axis of times in ns, labeled in a suitable unit
 * @min: lowest value
 * @max: highest value
 *
 * Return: the axis.
 */
struct rf_axis rf_axis_time(double min, double max)
{
	double most = fmax(fabs(min), fabs(max));

	if (max <= min)
		max = min + 1;
	if (most >= 2e9)
		return (struct rf_axis){ min, max, 1e9, "s" };
	if (most >= 2e6)
		return (struct rf_axis){ min, max, 1e6, "ms" };
	return (struct rf_axis){ min, max, 1e3, "us" };
}

/**
 * rf_axis_count - make an axis of whole numbers
 * @min: lowest value
 * @max: highest value
 * @unit: unit of the numbers
 *
 * Return: the axis.
 */
struct rf_axis rf_axis_count(double min, double max, const char *unit)
{
	return (struct rf_axis){ min, max > min ? max : min + 1, 1, unit };
}

/** rf_plot_open - begin a drawing; the caller has set the size and the box of @p */
void rf_plot_open(struct rf_plot *p, const char *label)
{
	fprintf(p->f, "<svg class=\"%s\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" data-left=\"%.0f\" data-right=\"%.0f\" data-top=\"%.0f\" data-bottom=\"%.0f\" aria-label=\"",
		p->narrow ? "narrow" : "wide", p->width, p->height, p->left,
		p->right, p->top, p->bottom);
	rf_html_text(p->f, label);
	fputs("\">\n", p->f);
}

/** rf_plot_close - end a drawing */
void rf_plot_close(struct rf_plot *p)
{
	fputs("</svg>\n", p->f);
}

/** rf_plot_x - get the x coordinate of a value */
double rf_plot_x(const struct rf_plot *p, double v)
{
	return p->left + (v - p->x.min) / (p->x.max - p->x.min) *
			 (p->right - p->left);
}

/** rf_plot_y - get the y coordinate of a value */
double rf_plot_y(const struct rf_plot *p, double v)
{
	return p->bottom - (v - p->y.min) / (p->y.max - p->y.min) *
			   (p->bottom - p->top);
}

/** rf_plot_text - write text into a drawing */
void rf_plot_text(const struct rf_plot *p, double x, double y,
		  const char *look, const char *fmt, ...)
{
	char words[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	fprintf(p->f, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, look);
	rf_html_text(p->f, words);
	fputs("</text>\n", p->f);
}

/** rf_plot_rect - draw a bar from @x0 to @x1; a very short bar is widened to be visible */
void rf_plot_rect(const struct rf_plot *p, double x0, double x1, double y,
		  double height, const char *look)
{
	fprintf(p->f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n",
		x0, y, fmax(x1 - x0, 1.5), height, look);
}

/* Return: 1, 2 or 5 times a power of ten; about @n such intervals fill the axis */
static double tick_step(const struct rf_axis *a, int n)
{
	double rough = (a->max - a->min) / a->div / n;
	double power = pow(10, floor(log10(rough))), m = rough / power;
	double step = (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * power;

	/* An axis of whole numbers has no ticks at fractions. */
	return a->div == 1 ? fmax(step, 1) : step * a->div;
}

static double first_tick(const struct rf_axis *a, double step)
{
	return ceil(a->min / step - 1e-6) * step;
}

/* Format the number of a tick with enough digits to differ from the next tick. */
static void format_tick(const struct rf_axis *a, double v, double step,
			char *buf, size_t len)
{
	int digits = (int)-floor(log10(step / a->div) + 1e-9);

	v /= a->div;
	if (fabs(v) < step / a->div / 1e3)
		v = 0;
	snprintf(buf, len, "%.*f", digits > 0 ? digits : 0, v);
}

/**
 * rf_plot_axis_x - draw the numbers of the x axis below the box
 * @p: the drawing
 * @words: words that follow the unit in the label of the axis, such as "after the first hit"
 */
void rf_plot_axis_x(const struct rf_plot *p, const char *words)
{
	double step = tick_step(&p->x, p->narrow ? TICKS_NARROW : TICKS_WIDE);
	double v, x;
	char text[32];

	for (v = first_tick(&p->x, step); v <= p->x.max + step / 1e6; v += step) {
		x = rf_plot_x(p, v);
		format_tick(&p->x, v, step, text, sizeof(text));
		fprintf(p->f, "<path class=\"tick\" d=\"M%.1f %.1fv4\"/>", x,
			p->bottom);
		rf_plot_text(p, x, p->bottom + 16, "mid", "%s", text);
	}
	fprintf(p->f, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>\n", p->left,
		p->bottom, p->right);
	rf_plot_text(p, p->right, p->bottom + 31, "end dim", "%s%s%s",
		     p->x.unit, *p->x.unit && *words ? " " : "", words);
}

/** rf_plot_axis_y - draw the grid lines of the y axis, and their numbers */
void rf_plot_axis_y(const struct rf_plot *p)
{
	double step = tick_step(&p->y, TICKS_Y), v, y;
	char text[32];

	for (v = first_tick(&p->y, step); v <= p->y.max + step / 1e6; v += step) {
		y = rf_plot_y(p, v);
		format_tick(&p->y, v, step, text, sizeof(text));
		fprintf(p->f, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>",
			p->left, y, p->right);
		rf_plot_text(p, p->left - 6, y + 4, "end", "%s", text);
	}
	rf_plot_text(p, 0, p->top - 8, "dim", "%s", p->y.unit);
}
