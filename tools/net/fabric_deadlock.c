// SPDX-License-Identifier: GPL-2.0
/*
 * PFC deadlocks: paused ports of a fabric that wait for each other in a cycle.
 *
 *	s1s2 -- s2s1 [s2] s2s3 -- s3s2 [s3] s3s1 -- s1s3 [s1] s1s2
 *
 * s1s2 is paused by s2s1, because packets that have arrived there wait in s2s3. s2s3 is
 * paused, too, and so on, back to s1s2. No packet can leave any of these ports.
 *
 * The port from switch x to y waits for the port from y to z if packets to some node go from x
 * over y to z. A switch does not count by which port the packets in a queue have arrived, so
 * each paused port that they can take counts.
 */
#include "fabric.h"

#define PORTS_MAX (2 * RF_FABRIC_LINKS_MAX)

/* A paused port, from switch @from to switch @to */
struct paused {
	uint32_t number;
	uint32_t from, to;
	uint64_t since;
	uint16_t next;		/* for which paused port it waits, see search_back() */
};

struct search {
	const struct rf_fabric *f;
	struct paused port[PORTS_MAX];
	uint32_t n;
	uint64_t until;		/* only pauses that began until then count */
};

static bool waits_for(const struct search *s, const struct paused *a, const struct paused *b)
{
	return a->to == b->from && rf_fabric_goes_over(s->f, a->from, a->to, b->to);
}

static void add_paused(struct search *s, const uint64_t *since)
{
	struct rf_fabric_link l;
	uint32_t i;

	for (i = 0; i < 2 * rf_fabric_links(s->f); i++) {
		if (since[i] == UINT64_MAX)
			continue;
		l = rf_fabric_link(s->f, i / 2);
		s->port[s->n++] = (struct paused){
			.number = i, .since = since[i],
			.from = i % 2 ? l.b : l.a, .to = i % 2 ? l.a : l.b,
		};
	}
}

/* Remove port @i if it waits for no other port. */
static bool remove_end(struct search *s, uint32_t i)
{
	uint32_t k;

	for (k = 0; k < s->n; k++)
		if (waits_for(s, &s->port[i], &s->port[k]))
			return false;
	s->port[i] = s->port[--s->n];
	return true;
}

/* Remove ports that wait for no port in a cycle. Without a cycle, none is left. */
static void remove_ends(struct search *s)
{
	bool removed;
	uint32_t i;

	do {
		removed = false;
		for (i = s->n; i--;)
			removed |= remove_end(s, i);
	} while (removed);
}

/*
 * Find the ports that wait for the port @end, breadth first, until @end is one of them.
 *
 * Return: the port for which @end waits, from which the members @next lead to @end; PORTS_MAX if
 * there is none.
 */
static uint32_t search_back(struct search *s, uint32_t end)
{
	uint16_t reached[PORTS_MAX];
	uint32_t done = 0, found = 0, at, i;

	for (i = 0; i < s->n; i++)
		s->port[i].next = PORTS_MAX;
	for (reached[found++] = end; done < found; done++) {
		at = reached[done];
		for (i = 0; i < s->n; i++) {
			if (s->port[i].since > s->until || s->port[i].next != PORTS_MAX ||
			    !waits_for(s, &s->port[i], &s->port[at]))
				continue;
			if (i == end)
				return at;
			s->port[i].next = at;
			reached[found++] = i;
		}
	}
	return PORTS_MAX;
}

/* Find a shortest cycle with the port @end. Return: the number of its ports, 0 if there is none. */
static uint32_t write_cycle(struct search *s, uint32_t end, uint32_t *cycle)
{
	uint32_t at = search_back(s, end), n = 0;

	if (at == PORTS_MAX)
		return 0;
	cycle[n++] = s->port[end].number;
	for (; at != end; at = s->port[at].next)
		cycle[n++] = s->port[at].number;
	return n;
}

/* Return: the start of the first pause at or after @from; UINT64_MAX if there is none. */
static uint64_t first_pause(const struct search *s, uint64_t from)
{
	uint64_t first = UINT64_MAX;
	uint32_t i;

	for (i = 0; i < s->n; i++)
		if (s->port[i].since >= from && s->port[i].since < first)
			first = s->port[i].since;
	return first;
}

/**
 * rf_fabric_deadlock - find the cycle of paused ports that has lasted longest
 * @f: the fabric
 * @since: when the pause of each port of a fabric link began, UINT64_MAX if it is not paused;
 *	port 0 is rf_fabric_port(f, f->nodes, ...), and so on
 * @cycle: room for the numbers of all these ports; gets those of the cycle, each of which waits
 *	for the next one, and the last one for the first
 * @begin: gets when the last pause of the cycle began
 *
 * Return: the number of ports of the cycle, 0 if there is none.
 */
uint32_t rf_fabric_deadlock(const struct rf_fabric *f, const uint64_t *since, uint32_t *cycle,
			    uint64_t *begin)
{
	struct search s;
	uint64_t from;
	uint32_t i, n;

	s.f = f;
	s.n = 0;
	add_paused(&s, since);
	remove_ends(&s);
	for (from = 0; (s.until = first_pause(&s, from)) != UINT64_MAX; from = s.until + 1) {
		for (i = 0; i < s.n; i++) {
			n = s.port[i].since == s.until ? write_cycle(&s, i, cycle) : 0;
			if (!n)
				continue;
			*begin = s.until;
			return n;
		}
	}
	return 0;
}
