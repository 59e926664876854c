// SPDX-License-Identifier: GPL-2.0
/* Test the loader of scenarios: settings of ports, and fabrics of several switches. */
#include "golden.h"
#include "scenario_text.h"

static void settings_refused(const char *ports, const char *where)
{
	char *text = NULL;

	if (asprintf(&text, "ports: [%s]\nqp:", ports) > 0)
		refused("qp:", text, where);
	free(text);
}

static void settings_ok(void)
{
	const struct rf_setting *set;
	struct rf_scenario s;
	char *text = edited("{nodes: 4}\n",
		"{nodes: 4, rate: 1gbit, delay: 5us}\n"
		"ports:\n"
		"  - {port: all, link: jitter 1us, watchdog: prio 3 detect 200ms}\n"
		"  - {port: switch, ecn: prio 3 kmin 10kb kmax 20kb}\n"
		"  - {port: p2, prio: prio-pfc 3:on prio-xoff 3:64KiB}\n"
		"  - {port: p2, link: seed 5}\n");

	ok(text && !load_text(text, &s), "settings of ports are loaded%s", said);
	set = s.settings;
	ok(s.nsettings == 4 + 4 + 4 + 4 + 4 + 1 + 1, "there is one setting per port and kind");
	ok(!strcmp(set[0].port, "v1") && !strcmp(set[4].port, "p1") &&
	   set[7].change.conf.link.rate == 1000000000 &&
	   set[7].change.conf.link.delay == 5000,
	   "rate and delay of the fabric are set at both ends of its links");
	ok(!strcmp(set[11].port, "v4") && set[11].change.conf.link.jitter == 1000 &&
	   set[11].change.link & RF_LINK_BIT(SEED), "a setting with jitter gets the scenario's seed");
	ok(set[19].change.link == RF_LINK_BIT(SEED) &&
	   set[17].change.link == 0 && set[17].change.conf.link.seed == 0,
	   "a setting with ECN marks gets the scenario's seed, unless the port has its own");
	ok(set[15].change.conf.watchdog.detect == 200000000 &&
	   !strcmp(set[19].port, "p4") && set[19].change.ecn[3] &&
	   !strcmp(set[20].port, "p2") && set[20].change.conf.prio[3].pfc == 1,
	   "settings of watchdog, ECN and PFC are loaded");
	rf_scenario_free(&s);
	free(text);
}

/* PFC of the fabric is a setting of each port. A port can have other settings. */
static void pfc_ok(void)
{
	struct rf_scenario s;
	char *text = edited("{nodes: 4}\n",
		"{nodes: 4, pfc: \"3,5\"}\nports: [{port: p2, prio: prio-pfc 3:off}]\n");

	ok(text && !load_text(text, &s), "PFC of the fabric is loaded%s", said);
	ok(s.nsettings == 4 + 4 + 1 && !strcmp(s.settings[7].port, "p4") &&
	   s.settings[7].change.prio[5] == RF_PRIO_BIT(PFC) &&
	   s.settings[7].change.conf.prio[5].pfc == 1 && !s.settings[7].change.prio[4] &&
	   !strcmp(s.settings[7].words, "prio prio-pfc 3:on 5:on"),
	   "PFC of the fabric is on for these priorities of all ports");
	ok(!strcmp(s.settings[8].port, "p2") && !s.settings[8].change.conf.prio[3].pfc,
	   "the settings of a port come after those of the fabric");
	rf_scenario_free(&s);
	free(text);
}

static void settings_fails(void)
{
	settings_refused("{port: v5, link: rate 1gbit}", ":9:16: ");
	settings_refused("{port: all}", ":9:9: ");
	settings_refused("{link: rate 1gbit}", ":9:9: ");
	settings_refused("{port: all, link: rate 1 gbit}", ":9:27: ");
	settings_refused("{port: all, prio: prio-pfc 9:on}", ":9:27: ");
	settings_refused("{port: all, ecn: kmin 3}", ":9:26: ");
	settings_refused("{port: all, watchdog: poll 1}", ":9:31: ");
	refused("{nodes: 4}", "{nodes: 4, rate: 5}", ":3:26: ");
	refused("{nodes: 4}", "{nodes: 4, pfc: 8}", ":3:25: ");
	refused("{nodes: 4}", "{nodes: 4, pfc: on}", ":3:25: ");
}

#define FABRIC(fabric, ports) \
	edited("{nodes: 4}\n", fabric "\nports: [" ports "]\n")

static void chain_ok(void)
{
	struct rf_scenario s;
	char *text = FABRIC("{nodes: 4, shape: chain, delay: 5us}",
			    "{port: fabric-link, link: rate 10mbit}, "
			    "{port: s2s1, ecn: prio 3 kmin 10kb kmax 20kb}, "
			    "{port: switch, prio: 'prio-pfc 3:on prio-xoff 3:64KiB'}");
	const struct rf_setting *set;

	ok(text && !load_text(text, &s), "a fabric of shape chain is loaded%s", said);
	free(text);
	set = s.settings;
	ok(s.fabric.shape == RF_SHAPE_CHAIN && s.fabric.switches == 2,
	   "a chain has two switches by default");
	ok(s.nsettings == 10 + 2 + 1 + 6, "a chain has a setting for each port");
	ok(!strcmp(set[7].port, "p4") && !strcmp(set[8].port, "s1s2") &&
	   !strcmp(set[9].port, "s2s1") && set[9].change.conf.link.delay == 5000,
	   "the delay of the fabric is set at every link of a chain");
	ok(!strcmp(set[10].port, "s1s2") && !strcmp(set[11].port, "s2s1") &&
	   set[11].change.conf.link.rate == 10000000, "\"fabric-link\" stands for both ports between the switches");
	ok(!strcmp(set[13].port, "p1") && !strcmp(set[18].port, "s2s1"),
	   "\"switch\" stands for every port of both switches");
	ok(rf_port_number(&s, "v2") == rf_port_number(&s, "rxe2") &&
	   rf_port_number(&s, "s1s2") != rf_port_number(&s, "s2s1") &&
	   rf_port_number(&s, "s1s2") && !rf_port_number(&s, "s2s3") &&
	   !rf_port_number(&s, "s1"), "rf_port_number() distinguishes ports and knows both names of a port");
	rf_scenario_free(&s);
}

