#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Make mutants of the analysis, the metrics and the module's pure files, and test
whether the unit tests kill them. scripts/mutate calls it in a copy of the tree.

A mutant is one source line with one comparison or one integer changed. It is
killed if a unit test that includes the file fails, doesn't end, or causes an error of
a sanitizer. Mutants that don't compile are replaced by others."""
import argparse
import functools
import glob
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

PURE = """dcqcn/np dcqcn/pace dcqcn/rp fault/jitter flow/psn_window flow/read_tracker pfc/buffer
pfc/frame pfc/fsm pfc/storm_fsm pfc/watchdog_fsm queue/ecn queue/link queue/sched rocev2/bth
rocev2/icrc rocev2/opcode rand rule/index rule/loss_model
flow/qp_filter rule/match rule/validate rule/state rule/trigger""".split()
OTHER = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "==": "!=", "!=": "=="}
TOKEN = re.compile(r"""
    (?P<skip> "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | /\*.*?\*/ | /\*.* | //.*
            | -> | <<=? | >>=? | \[\s*\d+\s*\] )
  | (?P<compare> <= | >= | == | != | < | > )
  | (?P<number> (?<![\w.]) (?:0[xX][0-9a-fA-F]+ | \d+) (?P<suffix> [uUlL]*) (?![\w.]) )
""", re.VERBOSE)
CPU_SECONDS = 20  # limit per test; the slowest takes 3


def sources():
    """Return the files to mutate if none are given."""
    files = sorted(glob.glob("tools/analysis/*.c"))
    files += ["tools/run/cases.c", "tools/run/tally_json.c", "tools/render/web/activities.c"]
    files += [f"kmod/{name}.c" for name in PURE]
    return [file for file in files if os.path.exists(file) and tests_of(file)]


def includes(path):
    """Return the files that a test or its headers include."""
    found = set()
    with open(path, encoding="utf-8") as f:
        for name in re.findall(r'^#include "([^"]+)"', f.read(), re.MULTILINE):
            file = os.path.normpath(os.path.join(os.path.dirname(path), name))
            if os.path.exists(file) and file not in found:
                found.add(file)
                if file.startswith("selftests/unit/"):
                    found |= includes(file)
    return found


@functools.lru_cache
def included_by(path):
    """Return the unit tests that include a C file."""
    return [os.path.basename(test)[:-2] for test in sorted(glob.glob("selftests/unit/*_test.c"))
            if path in includes(test)]


def whole_tests():
    """Return the unit tests that are linked with all files of the report."""
    with open("tools/Makefile", encoding="utf-8") as f:
        return re.findall(r"^whole \+?:?= (\w+)$", f.read(), re.MULTILINE)


def tests_of(path):
    """Return the unit tests that include a file, the most specific ones first."""
    tests = list(included_by(path))
    if path.startswith(("tools/analysis/", "tools/render/", "tools/run/")):
        tests += [t for t in whole_tests() if t not in tests]
    stem = os.path.basename(path)[:-len(".c")]

    def distance(test):
        with open(f"selftests/unit/{test}.c", encoding="utf-8") as f:
            text = f.read()
        return (stem not in test, stem.split("_")[0] not in test,
                test not in ("analyse_test", "metric_test", "page_test"),
                -text.count(f"rf_{stem}"), "html" in test, test)

    return sorted(tests, key=distance)


