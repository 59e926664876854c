// SPDX-License-Identifier: GPL-2.0
/*
 * Which pairs of ranks send data over a port. The pairs are those of the plans that collperf
 * executes; for other workloads, each pair of ranks can send. A rule on a port that no pair
 * uses hits nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "plan.h"
#include "scenario.h"
#include "units.h"

#define WRITE_FIRST	0x06		/* opcodes of RC WRITE */
#define WRITE_LAST	0x0b

/* Get the algorithm and the root of a collective. Return: false if they are not known */
static bool algorithm_of(const struct rf_workload *w, const struct coll_collective *coll,
			 uint32_t *algo, uint32_t *root)
{
	char value[32];

	*algo = COLL_ALGOS;
	*root = 0;
	if (rf_option_value(w, "algo", value, sizeof(value)) &&
	    rf_name_value(coll_algo_names, value, strlen(value), algo))
		return false;
	if (*algo == COLL_ALGOS)
		*algo = coll_algo_choose(coll, (int)w->ranks, w->size);
	if (rf_option_value(w, "root", value, sizeof(value)) &&
	    (rf_parse_u32(value, root) || *root >= w->ranks))
		return false;
	return true;
}

static bool plan_pairs(const struct rf_workload *w, struct rf_pairs *pairs)
{
	const struct coll_collective *coll = coll_find(w->collective);
	struct coll_shape shape = {
		.ranks = (int)w->ranks, .count = w->ranks, .piece = w->ranks, .window = 2,
	};
	struct coll_plan plan = { };
	uint32_t algo, root;
	int err = 0;
	size_t i;

	if (!coll || !algorithm_of(w, coll, &algo, &root))
		return false;
	shape.root = (int)root;
	for (; !err && shape.rank < shape.ranks; shape.rank++) {
		err = coll_plan_make(&plan, coll, algo, &shape);
		for (i = 0; !err && i < plan.n; i++)
			if (plan.acts[i].kind == COLL_ACT_SEND)
				pairs->to[shape.rank] |= RF_PAIRS_BIT(plan.acts[i].peer);
	}
	coll_plan_free(&plan);
	return !err;
}

/**
 * rf_workload_pairs - get the pairs of ranks between which a job sends data
 * @s: the scenario
 * @w: the workload of the scenario or of a case
 * @pairs: gets the pairs
 *
 * Return: true if these are the pairs of the job's algorithm; false if the algorithm is not
 * known, so that each rank can send to each other rank.
 */
bool rf_workload_pairs(const struct rf_scenario *s, const struct rf_workload *w,
		       struct rf_pairs *pairs)
{
	uint32_t i, n = w->ranks ? w->ranks : s->fabric.nodes;
	__uint128_t all = ~(__uint128_t)0 >> (RF_FABRIC_MAX - n);

	*pairs = (struct rf_pairs){ };
	if (w->kind == RF_WORK_COLLECTIVE && plan_pairs(w, pairs))
		return true;
	for (i = 0; i < RF_FABRIC_MAX; i++)
		pairs->to[i] = i < n ? all & ~RF_PAIRS_BIT(i) : 0;
	return false;
}

/**
 * rf_port_link - get the switches of a port between switches
 * @s: the scenario
 * @port: number of the port, from rf_port_number()
 * @l: gets the switch of the port as a, and the switch at the other end as b
 *
 * Return: false if the port is one of a node's link.
 */
bool rf_port_link(const struct rf_scenario *s, uint32_t port, struct rf_fabric_link *l)
{
	uint32_t i = port - 2 * s->fabric.nodes - 1;

	if (port <= 2 * s->fabric.nodes)
		return false;
	*l = rf_fabric_link(&s->fabric, i / 2);
	if (i % 2)
		*l = (struct rf_fabric_link){ l->b, l->a };
	return true;
}

/* Check whether packets of a node to another one pass a port in a direction. */
static bool node_passes(const struct rf_scenario *s, uint32_t port, uint32_t dir, uint32_t from,
			uint32_t to)
{
	bool tx = dir == RDMAFAULT_DIRECTION_TX;
	uint32_t nodes = s->fabric.nodes;
	struct rf_fabric_link l;

	if (rf_port_link(s, port, &l))
		return rf_fabric_crosses(&s->fabric, from, to, tx ? l.a : l.b, tx ? l.b : l.a);
	if (port <= nodes)
		return (tx ? from : to) == port;
	return (tx ? to : from) == port - nodes;
}

/* Check whether packets of a rank to another one pass a port in a direction, on any rail. */
static bool port_passes(const struct rf_scenario *s, const struct rf_workload *w, uint32_t port,
			uint32_t dir, uint32_t a, uint32_t b)
{
	uint32_t i;

	for (i = 0; i < rf_workload_rails(w); i++)
		if (node_passes(s, port, dir, rf_workload_node(w, a, i), rf_workload_node(w, b, i)))
			return true;
	return false;
}

/**
 * rf_pairs_over - select the pairs whose data pass a port
 * @s: the scenario
 * @w: the workload of the scenario or of a case
 * @all: the pairs of ranks
 * @port: number of the port, from rf_port_number()
 * @dir: the direction, enum rdmafault_direction
 * @over: gets the pairs
 *
 * Return: true if there is one.
 */
