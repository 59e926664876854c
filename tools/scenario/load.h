/* SPDX-License-Identifier: GPL-2.0 */
/* Functions and tables shared by the files that load a scenario */
#ifndef RF_LOAD_H
#define RF_LOAD_H

#include "doc.h"
#include "scenario.h"

#define AT(type, member) offsetof(struct type, member)

/* load.c */
extern const struct rf_key rf_scenario_fields[];

/* Lines of expectations, which rf_cases_finish() loads */
extern const struct rf_kind rf_kind_lines;

/* load_fabric.c; rf_fabric_finish() is called when the whole file has been read */
extern const struct rf_key rf_fabric_fields[];
extern const struct rf_key rf_port_fields[];

extern const struct rf_kind rf_kind_ports;

int rf_fabric_finish(struct rf_doc *doc, struct rf_scenario *s);
#define RF_PORTS_TEXT	128
char *rf_ports_text(const struct rf_scenario *s, char buf[RF_PORTS_TEXT]);
bool rf_seed_change(const struct rf_scenario *s, const char *port,
		    struct rf_queue_change *c);
void rf_conf_of_port(const struct rf_scenario *s, uint32_t port, size_t n,
		     struct rf_conf *conf);

/* load_env.c */
extern const struct rf_kind rf_kind_env;	/* struct rf_env */

/* load_process.c; rf_processes_check() is called when the whole file has been read */
extern const struct rf_key rf_process_fields[];

extern const struct rf_kind rf_kind_processes;	/* struct rf_processes */

extern const struct rf_key rf_setup_fields[];
extern const struct rf_kind rf_kind_setup;	/* struct rf_processes */
extern const struct rf_kind rf_kind_teardown;	/* struct rf_texts */

int rf_processes_check(struct rf_doc *doc, struct rf_node *node, const struct rf_processes *all,
		       uint32_t nodes);
void rf_processes_free(struct rf_processes *all);

bool rf_is_process_name(const char *text);
#define RF_PROCESS_NAME_FORM "1 to 32 of a-z, 0-9 and _, a letter first"

extern const struct rf_kind rf_kind_regex;	/* char *, with at least key->min groups */

/* load_value.c */
extern const struct rf_key rf_value_fields[];

int rf_values_load(struct rf_doc *doc, struct rf_node *node, struct rf_process *p);
void rf_values_free(struct rf_process *p);

/* load_workload.c */
extern const struct rf_kind rf_kind_shell;	/* char *, a shell command line */

extern const struct rf_key rf_workload_fields[];
extern const struct rf_key rf_case_workload_fields[];

int rf_workload_check(struct rf_doc *doc, struct rf_node *node,
		      struct rf_workload *w);
int rf_workload_copy(const struct rf_workload *from, struct rf_workload *to);
void rf_workload_free(struct rf_workload *w);

/* load_jobs.c */
extern const struct rf_kind rf_kind_jobs;	/* struct rf_scenario: its jobs */
extern const struct rf_kind rf_kind_texts;	/* struct rf_texts */

int rf_jobs_check(struct rf_doc *doc, struct rf_scenario *s);
int rf_jobs_fit(struct rf_doc *doc, struct rf_scenario *s);
int rf_case_jobs_load(struct rf_doc *doc, struct rf_node *node, struct rf_scenario *s,
		      struct rf_case *test_case);

/* placement.c; rf_placement_settle() is called when the whole file has been read */
extern const struct rf_kind rf_kind_placement;	/* struct rf_placement */

int rf_placement_settle(struct rf_doc *doc, struct rf_node *map, const struct rf_fabric *f,
			struct rf_workload *w, const char *on[RF_FABRIC_MAX]);

/* balance.c; rf_balance_check() is called when the whole file has been read */
extern const struct rf_kind rf_kind_balance;	/* char * */
#define RF_BALANCE_FORM "static, ecmp, qp, flowlet GAP, spray [random] or adaptive [GAP]; each with seed N"

#define RF_SAMPLE_MIN 10000000ull
#define RF_CONVERGENCE_MIN 1000000ull
#define RF_CONVERGENCE_MAX 3600000000000ull

int rf_balance_check(struct rf_doc *doc, struct rf_node *node, const struct rf_scenario *s,
		     struct rf_case *test_case);

/* dcqcn.c; rf_dcqcn_check() is called when the whole file has been read */
extern const struct rf_kind rf_kind_dcqcn;	/* char * */
#define RF_DCQCN_FORM "off, or words of rdmafault dcqcn set, for example np on rp on scale 200"

int rf_dcqcn_check(struct rf_doc *doc, struct rf_node *node, const struct rf_scenario *s,
		   const struct rf_case *test_case);

/* load_cost.c */
extern const struct rf_key rf_qp_fields[];
extern const struct rf_key rf_cost_fields[];

/* load_case.c; the last two functions are called when the whole file has been read */
extern const struct rf_key rf_case_fields[];

extern const struct rf_kind rf_kind_cases;

int rf_cases_finish(struct rf_doc *doc, struct rf_scenario *s);
void rf_cases_seed(struct rf_scenario *s);

/* load_fault.c */
extern const struct rf_key rf_fault_fields[];

int rf_take_fault(struct rf_doc *doc, struct rf_node *node, void *to);

/* fault_command.c: parse the command line of a fault */
int rf_fault_command_parse(const char *line, struct rf_fault *f, struct rf_why *why);

/* when.c */
int rf_moment_parse(const char *text, enum rf_clock *clock, uint64_t *v);
int rf_span_parse(const char *text, enum rf_clock *clock, uint64_t *v);

/* check.c: check values that depend on several keys */
int rf_scenario_check(struct rf_doc *doc, struct rf_scenario *s);

/* conflict.c */
bool rf_when_may_overlap(const struct rf_when *a, const struct rf_when *b);
bool rf_faults_share_port(const struct rf_scenario *s, const struct rf_fault *a,
			  const struct rf_fault *b);
int rf_faults_agree(struct rf_doc *doc, struct rf_node *faults,
		    const struct rf_case *test_case, const struct rf_scenario *s);

#endif
