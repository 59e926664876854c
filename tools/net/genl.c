// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of the generic netlink family "rdmafault". genl_rule.c, genl_info.c, genl_queue.c
 * and genl_path.c write and read the attributes of the messages.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>

#include "genl.h"
#include "genl_attrs.h"
#include "nl.h"

#define MSG_ROOM 256		/* size in bytes of a request without rules */

struct rf_nl {
	struct rf_sock s;
	int family;
	size_t wrong_rule;	/* refused rule of the last batch, from 1; 0: none */
};

/**
 * rf_nl_open - open a socket to the module; load the module if necessary and possible
 * @nl: gets the socket
 *
 * Return: 0, -ENOENT if the module is not loaded, or -errno.
 */
int rf_nl_open(struct rf_nl **nl)
{
	struct rf_nl *n = calloc(1, sizeof(*n));
	int err;

	if (!n)
		return -ENOMEM;
	err = rf_sock_open(&n->s, NETLINK_GENERIC);
	if (err)
		goto err_free;
	n->family = genl_ctrl_resolve(n->s.sk, RDMAFAULT_FAMILY_NAME);
	if (n->family < 0) {
		err = -ENOENT;
		goto err_close;
	}
	*nl = n;
	return 0;

err_close:
	rf_sock_close(&n->s);
err_free:
	free(n);
	return err;
}

/**
 * rf_nl_close - close the socket; the kernel deletes the rules of the socket that are not
 * persistent
 * @nl: the socket, or NULL
 */
void rf_nl_close(struct rf_nl *nl)
{
	if (!nl)
		return;
	rf_sock_close(&nl->s);
	free(nl);
}

/**
 * rf_nl_error - get the kernel's error message (extack) for the last request
 * @nl: the socket
 *
 * Return: the message, or "" if there is none.
 */
const char *rf_nl_error(const struct rf_nl *nl)
{
	return nl->s.error ? nl->s.error : "";
}

/** rf_nl_why - get the error message for a failed request, as rf_sock_why() does */
const char *rf_nl_why(const struct rf_nl *nl, int err)
{
	return rf_sock_why(&nl->s, err);
}

/* Get the file descriptor of the socket. */
static int nl_fd(const struct rf_nl *nl)
{
	return nl_socket_get_fd(nl->s.sk);
}

static struct nl_msg *new_genl_msg(struct rf_nl *nl, int cmd, int flags, size_t room)
{
	struct nl_msg *msg = nlmsg_alloc_size(MSG_ROOM + room);

	if (!msg)
		return NULL;
	if (!genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, nl->family, 0, flags,
			 cmd, RDMAFAULT_FAMILY_VERSION)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static struct nl_msg *new_port_msg(struct rf_nl *nl, int cmd, int flags,
				   uint32_t ifindex, size_t room)
{
	struct nl_msg *msg = new_genl_msg(nl, cmd, flags, room);

	if (msg && ifindex)
		nla_put_u32(msg, RDMAFAULT_A_IFINDEX, ifindex);
	return msg;
}

/**
 * rf_nl_step_set - announce the current step of the job that uses a port
 * @nl: the socket
 * @ifindex: the port
 * @step: the number of the step and its number of messages
 *
 * Return: 0, or -errno.
 */
int rf_nl_step_set(struct rf_nl *nl, uint32_t ifindex,
		   const struct rf_job_step *step)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_STEP_SET, 0,
					  ifindex, 0);

	if (msg) {
		nla_put_u32(msg, RDMAFAULT_A_STEP, step->number);
		nla_put_u32(msg, RDMAFAULT_A_MESSAGES, step->messages);
		nla_put_u32(msg, RDMAFAULT_A_MESSAGES_TOTAL,
			    step->messages_total);
	}
	return rf_sock_request(&nl->s, msg, NULL, NULL);
}

/**
 * rf_nl_port_new - make a netdev a port, without queues
 * @nl: the socket
 * @ifindex: the netdev
 *
 * Return: 0, or -errno; -EEXIST if it is a port.
 */
int rf_nl_port_new(struct rf_nl *nl, uint32_t ifindex)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_PORT_NEW, 0, ifindex, 0);

	return rf_sock_request(&nl->s, msg, NULL, NULL);
}

