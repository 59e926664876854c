#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tables, a chart and a verdict from the figures of scripts/bench.

    page.py show FIGURES            print the table
    page.py write FIGURES DIR       write DIR/instructions.{json,rst,svg}
    page.py goals FIGURES FILE      write FILE, with the goals only
    page.py gate FIGURES DIR        compare with DIR/instructions.json
    page.py live FIGURES            print the ratios of measured times
    page.py live-write FIGURES DIR  write DIR/live.rst
    page.py collectives-write FIGURES DIR
                                    write DIR/collectives.rst
    page.py bridge-write FIGURES DIR
                                    write DIR/bridge.rst

FIGURES are lines of JSON from the VM. The figure of a subject is the median of its
rounds minus that of the bare netdev.
"""
import collections
import html
import json
import math
import random
import statistics
import sys

GATE = 0.1
# If the cost of a packet grows by this many instructions or fewer, this is no regression.
GATE_LEAST = 4

Case = collections.namedtuple("Case", "name words")
CASES = [
    Case("loaded", "module loaded, no port"),
    Case("idle", "port without rules"),
    Case("queue", "port without rules on a netdev with a queue"),
    Case("armed", "one rule that does not match"),
    Case("many", "many rules that do not match"),
    Case("drop", "match and drop"),
    Case("mark", "match and mark"),
    Case("delay", "delay, by the number of packets in flight"),
    Case("event", "one recorded event"),
    Case("tracked", "a rule for all queue pairs that needs the flow, and hits nothing"),
    Case("chance", "a rule for all queue pairs with a probability"),
    Case("eight", "eight priorities with PFC and ECN"),
    Case("link", "eight priorities and a link of 1 Gbit/s, 100 packets queued"),
    Case("pause", "eight priorities, one of them paused"),
    Case("flows", "one rule, by the number of flows"),
    Case("rx", "received packets"),
    Case("forward", "packets that a bridge forwards"),
]

Goal = collections.namedtuple("Goal", "case subject peer limit words")


def at_most_peer(case, subject, peer):
    return Goal(case, subject, peer, lambda f: f(case, peer), f"at most {peer}")


def above_peer(case, subject, peer, more):
    return Goal(case, subject, peer, lambda f: f(case, peer) + more, f"at most {more} above {peer}")


def at_most(case, subject, peer, limit):
    return Goal(case, subject, peer, lambda f: limit, f"at most {limit}" if limit else "0")


# The peer is the subject that "ours" is compared with, in the same case. It is empty if no other
# tool does the same.
GOALS = [
    Goal("loaded", "ours", "", lambda f: 2, "equal to the bare netdev"),
    at_most("idle", "ours", "pfifo", 0),
    at_most_peer("queue", "ours", "pfifo"),
    at_most("armed", "ours", "netem", 250),
    Goal("many", "ours 10000", "nft set 10000", lambda f: f("many", "ours 1") + 20,
         "at most 20 more than 1 rule"),
    above_peer("drop", "ours", "netem loss 100%", 350),
    above_peer("mark", "ours", "netem ecn", 350),
    above_peer("delay", "ours 1", "netem 1", 500),
    above_peer("delay", "ours 10", "netem 10", 500),
    above_peer("delay", "ours 100", "netem 100", 500),
    above_peer("delay", "ours 1000", "netem 1000", 500),
    Goal("event", "ours", "net_dev_queue", lambda f: 1.5 * f("event", "net_dev_queue"),
         "at most 1.5 times the tracepoint alone"),
    above_peer("tracked", "ours", "netem loss", 350),
    above_peer("tracked", "ours 1000", "netem loss", 350),
    above_peer("chance", "ours", "netem loss", 350),
    above_peer("chance", "ours 1000", "netem loss", 350),
    at_most("eight", "ours", "prio + red", 400),
    at_most_peer("link", "ours", "tbf + prio + red"),
    at_most_peer("pause", "ours", "prio + red + plug"),
    at_most("rx", "ours, idle", "clsact", 0),
    at_most_peer("rx", "ours, no match", "u32"),
    above_peer("rx", "ours, drop", "gact drop", 350),
    above_peer("rx", "ours, mark", "pedit + csum", 350),
    at_most("forward", "ours, path ecmp", "", 500),
    at_most("forward", "ours, path adaptive", "", 500),
]


def is_ours(subject):
    return subject.startswith("ours")


class Figures:
    """The medians of the rounds and their spread."""

    def __init__(self, path):
        self.about, rounds = {}, collections.OrderedDict()
        with open(path, encoding="utf-8") as lines:
            for line in map(json.loads, lines):
                if "about" in line:
                    self.about = line["about"]
                    continue
                key = line["case"], line["subject"]
                rounds.setdefault(key, []).append(line)
        self.command = {k: v[0]["command"] for k, v in rounds.items()}
        self.plan = {k: v[0]["plan"] for k, v in rounds.items()}
        self.rounds = {k: [r["mean"] for r in v] for k, v in rounds.items()}
        self.middle = {k: statistics.median(v) for k, v in self.rounds.items()}

    def base(self, case, subject):
        """The figure to subtract: that of the bare netdev, or of the same without the event."""
        if case == "event" and subject == "ours":
            return self.middle["event", "ours, off"]
        if case == "delay":
            return self.middle["delay", "bare " + subject.split()[-1]]
        for key in (case, "bare"), ("loaded", "bare"), ("idle", "bare"):
            if key in self.middle:
                return self.middle[key]
        return 0

    def over(self, case, subject):
        return self.middle[case, subject] - self.base(case, subject)

    def spread(self, key):
        return max(self.rounds[key]) - min(self.rounds[key])

    def of_case(self, case):
        return [s for c, s in self.middle if c == case]

    def goals(self):
        """(goal, limit, figure) of each goal that was measured"""
        for goal in GOALS:
            if (goal.case, goal.subject) in self.middle:
                yield goal, goal.limit(self.over), self.over(goal.case, goal.subject)

    def peer(self, goal):
        """The peer of a goal and its figure, in words"""
        if not goal.peer:
            return "none"
        return f"{goal.peer}: {number(self.over(goal.case, goal.peer))}"


def number(value):
    return f"{value:+.0f}".replace("-", "−") if abs(value) >= 0.5 else "0"


def verdict(limit, figure):
    """In whole instructions, as the table has them"""
    missed = round(figure) - round(limit)
    return "reached" if missed <= 0 else f"missed by {missed}"


def show(figures):
    for case, words in CASES:
        if not figures.of_case(case):
            continue
        print(f"{case}: {words}")
        for subject in figures.of_case(case):
            key = case, subject
            print(f"    {subject:18} {figures.middle[key]:10.1f}"
                  f" {number(figures.over(*key)):>8}  spread {figures.spread(key):.1f}")
        for goal, limit, figure in figures.goals():
            if goal.case == case:
                print(f"    {goal.subject}: {number(figure)}; goal: {goal.words}"
                      f" ({number(limit)}): {verdict(limit, figure)}")


def rst_table(header, rows):
    out = [".. list-table::", "   :header-rows: 1", ""]
    for row in [header] + rows:
        for i, cell in enumerate(row):
            out.append(("   * - " if i == 0 else "     - ") + cell)
    return out + [""]


def rst_case(figures, case, words):
    rows = []
    for subject in figures.of_case(case):
        key = case, subject
        name = f"**{subject}**" if is_ours(subject) else subject
        rows.append([name, number(figures.over(*key)), f"{figures.middle[key]:.1f}",
                     f"{figures.spread(key):.1f}", f"``{figures.command[key]}``",
                     f"``{figures.plan[key]}``"])
    title = words[0].upper() + words[1:]
    out = [title, "-" * len(title), ""]
    return out + rst_table(["subject", "over bare", "total", "spread", "set up by", "driver"], rows)


def rst_head(command, title):
    return [
        ".. SPDX-License-Identifier: GPL-2.0",
        f".. Made by {command}; don't edit.", "",
        "=" * len(title), title, "=" * len(title), "",
    ]


def rst_about(figures):
    about = figures.about
    rounds = len(next(iter(figures.rounds.values())))
    return [
        f"Linux {about['release']} ({about['kernel']}), {about['tc']}, {about['nft']};",
        f"{rounds} rounds in one boot, all subjects in turn. A figure is the median of the",
        "rounds, the spread is the largest difference between two rounds. This command",
        "measures again::", "",
    ]


def rst_goals(figures):
    rows = [[dict(CASES)[goal.case], goal.subject, number(figure), figures.peer(goal),
             number(limit), goal.words, verdict(limit, figure)]
            for goal, limit, figure in figures.goals()]
    return [
        "The columns \"measured\", \"peer\" and \"limit\" are instructions over the bare netdev.",
        "The peer is the other tool that does most nearly the same.", "",
        *rst_table(["case", "subject", "measured", "peer", "limit", "goal", "result"], rows),
    ]


def rst(figures):
    out = rst_head("scripts/bench", "Cost of a packet") + [
        "Instructions that ``dev_queue_xmit()`` takes for a RoCEv2 frame of 1082 bytes over a",
        "dummy netdev; for received packets, instructions that ``netif_receive_skb()`` takes.",
        "They are counted in a VM with virtual time, where an instruction takes a nanosecond.",
        "So caches and branch prediction have no effect, and the figures are the same in",
        "every run.",
        "", *rst_about(figures),
        "    scripts/bench", "",
        "``scripts/bench --gate`` compares new measurements with this page, and",
        "``scripts/bench --account CASE`` prints the instructions of each function.", "",
        ".. image:: instructions.svg", "   :alt: The instructions per packet as bars", "",
        "Goals", "-----", "", *rst_goals(figures),
    ]
    for case, words in CASES:
        if figures.of_case(case):
            out += rst_case(figures, case, words)
    return "\n".join(out + NOTES)


NOTES = """\
The commands under "set up by" are functions of ``selftests/bench/count.sh``. The numbers
under "driver" are those of ``selftests/bench/driver/rfbench.c``: frames (or rounds), flows,
frames per burst, nanoseconds after which a frame is to be sent, priorities, and rx for
received frames, which the driver takes where a bridge would take them. With fw, a bridge
forwards the received frames to the dummy netdev; both are ports. With a burst,
the cost of releasing the frames is included. With 1000 packets in flight the delay is
10 ms, because the VM cannot send as many in 1 ms. A dropped frame never reaches the
netdev, so dropping costs less than the bare netdev. The figure of an event is the
difference to the same subject without the event. A netdev with a queue is an ifb, and its
bare form has the qdisc noqueue.

