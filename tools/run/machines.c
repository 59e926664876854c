// SPDX-License-Identifier: GPL-2.0
/*
 * The processes of a run on several machines, and their messages.
 *
 * PMIx gives each process its number, and the address of process 0, to which each other process
 * opens one TCP connection. Process 0 says which case is next, and when it ends; before and after
 * the job of a case, all processes exchange whether they succeeded. A fault that begins or ends
 * while the job runs is applied by the process whose port it concerns, when process 0 says so.
 *
 * If a process or its machine is lost, its connection ends, at the latest after 20 s. Process 0
 * then ends the case and names the machine. If process 0 is lost, the others end. Rules and storms
 * belong to the netlink socket of their process, so nothing remains on a machine.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "err.h"
#include "host.h"
#include "job.h"
#include "machines.h"
#include "sha256.h"
#include "tools/coll/wire.h"
#include "tools/scenario/scenario.h"

#define MAGIC		0x6d666472u
#define JOIN_NS		20000000000ull	/* longest wait for the other processes to start */
#define MARGIN_NS	60000000000ull	/* longest wait for another process, beyond a deadline */
#define TEXT_MAX	(1ull << 30)	/* bytes of a record */
#define EXCHANGES	64		/* to compare two clocks */

enum message_kind {
	MESSAGE_DATA,			/* @value bytes follow */
	MESSAGE_RESULT,			/* @err; from process 0: of the first machine that failed */
	MESSAGE_NEXT,			/* case number @value */
	MESSAGE_END,			/* of the run; @value: the verdict */
	MESSAGE_PING, MESSAGE_PONG,	/* @value: time of the sender */
	MESSAGE_BEGIN_FAULT, MESSAGE_END_FAULT,	/* fault number @value */
	MESSAGE_FAULT_DONE,		/* @err */
	MESSAGE_END_JOB,		/* @err: the job must end at once */
};

struct message {
	uint32_t magic, kind;
	int32_t err;
	uint32_t machine;
	uint64_t value;
};

/* ---- messages ---- */

/* The connection to process @k failed with @err. Return: -EINTR after a signal, or -ECONNRESET */
static int lose(struct rf_machines *ms, uint32_t k, int err)
{
	if (err == -EINTR) {
		rf_signals_read(ms->sig);
		return err;
	}
	if (ms->fds[k] < 0)
		return -ECONNRESET;
	rf_err("run: machine %s is lost: %s", ms->m[k].host,
	       err == -EPROTO ? "it sent an unexpected message" :
	       err == -ECONNRESET ? "its process ended" : "it does not answer");
	close(ms->fds[k]);
	ms->fds[k] = -1;
	return -ECONNRESET;
}

static uint64_t until(const struct rf_machines *ms)
{
	return rf_now_ns() + ms->waiter.deadline_ns;
}

static int send_bytes(struct rf_machines *ms, uint32_t k, const void *buf, size_t len)
{
	int err = ms->sig->aborted ? -EINTR : ms->fds[k] < 0 ? -ECONNRESET :
		  coll_wire_send(ms->fds[k], buf, len, &ms->waiter, until(ms));

	return err ? lose(ms, k, err) : 0;
}

static int receive_bytes(struct rf_machines *ms, uint32_t k, void *buf, size_t len)
{
	int err = ms->sig->aborted ? -EINTR : ms->fds[k] < 0 ? -ECONNRESET :
		  coll_wire_recv(ms->fds[k], buf, len, &ms->waiter, until(ms));

	return err ? lose(ms, k, err) : 0;
}

static int send_message(struct rf_machines *ms, uint32_t k, enum message_kind kind, int err,
			uint64_t value)
{
	const struct message m = { .magic = MAGIC, .kind = kind, .err = err, .value = value };

	return send_bytes(ms, k, &m, sizeof(m));
}

static int receive_message(struct rf_machines *ms, uint32_t k, struct message *m)
{
	int err = receive_bytes(ms, k, m, sizeof(*m));

	return !err && m->magic != MAGIC ? lose(ms, k, -EPROTO) : err;
}

