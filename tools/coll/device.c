// SPDX-License-Identifier: GPL-2.0
/*
 * The devices and their memory.
 *
 * A rank has one device per rail. It has a memory for its input, a memory for the result, and a
 * staging memory where messages arrive. They are mapped once, for the largest size of the job.
 * Each memory is a separate memory region on each device. Peers can write only to the staging
 * memory.
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
static int verb_failed(struct coll_transport *tp, uint32_t rail, const char *verb)
{
	return coll_fail(tp->state, COLL_FAILED, "%s: %s: %s", tp->state->rail[rail].name,
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

static int take_gid(struct coll_transport *tp, uint32_t i)
{
	const struct coll_device *device = &tp->state->rail[i];
	struct coll_rail *rail = &tp->rail[i];
	static const union ibv_gid empty;
	int index = tp->options->gid_index;

	if (index < 0)
		index = rf_rdma_gid_index(device->name);
	if (index < 0)
		return coll_fail(tp->state, COLL_FAILED,
				 "device %s: no IPv4 GID of RoCE v2; assign an IPv4 address to %s",
				 device->name, device->netdev);
	rail->gid_index = (uint8_t)index;
	if (ibv_query_gid(rail->ctx, COLL_PORT, index, &rail->gid))
		return verb_failed(tp, i, "query GID");
	if (!memcmp(&rail->gid, &empty, sizeof(empty)))
		return coll_fail(tp->state, COLL_FAILED, "device %s: no GID %d",
				 device->name, index);
	return 0;
}

static int use_port(struct coll_transport *tp, uint32_t rail)
{
	const struct coll_device *device = &tp->state->rail[rail];
	uint32_t wanted = tp->options->mtu, mtu;
	struct ibv_port_attr port;

	if (ibv_query_port(tp->rail[rail].ctx, COLL_PORT, &port))
		return verb_failed(tp, rail, "query port");
	if (port.state != IBV_PORT_ACTIVE)
		return coll_fail(tp->state, COLL_FAILED,
				 "device %s: port state is %s instead of active; is %s up?",
				 device->name, ibv_port_state_str(port.state),
				 device->netdev);
	mtu = 128u << port.active_mtu;
	if (wanted > mtu)
		return coll_fail(tp->state, COLL_FAILED,
				 "--mtu %u: more than the %u of %s", wanted,
				 mtu, device->name);
	if (wanted)
		mtu = wanted;
	if (!rail || mtu < tp->mtu)
		tp->mtu = mtu;
	if (!rail || port.max_msg_sz < tp->max_message)
		tp->max_message = port.max_msg_sz;
	return 0;
}

static int take_limits(struct coll_transport *tp, uint32_t rail)
{
	struct ibv_device_attr attr;

	if (ibv_query_device(tp->rail[rail].ctx, &attr))
		return verb_failed(tp, rail, "query device");
	if (!rail || attr.max_cqe < tp->max_cqes)
		tp->max_cqes = attr.max_cqe;
	return 0;
}

static int open_rail(struct coll_transport *tp, uint32_t i)
{
	struct coll_rail *rail = &tp->rail[i];

	rail->ctx = open_by_name(tp->state->rail[i].name);
	if (!rail->ctx)
		return verb_failed(tp, i, "open");
	if (take_gid(tp, i) || use_port(tp, i) || take_limits(tp, i))
		return -EIO;
	rail->pd = ibv_alloc_pd(rail->ctx);
	if (!rail->pd)
		return verb_failed(tp, i, "protection domain");
	rail->events = ibv_create_comp_channel(rail->ctx);
	if (!rail->events)
		return verb_failed(tp, i, "completion channel");
	return 0;
}

/**
 * coll_device_open() - open the devices of this rank
 * @tp: transport of this rank
 *
 * Return: 0, or -EIO after coll_fail().
 */
int coll_device_open(struct coll_transport *tp)
{
	int ret = 0;

	coll_at(tp->state, "opening the device", 0, 0);
	for (uint32_t i = 0; !ret && i < tp->options->rails; i++)
		ret = open_rail(tp, i);
	return ret;
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
 * coll_mem_map() - map one memory, and register it on all devices
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
	for (uint32_t i = 0; i < tp->options->rails; i++) {
		mem->mr[i] = ibv_reg_mr(tp->rail[i].pd, p, mem->len,
					IBV_ACCESS_LOCAL_WRITE | access);
		if (!mem->mr[i])
			return verb_failed(tp, i, "register memory");
	}
	return 0;
}

static void mem_unmap(struct coll_mem *mem)
{
	for (int i = 0; i < COLL_RAILS_MAX; i++)
		if (mem->mr[i])
			ibv_dereg_mr(mem->mr[i]);
	if (mem->addr)
		munmap(mem->addr, mem->len);
}

/** coll_device_close() - release the resources of coll_device_open() and coll_mem_map() */
void coll_device_close(struct coll_transport *tp)
{
	for (int i = 0; i < COLL_MEMS; i++)
		mem_unmap(&tp->mem[i]);
	mem_unmap(&tp->staging);
	for (struct coll_rail *rail = tp->rail; rail < tp->rail + COLL_RAILS_MAX; rail++) {
		if (rail->events)
			ibv_destroy_comp_channel(rail->events);
		if (rail->pd)
			ibv_dealloc_pd(rail->pd);
		if (rail->ctx)
			ibv_close_device(rail->ctx);
	}
}
