/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fabric: N SoftRoCE nodes in this kernel, connected by one or several bridges.
 *
 *	rxe1   rxe2   ...   rxeN
 *	 v1     v2           vN		10.77.0.1 ... 10.77.0.N
 *	 |      |            |
 *	 p1     p2           pN
 *	 +------+---rfbr0----+
 */
#ifndef RF_FABRIC_H
#define RF_FABRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

struct rf_sock;

/*
 * The shape of a fabric: its switches, the links between them, the switch of each node, and the
 * routes. These functions only compute numbers and names; fabric.c creates the netdevs.
 *
 *	star		chain			leaf-spine
 *
 *	  rfbr0		s1 -- s2 -- s3		  s1      s2
 *	 /  |  \	|     |     |		  |  \  /  |
 *	1   2   3	1     2     3		  l1  /\  l2
 *						 /  \    /  \
 *						1    2  3    4
 *
 *	ring			torus 3x2
 *
 *	s1 -- s2		  +-------------+
 *	 |     |		s4 -- s5 -- s6 -+	(s4 and s6 have a link, s1 and s3, too)
 *	s4 -- s3		 |     |     |
 *				s1 -- s2 -- s3 -+
 *				  +-------------+
 *
 * Nodes are numbered from 1. Indexes of switches start at 0; leaves come before spines. The
 * port of switch l1 towards switch s2 has the name l1s2, and the port at the other end has the
 * name s2l1.
 */
#define RF_FABRIC_MIN 2			/* nodes */
#define RF_FABRIC_MAX 128
#define RF_FABRIC_SWITCHES_MAX 16	/* in a chain, a ring, or a dimension of a torus */
#define RF_FABRIC_LEAVES_MAX 32
#define RF_FABRIC_SPINES_MAX 16
#define RF_FABRIC_RING_MIN 3		/* switches; a ring of two is a chain */
#define RF_FABRIC_DIMS 3		/* dimensions of a torus */
#define RF_FABRIC_ALL_SWITCHES_MAX 64	/* in any shape */
/* Links between switches; a torus has fewer */
#define RF_FABRIC_LINKS_MAX (RF_FABRIC_LEAVES_MAX * RF_FABRIC_SPINES_MAX)
/* Switch ports: p1 to pN, and both ends of each link between switches */
#define RF_FABRIC_PORTS_MAX (RF_FABRIC_MAX + 2 * RF_FABRIC_LINKS_MAX)

/* Valid form of the dimensions of a torus */
#define RF_DIMS_FORM "two or three numbers from 2 to 16, for example 4x4 or 2x2x4"

enum rf_shape {
	RF_SHAPE_STAR, RF_SHAPE_CHAIN, RF_SHAPE_LEAF_SPINE, RF_SHAPE_RING, RF_SHAPE_TORUS
};

#define RF_FABRIC_BRIDGE_PORTS 2

struct rf_fabric {
	uint32_t nodes;
	uint32_t shape;			/* enum rf_shape */
	uint32_t switches;		/* number of switches of a chain or ring; 0: not given */
	uint32_t leaves, spines;	/* numbers of switches in leaf-spine; 0: not given */
	uint32_t dims[RF_FABRIC_DIMS];	/* switches in each dimension of a torus; 0: not given */
	bool cm;			/* TCP and rdma_cm between nodes use the links */
	uint32_t first, last;		/* nodes of this machine; 0: not given, all nodes */
	const char *uplink;		/* netdev to the other machines; NULL: there are none */
	char bridge[RF_FABRIC_BRIDGE_PORTS][16];	/* "": the nodes are in this kernel */
};

/*
 * Return: true if this machine is a bridge between other machines. Then node k is what is behind
 * port k of the bridge, and the fabric has no other port.
 */
static inline bool rf_fabric_is_remote(const struct rf_fabric *f)
{
	return f->bridge[0][0];
}

struct rf_fabric_link {
	uint32_t a, b;			/* indexes of the switches */
};

/* fabric_shape.c */
extern const struct rf_name rf_shape_names[];
extern const struct rf_kind rf_kind_dims;	/* uint32_t [RF_FABRIC_DIMS] */

const char *rf_fabric_settle(struct rf_fabric *f, struct rf_why *why);
bool rf_fabric_is_whole(const struct rf_fabric *f);
bool rf_fabric_is_same(const struct rf_fabric *a, const struct rf_fabric *b);
char *rf_fabric_text(const struct rf_fabric *f, char buf[64]);

