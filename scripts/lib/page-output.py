# SPDX-License-Identifier: GPL-2.0
"""
Write the output of commands into documents.

  page-output.py plan PAGE.RST...    prints a script for bash that runs the commands
  page-output.py write PAGE.RST...   reads the output of this script and changes the pages

A command is a line of a literal block that begins with "# ", with its continuation lines
after a backslash. All lines from the command to the next one, or to the end of the block,
are its output.
"""
import os
import re
import sys

MARK = "@@@"
COLUMNS = 86
# The tracepoint that a monitor enables last
LAST_ENABLED = "/sys/kernel/tracing/instances/rdmafault-monitor-*/events/rdmafault/rf_rule/enable"


class Command:
    """A command: its first line, the line after its output, its indentation and its text."""

    def __init__(self, start, indent, text):
        self.start, self.end, self.indent, self.text = start, start + 1, indent, text
        self.lines, self.continues = 1, text.endswith("\\")

    def is_monitor(self):
        return self.text.startswith("rdmafault monitor")


def commands(lines):
    """The commands of a page."""
    found, block, current = [], None, None
    for number, line in enumerate(lines):
        text, indent = line.strip(), len(line) - len(line.lstrip())
        if not text:
            continue
        if block is not None and indent <= block:
            block = current = None
        if block is None:
            if text.endswith("::") and not text.startswith(".. "):
                block = indent
            continue
        if current and current.continues and number == current.start + current.lines:
            current.text += "\n" + text
            current.lines += 1
            current.continues = text.endswith("\\")
        elif text.startswith("# "):
            current = Command(number, line[:indent], text[2:])
            found.append(current)
        if current:
            current.end = number + 1
    return found


def read(page):
    with open(page, encoding="utf-8") as file:
        return file.read().splitlines()


def setup_of(page):
    """The commands that run before those of a page."""
    index = os.path.join(os.path.dirname(page), "index.rst")
    if os.path.basename(page) == "index.rst" or not os.path.exists(index):
        return []
    return commands(read(index))


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def plan(pages):
    """A script that prints a mark before the output of each command."""
    yield "cd /tmp"
    for page in pages:
        yield "rdmafault fabric down --force >/dev/null 2>&1"
        for command in setup_of(page):
            yield f"bash -c {quoted(command.text)} >/dev/null"
        numbered = list(enumerate(commands(read(page))))
        monitors = [number for number, command in numbered if command.is_monitor()]
        for started, number in enumerate(monitors, 1):
            yield f"bash -c {quoted(numbered[number][1].text)} >/tmp/monitor{number} 2>&1 &"
            yield (f"until [ \"$(cat {LAST_ENABLED} 2>/dev/null | grep -c 1)\" = {started} ]; "
                   "do sleep 0.1; done")
        for number, command in numbered:
            if number not in monitors:
                yield f"echo '{MARK} {page} {number}'; bash -c {quoted(command.text)} 2>&1"
        # A monitor prints the events that are still in its buffer when it is interrupted.
        yield "pkill -INT -x rdmafault; wait"
        for number in monitors:
            yield f"echo '{MARK} {page} {number}'; cat /tmp/monitor{number}"
    yield f"echo '{MARK} end 0'"


def wrapped(line, width):
    """A line in pieces of at most WIDTH columns, with a backslash at the end of each."""
    while len(line) > width:
        cut = line.rfind(" ", 8, width - 2)
        if cut < 0:
            break
        yield line[:cut] + " \\"
        line = "    " + line[cut + 1:]
    yield line


def outputs(text):
    """The output of each command, by page and number."""
    found, lines = {}, []
    for line in text.splitlines():
        if line.startswith(MARK + " "):
            page, number = line[len(MARK) + 1:].rsplit(" ", 1)
            lines = found.setdefault((page, int(number)), [])
        elif line.startswith("# "):
            sys.exit(f"page-output: a line of output looks like a command: {line}")
        else:
            lines.append(re.sub(r"[^\S\n]+$", "", line))
    return found


def write(pages):
    found = outputs(sys.stdin.read())
    if ("end", 0) not in found:
        sys.exit("page-output: the commands did not run to the end")
    for page in pages:
        lines = read(page)
        for number, command in reversed(list(enumerate(commands(lines)))):
            output = [command.indent + piece for line in found[(page, number)]
                      for piece in wrapped(line, COLUMNS - len(command.indent))]
            lines[command.start + command.lines:command.end] = [line.rstrip() for line in output]
        with open(page, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def main():
    pages = [os.path.abspath(page) for page in sys.argv[2:]]
    if sys.argv[1] == "plan":
        print("\n".join(plan(pages)))
    else:
        write(pages)


main()