/**
 * rf_nl_port_del - end a port without queues, with its rules
 * @nl: the socket
 * @ifindex: the port
 *
 * Return: 0, or -errno; -ENODEV if it is no port.
 */
int rf_nl_port_del(struct rf_nl *nl, uint32_t ifindex)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_PORT_DEL, 0, ifindex, 0);

	return rf_sock_request(&nl->s, msg, NULL, NULL);
}

/**
 * rf_nl_port_set - change the settings of a port
 * @nl: the socket
 * @ifindex: the port
 * @change: the settings that change
 *
 * Return: 0, or -errno.
 */
int rf_nl_port_set(struct rf_nl *nl, uint32_t ifindex, const struct rf_port_change *change)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_PORT_SET, 0,
					  ifindex, 0);

	if (msg && change->set & 1ULL << RDMAFAULT_A_MAX_HOLD)
		nla_put_u64(msg, RDMAFAULT_A_MAX_HOLD, change->max_hold);
	if (msg && change->set & 1ULL << RDMAFAULT_A_HOLD_FORWARDED)
		nla_put_u32(msg, RDMAFAULT_A_HOLD_FORWARDED, change->hold_forwarded);
	if (msg && change->set & 1ULL << RDMAFAULT_A_NAME)
		nla_put_string(msg, RDMAFAULT_A_NAME, change->name);
	return rf_sock_request(&nl->s, msg, NULL, NULL);
}

/**
 * rf_nl_reset - set a port to the state of a new port, without rules and storms
 * @nl: the socket
 * @ifindex: the port, or 0 for every port of the namespace
 *
 * Return: 0, or -errno.
 */
int rf_nl_reset(struct rf_nl *nl, uint32_t ifindex)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_RESET, 0, ifindex,
					  0);

	return rf_sock_request(&nl->s, msg, NULL, NULL);
}

/**
 * rf_nl_stats_reset - set the counters of a port to 0
 * @nl: the socket
 * @ifindex: the port, or 0 for every port of the namespace
 *
 * Return: 0, or -errno.
 */
int rf_nl_stats_reset(struct rf_nl *nl, uint32_t ifindex)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_STATS_RESET, 0,
					  ifindex, 0);

	return rf_sock_request(&nl->s, msg, NULL, NULL);
}

struct each {
	rf_port_fn port_fn;
	rf_rule_fn rule_fn;
	rf_flow_fn flow_fn;
	rf_rate_fn rate_fn;
	rf_queue_fn queue_fn;
	rf_path_fn path_fn;
	void *arg;
};

static int call_port_fn(struct nlmsghdr *nlh, void *arg)
{
	struct rf_port_info port;
	struct each *e = arg;
	int err;

	err = rf_genl_parse_port(nlh, &port);
	return err ? err : e->port_fn(&port, e->arg);
}

static int on_rule(struct nlmsghdr *nlh, void *arg)
{
	struct rf_rule_info rule;
	struct each *e = arg;
	int err;

	err = rf_genl_parse_rule(nlh, &rule);
	return err ? err : e->rule_fn(&rule, e->arg);
}

static int on_flow(struct nlmsghdr *nlh, void *arg)
{
	struct rf_flow_info flow;
	struct each *e = arg;
	int err;

	err = rf_genl_parse_flow(nlh, &flow);
	return err ? err : e->flow_fn(&flow, e->arg);
}

static int on_rate(struct nlmsghdr *nlh, void *arg)
{
	struct rf_rate_info rate;
	struct each *e = arg;
	int err;

	err = rf_genl_parse_rate(nlh, &rate);
	return err ? err : e->rate_fn(&rate, e->arg);
}

static int on_queue(struct nlmsghdr *nlh, void *arg)
{
	struct rf_queue_info info;
	struct each *e = arg;
	int err;

	err = rf_genl_parse_queue(nlh, &info);
	return err ? err : e->queue_fn(&info, e->arg);
}

static int on_path(struct nlmsghdr *nlh, void *arg)
{
	struct rf_path_info path;
	struct each *e = arg;
	int err;

	err = rf_genl_parse_path(nlh, &path);
	return err ? err : e->path_fn(&path, e->arg);
}

static int keep_port(const struct rf_port_info *port, void *arg)
{
	*(struct rf_port_info *)arg = *port;
	return 0;
}

static int keep_rule(const struct rf_rule_info *rule, void *arg)
{
	*(struct rf_rule_info *)arg = *rule;
	return 0;
}