static int receive_kind(struct rf_machines *ms, uint32_t k, enum message_kind kind,
			struct message *m)
{
	int err = receive_message(ms, k, m);

	return !err && m->kind != kind ? lose(ms, k, -EPROTO) : err;
}

/* Send a message from process 0 to all others. Return: the first error; the others still get it */
static int send_all(struct rf_machines *ms, const struct message *m)
{
	int err = 0, one;
	uint32_t k;

	for (k = 1; k < ms->n; k++) {
		one = ms->fds[k] < 0 ? -ECONNRESET : send_bytes(ms, k, m, sizeof(*m));
		err = err ? err : one;
	}
	return err;
}

/* In process 0, get the result of process @k, which can have come while the job ran. */
static int receive_result(struct rf_machines *ms, uint32_t k, int32_t *result)
{
	struct message m;
	int err = 0;

	if (ms->failed[k]) {
		ms->failed[k] = false;
		*result = ms->failure[k];
		return 0;
	}
	if (ms->fds[k] < 0)
		return -ECONNRESET;
	err = receive_kind(ms, k, MESSAGE_RESULT, &m);
	*result = err ? err : m.err;
	return err;
}

/**
 * rf_machines_agree - exchange whether all processes succeeded
 * @ms: the machines
 * @err: 0, or -errno after rf_err() if this process failed
 *
 * Return: @err; if it is 0, -EINTR if another process was aborted, -ECANCELED if another failed and
 * has printed its error, or -ECONNRESET after rf_err().
 */
int rf_machines_agree(struct rf_machines *ms, int err)
{
	struct message all = { .magic = MAGIC, .kind = MESSAGE_RESULT, .err = err };
	int32_t result;
	uint32_t k;
	int lost;

	if (!rf_machines_are_several(ms))
		return err;
	if (rf_machines_follow(ms)) {
		/* If this process failed while the job ran, process 0 still ends the job. */
		lost = send_message(ms, 0, MESSAGE_RESULT, err, 0);
		do {
			lost = lost ? lost : receive_message(ms, 0, &all);
		} while (!lost && all.kind != MESSAGE_RESULT);
		return err ? err : lost ? lost : all.err;
	}
	for (k = 1; k < ms->n; k++) {
		lost = receive_result(ms, k, &result);
		if (lost || result)
			all.err = all.err ? all.err : lost ? lost :
				  result == -EINTR ? -EINTR : -ECANCELED;
	}
	lost = send_all(ms, &all);
	return err ? err : all.err ? all.err : lost;
}

/**
 * rf_machines_share - exchange values of the same size
 * @ms: the machines
 * @mine: the value of this process
 * @len: its size
 * @all: gets the values of all processes
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_share(struct rf_machines *ms, const void *mine, size_t len, void *all)
{
	uint32_t k;
	int err = 0;

	if (rf_machines_follow(ms)) {
		err = send_bytes(ms, 0, mine, len);
		return err ? err : receive_bytes(ms, 0, all, ms->n * len);
	}
	memcpy(all, mine, len);
	for (k = 1; !err && k < ms->n; k++)
		err = receive_bytes(ms, k, (char *)all + k * len, len);
	for (k = 1; !err && k < ms->n; k++)
		err = send_bytes(ms, k, all, ms->n * len);
	return err;
}

/**
 * rf_machines_send - send a text to process 0
 * @ms: the machines
 * @text: the text
 * @len: its length
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_send(struct rf_machines *ms, const char *text, size_t len)
{
	int err = send_message(ms, 0, MESSAGE_DATA, 0, len);

	return err ? err : send_bytes(ms, 0, text, len);
}

/**
 * rf_machines_receive - in process 0, receive a text
 * @ms: the machines
 * @machine: its sender
 * @text: set to the text, which the caller frees, also after an error
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_receive(struct rf_machines *ms, uint32_t machine, char **text)
{
	struct message m;
	int err = receive_kind(ms, machine, MESSAGE_DATA, &m);

	*text = NULL;
	if (err)
		return err;
	if (m.value > TEXT_MAX)
		return lose(ms, machine, -EPROTO);
	*text = calloc(1, m.value + 1);
	if (!*text) {
		rf_err("no memory for the record of machine %s", ms->m[machine].host);
		return -ENOMEM;
	}
	return receive_bytes(ms, machine, *text, m.value);
}

/* ---- begin and end of a run ---- */