static void cm_ok(void)
{
	static const char *const fabrics[] = { "{nodes: 4}", "{nodes: 4, cm: false}",
					       "{nodes: 4, cm: true}" };
	struct rf_scenario s;
	char *text;
	size_t i;

	for (i = 0; i < 3; i++) {
		text = edited("{nodes: 4}", fabrics[i]);
		ok(text && !load_text(text, &s) && s.fabric.cm == (i == 2),
		   "the fabric %s is loaded%s", fabrics[i], said);
		free(text);
		rf_scenario_free(&s);
	}
	text = edited("{nodes: 4}", "{nodes: 4, cm: yes}");
	ok(text && load_text(text, &s) && strstr(said, "true or false"),
	   "cm of a fabric is only true or false");
	free(text);
}

static void leaf_spine_ok(void)
{
	struct rf_scenario s;
	char *text = FABRIC("{nodes: 4, shape: leaf-spine, leaves: 2, spines: 2}",
			    "{port: fabric-link, link: rate 10mbit}");

	ok(text && !load_text(text, &s), "a fabric of shape leaf-spine is loaded%s", said);
	free(text);
	ok(s.fabric.leaves == 2 && s.fabric.spines == 2 && s.nsettings == 8,
	   "each leaf has a link to each spine, with a setting at both ends");
	ok(!strcmp(s.settings[0].port, "l1s1") &&
	   !strcmp(s.settings[7].port, "s2l2"), "fabric links of leaf-spine are named l1s1 to s2l2");
	rf_scenario_free(&s);
}

static void oversubscription_ok(void)
{
	const struct rf_setting *set;
	struct rf_scenario s;
	char *text = FABRIC("{nodes: 8, shape: leaf-spine, spines: 2, rate: 100mbit, delay: 5us, oversubscription: 4}",
			    "{port: v1, link: jitter 1us}");

	ok(text && !load_text(text, &s), "a fabric with oversubscription is loaded%s", said);
	free(text);
	set = s.settings;
	ok(s.nsettings == 16 + 8 + 1 && !strcmp(set[15].port, "p8") && !strcmp(set[16].port, "l1s1") &&
	   set[15].change.conf.link.rate == 100000000,
	   "with oversubscription, the rate of the fabric is that of the nodes");
	ok(set[16].change.conf.link.rate == 4 * 100000000 / (2 * 4) &&
	   set[16].change.conf.link.delay == 5000,
	   "oversubscription 4: the two fabric links of a leaf have a quarter of the rate of its four nodes");
	rf_scenario_free(&s);
}

static void fabric_fails(void)
{
	static const char nodes[] = "{nodes: 4}";
	struct rf_scenario s;
	char *text;

	refused(nodes, "{nodes: 4, shape: circle}", ":3:27: ");
	refused(nodes, "{nodes: 4, shape: bridge}", ":3:27: ");
	refused(nodes, "{nodes: 4, switches: 2}", ":3:30: ");
	refused(nodes, "{nodes: 4, shape: chain, switches: 5}", ":3:44: ");
	refused(nodes, "{nodes: 4, shape: chain, switches: 1}", ":3:44: ");
	refused(nodes, "{nodes: 4, shape: chain, spines: 2}", ":3:42: ");
	refused(nodes, "{nodes: 4, shape: leaf-spine, spines: 17}", ":3:47: ");
	refused(nodes, "{nodes: 4, rate: 1gbit, oversubscription: 2}", ":3:");
	refused(nodes, "{nodes: 4, shape: leaf-spine, oversubscription: 2}", ":3:");
	refused(nodes, "{nodes: 5, shape: leaf-spine, rate: 1gbit, oversubscription: 2}", ":3:");
	refused(nodes, "{nodes: 4, shape: leaf-spine, rate: 1mbit, oversubscription: 3}", ":3:");
	refused(nodes, "{nodes: 4, shape: leaf-spine, rate: 1gbit, oversubscription: 0}", ":3:");
	refused(nodes, "{nodes: 4, shape: ring, switches: 2}", ":3:");
	refused(nodes, "{nodes: 4, shape: torus}", ":3:");
	refused(nodes, "{nodes: 4, shape: torus, dims: 4x4}", ":3:");
	refused(nodes, "{nodes: 4, shape: torus, dims: 4}", ":3:");
	settings_refused("{port: fabric-link, link: rate 1gbit}", ":9:16: ");
	text = FABRIC("{nodes: 4, shape: chain}", "{port: s1s3, link: rate 1gbit}");
	ok(text && load_text(text, &s) == -EINVAL, "a port of a fabric link that does not exist is refused");
	golden(message(), "a port between switches that have no link");
	free(text);
}

int main(void)
{
	settings_ok();
	pfc_ok();
	settings_fails();
	chain_ok();
	cm_ok();
	leaf_spine_ok();
	oversubscription_ok();
	fabric_fails();
	golden_compare("scenario_port.txt");
	return done_testing();
}