static int keep_flow(const struct rf_flow_info *flow, void *arg)
{
	*(struct rf_flow_info *)arg = *flow;
	return 0;
}

static int keep_queue(const struct rf_queue_info *info, void *arg)
{
	*(struct rf_queue_info *)arg = *info;
	return 0;
}

static int keep_path(const struct rf_path_info *path, void *arg)
{
	*(struct rf_path_info *)arg = *path;
	return 0;
}

/**
 * rf_nl_port_get - get the state and counters of one port
 * @nl: the socket
 * @ifindex: the port
 * @port: gets the state and counters
 *
 * Return: 0, or -errno.
 */
int rf_nl_port_get(struct rf_nl *nl, uint32_t ifindex,
		   struct rf_port_info *port)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_PORT_GET, 0,
					  ifindex, 0);
	struct each e = { .port_fn = keep_port, .arg = port };

	return rf_sock_request(&nl->s, msg, call_port_fn, &e);
}

/**
 * rf_nl_port_each - call a function for each port of the namespace
 * @nl: the socket
 * @fn: the function; must not use @nl
 * @arg: passed to @fn
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_nl_port_each(struct rf_nl *nl, rf_port_fn fn, void *arg)
{
	struct nl_msg *msg = new_genl_msg(nl, RDMAFAULT_CMD_PORT_GET, NLM_F_DUMP, 0);
	struct each e = { .port_fn = fn, .arg = arg };

	return rf_sock_request(&nl->s, msg, call_port_fn, &e);
}

/**
 * rf_nl_flow_get - get the state and counters of one flow
 * @nl: the socket
 * @ifindex: the port
 * @flow: the caller sets direction, addresses, qp and response, which identify the flow;
 *	the function sets all members
 *
 * Return: 0, or -errno.
 */
int rf_nl_flow_get(struct rf_nl *nl, uint32_t ifindex,
		   struct rf_flow_info *flow)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_FLOW_GET, 0,
					  ifindex, 0);
	struct each e = { .flow_fn = keep_flow, .arg = flow };

	if (msg)
		rf_genl_put_flow(msg, flow);
	return rf_sock_request(&nl->s, msg, on_flow, &e);
}

/**
 * rf_nl_flow_each - call a function for each flow of a port or of the namespace
 * @nl: the socket
 * @ifindex: the port, or 0 for all
 * @fn: the function; must not use @nl
 * @arg: passed to @fn
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_nl_flow_each(struct rf_nl *nl, uint32_t ifindex, rf_flow_fn fn,
		    void *arg)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_FLOW_GET,
					  NLM_F_DUMP, ifindex, 0);
	struct each e = { .flow_fn = fn, .arg = arg };

	return rf_sock_request(&nl->s, msg, on_flow, &e);
}

/**
 * rf_nl_rate_each - call a function for each flow of a port whose rate CNPs have limited
 * @nl: the socket
 * @ifindex: the port, or 0 for all
 * @fn: the function; must not use @nl
 * @arg: passed to @fn
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_nl_rate_each(struct rf_nl *nl, uint32_t ifindex, rf_rate_fn fn, void *arg)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_DCQCN_FLOW_GET, NLM_F_DUMP, ifindex, 0);
	struct each e = { .rate_fn = fn, .arg = arg };

	return rf_sock_request(&nl->s, msg, on_rate, &e);
}

/**
 * rf_nl_queue_get - get the settings and counters of a port's queues
 * @nl: the socket
 * @ifindex: the port
 * @info: gets the settings and counters
 *
 * Return: 0, or -errno.
 */
int rf_nl_queue_get(struct rf_nl *nl, uint32_t ifindex,
		    struct rf_queue_info *info)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_QUEUE_GET, 0,
					  ifindex, 0);
	struct each e = { .queue_fn = keep_queue, .arg = info };

	return rf_sock_request(&nl->s, msg, on_queue, &e);
}

