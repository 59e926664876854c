// SPDX-License-Identifier: GPL-2.0
/* The fabric of a run: nodes, switches, links, and the names of their ports */
#include <json-c/json.h>

#include "json.h"
#include "summary.h"

typedef struct json_object *obj;

static void put_node(obj o, const struct rf_fabric *f, uint32_t node)
{
	char name[16];

	rf_put_u64(o, "node", node);
	rf_put_u64(o, "switch", rf_fabric_home(f, node));
	rf_fabric_node_port(f, node, name);
	if (!rf_fabric_is_remote(f)) {
		rf_put_text(o, "port", name);
		rf_fabric_port(f, node - 1, name);
	}
	rf_put_text(o, "switch_port", name);
}

/**
 * rf_figure_fabric - get the data of the drawing of the fabric
 * @run: the run
 *
 * Return: the object.
 */
obj rf_figure_fabric(const struct rf_run *run)
{
	const struct rf_fabric *f = &run->scenario->fabric;
	obj o = json_object_new_object(), list, one;
	struct rf_fabric_link l;
	char name[64];
	uint32_t i;

	rf_put_text(o, "shape", rf_value_name(rf_shape_names, f->shape));
	rf_put_text(o, "text", rf_fabric_text(f, name));
	if (rf_fabric_is_remote(f))
		json_object_object_add(o, "remote", json_object_new_boolean(true));
	list = rf_put_list(o, "nodes");
	for (i = 1; i <= f->nodes; i++)
		put_node(rf_list_object(list), f, i);
	list = rf_put_list(o, "switches");
	for (i = 0; i < rf_fabric_switches(f); i++) {
		one = rf_list_object(list);
		rf_fabric_switch_name(f, i, name);
		rf_put_text(one, "name", rf_fabric_is_remote(f) ? "bridge" : name);
		rf_put_u64(one, "level", f->shape == RF_SHAPE_LEAF_SPINE && i >= f->leaves);
	}
	list = rf_put_list(o, "links");
	for (i = 0; i < rf_fabric_links(f); i++) {
		one = rf_list_object(list);
		l = rf_fabric_link(f, i);
		rf_put_u64(one, "a", l.a);
		rf_put_u64(one, "b", l.b);
		rf_fabric_toward(f, l.a, l.b, name);
		rf_put_text(one, "a_port", name);
		rf_fabric_toward(f, l.b, l.a, name);
		rf_put_text(one, "b_port", name);
	}
	return o;
}
