// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the parser of the faults of a scenario. A fault is a command line: a rule (also in a
 * short form), or one of the commands "link", "prio", "ecn" and "pause". It must be accepted,
 * or refused with one line. A change of a port must fit into one netlink request.
 */
#include <netlink/genl/genl.h>
#include <netlink/msg.h>

#include "genl_attrs.h"
#include "quiet.h"
#include "tools/scenario/load.h"

static void fits(const struct rf_fault *f)
{
	struct nl_msg *msg = nlmsg_alloc_size(RF_GENL_CHANGE_ROOM);
	struct rf_queue_info info;

	must(msg);
	genlmsg_put(msg, 0, 0, 0x20, 0, 0, RDMAFAULT_CMD_PORT_SET, 1);
	must(!(rf_genl_put_change(msg, &f->change) < 0));
	must(!rf_genl_parse_queue(nlmsg_hdr(msg), &info));
	if (f->kind == RF_FAULT_STORM)
		must(!(rf_genl_put_storm(msg, &f->storm) < 0));
	nlmsg_free(msg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = fuzz_text(data, size);
	struct rf_fault f = { };
	struct rf_why why = { "" };

	if (rf_fault_command_parse(line, &f, &why)) {
		must(fuzz_is_line(why.text, strlen(why.text) + 1));
	} else {
		must(f.port && f.words);
		if (f.kind != RF_FAULT_RULE)
			fits(&f);
	}
	free(f.words);
	free(f.port);
	free(line);
	return 0;
}