/* The lines that must be equal in all processes */
static int write_arguments(const struct rf_scenario *s, char *buf, size_t len)
{
	char hash[RF_SHA256_LEN];
	int err = rf_sha256_file(s->path, hash);

	if (err) {
		rf_err("%s: %s", s->path, strerror(-err));
		return err;
	}
	snprintf(buf, len, "rdmafault " RF_VERSION "\na scenario with the SHA-256 %s\n--repeat %u\n--deadline %llus\n",
		 hash, s->repeat, (unsigned long long)s->deadline_ns / 1000000000);
	return 0;
}

static void describe_machine(struct rf_machine *m)
{
	struct rf_fabric there = { };
	struct utsname uts;

	gethostname(m->host, sizeof(m->host) - 1);
	coll_boot_id(m->boot);
	if (!uname(&uts))
		snprintf(m->kernel, sizeof(m->kernel), "%s", uts.release);
	m->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	rf_fabric_read(&there);
	m->nodes = there.nodes;
	m->first = there.first;
	m->last = there.last;
}

static int check_hosts(const struct rf_machines *ms)
{
	uint32_t i, k;

	for (k = 0; k < ms->n; k++)
		for (i = 0; i < k; i++)
			if (!memcmp(ms->m[i].boot, ms->m[k].boot, sizeof(ms->m[k].boot))) {
				rf_err("run: processes %u and %u are on the same machine, %s; start one on each machine, for example with \"mpirun --map-by ppr:1:node\"",
				       i, k, ms->m[k].host);
				return -EINVAL;
			}
	return 0;
}

static int find_others(struct rf_machines *ms, struct coll_own_rank *own,
		       const struct rf_scenario *s)
{
	const struct coll_waiter joining = {
		.stop_fd = ms->waiter.stop_fd, .launcher_fd = -1, .deadline_ns = JOIN_NS,
	};
	struct coll_state *state = calloc(1, sizeof(*state));
	char arguments[1024];
	struct coll_rendezvous_state m = {
		.own = own, .waiter = &joining, .state = state, .arguments = arguments,
	};
	int err = state ? write_arguments(s, arguments, sizeof(arguments)) : -ENOMEM;

	if (!err) {
		state->pid = getpid();
		gethostname(state->host, sizeof(state->host) - 1);
		err = coll_rendezvous(&m);
		if (err)
			rf_err("run: %s", state->error);
	}
	memcpy(ms->fds, m.fds, sizeof(ms->fds));
	free(state);
	return err;
}

/**
 * rf_machines_join - if a launcher started this run, find the processes on the other machines
 * @ms: the machines
 * @s: the scenario
 * @sig: the signals of the run
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_join(struct rf_machines *ms, const struct rf_scenario *s, struct rf_signals *sig)
{
	struct coll_own_rank own = { .listen_fd = -1, .member = "process" };
	struct rf_machine mine = { .host = "" };
	sigset_t ending;
	int err;

	memset(ms->fds, -1, sizeof(ms->fds));
	if (!getenv("PMIX_RANK"))
		return 0;
	err = coll_pmix_own_rank(&own, JOIN_NS);
	if (err || own.ranks == 1)
		return err;
	if (own.ranks > RF_MACHINES_MAX) {
		rf_err("run: %d processes were started; at most %d are possible, one on each machine",
		       own.ranks, RF_MACHINES_MAX);
		return -EINVAL;
	}
	ms->sig = sig;
	ms->own = own.rank;
	rf_ending_signals(&ending);
	ms->waiter = (struct coll_waiter){
		.stop_fd = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK), .launcher_fd = -1,
		.deadline_ns = s->deadline_ns + MARGIN_NS,
	};
	err = find_others(ms, &own, s);
	if (err)
		return err;
	ms->n = own.ranks;
	describe_machine(&mine);
	rf_err_of_machine(mine.host);
	err = rf_machines_share(ms, &mine, sizeof(mine), ms->m);
	return err ? err : check_hosts(ms);
}

/** rf_machines_of_port - get the number of the machine of a port of the scenario's fabric */
uint32_t rf_machines_of_port(const struct rf_machines *ms, const struct rf_scenario *s,
			     const char *port)
{
	uint32_t node = (rf_port_number(s, port) - 1) % s->fabric.nodes + 1, k;

	for (k = ms->n; k > 1; k--)
		if (node >= ms->m[k - 1].first && node <= ms->m[k - 1].last)
			return k - 1;
	return 0;
}