The link of 1 Gbit/s is compared with tbf, which has the same rate and room for one frame:
in both, each frame waits for the end of the previous one, and a timer interrupt releases
it. At 10 Gbit/s no frame would wait, because a frame takes as many instructions as
nanoseconds on the link. A paused priority is compared with a plug in a band of prio,
because no qdisc of Linux obeys PFC: both keep an eighth of the frames, and send the
others.
""".splitlines()

STYLE = """
svg { font: 12px sans-serif; }
.paper { fill: #ffffff; } text { fill: #1f2328; } .grid { stroke: #d0d7de; }
.peer { fill: #8c959f; } .ours { fill: #0969da; } .title { font-weight: bold; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117; } text { fill: #e6edf3; } .grid { stroke: #30363d; }
  .peer { fill: #6e7681; } .ours { fill: #58a6ff; }
}
"""


class Chart:
    """Bars on a logarithmic scale that begins at 10 instructions."""

    left, width, row, least = 190, 560, 18, 10

    def __init__(self, figures):
        self.figures, self.y, self.out = figures, 30, []
        most = max(figures.over(*key) for key in figures.middle)
        self.decades = math.ceil(math.log10(max(most, 100) / self.least))

    def x(self, value):
        value = max(value, self.least)
        return self.left + self.width * math.log10(value / self.least) / self.decades

    def text(self, x, words, more=""):
        self.out.append(f'<text x="{x:.0f}" y="{self.y + 12}" {more}>{html.escape(words)}</text>')

    def bar(self, case, subject):
        value = self.figures.over(case, subject)
        self.text(self.left - 8, subject, 'text-anchor="end"')
        if value >= self.least:
            self.out.append(
                f'<rect class="{"ours" if is_ours(subject) else "peer"}" x="{self.left}"'
                f' y="{self.y + 3}" height="{self.row - 6}" width="{self.x(value) - self.left:.1f}"/>')
        self.text(self.x(value) + 6, number(value))
        self.y += self.row

    def draw(self):
        for case, words in CASES:
            subjects = [s for s in self.figures.of_case(case) if not s.startswith("bare")]
            if not subjects:
                continue
            self.y += 10
            self.text(10, words, 'class="title"')
            self.y += self.row + 2
            for subject in subjects:
                self.bar(case, subject)
        return self.whole()

    def grid(self):
        for i in range(self.decades + 1):
            x = self.x(self.least * 10 ** i)
            yield f'<line class="grid" x1="{x:.0f}" x2="{x:.0f}" y1="28" y2="{self.y}"/>'
            yield f'<text x="{x:.0f}" y="22" text-anchor="middle">{self.least * 10 ** i}</text>'

    def whole(self):
        width, height = self.left + self.width + 80, self.y + 14
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}">',
            "<title>Instructions per packet over the bare netdev</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{width}" height="{height}"/>',
            *self.grid(), *self.out, "</svg>", ""])


def as_json(figures):
    return {
        "about": figures.about,
        "figures": [
            {"case": case, "subject": subject, "over_bare": round(figures.over(case, subject), 1),
             "in_all": round(figures.middle[case, subject], 1),
             "spread": round(figures.spread((case, subject)), 1)}
            for case, subject in figures.middle],
    }


def write(figures, folder):
    with open(f"{folder}/instructions.json", "w", encoding="utf-8") as file:
        json.dump(as_json(figures), file, indent=1)
        file.write("\n")
    with open(f"{folder}/instructions.rst", "w", encoding="utf-8") as file:
        file.write(rst(figures) + "\n")
    with open(f"{folder}/instructions.svg", "w", encoding="utf-8") as file:
        file.write(Chart(figures).draw())


def goals(figures, path):
    """Write a page about a kernel other than the one of instructions.rst."""
    kernel = path.split("-")[-1].removesuffix(".rst")
    command = f"scripts/bench -k {kernel}"
    release = figures.about["release"].split("-")[0].split("+")[0]
    out = rst_head(command, f"Cost of a packet on Linux {release}") + [
        "The cases of `instructions.rst <instructions.rst>`_ on another kernel, measured in the",
        "same way.", "", *rst_about(figures), f"    {command}", "", *rst_goals(figures),
    ]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out).rstrip("\n") + "\n")


def gate(figures, folder):
    with open(f"{folder}/instructions.json", encoding="utf-8") as file:
        then = json.load(file)
    if then["about"]["release"] != figures.about["release"]:
        print(f"warning: measured on Linux {figures.about['release']},"
              f" compared with Linux {then['about']['release']}")
    slower = 0
    for old in then["figures"]:
        key = old["case"], old["subject"]
        if not is_ours(old["subject"]):
            continue
        if key not in figures.middle:
            print(f"{old['case']}: {old['subject']}: not measured")
            slower += 1
            continue
        new = figures.over(*key)
        if new > old["over_bare"] + max(abs(old["over_bare"]) * GATE, GATE_LEAST):
            print(f"{old['case']}: {old['subject']}: {number(new)} instructions,"
                  f" {number(old['over_bare'])} before")
            slower += 1
    print("gate: " + (f"{slower} figures have grown" if slower else "no figure has grown"))
    return 1 if slower else 0


def interval(values, times=2000):
    """The 95 % confidence interval of the median, by bootstrap."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values)))
                     for _ in range(times))
    return medians[int(times * 0.025)], medians[int(times * 0.975)]


def live_goal(part, both, low, high):
    if part not in LIVE_GOALS:
        return ""
    least = LIVE_GOALS[part]
    verdict = "reached" if low >= least else "missed" if high < least else "undecided"
    return f"at least {least}: {verdict}"


def live_rows(path):
    """(about, rows of what, ours, peer, ratio, low, high, rounds, goal)"""
    about, pairs = {}, collections.OrderedDict()
    with open(path, encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if "about" in line:
                about = about or line["about"]
            elif line["ours"] is not None and line["peer"]:
                pairs.setdefault((line["part"], line["what"]), []).append(
                    (line["ours"], line["peer"]))
    rows = []
    for (part, what), both in pairs.items():
        ratios = [ours / peer for ours, peer in both]
        low, high = interval(ratios)
        rows.append([what, statistics.median(o for o, _ in both),
                     statistics.median(p for _, p in both),
                     statistics.median(ratios), low, high, len(both),
                     live_goal(part, both, low, high)])
    return about, rows


def live_words(row):
    what, ours, peer, ratio, low, high, rounds, goal = row
    return [what, f"{ours:.0f}", f"{peer:.0f}", f"{ratio:.2f}", f"{low:.2f} to {high:.2f}",
            str(rounds), goal]


LIVE_HEADER = ["what", "ours", "peer", "ratio", "95 %", "rounds", "goal"]

# For each part, the lowest ratio that reaches the goal: rdmafault's figure divided by that of
# the tool it is compared with
LIVE_GOALS = {"bandwidth": 0.98, "link": 0.90, "links": 0.80, "mpi": 1.00}


def live(path):
    for row in live_rows(path)[1]:
        words = live_words(row)
        print(f"{words[0]:36} ours {words[1]:>9} peer {words[2]:>9} ratio {words[3]:>5}"
              f" ({words[4]}, {words[5]} rounds) {words[6]}".rstrip())


def table_write(path, file, option, title, header, words):
    """Write a page with the rows of PATH. WORDS are its text, in which {about} is replaced."""
    about, rows = live_rows(path)
    out = [
        ".. SPDX-License-Identifier: GPL-2.0",
        f".. Made by scripts/bench {option}; don't edit.", "",
        "=" * len(title), title, "=" * len(title), "",
        *(line.format(about=about) for line in words), "",
        f"    scripts/bench {option}", "",
    ]
    out += rst_table(header, [live_words(row) for row in rows])
    with open(file, "w", encoding="utf-8") as page:
        page.write("\n".join(out) + "\n")


def live_write(path, folder):
    table_write(path, f"{folder}/live.rst", "--live", "Measurements of time", LIVE_HEADER, [
        "Linux {about[release]} ({about[kernel]}), {about[cpus]} CPUs. rdmafault (ours)",
        "and the tool it is compared with (peer) are measured in turn, in one boot. The table",
        "has the medians of the rounds, the median of their ratios, and its 95 % confidence",
        "interval (bootstrap). The peer of a delay is netem; of the bandwidth, a link without",
        "ports; of flows and ports, as many netems without options. Rows with virtual time",
        "are from another boot with one CPU, where an instruction takes a nanosecond and load",
        "on the host has no effect. This command measures again, on an idle host::",
    ])


def bridge_write(path, folder):
    header = ["over the bridge", "with ports, MB/s", "without, MB/s", *LIVE_HEADER[3:]]
    table_write(path, f"{folder}/bridge.rst", "--bridge", "Bandwidth over a bridge", header, [
        "Linux {about[release]} ({about[kernel]}), three machines of {about[cpus]} CPUs.",
        "``ib_write_bw`` sends messages of 64 KiB from one machine to another over the bridge of",
        "the third (bridge.rst), with both ports of the bridge and, in the same round, without. A",
        "rule is on both directions of both ports. The table has the medians of the rounds, the",
        "median of their ratios, and its 95 % confidence interval (bootstrap). This command",
        "measures again, on an idle host::",
    ])


def collectives_write(path, folder):
    header = ["collperf; peer", "collperf, MB/s", "peer, MB/s", *LIVE_HEADER[3:]]
    table_write(path, f"{folder}/collectives.rst", "--collectives", "Bandwidth of collectives",
                header, [
        "Linux {about[release]} ({about[kernel]}), one CPU. The bus bandwidth of",
        "``collperf all_reduce`` (``busbw`` of collperf(1)) and the bandwidth of another",
        "program on the same devices (peer), in MB/s (10^6 bytes per second) per rank and",
        "direction; in the rows \"total of 8 ranks\", of all ranks together. Both run in turn,",
        "in one boot. The machine has virtual time and one CPU: an instruction takes a",
        "nanosecond, so the table compares how many instructions the programs need, including",
        "those of ``rdma_rxe``. The load of the host has hardly any effect.", "",
        "The table has the medians of the rounds, the median of their ratios, and its 95 %",
        "confidence interval (bootstrap; with three rounds, the lowest and the highest ratio).",
        "Ratios are computed before figures are rounded. The goal is for the ratio. It is",
        "reached if the whole interval is at least the goal, missed if the whole interval is",
        "below it, and otherwise undecided.", "",
        "The peer is a program of perftest in both directions at once, or OpenMPI's",
        "``MPI_Allreduce`` over UCX, with the faster one of UCX's protocols eager and",
        "rendezvous in each round. ``ib_write_bw`` polls, which takes time from the process",
        "on the same CPU; ``ib_send_bw -e`` waits for events. Messages are as large as those",
        "of collperf. For the total of 8 ranks, 1, 2 or 4 pairs run perftest at the same time,",
        "and the peer is the highest sum of both directions of all pairs. This command",
        "measures again::",
    ])


def main(verb, path, folder=None):
    if verb == "live":
        return live(path)
    if verb == "live-write":
        return live_write(path, folder)
    if verb == "collectives-write":
        return collectives_write(path, folder)
    if verb == "bridge-write":
        return bridge_write(path, folder)
    figures = Figures(path)
    if verb == "show":
        return show(figures)
    return {"write": write, "goals": goals, "gate": gate}[verb](figures, folder)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
