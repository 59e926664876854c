/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse and format numbers of the command line and of scenarios. The parsers return 0,
 * or -EINVAL if the string as a whole is not a valid number; they print no errors.
 */
#ifndef RF_UNITS_H
#define RF_UNITS_H

#include <stdint.h>

#define RF_FMT_LEN 32
#define RF_THINGS_LEN 64
#define RF_FORMS_LEN (2 * RF_FMT_LEN + 4)

/**
 * rf_qp_timeout_ns - get the time of the retransmission timer of a queue pair
 * @timeout: its attribute "timeout" (Local ACK Timeout), 1 to 31
 *
 * Return: 4.096 us * 2^timeout (InfiniBand Architecture Specification, volume 1, 9.7.6.1.3),
 * in ns.
 */
static inline uint64_t rf_qp_timeout_ns(uint32_t timeout)
{
	return 4096ull << timeout;
}

int rf_parse_u32(const char *s, uint32_t *v);		/* 7, 0x11 */
int rf_parse_u64(const char *s, uint64_t *v);
int rf_parse_psn(const char *s, uint32_t *psn);		/* up to 0xffffff */
int rf_parse_size(const char *s, uint64_t *bytes);	/* 4096 256K 1MiB */
int rf_parse_tc_size(const char *s, uint64_t *bytes);	/* 100kb 1m 64KiB */
int rf_parse_time(const char *s, uint64_t *ns);		/* 10ms 1.5s */
int rf_parse_rate(const char *s, uint64_t *bits);	/* 10gbit 1.5Mbit */
/* @s: such as 1%, 0.01 or 1e-9, above 0.5 with %; @p: gets the probability in units of 10^-12 */
int rf_parse_probability(const char *s, uint64_t *p);
char *rf_probability_forms(const char *s, char buf[RF_FORMS_LEN]);

/* Format a number exactly: the parsers above convert the text back to the same number. */
uint64_t rf_rnr_ns(uint32_t code);	/* of an RNR timer code, 0 to 31 */
char *rf_exact_time(uint64_t ns, char buf[RF_FMT_LEN]);	/* "1.5ms" */
char *rf_exact_rate(uint64_t bits, char buf[RF_FMT_LEN]);	/* "1.5gbit" */
char *rf_exact_size(uint64_t bytes, char buf[RF_FMT_LEN]); /* "1536KiB" */
char *rf_fmt_probability(uint64_t p, char buf[RF_FMT_LEN]);	/* "0.1%" */

char *rf_fmt_time(uint64_t ns, char buf[RF_FMT_LEN]);	/* "67.1 ms" */
char *rf_fmt_size(uint64_t bytes, char buf[RF_FMT_LEN]); /* "256 KiB" */
char *rf_fmt_count(uint64_t n, char buf[32]);	/* "1,024" */
char *rf_fmt_things(uint64_t n, const char *noun, char buf[RF_THINGS_LEN]); /* "2 hits" */
char *rf_fmt_dollars(double dollars, char buf[32]);	/* "$12.34" */

#endif
