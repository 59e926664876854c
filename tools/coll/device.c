// SPDX-License-Identifier: GPL-2.0
/*
 * The device and its memory.
 *
 * A rank has a memory for its input, a memory for the result, and a staging memory
 * where messages arrive. They are mapped once, for the largest size of the job. Each memory
 * is a separate memory region. Peers can write only to the staging memory.
 *
 * By default a rank uses the IPv4-mapped RoCE v2 GID. SoftRoCE adds this GID about a
 * second after an IPv4 address was assigned to the netdev.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "port.h"
#include "transport.h"

#define COLL_PORT	1

/* Make this rank fail. The reason has the name of the failed verb and the text of errno. */
static int verb_failed(struct coll_transport *tp, const char *verb)
{
	return coll_fail(tp->state, COLL_FAILED, "%s: %s: %s", tp->state->device,
			 verb, strerror(errno));
}

static struct ibv_context *open_by_name(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;

	for (int i = 0; list && list[i]; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			ctx = ibv_open_device(list[i]);
	if (list)
		ibv_free_device_list(list);
	return ctx;
}

static int take_gid(struct coll_transport *tp)
{
	static const union ibv_gid empty;
	int index = tp->options->gid_index;

	if (index < 0)
		index = rf_rdma_gid_index(tp->state->device);
	if (index < 0)
		return coll_fail(tp->state, COLL_FAILED,
				 "device %s: no IPv4 GID of RoCE v2; assign an IPv4 address to %s",
				 tp->state->device, tp->state->netdev);
	tp->gid_index = (uint8_t)index;
	if (ibv_query_gid(tp->ctx, COLL_PORT, index, &tp->gid))
		return verb_failed(tp, "query GID");
	if (!memcmp(&tp->gid, &empty, sizeof(empty)))
		return coll_fail(tp->state, COLL_FAILED, "device %s: no GID %d",
				 tp->state->device, index);
	return 0;
}

static int use_port(struct coll_transport *tp)
{
	uint32_t wanted = tp->options->mtu;
	struct ibv_port_attr port;

	if (ibv_query_port(tp->ctx, COLL_PORT, &port))
		return verb_failed(tp, "query port");
	if (port.state != IBV_PORT_ACTIVE)
		return coll_fail(tp->state, COLL_FAILED,
				 "device %s: port state is %s instead of active; is %s up?",
				 tp->state->device, ibv_port_state_str(port.state),
				 tp->state->netdev);
	tp->mtu = 128u << port.active_mtu;
	tp->max_message = port.max_msg_sz;
	if (wanted > tp->mtu)
		return coll_fail(tp->state, COLL_FAILED,
				 "--mtu %u: more than the %u of %s", wanted,
				 tp->mtu, tp->state->device);
	if (wanted)
		tp->mtu = wanted;
	return 0;
}

static int take_limits(struct coll_transport *tp)
{
	struct ibv_device_attr attr;

	if (ibv_query_device(tp->ctx, &attr))
		return verb_failed(tp, "query device");
	tp->max_cqes = attr.max_cqe;
	return 0;
}

/**
 * coll_device_open() - open the device of this rank
 * @tp: transport of this rank
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_device_open(struct coll_transport *tp)
{
	coll_at(tp->state, "opening the device", 0, 0);
	tp->ctx = open_by_name(tp->state->device);
	if (!tp->ctx)
		return verb_failed(tp, "open");
	if (take_gid(tp) || use_port(tp) || take_limits(tp))
		return -EIO;
	tp->pd = ibv_alloc_pd(tp->ctx);
	if (!tp->pd)
		return verb_failed(tp, "protection domain");
	tp->events = ibv_create_comp_channel(tp->ctx);
	if (!tp->events)
		return verb_failed(tp, "completion channel");
	return 0;
}

/**
 * coll_gid_text() - format the IP address that a RoCE v2 GID contains
 * @gid: GID of RoCE v2
 * @text: gets the address, in the same format as in events
 */
void coll_gid_text(const union ibv_gid *gid, char text[COLL_ADDR_LEN])
{
	const struct in6_addr *ip6 = (const void *)gid->raw;

	if (IN6_IS_ADDR_V4MAPPED(ip6))
		inet_ntop(AF_INET, &gid->raw[12], text, COLL_ADDR_LEN);
	else
		inet_ntop(AF_INET6, ip6, text, COLL_ADDR_LEN);
}

/**
 * coll_mem_map() - map and register one memory
 * @tp: transport of this rank
 * @mem: the memory
 * @len: size in bytes
 * @access: access of peers, such as IBV_ACCESS_REMOTE_WRITE
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_mem_map(struct coll_transport *tp, struct coll_mem *mem, uint64_t len,
		 int access)
{
	void *p;

	mem->len = len ? len : 1;
	p = mmap(NULL, mem->len, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (p == MAP_FAILED)
		return coll_fail(tp->state, COLL_FAILED, "no memory for %llu bytes",
				 (unsigned long long)mem->len);
	mem->addr = p;
	mem->mr = ibv_reg_mr(tp->pd, p, mem->len,
			     IBV_ACCESS_LOCAL_WRITE | access);
	return mem->mr ? 0 : verb_failed(tp, "register memory");
}

static void mem_unmap(struct coll_mem *mem)
{
	if (mem->mr)
		ibv_dereg_mr(mem->mr);
	if (mem->addr)
		munmap(mem->addr, mem->len);
}

/** coll_device_close() - release the resources of coll_device_open() and coll_mem_map() */
void coll_device_close(struct coll_transport *tp)
{
	for (int i = 0; i < COLL_MEMS; i++)
		mem_unmap(&tp->mem[i]);
	mem_unmap(&tp->staging);
	if (tp->events)
		ibv_destroy_comp_channel(tp->events);
	if (tp->pd)
		ibv_dealloc_pd(tp->pd);
	if (tp->ctx)
		ibv_close_device(tp->ctx);
}