/* fabric_graph.c */
uint32_t rf_fabric_switches(const struct rf_fabric *f);
uint32_t rf_fabric_links(const struct rf_fabric *f);
struct rf_fabric_link rf_fabric_link(const struct rf_fabric *f, uint32_t i);
uint32_t rf_fabric_home(const struct rf_fabric *f, uint32_t node);
uint32_t rf_fabric_next(const struct rf_fabric *f, uint32_t at, uint32_t node);
bool rf_fabric_goes_over(const struct rf_fabric *f, uint32_t x, uint32_t y, uint32_t z);
uint32_t rf_fabric_next_all(const struct rf_fabric *f, uint32_t at, uint32_t node,
			    uint32_t next[RF_FABRIC_LEAVES_MAX]);

/* fabric_shape.c: names */
void rf_fabric_switch_name(const struct rf_fabric *f, uint32_t i,
			   char name[16]);
void rf_fabric_toward(const struct rf_fabric *f, uint32_t from, uint32_t to,
		      char name[16]);
void rf_fabric_partner(const char *port, char name[16]);
bool rf_fabric_port(const struct rf_fabric *f, uint32_t i, char name[16]);
void rf_fabric_node_port(const struct rf_fabric *f, uint32_t node, char name[16]);
bool rf_fabric_netdev(const struct rf_fabric *f, uint32_t number, char name[16]);
bool rf_fabric_is_here(const struct rf_fabric *f, uint32_t number);

/* fabric_pairs.c: bit t of to[s] is set if node s sends to node t; both count from 0 */
struct rf_pairs {
	__uint128_t to[RF_FABRIC_MAX];
};

#define RF_PAIRS_BIT(t) ((__uint128_t)1 << (t))

bool rf_fabric_crosses(const struct rf_fabric *f, uint32_t from, uint32_t to, uint32_t a,
		       uint32_t b);
void rf_fabric_pairs(const struct rf_fabric *f, struct rf_pairs *pairs);
__uint128_t rf_pairs_alike(const struct rf_pairs *p, uint32_t from);
char *rf_pairs_text(const struct rf_pairs *p, uint32_t first);

/* fabric_deadlock.c */
uint32_t rf_fabric_deadlock(const struct rf_fabric *f, const uint64_t *since, uint32_t *cycle,
			    uint64_t *begin);

/* fabric.c: create, read and remove a fabric. The functions print errors with rf_err(). */
#define RF_FABRIC_ADDR "10.77.0.%u"	/* address of a node, numbered from 1 */
#define RF_FABRIC_PREFIX 24

#define RF_FABRIC_MTU 4200	/* in bytes; enough for an IB MTU of 4096 and all headers */
#define RF_FABRIC_BACKLOG "core/netdev_max_backlog"
#define RF_FABRIC_BACKLOG_MIN 20000	/* in packets; enough for bursts of 64 nodes */

struct rf_fabric_names {
	char v[16], p[16], rdma[16];
};

/* fabric_cm.c: the rules of the routing policy of IPv4 that concern a fabric */
struct rf_fabric_cm {
	unsigned int rules;	/* number of rules of a fabric */
	bool moved;		/* one of them selects the table local */
	bool local_first;	/* the rule of the table local has preference 0 */
	bool foreign;		/* another program's rule is where those of a fabric must be */
};

int rf_fabric_cm_read(struct rf_sock *s, struct rf_fabric_cm *cm);
int rf_fabric_cm_check(const struct rf_fabric_cm *cm);
int rf_fabric_cm_add(struct rf_sock *s, uint32_t nodes);
int rf_fabric_cm_remove(struct rf_sock *s);

/* The existing parts of a fabric */
struct rf_fabric_census {
	int links;		/* number of links in the group of the fabric */
	uint32_t nodes;		/* number of nodes on this machine */
	bool has[RF_FABRIC_MAX + 1];	/* has[k]: netdev vk is in the fabric's group */
	struct rf_fabric fabric;
	struct rf_fabric_cm cm;
	long backlog;		/* old netdev_max_backlog, to be restored; -1: none */
};

int rf_fabric_up(const struct rf_fabric *f, bool *made);
int rf_fabric_down(bool force);		/* @force: kill processes that use the fabric */
int rf_fabric_renew(const struct rf_fabric *f);
int rf_fabric_is_up(void);	/* number of all nodes, 0 without a fabric, or -errno */
int rf_fabric_read(struct rf_fabric *f);	/* reads the existing fabric; returns 0 or -errno */
struct rf_fabric_names rf_fabric_names(unsigned int k);
uint32_t rf_fabric_addr(unsigned int k);
int rf_fabric_census(struct rf_sock *s, struct rf_fabric_census *c);

#endif
