/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of QEMU's plugin interface that account.c uses. Distributions don't package
 * the header qemu-plugin.h. PLUGIN_API is the version of the interface.
 */
#ifndef RF_BENCH_PLUGIN_H
#define RF_BENCH_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define PLUGIN_EXPORT __attribute__((visibility("default")))
#define PLUGIN_NO_REGS 0

struct plugin_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

extern PLUGIN_EXPORT int qemu_plugin_version;
PLUGIN_EXPORT int qemu_plugin_install(uint64_t id,
				      const struct plugin_info *info, int argc,
				      char **argv);

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*cb)(uint64_t id,
						      struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*cb)(unsigned int cpu,
						     void *data),
					  int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    void (*cb)(unsigned int cpu,
						       void *data),
					    int flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
#if PLUGIN_API >= 4
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to,
			     size_t len);
#else
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
#endif

#endif