/**
 * rf_nl_queue_each - call a function for each port of the namespace, with the port's
 * queues
 * @nl: the socket
 * @fn: the function; must not use @nl
 * @arg: passed to @fn
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_nl_queue_each(struct rf_nl *nl, rf_queue_fn fn, void *arg)
{
	struct nl_msg *msg = new_genl_msg(nl, RDMAFAULT_CMD_QUEUE_GET, NLM_F_DUMP,
					  0);
	struct each e = { .queue_fn = fn, .arg = arg };

	return rf_sock_request(&nl->s, msg, on_queue, &e);
}

/* Like rf_sock_request(), but add the priority to the kernel's error message. */
static int request_of_prios(struct rf_nl *nl, struct nl_msg *msg)
{
	int err;

	nlmsg_get(msg);
	err = rf_sock_request(&nl->s, msg, NULL, NULL);
	if (nl->s.bad)
		rf_genl_explain_prio(msg, nl->s.bad, &nl->s.error);
	nlmsg_free(msg);
	return err;
}

/**
 * rf_nl_queue_set - change the settings of a port's queues
 * @nl: the socket
 * @ifindex: the port
 * @change: the settings to change, and their new values
 *
 * Return: 0, or -errno; after an error nothing is changed.
 */
int rf_nl_queue_set(struct rf_nl *nl, uint32_t ifindex,
		    const struct rf_queue_change *change)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_QUEUE_SET, 0,
					  ifindex, RF_GENL_CHANGE_ROOM);

	if (!msg)
		return -ENOMEM;
	if (rf_genl_put_change(msg, change)) {
		nlmsg_free(msg);
		return -ENOMEM;
	}
	return request_of_prios(nl, msg);
}

/* Send a request, or free it if an attribute did not fit into it. @err: not 0 if so */
static int request_of_nest(struct rf_nl *nl, struct nl_msg *msg, int err)
{
	if (!err)
		return rf_sock_request(&nl->s, msg, NULL, NULL);
	nlmsg_free(msg);
	return -ENOMEM;
}

/**
 * rf_nl_path_set - set the path of a port
 * @nl: the socket
 * @ifindex: the netdev, which becomes a port if it is none
 * @path: its settings and links
 *
 * Return: 0, or -errno; after an error an earlier path stays.
 */
int rf_nl_path_set(struct rf_nl *nl, uint32_t ifindex, const struct rf_path_info *path)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_PATH_SET, 0, ifindex,
					  RF_GENL_PATH_ROOM);

	return msg ? request_of_nest(nl, msg, rf_genl_put_path(msg, path)) : -ENOMEM;
}

/**
 * rf_nl_path_link_set - mark a link of a path
 * @nl: the socket
 * @ifindex: the port
 * @link: netdev of the link
 * @down: the link is not chosen any more
 *
 * Return: 0, or -errno.
 */
int rf_nl_path_link_set(struct rf_nl *nl, uint32_t ifindex, uint32_t link, bool down)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_PATH_LINK_SET, 0, ifindex, 0);

	return msg ? request_of_nest(nl, msg, rf_genl_put_path_link(msg, link, down)) : -ENOMEM;
}

/**
 * rf_nl_path_del - end the path of a port
 * @nl: the socket
 * @ifindex: the port
 *
 * Return: 0, or -errno; -ENOENT if the port has none.
 */
int rf_nl_path_del(struct rf_nl *nl, uint32_t ifindex)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_PATH_DEL, 0, ifindex, 0);

	return rf_sock_request(&nl->s, msg, NULL, NULL);
}

/**
 * rf_nl_path_get - get the path of a port
 * @nl: the socket
 * @ifindex: the port
 * @path: gets its settings and counters
 *
 * Return: 0, or -errno; -ENOENT if the port has none.
 */
int rf_nl_path_get(struct rf_nl *nl, uint32_t ifindex, struct rf_path_info *path)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_PATH_GET, 0, ifindex, 0);
	struct each e = { .path_fn = keep_path, .arg = path };

	return rf_sock_request(&nl->s, msg, on_path, &e);
}

/**
 * rf_nl_path_each - call a function for each path of the namespace
 * @nl: the socket
 * @fn: the function; must not use @nl
 * @arg: passed to @fn
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_nl_path_each(struct rf_nl *nl, rf_path_fn fn, void *arg)
{
	struct nl_msg *msg = new_genl_msg(nl, RDMAFAULT_CMD_PATH_GET, NLM_F_DUMP, 0);
	struct each e = { .path_fn = fn, .arg = arg };

	return rf_sock_request(&nl->s, msg, on_path, &e);
}

/**
 * rf_nl_portid - get the netlink port ID of a socket
 * @nl: the socket
 *
 * Return: the port ID; the module reports it as the owner of the socket's rules and
 * storms.
 */
