#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Instructions per function, for scripts/bench --account and --end-to-end.

    account.py FIGURES BLOCKS KALLSYMS CASE...
    account.py --end-to-end FIGURES BLOCKS KALLSYMS PAGE

FIGURES are lines of JSON from the VM, BLOCKS is the file of account/account.c, and KALLSYMS
a copy of the VM's /proc/kallsyms. Prints one table for each subject of the CASEs: the
instructions per frame of each function, the sum of each group, and the sum of all, which
must agree with the figure of the benchmark. With --end-to-end, prints what ports add to a
packet and its ACK, and writes PAGE.
"""
import bisect
import collections
import json
import re
import sys

import page

# Functions with fewer instructions per frame are not printed
LEAST = 0.05

# The driver waits in a loop of these functions until all frames are sent. The benchmark counts
# the interrupts during this loop, but not the loop itself.
WAITING = {"spin", "frames_sent", "__cond_resched", "__SCT__cond_resched"}

QDISC = re.compile(r"qdisc|sch_|^pfifo|__netif_schedule|net_tx_action|dev_requeue|^psched")


class Symbols:
    """The functions of the VM's kernel and its modules, by address."""

    def __init__(self, path):
        found = {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                fields = line.split()
                if fields[1] in "tTwW":
                    module = fields[3].strip("[]") if len(fields) > 3 else ""
                    found[int(fields[0], 16)] = fields[2], module
        self.addresses = sorted(found)
        self.names = [found[a] for a in self.addresses]

    def of(self, address):
        """(name, module) of the function at this address; the kernel has no module"""
        i = bisect.bisect_right(self.addresses, address) - 1
        return self.names[i] if i >= 0 else ("?", "")


def group(name, module):
    if module == "rdmafault":
        return "rdmafault"
    if module in ("rfbench", "dummy"):
        return "driver"
    if module.startswith("sch_") or not module and QDISC.search(name):
        return "qdisc"
    if module:
        return module
    return "core"


def read_blocks(path):
    """{series: (measurements, [(address, instructions, count)])}"""
    series, blocks = {}, None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            if fields[0] == "series":
                blocks = []
                series[int(fields[1])] = int(fields[2]), blocks
            else:
                blocks.append((int(fields[0], 16), int(fields[1]), int(fields[2])))
    return series


def account(symbols, blocks, frames, burst):
    """{(name, module): instructions per frame}"""
    sums = collections.Counter()
    for address, instructions, count in blocks:
        name, module = symbols.of(address)
        # The compiler can add a suffix, such as ".isra.0"
        if burst and name.partition(".")[0] in WAITING:
            continue
        sums[name, module] += instructions * count / frames
    return sums


def show(figure, sums):
    print(f"{figure['case']}: {figure['subject']}: instructions per frame")
    groups = collections.Counter()
    for (name, module), value in sorted(sums.items(), key=lambda item: (-item[1], item[0])):
        groups[group(name, module)] += value
        if value >= LEAST:
            print(f"    {value:10.1f}  {group(name, module):10} {name}")
    print("    " + ", ".join(f"{name} {value:.1f}" for name, value in groups.most_common()))
    print(f"    sum {sum(groups.values()):.1f}, measured by the benchmark {figure['mean']:.1f}")
    print()


# Functions of the kernel that cost more because of the hooks of a port, or that they call
CALLERS = ["__dev_queue_xmit", "__netif_receive_skb_core", "nf_hook_slow",
           "_raw_spin_lock", "_raw_spin_unlock", "ktime_get", "skb_copy_bits", "memcpy",
           "memcpy_orig"]

# The largest part, in percent, of all instructions without a port that reaches the goal
ADDED_GOALS = {"added_tracked": 5, "both_tracked": 11, "both_ring": 5}


def added(sums, without):
    """(instructions of rdmafault, instructions added to CALLERS)"""
    def callers(of):
        return sum(value for (name, module), value in of.items()
                   if not module and name.partition(".")[0] in CALLERS)
    ours = sum(value for (_, module), value in sums.items() if module == "rdmafault")
    return ours, callers(sums) - callers(without)


def end_to_end(figures, blocks, kallsyms, path):
    symbols, series = Symbols(kallsyms), read_blocks(blocks)
    with open(figures, encoding="utf-8") as lines:
        about, *measured = map(json.loads, lines)
    about, rows, without, total = about["about"], [], None, 0
    for figure in measured:
        sums = account(symbols, series[figure["series"]][1], figure["packets"], 0)
        if figure["case"] == "none":
            without, total = sums, sum(sums.values())
            rows.append(["all instructions, without a port", "", "", f"{total:.0f}", "", ""])
        if without is None or sums is without:
            continue
        ours, callers = added(sums, without)
        part = 100 * (ours + callers) / total
        most = ADDED_GOALS.get(figure["case"])
        goal = "" if most is None else \
            f"at most {most} %: {'reached' if part <= most else 'missed'}"
        rows.append([figure["words"], f"{ours:.0f}", f"{callers:.0f}", f"{ours + callers:.0f}",
                     f"{part:.1f} %", goal])
        print(f"{figure['words']:52} rdmafault {ours:6.0f}, callers {callers:6.0f},"
              f" sum {ours + callers:6.0f}, {part:4.1f} %  {goal}".rstrip())
    title = "Cost of a packet, end to end"
    out = [
        ".. SPDX-License-Identifier: GPL-2.0",
        ".. Made by scripts/bench --end-to-end; don't edit.", "",
        "=" * len(title), title, "=" * len(title), "",
        f"Linux {about['release']} ({about['kernel']}), one CPU. ``ib_write_bw`` sends RDMA",
        "WRITEs of 4 KiB, one packet each, from one node of a fabric to another, which answers",
        "each with an ACK. The table has the instructions that ports on both nodes add to a",
        "packet and its ACK: those of rdmafault, and those that the kernel functions around it",
        "(" + ", ".join(f"``{name}()``" for name in CALLERS) + ")",
        "need in addition. The first row has all instructions of a packet and its ACK, from the",
        "sending program to the receiving memory; the programs poll, so it varies by some percent.",
        "A plugin of QEMU counts the instructions of each function. This",
        "command counts again::", "",
        "    scripts/bench --end-to-end", "",
    ]
    out += page.rst_table(["case", "rdmafault", "callers", "sum", "part", "goal"], rows)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")
    return 0


def main(figures, blocks, kallsyms, *cases):
    if figures == "--end-to-end":
        return end_to_end(blocks, kallsyms, *cases)
    symbols, series = Symbols(kallsyms), read_blocks(blocks)
    with open(figures, encoding="utf-8") as lines:
        for figure in map(json.loads, lines):
            if figure.get("case") not in cases:
                continue
            if figure["series"] not in series:
                print(f"account: {figure['case']}: {figure['subject']}: not counted", file=sys.stderr)
                return 1
            measurements, counted = series[figure["series"]]
            burst = int(figure["plan"].split()[2])
            show(figure, account(symbols, counted, measurements * max(burst, 1), burst))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