def mutants_of(path):
    """Yield all mutants of a file: (path, index of the line, new line, change)."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    comment = False
    for i, line in enumerate(lines):
        if comment:
            comment = "*/" not in line
            continue
        comment = "/*" in line and "*/" not in line.split("/*")[-1]
        # Lines that have only numbers are data, not code
        if line.startswith("#include") or "assert" in line or \
           re.fullmatch(r"[-\s\d,]*", line):
            continue
        for m in TOKEN.finditer(line):
            if m["compare"]:
                new = OTHER[m["compare"]]
            elif m["number"]:
                suffix = m["suffix"]
                old = m["number"].removesuffix(suffix)
                if old.startswith("0") and not old.lower().startswith("0x") and old != "0":
                    continue
                value = int(old, 0) + 1
                new = (hex(value) if "x" in old.lower() else str(value)) + suffix
            else:
                continue
            yield (path, i, line[:m.start()] + new + line[m.end():],
                   f'"{m[0]}" -> "{new}"')


def run(command, cpu_seconds):
    """Return its status, not 0 if it used too much CPU time. Elapsed time would depend
    on the load of the host."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))

    try:
        return subprocess.run(command, timeout=30 * cpu_seconds, check=False,
                              preexec_fn=limit, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        return None


def make(targets, jobs):
    return run(["make", "-s", f"-j{jobs}", "-f", "tools/Makefile", "O=build",
                "VERSION=0.1"] + targets, 1200) == 0


class Tree:
    """The copy of the tree, with one mutant at a time."""

    def __init__(self, jobs):
        self.jobs = jobs

    def try_mutant(self, mutant, deadline):
        """Return the test that kills it, "" if none does, None if it doesn't compile."""
        path, index, text, _ = mutant
        with open(path, encoding="utf-8") as f:
            lines = f.read().split("\n")
        lines[index] = text
        objects = [o for o in (f"build/sane/{path[:-2]}.o",) if os.path.exists(o)]
        built = []
        for file in [path] + objects:
            shutil.copy2(file, file + ".was")
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
        try:
            return self.killer(path, built, deadline)
        finally:
            for file in [path] + objects:
                os.replace(file + ".was", file)
            for program in built:
                if os.path.exists(program):
                    os.remove(program)

    def killer(self, path, built, deadline):
        for test in tests_of(path):
            program = f"build/unit/{test}"
            built.append(program)
            if os.path.exists(program):
                os.remove(program)
            if not make([program], self.jobs):
                return None
            if run([program], CPU_SECONDS) != 0:
                return test
            if time.monotonic() > deadline:
                sys.exit("mutate: time limit reached; raise --seconds")
        return ""


def equivalents(path):
    """Return the mutants that no test can kill: {(file, line): reason}."""
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#") and line.strip():
                file, rest = line.rstrip("\n").split("\t", 1)
                text, reason = rest.rsplit("\t", 1)
                found[file, text] = reason
    return found


def main():
    parser = argparse.ArgumentParser(prog="mutate")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("-n", type=int, default=40)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=7200)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    known = equivalents("scripts/lib/mutate.equivalent")
    files = args.files or sources()
    tests = sorted({t for file in files for t in tests_of(file)})
    if not make([f"build/unit/{t}" for t in tests], args.jobs):
        sys.exit("mutate: the unit tests don't build; see make unit")
    for test in tests:
        if run([f"build/unit/{test}"], CPU_SECONDS) != 0:
            sys.exit(f"mutate: {test} fails without a mutant; see make unit")
    mutants = [m for file in files for m in mutants_of(file)]
    random.Random(args.seed).shuffle(mutants)
    print(f"# seed {args.seed}: {args.n} of {len(mutants)} mutants of {len(files)} files",
          flush=True)
    deadline = time.monotonic() + args.seconds
    tree, killed, survived, same = Tree(args.jobs), 0, 0, 0
    for mutant in mutants[args.skip:]:
        if killed + survived + same == args.n:
            break
        path, index, text, change = mutant
        if (path, text.strip()) in known:
            same += 1
            verdict = f"equivalent: {known[path, text.strip()]}"
        else:
            by = tree.try_mutant(mutant, deadline)
            if by is None:
                continue
            killed += bool(by)
            survived += not by
            verdict = f"killed by {by}" if by else "SURVIVED"
        print(f"{path}:{index + 1}: {change}: {verdict}\n\t{text.strip()}", flush=True)
    print(f"# seed {args.seed}: {killed} killed, {survived} survived, {same} equivalent")
    return survived != 0


sys.exit(main())
