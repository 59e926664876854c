// SPDX-License-Identifier: GPL-2.0
/* The module's counters per port and priority in a case */
#include "html.h"
#include "units.h"

static bool is_used(const struct rf_prio_tally *t)
{
	return t->packets || t->marked || t->dropped || t->pauses;
}

static void put_port_row(FILE *f, const struct rf_port_tally *port, unsigned int prio)
{
	const struct rf_prio_tally *t = &port->prio[prio];
	char size[RF_FMT_LEN], time[RF_FMT_LEN], n[32];

	rf_table_row(f);
	rf_table_cell(f, "%s", port->netdev);
	rf_table_cell(f, "%u", prio);
	rf_table_cell(f, "%s", rf_fmt_count(t->packets, n));
	rf_table_cell(f, "%s", rf_fmt_size(t->bytes, size));
	rf_table_cell(f, "%s", rf_fmt_count(t->marked, n));
	rf_table_cell(f, "%s", rf_fmt_count(t->dropped, n));
	rf_table_cell(f, "%s", rf_fmt_count(t->pauses, n));
	rf_table_cell(f, "%s", rf_fmt_time(t->paused_ns, time));
	fputc('\n', f);
}

/**
 * rf_html_ports - write the table of counters; nothing if they were not read
 * @h: the page
 * @p: the case
 */
void rf_html_ports(struct rf_html *h, const struct rf_run_case *p)
{
	static const char *const heads[] = {
		"port", "priority", "packets sent", "bytes", "marked",
		"dropped in the queue", "pauses", "paused", NULL
	};
	const struct rf_port_tally *port = p->rec.ports;
	unsigned int prio;

	if (!p->rec.nports)
		return;
	fputs("<details><summary>ports and priorities</summary>\n", h->f);
	rf_table_begin(h->f, "Ports and priorities", heads);
	for (; port < p->rec.ports + p->rec.nports; port++)
		for (prio = 0; prio < RDMAFAULT_PRIOS; prio++)
			if (is_used(&port->prio[prio]))
				put_port_row(h->f, port, prio);
	rf_table_end(h->f);
	fputs("</details>\n", h->f);
}
