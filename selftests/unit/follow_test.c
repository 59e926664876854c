// SPDX-License-Identifier: GPL-2.0
/*
 * Test rules that follow the queue pairs of an owner (--follow): each new queue pair of the
 * owner gets one rule, queue pairs of other processes get no rule, and polling ends if a rule
 * cannot be added. The kernel's list of queue pairs and the module are simulated.
 */
#include <stdlib.h>

#include "said.h"
#include "tap.h"

#include "../../tools/net/owner.c"
#include "tools/cli/follow.c"

static struct rf_qp_info there[80];
static size_t n_there;
static struct rf_rule_spec added[8];
static size_t n_added, reported, ports_made;
static int module_err, port_err, make_err, looks_left;
static bool is_invalid;

int rf_rdma_qp_each(const char *rdma,
		    void (*fn)(const struct rf_qp_info *qp, void *arg),
		    void *arg)
{
	size_t i;

	if (strcmp(rdma, "rxe1") && strcmp(rdma, "rxe2"))
		return -ENODEV;
	for (i = 0; i < n_there; i++)
		fn(&there[i], arg);
	return 0;
}

int rf_nl_rule_new(struct rf_nl *nl, uint32_t ifindex, uint32_t dir,
		   uint32_t batch_flags, const struct rf_rule_spec *rules,
		   size_t n, uint32_t *ids)
{
	if (module_err || nl || ifindex != 7 || dir > 1 || batch_flags || n != 1)
		return module_err ? module_err : -EINVAL;
	added[n_added] = *rules;
	*ids = ++n_added;
	return 0;
}

int rf_nl_port_get(struct rf_nl *nl, uint32_t ifindex, struct rf_port_info *port)
{
	*port = (struct rf_port_info){ .ifindex = ifindex, .max_hold = 5 };
	return nl ? -EINVAL : port_err;
}

int rf_nl_port_new(struct rf_nl *nl, uint32_t ifindex)
{
	if (nl || ifindex != 7)
		return -EINVAL;
	if (!make_err)
		port_err = 0;
	ports_made++;
	return make_err;
}

int rf_validate_rule(const struct rf_rule_spec *spec, uint64_t max_hold,
		     struct rf_why *why)
{
	why->text = "invalid";
	return is_invalid || max_hold != 5 || spec->match.qps != 1 ? -EINVAL : 0;
}

void rf_hint(const char *fmt, ...)
{
	(void)fmt;
}

int rf_nl_failed(struct rf_nl *nl, const char *what, int err)
{
	(void)nl;
	rf_err("%s: %s", what, strerror(-err));
	return RF_EXIT_FAILED;
}

int rf_target_failed(struct rf_nl *nl, const struct rf_target *t, const char *what, int err)
{
	return rf_nl_failed(nl, t ? what : "no target", err);
}

char *rf_rule_format(const struct rf_rule_spec *spec, char *buf, size_t len)
{
	snprintf(buf, len, "%u", spec->actions);
	return buf;
}

const char *rf_dir_name(uint32_t dir)
{
	return dir ? "rx" : "tx";
}

void rf_report_rule(struct rf_nl *nl, const struct rf_target *t, uint32_t id)
{
	reported += !nl && t->ifindex == 7 && id;
}

static void new_qp(uint32_t qp, uint32_t peer, uint32_t pid, const char *comm)
{
	struct rf_qp_info *q = &there[n_there++];

	*q = (struct rf_qp_info){ .qp = qp, .peer = peer, .pid = pid };
	snprintf(q->comm, sizeof(q->comm), "%s", comm);
}

/* The owner makes a queue pair, connects it later, and makes another queue pair. */
static void next_moment(int left)
{
	if (left == 4) {
		new_qp(17, 0, 100, "job");
		new_qp(90, 91, 200, "other");
	}
	if (left == 3)
		there[0].peer = 27;
	if (left == 1)
		new_qp(18, 28, 101, "job");
}

int rf_run_command(char **argv, void (*tick)(void *arg), void *arg)
{
	for (; looks_left; looks_left--) {
		next_moment(looks_left);
		tick(arg);
	}
	return argv[0] ? 0 : 5;
}

int rf_signals_open(struct rf_signals *sig)
{
	*sig = (struct rf_signals){ .fd = -1 };
	return 0;
}

void rf_signals_read(struct rf_signals *sig)
{
	next_moment(looks_left);
	sig->aborted = !looks_left--;
}

void rf_signals_close(struct rf_signals *sig)
{
	ok(sig->aborted || module_err, "--follow ends by a signal or an error");
}

static struct rf_rule_spec rule = { .owner.comm = "job", .actions = 1 };
static char *command[] = { "true", NULL };

static int follow(uint32_t dir, int looks, char **argv)
{
	const struct rf_target t = { .ifindex = 7, .netdev = "v1", .rdma = "rxe1" };
	const struct rf_rule_list rules = { .rule = &rule, .n = 1 };

	n_added = 0;
	reported = 0;
	said[0] = '\0';
	looks_left = looks;
	return rf_follow(NULL, &t, dir, &rules, argv);
}

