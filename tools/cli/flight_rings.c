// SPDX-License-Identifier: GPL-2.0
/*
 * The rings of "rdmafault watch", and what is known about their ports and queue pairs besides
 * the packets: addresses, MTU, links that went down, pauses, and the states of queue pairs.
 */
#include <errno.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <net/if.h>

#include "cmd.h"
#include "flight.h"
#include "genl.h"
#include "kmod/ring_space.h"

/* Bytes of the headers of most packets: Ethernet, IPv4, UDP, BTH and RETH */
#define HEADERS		70
#define FRAME_EXTRA	18		/* Ethernet header and a VLAN tag */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Read a number from /sys/class/net. Return: 0 if there is none. */
static uint64_t netdev_number(const char *netdev, const char *name)
{
	char path[128];
	unsigned long long v = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", netdev, name);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%lli", (long long *)&v) != 1)
		v = 0;
	fclose(f);
	return v;
}

static int add_flight_port(struct rf_flight_rings *r, const struct rf_target *t)
{
	struct rf_flight_port *more;
	size_t i;

	for (i = 0; i < r->ports; i++)
		if (r->port[i].t.ifindex == t->ifindex)
			return 0;
	more = reallocarray(r->port, r->ports + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	r->port = more;
	r->port[r->ports++] = (struct rf_flight_port){ .t = *t };
	return 0;
}

static int add_existing(const struct rf_port_info *port, void *arg)
{
	struct rf_target t = { .ifindex = port->ifindex };

	memcpy(t.netdev, port->ifname, sizeof(t.netdev));
	return add_flight_port(arg, &t);
}

/* Add the netdevs of all RDMA devices of the machine whose packets the kernel sends. */
static int add_rdma_devices(struct rf_flight_rings *r)
{
	struct rf_target t = { };
	struct dirent *d;
	DIR *dir = opendir("/sys/class/infiniband");
	int err = 0;

	while (dir && !err && (d = readdir(dir))) {
		if (d->d_name[0] == '.' || rf_rdma_kind(d->d_name) != RF_RDMA_RXE ||
		    rf_rdma_to_netdev(d->d_name, t.netdev, sizeof(t.netdev)))
			continue;
		t.ifindex = if_nametoindex(t.netdev);
		if (t.ifindex)
			err = add_flight_port(r, &t);
	}
	if (dir)
		closedir(dir);
	return err;
}

/**
 * rf_flight_open - choose the ports to watch
 * @r: all zeros; gets the ports. The caller calls rf_flight_close() also after an error
 * @nl: the socket that will have the rings
 * @names: netdevs or RDMA devices; netdevs that are no ports become ports
 * @n: number of names; 0: all ports or, if there are none, all SoftRoCE devices
 *
 * Return: RF_EXIT_OK, or another exit status after rf_err().
 */
int rf_flight_open(struct rf_flight_rings *r, struct rf_nl *nl, char *const *names, int n)
{
	struct rf_target t;
	int i, err = 0;

	r->nl = nl;
	for (i = 0; !err && i < n; i++) {
		if (rf_target_find(names[i], &t))
			return RF_EXIT_FAILED;
		err = add_flight_port(r, &t);
	}
	if (!n)
		err = rf_nl_port_each(nl, add_existing, r);
	if (!err && !r->ports)
		err = add_rdma_devices(r);
	if (err)
		return rf_nl_failed(nl, "watch", err);
	if (r->ports)
		return RF_EXIT_OK;
	rf_err("watch: no port and no SoftRoCE device; \"rdmafault fabric up 2\" makes some");
	return RF_EXIT_FAILED;
}

static void add_place_addr(struct rf_place *place, const struct sockaddr *sa)
{
	const struct sockaddr_in6 *in6 = (const void *)sa;
	const struct sockaddr_in *in = (const void *)sa;
	struct rf_flight_addr *addr = &place->addr[place->addrs];

	if (place->addrs == RF_FLIGHT_ADDRS ||
	    (sa->sa_family != AF_INET && sa->sa_family != AF_INET6))
		return;
	addr->len = sa->sa_family == AF_INET ? 4 : 16;
	if (addr->len == 4)
		memcpy(addr->bytes, &in->sin_addr, 4);
	else
		memcpy(addr->bytes, &in6->sin6_addr, 16);
	place->addrs++;
}

static int read_addrs(struct rf_flight *f)
{
	struct ifaddrs *list, *a;
	size_t i;

	if (getifaddrs(&list))
		return -errno;
	for (a = list; a; a = a->ifa_next)
		for (i = 0; a->ifa_addr && i < f->places; i++)
			if (!strcmp(a->ifa_name, f->place[i].dev))
				add_place_addr(&f->place[i], a->ifa_addr);
	freeifaddrs(list);
	return 0;
}

/* Time that the priorities of a port were paused, and whether one is paused now */
static uint64_t port_paused(struct rf_nl *nl, uint32_t ifindex, bool *now)
{
	struct rf_queue_info info;
	uint64_t sum = 0;
	int prio;

	*now = false;
	if (rf_nl_queue_get(nl, ifindex, &info))
		return 0;
	for (prio = 0; prio < RDMAFAULT_PRIOS; prio++) {
		sum += info.stats[prio].paused_total;
		*now |= info.stats[prio].paused;
	}
	return sum;
}

static int start_ring(struct rf_flight_rings *r, struct rf_flight_port *port, uint64_t packets,
		      bool whole)
{
	uint32_t snaplen = netdev_number(port->t.netdev, "mtu") + FRAME_EXTRA;
	uint64_t bytes;
	bool paused;
	int err;

	if (snaplen > RDMAFAULT_RING_SNAPLEN_MAX)
		snaplen = RDMAFAULT_RING_SNAPLEN_MAX;
	bytes = packets * rf_ring_room(whole ? snaplen : HEADERS);
	if (bytes < RDMAFAULT_RING_BYTES_MIN)
		bytes = RDMAFAULT_RING_BYTES_MIN;
	if (bytes > RDMAFAULT_RING_BYTES_MAX) {
		rf_err("--packets %" PRIu64 ": too many with --bytes at %s; at most %u", packets,
		       port->t.netdev,
		       (unsigned int)(RDMAFAULT_RING_BYTES_MAX / rf_ring_room(snaplen)));
		return RF_EXIT_USAGE;
	}
	port->went_down = netdev_number(port->t.netdev, "carrier_down_count");
	port->paused = port_paused(r->nl, port->t.ifindex, &paused);
	err = rf_nl_ring_new(r->nl, port->t.ifindex, bytes, whole ? snaplen : 0);
	if (err == -ENODEV) {
		err = rf_nl_port_new(r->nl, port->t.ifindex);
		port->added = !err;
		if (!err)
			err = rf_nl_ring_new(r->nl, port->t.ifindex, bytes, whole ? snaplen : 0);
	}
	return err ? rf_nl_failed(r->nl, port->t.netdev, err) : RF_EXIT_OK;
}

static void set_flight_place(struct rf_flight_rings *r, size_t i)
{
	const struct rf_flight_port *port = &r->port[i / 2];
	struct rf_place *place = &r->flight.place[i];

	memcpy(place->dev, port->t.netdev, sizeof(place->dev));
	place->ifindex = port->t.ifindex;
	place->dir = i % 2 ? RDMAFAULT_DIRECTION_RX : RDMAFAULT_DIRECTION_TX;
	place->mtu = netdev_number(place->dev, "mtu");
}

/**
 * rf_flight_begin - start the rings
 * @r: the ports
 * @packets: number of packets that each ring has room for
 * @whole: record whole packets; false: their headers
 *
 * Return: RF_EXIT_OK, or another exit status after rf_err().
 */
int rf_flight_begin(struct rf_flight_rings *r, uint64_t packets, bool whole)
{
	int status = RF_EXIT_OK;
	size_t i;

	r->flight.place = calloc(2 * r->ports, sizeof(*r->flight.place));
	if (!r->flight.place)
		return rf_nl_failed(r->nl, "watch", -ENOMEM);
	r->flight.places = 2 * r->ports;
	for (i = 0; i < r->flight.places; i++)
		set_flight_place(r, i);
	if (read_addrs(&r->flight))
		return rf_nl_failed(r->nl, "watch", -errno);
	for (i = 0; !status && i < r->ports; i++)
		status = start_ring(r, &r->port[i], packets, whole);
	return status;
}

/* One look at the queue pairs of a device */
struct qp_look {
	struct rf_flight *f;
	const char *rdma;
	uint32_t ifindex;
	uint64_t ns;
	bool failed;		/* a queue pair is in the error state for the first time */
};

static struct rf_flight_qp *find_flight_qp(struct rf_flight *f, uint32_t ifindex, uint32_t number)
{
	struct rf_flight_qp *qp;

	for (qp = f->qp; qp < f->qp + f->qps; qp++)
		if (qp->ifindex == ifindex && qp->qp == number)
			return qp;
	qp = reallocarray(f->qp, f->qps + 1, sizeof(*qp));
	if (!qp)
		return NULL;
	f->qp = qp;
	qp += f->qps++;
	*qp = (struct rf_flight_qp){ .ifindex = ifindex, .qp = number };
	return qp;
}

static void see_qp(const struct rf_qp_info *info, void *arg)
{
	struct qp_look *look = arg;
	struct rf_flight_qp *qp = find_flight_qp(look->f, look->ifindex, info->qp);

	if (!qp)
		return;
	snprintf(qp->rdma, sizeof(qp->rdma), "%s", look->rdma);
	memcpy(qp->comm, info->comm, sizeof(qp->comm));
	qp->pid = info->pid;
	if (info->peer)
		qp->peer = info->peer;
	qp->gone_ns = 0;
	look->failed |= info->error && !qp->error;
	qp->error |= info->error;
	qp->seen_ns = look->ns;
}

/**
 * rf_flight_look - look at the queue pairs of the ports, while the command runs
 * @r: the rings
 *
 * Return: true if a queue pair is in the error state that was not before.
 */
bool rf_flight_look(struct rf_flight_rings *r)
{
	struct qp_look look = { .f = &r->flight, .ns = now_ns() };
	struct rf_flight_qp *qp;
	char rdma[RF_RDMA_NAME_LEN];
	size_t i;

	for (i = 0; i < r->ports; i++) {
		if (rf_netdev_to_rdma(r->port[i].t.netdev, rdma, sizeof(rdma)))
			continue;
		look.rdma = rdma;
		look.ifindex = r->port[i].t.ifindex;
		rf_rdma_qp_each(rdma, see_qp, &look);
	}
	for (qp = r->flight.qp; qp < r->flight.qp + r->flight.qps; qp++)
		if (qp->seen_ns != look.ns && !qp->gone_ns)
			qp->gone_ns = look.ns;
	return look.failed;
}

/* Records of one direction that are being read */
struct reading {
	struct rf_flight_rings *r;
	size_t place;
};

static int keep_records(const struct rf_ring_info *info, void *arg)
{
	struct reading *reading = arg;
	struct rf_place *place = &reading->r->flight.place[reading->place];
	struct rf_flight_data *data;

	place->packets = info->packets;
	place->overwritten = info->overwritten;
	if (!info->len)
		return 0;
	data = malloc(sizeof(*data) + info->len);
	if (!data)
		return -ENOMEM;
	data->len = info->len;
	memcpy(data->bytes, info->records, info->len);
	data->next = reading->r->data;
	reading->r->data = data;
	return rf_flight_add(&reading->r->flight, reading->place, data->bytes, data->len);
}

static void read_port_state(struct rf_flight_rings *r, size_t i)
{
	struct rf_flight_port *port = &r->port[i];
	struct rf_place *place = &r->flight.place[2 * i];
	bool paused;
	int dir;

	for (dir = 0; dir < 2; dir++, place++) {
		place->down = !(netdev_number(place->dev, "flags") & IFF_UP) ||
			      !netdev_number(place->dev, "carrier") ||
			      netdev_number(place->dev, "carrier_down_count") > port->went_down;
		place->paused = port_paused(r->nl, place->ifindex, &paused) > port->paused;
		place->paused |= paused;
	}
}

/* All packets from the oldest one on are known if the ring has overwritten some. */
static void set_since(struct rf_flight *f)
{
	struct rf_place *place;
	size_t i;

	for (place = f->place; place < f->place + f->places; place++)
		place->since_ns = place->overwritten ? UINT64_MAX : 0;
	for (i = 0; i < f->n; i++) {
		place = &f->place[f->s[i].place];
		if (f->s[i].t_ns < place->since_ns)
			place->since_ns = f->s[i].t_ns;
	}
}

/**
 * rf_flight_read - read the packets that were not read yet, and the state of the ports
 * @r: the rings; its flight is sorted then
 *
 * Return: 0 or -errno after rf_err().
 */
int rf_flight_read(struct rf_flight_rings *r)
{
	struct reading reading = { .r = r };
	const struct rf_place *place;
	int err;

	for (; reading.place < r->flight.places; reading.place++) {
		place = &r->flight.place[reading.place];
		err = rf_nl_ring_read(r->nl, place->ifindex, place->dir, keep_records, &reading);
		if (err == -ENODEV || err == -ENOENT)
			rf_note("watch: port %s was removed; its packets are lost", place->dev);
		else if (err)
			return rf_nl_failed(r->nl, place->dev, err) ? err : 0;
		else if (reading.place % 2)
			read_port_state(r, reading.place / 2);
	}
	rf_flight_sort(&r->flight);
	set_since(&r->flight);
	return 0;
}

/**
 * rf_flight_close - remove the ports that were made for the recording, and free all
 * @r: the rings
 */
void rf_flight_close(struct rf_flight_rings *r)
{
	struct rf_flight_data *data;
	size_t i;

	for (i = 0; i < r->ports; i++)
		if (r->port[i].added)
			rf_nl_port_del(r->nl, r->port[i].t.ifindex);
	while ((data = r->data)) {
		r->data = data->next;
		free(data);
	}
	rf_flight_free(&r->flight);
	free(r->flight.place);
	free(r->flight.qp);
	free(r->port);
}