uint32_t rf_nl_portid(const struct rf_nl *nl)
{
	return nl_socket_get_local_port(nl->s.sk);
}

/**
 * rf_nl_storm_start - start a storm
 * @nl: the socket; closing it ends the storm, unless the storm is persistent
 * @ifindex: the port
 * @storm: the settings of the storm
 *
 * Return: 0, or -errno.
 */
int rf_nl_storm_start(struct rf_nl *nl, uint32_t ifindex,
		      const struct rf_storm_spec *storm)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_STORM_START, 0,
					  ifindex, 0);

	if (!msg)
		return -ENOMEM;
	return request_of_nest(nl, msg, rf_genl_put_storm(msg, storm));
}

/**
 * rf_nl_storm_stop - end storms, also those of other sockets
 * @nl: the socket
 * @ifindex: the port
 * @prios: bit n for priority n; 0: all storms of the port
 *
 * Return: 0, or -errno.
 */
int rf_nl_storm_stop(struct rf_nl *nl, uint32_t ifindex, uint32_t prios)
{
	const struct rf_storm_spec which = { .prios = prios };
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_STORM_STOP, 0,
					  ifindex, 0);

	if (!msg)
		return -ENOMEM;
	return request_of_nest(nl, msg, rf_genl_put_storm(msg, &which));
}

/**
 * rf_nl_pause_send - send one pause frame
 * @nl: the socket
 * @ifindex: the port that sends the frame
 * @prios: bit n for priority n
 * @quanta: pause time in quanta of 512 bit times; 0 is XON
 *
 * Return: 0, or -errno.
 */
int rf_nl_pause_send(struct rf_nl *nl, uint32_t ifindex, uint32_t prios,
		     uint32_t quanta)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_PAUSE_SEND, 0,
					  ifindex, 0);

	if (!msg)
		return -ENOMEM;
	return request_of_nest(nl, msg,
				rf_genl_put_pause(msg, prios, quanta));
}

/**
 * rf_nl_ring_new - record the RoCEv2 packets of a port in a ring for each direction
 * @nl: the socket; closing it ends the rings
 * @ifindex: the port
 * @bytes: memory of each ring
 * @snaplen: bytes of each packet to record; 0: only the headers
 *
 * Return: 0, or -errno; -EBUSY if the port has rings.
 */
int rf_nl_ring_new(struct rf_nl *nl, uint32_t ifindex, uint32_t bytes, uint32_t snaplen)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_RING_NEW, 0, ifindex, 0);
	struct nlattr *nest = msg ? rf_genl_nest(msg, RDMAFAULT_A_RING) : NULL;

	if (nest) {
		nla_put_u32(msg, RDMAFAULT_A_RING_BYTES, bytes);
		if (snaplen)
			nla_put_u32(msg, RDMAFAULT_A_RING_SNAPLEN, snaplen);
		nla_nest_end(msg, nest);
	}
	return rf_sock_request(&nl->s, msg, NULL, NULL);
}

struct ring_read {
	rf_ring_fn fn;
	void *arg;
	size_t len;		/* bytes of records in the last response */
};

static int on_ring(struct nlmsghdr *nlh, void *arg)
{
	struct nlattr *tb[RDMAFAULT_A_MAX + 1], *ring[RDMAFAULT_A_RING_MAX + 1], *records;
	struct rf_ring_info info = { };
	struct ring_read *read = arg;

	if (genlmsg_parse(nlh, 0, tb, RDMAFAULT_A_MAX, NULL) || !tb[RDMAFAULT_A_RING] ||
	    nla_parse_nested(ring, RDMAFAULT_A_RING_MAX, tb[RDMAFAULT_A_RING], NULL))
		return -EBADMSG;
	info.packets = rf_genl_u64(ring[RDMAFAULT_A_RING_PACKETS]);
	info.overwritten = rf_genl_u64(ring[RDMAFAULT_A_RING_OVERWRITTEN]);
	records = ring[RDMAFAULT_A_RING_RECORDS];
	if (records) {
		info.records = nla_data(records);
		info.len = nla_len(records);
	}
	read->len = info.len;
	return read->fn(&info, read->arg);
}

