# SPDX-License-Identifier: GPL-2.0
"""
Write the section "Results" of a lab's page from the summary of a run.

  lab-results.py SUMMARY.JSON PAGE.RST DIGEST

The section replaces an older one, or is inserted before the section "Explain".
DIGEST identifies the version of the lab.
"""
import json
import os
import re
import sys


def duration(ns):
    """Three digits and a unit, as in the report."""
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= scale:
            return f"{ns / scale:#.3g}".rstrip(".") + " " + unit
    return f"{ns:.0f} ns"


def metric(line):
    """The metric of an expectation: what is before its operator."""
    return re.split(r" (?:==|!=|<=|>=|<|>|in) ", line["expectation"])[0]


def case_rows(case, without):
    """The step times of a case, then each expectation of other metrics with its measured value."""
    metrics = case["metrics"]
    if metrics["step.time.p50"] is not None:
        yield "median step", duration(metrics["step.time.p50"])
        yield "longest step", duration(metrics["step.time.max"])
    for line in case["expectations"]:
        if metric(line) not in without:
            yield line["expectation"], line["measured"]


def common_metrics(cases):
    """The metrics that all cases expect, if there are so many cases that a table is shorter."""
    if len(cases) <= 10:
        return []
    sets = [{metric(line) for line in case["expectations"]} for case in cases]
    return [name for name in dict.fromkeys(map(metric, cases[0]["expectations"]))
            if all(name in metrics for metrics in sets)]


def overview(cases, names):
    """A table with a line for each case and a column for each metric in names."""
    if not names:
        return
    lines = [["", *names]]
    for case in cases:
        measured = {metric(line): line["measured"] for line in case["expectations"]}
        lines.append([case["name"], *(measured[name] for name in names)])
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        yield "   " + "  ".join(f"{text:{width}}" for text, width in zip(line, widths)).rstrip()
    yield ""


def table(cases):
    names = common_metrics(cases)
    yield from overview(cases, names)
    for case in cases:
        rows = list(case_rows(case, names))
        if not rows:
            continue
        width = max(len(left) for left, _ in rows)
        yield f"   {case['name']}"
        for left, right in rows:
            yield f"      {left:{width}}   {right}"


def section(run, name, digest):
    kernel = re.match(r"[\d.]+", run["kernel"]).group()
    return "\n".join([
        "Results",
        "=======",
        "",
        f".. scripts/lab-results: {digest}",
        "",
        f".. image:: ../pictures/{name}.png",
        "   :alt: First screen of the report of this run",
        "",
        f"One run in virtual time on Linux {kernel}: for each case, its step times, and each",
        "expectation with the measured value. Times vary between runs.",
        "",
        "::",
        "",
        *table(run["cases"]),
        "", ""])


def main():
    summary, page, digest = sys.argv[1:]
    name = os.path.basename(page).removesuffix(".rst")
    with open(summary, encoding="utf-8") as f:
        run = json.load(f)
    with open(page, encoding="utf-8") as f:
        text = f.read()
    text = re.sub(r"^Results\n=+\n.*?(?=^\S[^\n]*\n=+\n)", "", text, flags=re.S | re.M)
    text, n = re.subn(r"^Explain\n=", lambda m: section(run, name, digest) + m.group(), text,
                      count=1, flags=re.M)
    if not n:
        sys.exit(f'{page}: no section "Explain"')
    with open(page, "w", encoding="utf-8") as f:
        f.write(text)


main()
