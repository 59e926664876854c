#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the virtual machine in which the other tests run: it has SoftRoCE, modprobe loads the
# module that was just built, tests cannot change the files of the project, and files that
# tests write to $OUT are on the host.
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

ok "the modules of SoftRoCE can be loaded" rdma_modules_ok
ok "modprobe loads the module that was just built" module_is_the_built_one_ok
ok "the project is under an overlay, so that tests cannot change it" project_is_covered_ok
ok "\$OUT is shared with the host and writable" out_is_shared_ok
ok "man finds the manual of rdmafault" man -w rdmafault
