#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The machine is what the other tests take for granted: software RDMA can be
# had, the freshly built module is the one that is loaded, nothing that a test
# writes changes the project, and $OUT does come back.
. "$(dirname "$0")/../lib/lib.sh"

rdma_modules_ok()
{
	modprobe -a rdma_rxe ib_uverbs rdma_ucm veth bridge
}

module_is_the_built_one_ok()
{
	local built

	built=build/kmod/$(uname -r)/rdmafault.ko
	[ -e "$built" ] || return 1
	cmp "$built" "$(modinfo -F filename rdmafault)"
}

project_is_covered_ok()
{
	touch kmod/.touched && rm kmod/.touched && [ "$(findmnt -n -o FSTYPE --target kmod)" = overlay ]
}

out_is_shared_ok()
{
	[ "$(findmnt -n -o FSTYPE --target "$OUT")" = 9p ] &&
		touch "$OUT/.boot_ok" && rm "$OUT/.boot_ok"
}

ok "the modules of software RDMA load" rdma_modules_ok
ok "modprobe finds the module that was just built" module_is_the_built_one_ok
ok "the project is read-only under an overlay" project_is_covered_ok
ok "OUT is shared with the host" out_is_shared_ok
ok "the manual is at hand" man -w rdmafault
