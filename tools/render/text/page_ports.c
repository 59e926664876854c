// SPDX-License-Identifier: GPL-2.0
/*
 * Print one line for each priority of a port that had pauses, marks or drops: first the
 * NICs, then the switch ports.
 */
#include <stdarg.h>
#include <string.h>

#include "page.h"
#include "units.h"

#define INDENT 16

static void append_part(char *buf, size_t len, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Append a part to a line, after a comma if it is not the first. */
static void append_part(char *buf, size_t len, const char *fmt, ...)
{
	size_t used = strlen(buf);
	va_list ap;

	used += snprintf(buf + used, len - used, "%s", used ? ", " : "");
	va_start(ap, fmt);
	vsnprintf(buf + used, len - used, fmt, ap);
	va_end(ap);
}

static void say_watchdog(const struct rf_prio_tally *t, char *buf, size_t len)
{
	char n[RF_THINGS_LEN];

	if (t->detected)
		append_part(buf, len, "the watchdog detected the start of %s and the end of %llu",
			    rf_fmt_things(t->detected, "storm", n),
			    (unsigned long long)t->restored);
}

static void put_prio_line(FILE *f, const char **head,
			  const struct rf_port_tally *port, unsigned int prio)
{
	const struct rf_prio_tally *t = &port->prio[prio];
	char done[256] = "", text[320], time[RF_FMT_LEN], n[RF_THINGS_LEN];
	char marked[32];

	if (t->pauses)
		append_part(done, sizeof(done), "%s, %s", rf_fmt_things(t->pauses, "pause", n),
			    rf_fmt_time(t->paused_ns, time));
	if (t->xoff_tx)
		append_part(done, sizeof(done), "%s XOFF sent", rf_fmt_count(t->xoff_tx, n));
	say_watchdog(t, done, sizeof(done));
	if (t->marked)
		append_part(done, sizeof(done), "%s of %s marked with ECN CE",
			    rf_fmt_count(t->marked, marked),
			    rf_fmt_things(t->packets, "packet", n));
	if (t->dropped)
		append_part(done, sizeof(done), "%s dropped by the queue",
			    rf_fmt_things(t->dropped, "packet", n));
	if (!done[0])
		return;
	snprintf(text, sizeof(text), "%s prio %u: %s", port->netdev, prio, done);
	rf_text_wrap(f, *head, INDENT, text);
	*head = "";
}

/**
 * rf_page_ports - print the priorities with pauses, marks or drops
 * @f: output stream
 * @rec: the record of the case; without pauses, marks and drops, nothing is printed
 */
void rf_page_ports(FILE *f, const struct rf_record *rec)
{
	const char *head = "  ports";
	unsigned int prio;
	size_t i;

	for (i = 0; i < rec->nports; i++)
		for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
			put_prio_line(f, &head, &rec->ports[i], prio);
}
