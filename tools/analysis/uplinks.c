// SPDX-License-Identifier: GPL-2.0
/*
 * How evenly a leaf switch uses its uplinks: the max-mean ratio (MMR) and Jain's index of the bytes
 * that parallel links sent, as the BMWG's benchmark of training fabrics defines them. It is that
 * of the leaf with the largest ratio, among those that sent at least half as much as the leaf that
 * sent most: the others may have sent only ACKs.
 */
#include <stdio.h>

#include "analysis.h"

struct sums {
	double all, most, squares;
	char busiest[16];
};

/* Return: false if the bytes of an uplink are not known */
static bool add_uplinks(const struct rf_fabric *f, const struct rf_record *rec, uint32_t leaf,
			struct sums *sums)
{
	const struct rf_port_tally *port;
	uint32_t spine, prio;
	char name[16];
	double bytes;

	*sums = (struct sums){ };
	for (spine = f->leaves; spine < rf_fabric_switches(f); spine++) {
		rf_fabric_toward(f, leaf, spine, name);
		port = rf_record_port(rec, name);
		if (!port)
			return false;
		for (bytes = 0, prio = 0; prio < RDMAFAULT_PRIOS; prio++)
			bytes += port->prio[prio].bytes;
		sums->all += bytes;
		sums->squares += bytes * bytes;
		if (bytes > sums->most) {
			sums->most = bytes;
			snprintf(sums->busiest, sizeof(sums->busiest), "%s", name);
		}
	}
	return true;
}

/**
 * rf_uplinks - compare the uplinks of a leaf switch in a case
 * @run: the run
 * @p: the case
 * @u: gets the comparison
 *
 * Return: NULL, or the reason why nothing is known.
 */
const char *rf_uplinks(const struct rf_run *run, const struct rf_run_case *p, struct rf_uplinks *u)
{
	const struct rf_fabric *f = &run->scenario->fabric;
	struct sums sums[RF_FABRIC_LEAVES_MAX], *one;
	uint32_t leaf;
	double most = 0;

	*u = (struct rf_uplinks){ };
	if (f->shape != RF_SHAPE_LEAF_SPINE)
		return "the fabric has no leaf switches";
	for (leaf = 0; leaf < f->leaves; leaf++) {
		if (!add_uplinks(f, &p->rec, leaf, &sums[leaf]))
			return "the bytes of the fabric links were not counted, because the links have no rate";
		most = sums[leaf].all > most ? sums[leaf].all : most;
	}
	if (!most)
		return "no packet passed the fabric links";
	for (one = sums; one < sums + f->leaves; one++) {
		if (one->all < most / 2 || one->most * f->spines / one->all <= u->mmr)
			continue;
		u->mmr = one->most * f->spines / one->all;
		u->jain = one->all * one->all / (f->spines * one->squares);
		snprintf(u->busiest, sizeof(u->busiest), "%s", one->busiest);
	}
	return NULL;
}