/**
 * rf_machines_check_fabric - check that the machines together have the fabric of the scenario
 * @ms: the machines
 * @want: the fabric of the scenario
 *
 * Return: 0, or -EINVAL; process 0 has printed the error.
 */
int rf_machines_check_fabric(const struct rf_machines *ms, const struct rf_fabric *want)
{
	const bool speaks = !rf_machines_follow(ms);
	const struct rf_machine *m;
	uint32_t next = 1;

	for (m = ms->m; m < ms->m + ms->n; m++) {
		if (m->nodes == want->nodes && m->first == next) {
			next = m->last + 1;
			continue;
		}
		if (speaks && m->nodes)
			rf_err("run: machine %s has nodes %u to %u of %u; it must have nodes from %u on, of %u",
			       m->host, m->first, m->last, m->nodes, next, want->nodes);
		else if (speaks)
			rf_err("run: machine %s has no fabric; create its nodes with \"rdmafault fabric up %u nodes %u-B uplink IFNAME\"",
			       m->host, want->nodes, next);
		return -EINVAL;
	}
	if (next == want->nodes + 1)
		return 0;
	if (speaks)
		rf_err("run: no machine has node %u; the scenario needs %u nodes", next,
		       want->nodes);
	return -EINVAL;
}

/** rf_machines_leave - close the connections */
void rf_machines_leave(struct rf_machines *ms)
{
	uint32_t k;

	for (k = 0; k < ms->n; k++)
		if (ms->fds[k] >= 0)
			close(ms->fds[k]);
	if (ms->n > 1)
		close(ms->waiter.stop_fd);
	ms->n = 0;
}

/**
 * rf_machines_say_next - in process 0: say which case is next
 * @ms: the machines
 * @index: number of the case in the scenario
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_say_next(struct rf_machines *ms, uint32_t index)
{
	const struct message m = { .magic = MAGIC, .kind = MESSAGE_NEXT, .value = index };

	return send_all(ms, &m);
}

/**
 * rf_machines_say_end - in process 0: say that the run ends
 * @ms: the machines
 * @verdict: of the run
 */
void rf_machines_say_end(struct rf_machines *ms, uint32_t verdict)
{
	const struct message m = { .magic = MAGIC, .kind = MESSAGE_END, .value = verdict };

	send_all(ms, &m);
}

/**
 * rf_machines_await_next - in the other processes: wait for what process 0 says
 * @ms: the machines
 * @end: set to true if the run ends
 * @value: set to the verdict of the run; before the end, to the number of the next case
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_await_next(struct rf_machines *ms, bool *end, uint32_t *value)
{
	struct message m;
	int err = receive_message(ms, 0, &m);

	if (err)
		return err;
	if (m.kind != MESSAGE_NEXT && m.kind != MESSAGE_END)
		return lose(ms, 0, -EPROTO);
	*end = m.kind == MESSAGE_END;
	*value = m.value;
	return 0;
}

/* ---- a case ---- */