/**
 * rf_nl_ring_read - read the records of a ring that were not read yet
 * @nl: the socket that has the ring
 * @ifindex: the port
 * @dir: enum rdmafault_direction
 * @fn: called for each response, at least once; must not use @nl
 * @arg: passed to @fn
 *
 * A response that is not nearly full has the newest packets: the end, also under traffic.
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_nl_ring_read(struct rf_nl *nl, uint32_t ifindex, uint32_t dir, rf_ring_fn fn, void *arg)
{
	struct ring_read read = { .fn = fn, .arg = arg };
	struct nl_msg *msg;
	int err;

	do {
		msg = new_port_msg(nl, RDMAFAULT_CMD_RING_GET, 0, ifindex, 0);
		if (msg)
			nla_put_u32(msg, RDMAFAULT_A_DIRECTION, dir);
		err = rf_sock_request(&nl->s, msg, on_ring, &read);
	} while (!err && read.len > 2 * RDMAFAULT_RING_SNAPLEN_MAX);
	return err;
}

struct batch {
	uint32_t dir, flags;
	const struct rf_rule_spec *rules;
	size_t n;
};

struct ids {
	uint32_t *ids;
	size_t n, max;
};

static int on_ids(struct nlmsghdr *nlh, void *arg)
{
	struct genlmsghdr *gh = nlmsg_data(nlh);
	struct ids *ids = arg;
	struct nlattr *a;
	int rem;

	nla_for_each_attr(a, genlmsg_attrdata(gh, 0),
			  genlmsg_attrlen(gh, 0), rem)
		if (nla_type(a) == RDMAFAULT_A_ID && ids->n < ids->max)
			ids->ids[ids->n++] = nla_get_u32(a);
	return 0;
}

/*
 * Enlarge the socket buffers, so that a batch of rules and the response to it fit.
 * SO_SNDBUFFORCE and SO_RCVBUFFORCE need CAP_NET_ADMIN, but so does adding rules.
 */
static void enlarge_buffers(struct rf_nl *nl, size_t room)
{
	int size = room > INT_MAX / 4 ? INT_MAX / 2 : (int)(2 * room);

	if (size <= 128 * 1024)
		return;
	setsockopt(nl_fd(nl), SOL_SOCKET, SO_SNDBUFFORCE, &size,
		   sizeof(size));
	setsockopt(nl_fd(nl), SOL_SOCKET, SO_RCVBUFFORCE, &size,
		   sizeof(size));
}

static size_t batch_room(const struct rf_rule_spec *rules, size_t n)
{
	size_t i, sum = 0;

	for (i = 0; i < n; i++)
		sum += rf_genl_rule_room(&rules[i]);
	return sum;
}

static struct nl_msg *batch_msg(struct rf_nl *nl, uint32_t ifindex,
				const struct batch *batch, size_t room)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_RULE_NEW, 0,
					  ifindex, room);
	size_t i;

	if (!msg)
		return NULL;
	nla_put_u32(msg, RDMAFAULT_A_DIRECTION, batch->dir);
	if (batch->flags)
		nla_put_u32(msg, RDMAFAULT_A_BATCH_FLAGS, batch->flags);
	for (i = 0; i < batch->n; i++) {
		if (rf_genl_put_rule(msg, &batch->rules[i])) {
			nlmsg_free(msg);
			return NULL;
		}
	}
	return msg;
}

/*
 * Return: the number, from 1, of the rule whose attribute is at @offset in the request; 0
 * if there is no rule.
 */
static size_t rule_at(struct nl_msg *msg, uint32_t offset)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct nlattr *a;
	size_t n = 0;
	int rem;

	nla_for_each_attr(a, nlmsg_attrdata(nlh, GENL_HDRLEN),
			  nlmsg_attrlen(nlh, GENL_HDRLEN), rem) {
		size_t at = (char *)a - (char *)nlh;

		n += nla_type(a) == RDMAFAULT_A_RULE;
		if (offset >= at && offset < at + nla_len(a) + NLA_HDRLEN)
			return nla_type(a) == RDMAFAULT_A_RULE ? n : 0;
	}
	return 0;
}

/**
 * rf_nl_wrong_rule - get the rule that the kernel refused, in a batch of rules
 * @nl: the socket, whose last request was rf_nl_rule_new()
 *
 * Return: the number of the rule in the batch, from 1; 0 if the error is not about one rule.
 */