static bool is_for(size_t i, uint32_t qp)
{
	const struct rf_rule_spec *r = &added[i];

	return r->match.qps == 1 && r->match.qp[0] == qp &&
	       r->match.set & RF_MATCH_BIT(QP) &&
	       r->flags & RDMAFAULT_RULE_FLAG_LOOKED_UP &&
	       !rf_owner_is_named(&r->owner);
}

static void commands(void)
{
	n_there = 0;
	ok(!follow(0, 5, command), "rf_follow() with a command returns its exit status 0");
	ok(n_added == 2 && is_for(0, 27) && is_for(1, 28),
	   "direction tx: one rule is added per peer queue pair when it is connected");
	ok(reported == 2, "each added rule is reported at the end");
	n_there = 0;
	follow(1, 5, command);
	ok(n_added == 2 && is_for(0, 17) && is_for(1, 18),
	   "direction rx: one rule is added per queue pair of the owner, connected or not");
	n_there = 0;
	ok(follow(0, 0, command + 1) == 5 && !n_added,
	   "control: no rule is added without queue pairs, and the command's exit status is returned");
}

static void signals(void)
{
	n_there = 0;
	ok(!follow(0, 5, NULL), "--follow: exit status 0 after a signal");
	ok(n_added == 2 && is_for(0, 27) && is_for(1, 28) && reported == 2,
	   "--follow: the same rules as with a command");
}

static void many(void)
{
	uint32_t i;

	for (n_there = i = 0; i < 70; i++)
		new_qp(100 + i, 200 + i, 100, "job");
	follow(0, 2, command);
	ok(n_added == 4 && added[0].match.qps == RDMAFAULT_QPS_MAX &&
	   added[2].match.qps == 70 - 2 * RDMAFAULT_QPS_MAX &&
	   added[2].match.qp[added[2].match.qps - 1] == 269 && is_for(3, 28),
	   "70 queue pairs at once get three rules, and a later one gets a fourth");
}

static void narrower(void)
{
	n_there = 0;
	rule.owner.pid = 101;
	follow(0, 5, command);
	ok(n_added == 1 && is_for(0, 28), "a rule with comm and pid is added only if both are true");
	rule.owner.pid = 0;
	strcpy(rule.owner.dev, "rxe2");
	n_there = 0;
	follow(0, 5, command);
	ok(n_added == 3 && is_for(0, 17) && is_for(1, 27),
	   "for a device other than the port's, rules for both numbers of a queue pair are added");
	rule.owner.dev[0] = '\0';
}

static void failures(void)
{
	n_there = 0;
	module_err = -ENOSPC;
	ok(follow(0, 5, command) == RF_EXIT_FAILED && !n_added &&
	   !strcmp(said, "v1: No space left on device"),
	   "rf_follow() with a command fails if a rule cannot be added");
	n_there = 0;
	ok(follow(0, 5, NULL) == RF_EXIT_FAILED, "rf_follow() without a command fails if a rule cannot be added");
	module_err = 0;
	port_err = -ENODEV;
	make_err = -EOPNOTSUPP;
	ok(follow(0, 5, command) == RF_EXIT_FAILED && looks_left == 5,
	   "a netdev that cannot become a port is an error before the command starts");
	make_err = 0;
	ports_made = 0;
	n_there = 0;
	ok(!follow(0, 5, command) && ports_made == 1, "a netdev that is no port becomes one");
	is_invalid = true;
	ok(follow(0, 5, command) == RF_EXIT_FAILED && looks_left == 5 &&
	   !strcmp(said, "v1: invalid"),
	   "an invalid rule is an error before the command starts");
	is_invalid = false;
	strcpy(rule.owner.dev, "rxe9");
	ok(follow(0, 5, command) == RF_EXIT_FAILED && looks_left == 5,
	   "an unknown RDMA device is an error before the command starts");
	rule.owner.dev[0] = '\0';
}

static void without(void)
{
	const struct rf_target t = { .ifindex = 7, .netdev = "v1", .rdma = "rxe1" };
	struct rf_rule_spec r = rule;

	n_there = 0;
	ok(rf_owner_resolve(&r, &t, 0) == -ESRCH &&
	   !strcmp(said, "comm job: no queue pairs on rxe1; to wait for connected queue pairs, use \"rule add ... -- COMMAND\" or \"rule add ... --follow\""),
	   "a rule without --follow is refused if the owner has no queue pairs");
	new_qp(17, 0, 100, "job");
	ok(rf_owner_resolve(&r, &t, 0) == -ESRCH &&
	   strstr(said, "no connected queue pairs on rxe1, only 1 unconnected"),
	   "a rule without --follow is refused if the owner has no connected queue pair");
	there[0].peer = 27;
	ok(!rf_owner_resolve(&r, &t, 0) && r.match.qps == 1 &&
	   r.match.qp[0] == 27 && r.flags & RDMAFAULT_RULE_FLAG_LOOKED_UP,
	   "a rule without --follow is accepted if the owner has a connected queue pair");
}

int main(void)
{
	commands();
	signals();
	many();
	narrower();
	failures();
	without();
	return done_testing();
}
