// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the choice of links: the input is a configuration, and then one packet after the other
 * with the links that are up, the queues and the time. If the configuration is valid, each
 * choice must be a link that is up, and the same packets must have the same links again.
 */
#include "fuzz.h"

#include "../../kmod/rand.c"
#include "../../kmod/path/path.c"

#define MAX_HOLD	5000000000ull
#define PACKETS		256

struct packet {
	struct rf_path_key key;
	uint32_t up;
	uint16_t queued[RDMAFAULT_PATH_LINKS_MAX];
	uint64_t now;
};

/* Bring the values into the ranges that the policies of netlink ensure. */
static uint64_t limit(struct rf_path_conf *conf, uint64_t set)
{
	static const uint32_t lengths[] = { 0, 4, 16, 4 };
	uint32_t i;

	conf->mode %= RDMAFAULT_PATH_MODE_LIST + 1;
	conf->order %= RDMAFAULT_PATH_ORDER_RANDOM + 1;
	conf->links %= RDMAFAULT_PATH_LINKS_MAX + 1;
	conf->routes %= 4;
	conf->gap = set & SET(GAP) ? 1 + conf->gap % RDMAFAULT_HOLD_MAX : 0;
	if (!(set & SET(ORDER)))
		conf->order = 0;
	for (i = 0; i < conf->routes; i++) {
		conf->route[i].qp &= RDMAFAULT_PSN_MAX;
		conf->route[i].addr_len = lengths[conf->route[i].addr_len % 4];
	}
	return set;
}

static uint32_t choose(const struct rf_path_conf *conf, struct rf_path_state *state,
		       const struct packet *packet)
{
	uint64_t queued[RDMAFAULT_PATH_LINKS_MAX];
	uint32_t i, up = packet->up & (uint32_t)((1ull << conf->links) - 1), link;

	for (i = 0; i < RDMAFAULT_PATH_LINKS_MAX; i++)
		queued[i] = packet->queued[i];
	link = rf_path_choose(conf, state, &packet->key, up, queued, packet->now);
	must(up ? link < conf->links && up >> link & 1 : link == RF_PATH_NONE);
	/* No link has a shorter queue, unless a choice is kept. */
	if (conf->mode != RDMAFAULT_PATH_MODE_ADAPTIVE || conf->gap)
		return link;
	for (i = 0; i < conf->links; i++)
		must(!(up >> i & 1) || queued[link] <= queued[i]);
	return link;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rf_path_state state, again;
	uint32_t links[PACKETS], n, i;
	struct packet packets[PACKETS];
	struct rf_path_conf conf = { };
	uint64_t set;

	fuzz_take(&data, &size, &set, sizeof(set));
	fuzz_take(&data, &size, &conf, offsetof(struct rf_path_conf, route[4]));
	set = limit(&conf, set);
	if (rf_path_validate(&conf, set, MAX_HOLD))
		return 0;
	memset(&state, 0, sizeof(state));
	for (n = 0; size && n < PACKETS; n++) {
		fuzz_take(&data, &size, &packets[n], sizeof(packets[n]));
		packets[n].key.addr_len = packets[n].key.addr_len & 1 ? 4 : 16;
		links[n] = choose(&conf, &state, &packets[n]);
	}
	memset(&again, 0, sizeof(again));
	for (i = 0; i < n; i++)
		must(choose(&conf, &again, &packets[i]) == links[i]);
	must(!memcmp(&state, &again, sizeof(state)));
	return 0;
}
