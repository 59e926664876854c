// SPDX-License-Identifier: GPL-2.0
/*
 * Test how "rdmafault doctor" parses what it reads: the kernel release, the kernel configuration,
 * lists of modules, files in /proc and /sys, and the name of the distribution.
 */
#include <string.h>

#include "tools/cli/doctor_parse.c"
#include "tap.h"

static void kernels(void)
{
	static const struct {
		const char *release;
		enum rf_kernel_age age;
	} k[] = {
		{ "6.1.0-56-amd64", RF_KERNEL_TESTED },
		{ "6.12.117+deb12-amd64", RF_KERNEL_TESTED },
		{ "7.2", RF_KERNEL_TESTED },
		{ "6.10.3", RF_KERNEL_UNTESTED }, { "8.0.1", RF_KERNEL_UNTESTED },
		{ "6.0.9", RF_KERNEL_OLD }, { "5.15.0-105-generic", RF_KERNEL_OLD },
		{ "next", RF_KERNEL_UNREADABLE }, { "", RF_KERNEL_UNREADABLE },
	};
	size_t i;

	for (i = 0; i < sizeof(k) / sizeof(*k); i++)
		ok(rf_doctor_kernel(k[i].release) == k[i].age, "kernel \"%s\"",
		   k[i].release);
}

static void options(void)
{
	static const char config[] = "#\n# Linux\n#\nCONFIG_VETH=m\n"
		"# CONFIG_PREEMPT_RT is not set\nCONFIG_NET_SCHED=y\n"
		"CONFIG_NET_SCHED_EXTRA=m\nCONFIG_HZ=250";

	ok(rf_doctor_option(config, "VETH") == 'm', "an option that is a module");
	ok(rf_doctor_option(config, "NET_SCHED") == 'y', "an option that is set");
	ok(rf_doctor_option(config, "PREEMPT_RT") == 'n', "an option that is not set");
	ok(rf_doctor_option(config, "NET") == 'n', "the start of another option");
	ok(rf_doctor_option("", "NET") == 'n', "an empty configuration");
}

static void modules(void)
{
	static const char dep[] =
		"kernel/drivers/net/veth.ko.xz: kernel/net/core/other.ko.xz\n"
		"updates/dkms/rdmafault.ko.zst:\n"
		"kernel/drivers/infiniband/sw/rxe/rdma_rxe.ko: kernel/net/x/only_needed.ko\n"
		"kernel/net/br-netfilter.ko:";
	static const char builtin[] = "kernel/net/a.ko\nkernel/net/bridge/bridge.ko\n";

	ok(rf_doctor_lists_module(dep, "veth"), "the first module of a list");
	ok(rf_doctor_lists_module(dep, "rdmafault"), "a compressed module");
	ok(rf_doctor_lists_module(dep, "rdma_rxe"), "a module with dependencies");
	ok(rf_doctor_lists_module(dep, "br_netfilter"), "a module with \"-\", without a line end");
	ok(!rf_doctor_lists_module(dep, "only_needed"), "a module that is only a dependency");
	ok(!rf_doctor_lists_module(dep, "other"), "a dependency in the first line");
	ok(!rf_doctor_lists_module(dep, "rdma"), "the start of a name");
	ok(!rf_doctor_lists_module(dep, "rxe"), "a directory and the end of a name");
	ok(rf_doctor_lists_module(builtin, "bridge"), "a module in the kernel");
	ok(rf_doctor_lists_module("a.ko:\nb.ko:\n", "b"), "files without a directory");
	ok(!rf_doctor_lists_module("", "veth"), "an empty list");
}

static void security(void)
{
	ok(rf_doctor_lockdown("[none] integrity confidentiality\n") == RF_LOCKDOWN_NONE,
	   "no lockdown");
	ok(rf_doctor_lockdown("none [integrity] confidentiality\n") == RF_LOCKDOWN_INTEGRITY,
	   "lockdown integrity");
	ok(rf_doctor_lockdown("none integrity [confidentiality]\n") ==
	   RF_LOCKDOWN_CONFIDENTIALITY, "lockdown confidentiality");
	ok(rf_doctor_lockdown("none\n") == RF_LOCKDOWN_UNREADABLE, "lockdown without a mode");
	ok(rf_doctor_initial_userns("         0          0 4294967295\n"),
	   "the initial user namespace");
	ok(!rf_doctor_initial_userns("         0     100000      65536\n"),
	   "another user namespace");
	ok(!rf_doctor_initial_userns("         0       1000          1\n"),
	   "a user namespace of one user");
	ok(!rf_doctor_initial_userns(""), "no map");
	ok(rf_doctor_capability("Name:\tx\nCapEff:\t0000000000001000\n", 12),
	   "a capability that is there");
	ok(!rf_doctor_capability("Name:\tx\nCapEff:\t0000000000001000\n", 14),
	   "a capability that is not there");
	ok(!rf_doctor_capability("CapPrm:\t0000000000001000\n", 12),
	   "only the effective set counts");
}

static void mounts(void)
{
	static const char text[] = "proc /proc proc rw 0 0\n"
		"tracefs /sys/kernel/tracing tracefs rw,nosuid 0 0\n"
		"tracefs /sys/kernel/debug/tracing tracefs rw 0 0\n";
	char dir[64] = "";

	ok(rf_doctor_mounted(text, "tracefs", dir, sizeof(dir)) &&
	   !strcmp(dir, "/sys/kernel/tracing"), "a file system and its first directory");
	ok(!rf_doctor_mounted(text, "tracing", dir, sizeof(dir)), "a directory is not a type");
	ok(!rf_doctor_mounted("", "proc", dir, sizeof(dir)), "nothing mounted");
	ok(!rf_doctor_mounted("broken", "proc", dir, sizeof(dir)), "a broken line");
}

static void numbers(void)
{
	static const unsigned int mtu[][2] = {
		{ 9000, 4096 }, { 4200, 4096 }, { 4176, 4096 }, { 4175, 2048 },
		{ 1500, 1024 }, { 1103, 512 }, { 336, 256 }, { 335, 0 }, { 0, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(mtu) / sizeof(*mtu); i++)
		ok(rf_doctor_ib_mtu(mtu[i][0]) == mtu[i][1], "IB MTU of an MTU of %u",
		   mtu[i][0]);
	ok(rf_doctor_mask_is_empty("0\n") && rf_doctor_mask_is_empty("00000000,00000000\n"),
	   "masks of no CPU");
	ok(!rf_doctor_mask_is_empty("3\n") && !rf_doctor_mask_is_empty("00000001,00000000\n"),
	   "masks of some CPUs");
}

static void distributions(void)
{
	char id[16];

	rf_doctor_distribution("NAME=\"Debian\"\nVERSION_ID=\"12\"\nID=debian\n", id, sizeof(id));
	ok(!strcmp(id, "debian"), "a distribution");
	rf_doctor_distribution("ID=\"fedora\"", id, sizeof(id));
	ok(!strcmp(id, "fedora"), "a quoted distribution");
	rf_doctor_distribution("NAME=x\n", id, sizeof(id));
	ok(!id[0], "no distribution");
}

int main(void)
{
	kernels();
	options();
	modules();
	security();
	mounts();
	numbers();
	distributions();
	return done_testing();
}