static int compare_clock(struct rf_machines *ms, uint32_t k, struct rf_clock_look *look)
{
	struct rf_clock_bounds bounds = { };
	struct message m;
	uint64_t sent;
	int i, err = 0;

	for (i = 0; !err && i < EXCHANGES; i++) {
		sent = rf_now_ns();
		err = send_message(ms, k, MESSAGE_PING, 0, sent);
		if (!err)
			err = receive_kind(ms, k, MESSAGE_PONG, &m);
		if (!err)
			rf_clock_take(&bounds, sent, m.value, rf_now_ns());
	}
	if (!err)
		*look = rf_clock_result(&bounds);
	return err;
}

static int answer_comparison(struct rf_machines *ms)
{
	struct message m;
	int i, err = 0;

	for (i = 0; !err && i < EXCHANGES; i++) {
		err = receive_kind(ms, 0, MESSAGE_PING, &m);
		if (!err)
			err = send_message(ms, 0, MESSAGE_PONG, 0, rf_now_ns());
	}
	return err;
}

/**
 * rf_machines_measure - compare the clocks of the machines with that of process 0
 * @ms: the machines, whose jobs do not run
 * @after: after a case; false: before it
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_measure(struct rf_machines *ms, bool after)
{
	struct rf_machine_clock *clock;
	uint32_t k;
	int err = 0;

	if (rf_machines_follow(ms))
		return answer_comparison(ms);
	for (k = 1; !err && k < ms->n; k++) {
		clock = &ms->m[k].clock;
		err = compare_clock(ms, k, after ? &clock->after : &clock->before);
	}
	return err;
}

/* Get a free TCP port of this machine. It is free again when rank 0 binds it. */
static int free_port(uint16_t *port)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	socklen_t len = sizeof(addr);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), err = fd < 0 ? -errno : 0;

	if (!err && (bind(fd, (struct sockaddr *)&addr, len) ||
		     getsockname(fd, (struct sockaddr *)&addr, &len)))
		err = -errno;
	if (fd >= 0)
		close(fd);
	*port = ntohs(addr.sin_port);
	if (err)
		rf_err("run: no TCP port for the ranks: %s", strerror(-err));
	return err;
}

/* Write the address of process 0, as this process reaches it. */
static int write_address(const struct rf_machines *ms, uint16_t port,
			 char address[RF_MACHINES_ADDRESS])
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	socklen_t size = sizeof(addr);
	char host[INET_ADDRSTRLEN];

	/* Rank 0 listens on all addresses; the other ranks of its machine reach it at 0.0.0.0. */
	if (rf_machines_follow(ms) && getpeername(ms->fds[0], (struct sockaddr *)&addr, &size))
		return -errno;
	inet_ntop(AF_INET, &addr.sin_addr, host, sizeof(host));
	snprintf(address, RF_MACHINES_ADDRESS, "%s:%u", host, port);
	return 0;
}

/**
 * rf_machines_rendezvous - choose the address at which the ranks of a job meet
 * @ms: the machines
 * @address: gets the address and port, for the option --rendezvous
 * @timeline: file that rank 0 writes; all ranks must have the same option --timeline. Process 0
 *	sets it, the others get it
 *
 * Return: 0, or -errno after rf_err().
 */
int rf_machines_rendezvous(struct rf_machines *ms, char address[RF_MACHINES_ADDRESS],
			   char timeline[PATH_MAX])
{
	struct {
		uint16_t port;
		char timeline[PATH_MAX];
	} all[RF_MACHINES_MAX], mine = { };
	int err;

	snprintf(mine.timeline, sizeof(mine.timeline), "%s", timeline);
	/* Without a port, all others must know it, too. */
	if (!rf_machines_follow(ms) && free_port(&mine.port))
		mine.port = 0;
	err = rf_machines_share(ms, &mine, sizeof(mine), all);
	if (err || !all[0].port)
		return err ? err : -ECANCELED;
	memcpy(timeline, all[0].timeline, sizeof(all[0].timeline));
	return write_address(ms, all[0].port, address);
}