size_t rf_nl_wrong_rule(const struct rf_nl *nl)
{
	return nl->wrong_rule;
}

/**
 * rf_nl_rule_new - add rules to a direction of a port; add none if one is refused
 * @nl: the socket; it owns the rules that are not persistent
 * @ifindex: the port
 * @dir: enum rdmafault_direction
 * @batch_flags: enum rdmafault_batch_flag
 * @rules: the rules
 * @n: number of rules
 * @ids: gets the @n rule numbers, or NULL
 *
 * Return: 0, or -errno.
 */
int rf_nl_rule_new(struct rf_nl *nl, uint32_t ifindex, uint32_t dir,
		   uint32_t batch_flags, const struct rf_rule_spec *rules,
		   size_t n, uint32_t *ids)
{
	struct ids got = { .ids = ids, .max = ids ? n : 0 };
	struct batch batch = {
		.dir = dir, .flags = batch_flags, .rules = rules, .n = n,
	};
	size_t room = batch_room(rules, n);
	struct nl_msg *msg;
	int err;

	enlarge_buffers(nl, room);
	msg = batch_msg(nl, ifindex, &batch, room);
	if (!msg)
		return -ENOMEM;
	nlmsg_get(msg);
	err = rf_sock_request(&nl->s, msg, on_ids, &got);
	nl->wrong_rule = nl->s.bad ? rule_at(msg, nl->s.bad) : 0;
	if (nl->s.bad)
		rf_genl_explain(msg, nl->s.bad, &nl->s.error);
	nlmsg_free(msg);
	return err;
}

/**
 * rf_nl_rule_get - get one rule and its counters
 * @nl: the socket
 * @ifindex: the port
 * @id: number of the rule
 * @rule: gets the rule
 *
 * Return: 0, or -errno.
 */
int rf_nl_rule_get(struct rf_nl *nl, uint32_t ifindex, uint32_t id,
		   struct rf_rule_info *rule)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_RULE_GET, 0,
					  ifindex, 0);
	struct each e = { .rule_fn = keep_rule, .arg = rule };

	if (msg)
		nla_put_u32(msg, RDMAFAULT_A_ID, id);
	return rf_sock_request(&nl->s, msg, on_rule, &e);
}

/**
 * rf_nl_rule_each - call a function for each rule of a port or of the namespace
 * @nl: the socket
 * @ifindex: the port, or 0 for all
 * @fn: the function; must not use @nl
 * @arg: passed to @fn
 *
 * Return: 0, -errno, or the first value other than 0 that @fn returned.
 */
int rf_nl_rule_each(struct rf_nl *nl, uint32_t ifindex, rf_rule_fn fn,
		    void *arg)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_RULE_GET,
					  NLM_F_DUMP, ifindex, 0);
	struct each e = { .rule_fn = fn, .arg = arg };

	return rf_sock_request(&nl->s, msg, on_rule, &e);
}

/**
 * rf_nl_rule_del - delete rules by number; after an error none is deleted
 * @nl: the socket
 * @ifindex: the port
 * @ids: numbers of the rules
 * @n: number of rules
 *
 * Return: 0, or -errno.
 */
int rf_nl_rule_del(struct rf_nl *nl, uint32_t ifindex, const uint32_t *ids,
		   size_t n)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_RULE_DEL, 0,
					  ifindex, n * 8);
	size_t i;

	for (i = 0; msg && i < n; i++)
		nla_put_u32(msg, RDMAFAULT_A_ID, ids[i]);
	return rf_sock_request(&nl->s, msg, NULL, NULL);
}

/**
 * rf_nl_rule_flush - delete all rules, also those of other sockets
 * @nl: the socket
 * @ifindex: the port, or 0 for every port of the namespace
 * @dir: enum rdmafault_direction, or RF_DIR_BOTH
 *
 * Return: 0, or -errno.
 */
int rf_nl_rule_flush(struct rf_nl *nl, uint32_t ifindex, int dir)
{
	struct nl_msg *msg = new_port_msg(nl, RDMAFAULT_CMD_RULE_FLUSH, 0,
					  ifindex, 0);

	if (msg && dir != RF_DIR_BOTH)
		nla_put_u32(msg, RDMAFAULT_A_DIRECTION, dir);
	return rf_sock_request(&nl->s, msg, NULL, NULL);
}
