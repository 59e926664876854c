// SPDX-License-Identifier: GPL-2.0
/* rdmafault doctor: check the bridges between ports. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "nl.h"

/* Values of brport/state; see if_bridge.h */
static const char *const state_names[] = {
	"disabled", "listening", "learning", "forwarding", "blocking",
};

#define BR_FORWARDING 3

static bool stp_is_off(const char *bridge)
{
	long delay = rf_doctor_number(bridge, "bridge/forward_delay");	/* in 10 ms */
	char fix[320];

	if (rf_doctor_number(bridge, "bridge/stp_state") <= 0)
		return true;
	snprintf(fix, sizeof(fix), "ip link set %s type bridge stp_state 0", bridge);
	rf_doctor_say("stp", bridge, HEALTH_WARNING, fix,
		      "on: a bridge port forwards no packet for %ld s after it has come up",
		      2 * delay / 100);
	return false;
}

static bool port_forwards(const char *dev)
{
	long state = rf_doctor_number(dev, "brport/state");
	bool carrier = rf_doctor_number(dev, "carrier") > 0;
	char fix[320];

	if (state < 0 || state == BR_FORWARDING || state > 4)
		return true;
	if (carrier)
		snprintf(fix, sizeof(fix), "bridge link set dev %s state 3", dev);
	else
		snprintf(fix, sizeof(fix), "ip link set %s up", dev);
	rf_doctor_say("bridge-port", dev, HEALTH_WARNING, fix, "%s%s: it forwards no packet",
		      state_names[state], carrier ? "" : ", without carrier");
	return false;
}

/* GRO merges UDP packets that have a checksum. The module takes a merged packet for no RoCEv2. */
static bool packets_stay_whole(const char *dev)
{
	static const char *const features[] = { "rx-udp-gro-forwarding", "rx-gro-list" };
	bool whole = true;
	char fix[320];
	size_t i;

	for (i = 0; i < sizeof(features) / sizeof(*features); i++) {
		if (rf_ethtool_feature(dev, features[i]) <= 0)
			continue;
		snprintf(fix, sizeof(fix), "ethtool -K %s %s off", dev, features[i]);
		rf_doctor_say("gro", dev, HEALTH_WARNING, fix,
			      "%s is on: UDP packets with a checksum are merged, and no rule matches them",
			      features[i]);
		whole = false;
	}
	return whole;
}

/* Return: the switch chip of a netdev, to be freed; NULL: it is on none. */
static char *switch_of(const char *dev)
{
	char *id = rf_doctor_text("/sys/class/net/%s/phys_switch_id", dev);

	if (id && id[0])
		return id;
	free(id);
	return NULL;
}

/* A switch chip forwards packets between its ports. */
static bool switches_differ(struct dirent **member, int n)
{
	char **chip = calloc(n > 0 ? n : 1, sizeof(*chip));
	bool fine = true;
	int i, k;

	for (i = 0; chip && i < n; i++) {
		chip[i] = switch_of(member[i]->d_name);
		for (k = 0; chip[i] && k < i; k++) {
			if (!chip[k] || strcmp(chip[i], chip[k]))
				continue;
			rf_doctor_say("switchdev", member[i]->d_name, HEALTH_WARNING,
				      "use bridge ports of different NICs",
				      "on the same switch chip as %s, which can forward packets between them: no rule sees these packets",
				      member[k]->d_name);
			fine = false;
		}
	}
	for (i = 0; chip && i < n; i++)
		free(chip[i]);
	free(chip);
	return fine;
}

static int is_netdev(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static bool check_members(struct dirent **member, int n)
{
	bool fine = true;
	int i;

	for (i = 0; i < n; i++) {
		fine = port_forwards(member[i]->d_name) && fine;
		fine = packets_stay_whole(member[i]->d_name) && fine;
	}
	return switches_differ(member, n) && fine;
}

/**
 * rf_doctor_bridge - check a bridge and its ports
 * @bridge: name of the netdev of the bridge
 *
 * Return: true if nothing was found.
 */
bool rf_doctor_bridge(const char *bridge)
{
	struct dirent **member = NULL;
	char path[64];
	bool fine;
	int n;

	snprintf(path, sizeof(path), "/sys/class/net/%s/brif", bridge);
	n = scandir(path, &member, is_netdev, versionsort);
	fine = stp_is_off(bridge);
	fine = check_members(member, n) && fine;
	while (n > 0)
		free(member[--n]);
	free(member);
	return fine;
}