bool rf_pairs_over(const struct rf_scenario *s, const struct rf_workload *w,
		   const struct rf_pairs *all, uint32_t port, uint32_t dir, struct rf_pairs *over)
{
	uint32_t a, b;
	bool any = false;

	*over = (struct rf_pairs){ };
	for (a = 0; a < RF_FABRIC_MAX; a++)
		for (b = 0; b < RF_FABRIC_MAX; b++)
			if (all->to[a] >> b & 1 && port_passes(s, w, port, dir, a, b)) {
				over->to[a] |= RF_PAIRS_BIT(b);
				any = true;
			}
	return any;
}

/* ACKs and credits take the way back. Return: true if the rule selects only WRITEs */
static bool selects_data(const struct rf_match *m)
{
	return (RF_ASKS(m, CLASS) && m->classes == RDMAFAULT_CLASS_WRITE) ||
	       (RF_ASKS(m, OPCODE) && m->opcode >= WRITE_FIRST && m->opcode <= WRITE_LAST);
}

/* Return: true if the rule selects only classes of packets that no job of ours sends */
static bool is_never_sent(const struct rf_match *m, const char *protocol)
{
	uint32_t never = RDMAFAULT_CLASS_ATOMIC;

	if (strcmp(protocol, "read"))
		never |= RDMAFAULT_CLASS_READ_REQUEST | RDMAFAULT_CLASS_READ_RESPONSE;
	return RF_ASKS(m, CLASS) && !(m->classes & ~never);
}

/*
 * Name the pairs that use another link of the same leaf switch, in the same direction: the other
 * spine switches have the traffic that the port does not have.
 */
static void write_others(FILE *f, const struct rf_scenario *s, const struct rf_workload *w,
			 const struct rf_pairs *all, const struct rf_fault *fault)
{
	uint32_t port = rf_port_number(s, fault->port), i, number;
	struct rf_fabric_link own, other;
	const char *sep = ": ";
	struct rf_pairs over;
	char name[16], *text;
	bool up;

	if (s->fabric.shape != RF_SHAPE_LEAF_SPINE || !rf_port_link(s, port, &own))
		return;
	up = own.a < s->fabric.leaves;
	for (i = s->fabric.nodes; rf_fabric_port(&s->fabric, i, name); i++) {
		number = s->fabric.nodes + 1 + i;
		if (!rf_port_link(s, number, &other) || number == port ||
		    (up ? other.a != own.a : other.b != own.b) ||
		    !rf_pairs_over(s, w, all, number, fault->dir, &over))
			continue;
		text = rf_pairs_text(&over, 0);
		fprintf(f, "%sranks %s use %s", sep, text ? text : "", name);
		free(text);
		sep = ", ";
	}
}

static char *passed_by(const struct rf_scenario *s, const struct rf_case *test_case,
		       const struct rf_fault *fault)
{
	const struct rf_workload *w = &test_case->workload;
	bool data = selects_data(&fault->spec.match), known;
	char *text = NULL, protocol[8] = "write";
	struct rf_pairs all, over, back = { };
	struct rf_fabric_link unused;
	uint32_t a, b;
	size_t len;
	FILE *f;

	if (fault->kind != RF_FAULT_RULE || w->background || w->kind == RF_WORK_COMMAND)
		return NULL;
	a = rf_port_number(s, fault->port);
	if (rf_case_is_balanced(test_case) && rf_port_link(s, a, &unused))
		return NULL;		/* any pair can use the link */
	known = rf_workload_pairs(s, w, &all);
	if (rf_option_value(w, "protocol", protocol, sizeof(protocol)))
		data = false;
	if (is_never_sent(&fault->spec.match, protocol))
		return asprintf(&text, "the job sends no READ and no atomic, its --protocol is %s",
				protocol) < 0 ? NULL : text;
	for (a = 0; a < RF_FABRIC_MAX; a++)
		for (b = 0; b < RF_FABRIC_MAX; b++)
			back.to[a] |= (all.to[b] >> a & 1) << b;
	a = rf_port_number(s, fault->port);
	if (rf_pairs_over(s, w, &all, a, fault->dir, &over) ||
	    (!(data && known) && rf_pairs_over(s, w, &back, a, fault->dir, &over)))
		return NULL;
	f = open_memstream(&text, &len);
	if (!f)
		return NULL;
	fprintf(f, "no %s of the job passes %s", data ? "WRITE" : "packet", fault->port);
	write_others(f, s, w, &all, fault);
	fclose(f);
	return text;
}

/**
 * rf_fault_passed_by - say why no packet of the jobs can be hit by a fault
 * @s: the scenario
 * @test_case: the case of the fault
 * @fault: the fault
 *
 * Return: the reason, which the caller frees; NULL if packets of a job pass the port, or if it is
 * not known whether they do. The reason names the ranks of the first job.
 */
char *rf_fault_passed_by(const struct rf_scenario *s, const struct rf_case *test_case,
			 const struct rf_fault *fault)
{
	char *text = passed_by(s, test_case, fault), *other;
	size_t i;

	for (i = 0; text && i < test_case->nothers; i++) {
		other = passed_by(s, &test_case->others[i], fault);
		if (!other) {
			free(text);
			text = NULL;
		}
		free(other);
	}
	return text;
}