/**
 * rf_machines_act - in process 0, let another process apply or undo a fault
 * @ms: the machines
 * @machine: the machine of the fault's port
 * @fault: index of the fault in the case
 * @undo: undo it
 *
 * Return: 0, or -errno; the other process, or this one, has printed the error.
 */
int rf_machines_act(struct rf_machines *ms, uint32_t machine, uint32_t fault, bool undo)
{
	struct message m;
	int err = send_message(ms, machine, undo ? MESSAGE_END_FAULT : MESSAGE_BEGIN_FAULT, 0,
			       fault);

	if (!err)
		err = receive_message(ms, machine, &m);
	if (err)
		return err;
	if (m.kind == MESSAGE_RESULT) {
		ms->failed[machine] = true;
		ms->failure[machine] = m.err;
		return -ECANCELED;
	}
	return m.kind == MESSAGE_FAULT_DONE ? m.err : lose(ms, machine, -EPROTO);
}

/* Return: why poll() reports the end of a connection: -ECONNRESET, or what TCP found out */
static int end_of_connection(int fd)
{
	int err = 0;
	socklen_t len = sizeof(err);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) || !err ? -ECONNRESET : -err;
}

/**
 * rf_machines_look - in process 0, while the job runs: check that the others are still there
 * @ms: the machines
 *
 * Return: 0; -ECONNRESET after rf_err(); -ECANCELED if another process has failed.
 */
int rf_machines_look(struct rf_machines *ms)
{
	struct pollfd fds[RF_MACHINES_MAX];
	uint32_t k;

	for (k = 1; k < ms->n; k++)
		fds[k] = (struct pollfd){ .fd = ms->fds[k], .events = POLLIN | POLLRDHUP };
	if (ms->n < 2 || poll(fds + 1, ms->n - 1, 0) <= 0)
		return 0;
	for (k = 1; k < ms->n; k++) {
		if (fds[k].revents & ~POLLIN)
			return lose(ms, k, end_of_connection(ms->fds[k]));
		if (fds[k].revents)
			return -ECANCELED;
	}
	return 0;
}

static int serve_one(struct rf_machines *ms, const struct rf_machines_faults *faults)
{
	struct message m;
	int err = receive_message(ms, 0, &m);

	if (err)
		return err;
	switch (m.kind) {
	case MESSAGE_BEGIN_FAULT:
	case MESSAGE_END_FAULT:
		err = faults->act(faults->arg, m.value, m.kind == MESSAGE_END_FAULT);
		return send_message(ms, 0, MESSAGE_FAULT_DONE, err, 0);
	case MESSAGE_END_JOB:
		ms->over = true;
		return m.err ? -ECANCELED : 0;
	}
	return lose(ms, 0, -EPROTO);
}

/**
 * rf_machines_serve - in the other processes, while the job runs: do what process 0 says
 * @ms: the machines
 * @faults: applies and undoes faults
 *
 * The function does not wait.
 *
 * Return: 0; -ECANCELED if the job must end; another -errno after rf_err().
 */
int rf_machines_serve(struct rf_machines *ms, const struct rf_machines_faults *faults)
{
	struct pollfd fd = { .fd = ms->fds[0], .events = POLLIN | POLLRDHUP };
	int err = 0;

	while (!err && !ms->over && poll(&fd, 1, 0) > 0)
		err = serve_one(ms, faults);
	return err;
}

/**
 * rf_machines_end_job - end the job of a case
 * @ms: the machines
 * @err: 0, or -errno if the job of this process failed
 * @faults: applies and undoes faults until process 0 has ended the job
 *
 * Return: @err, or -errno after rf_err().
 */
int rf_machines_end_job(struct rf_machines *ms, int err, const struct rf_machines_faults *faults)
{
	const struct message m = { .magic = MAGIC, .kind = MESSAGE_END_JOB, .err = err };
	int lost = 0;

	if (!rf_machines_are_several(ms))
		return err;
	if (!rf_machines_follow(ms)) {
		lost = send_all(ms, &m);
		return err ? err : lost;
	}
	while (!err && !ms->over)
		err = serve_one(ms, faults);
	return err;
}
