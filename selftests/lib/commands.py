#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the commands in README.rst, Documentation/*.rst and the man pages.

    commands.py TOP

One line per command, with tabs between the fields: "block" (a literal block) or
"inline", "refused" if the next line of the document is the error of the command,
else "done", the file and line, and the command. Lines that are continued by a
backslash are joined, prompts are removed, and so is the explanation of a command in
a second column.
"""
import glob
import os
import re
import sys

PROGRAMS = ('rdmafault', 'collperf', 'train', 'make', 'tc', 'ip', 'rdma', 'sysctl',
            'modprobe', 'mount', 'tshark', 'mpirun', 'mpiexec', 'srun', 'apt', 'dnf', 'git', 'prove',
            'dpkg-buildpackage', 'echo', 'jq')
COMMAND = re.compile(r'^(?:sudo +)?(?:[A-Z_]+=\S+ +)*(?:(?:' + '|'.join(PROGRAMS) +
                     r')(?= |$)|ib_\w+ |scripts/\w|action/\w|selftests/run\.sh)')
INLINE = re.compile(r'``((?:[A-Z_]+=\S+ )*(?:rdmafault|scripts/[a-z-]+|action/[a-z-]+|make|collperf|train)'
                    r'(?: [^`]*)?)``')
PLACEHOLDER = re.compile(r'(^|[ =,])[A-Z]{2,}\b(?!=)|\.\.\.|\[')


def rst_blocks(lines):
    """Lists of (number, line): the literal blocks of a document."""
    block, indent = None, 0
    for number, line in enumerate(lines, 1):
        own = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if block is not None and line.strip() and own <= indent:
            yield block
            block = None
        if block is not None:
            block.append((number, line.strip()))
        elif re.search(r'::$', line.rstrip()) and not line.lstrip().startswith('.. '):
            block, indent = [], own
    if block is not None:
        yield block


def man_blocks(lines):
    """The same of a page in mdoc(7) or man(7)."""
    block = None
    for number, line in enumerate(lines, 1):
        if re.match(r'\.(Bd -literal|EX|nf)', line):
            block = []
        elif re.match(r'\.(Ed|EE|fi)', line):
            if block:
                yield block
            block = None
        elif block is not None:
            text = line.rstrip('\n').replace('\\e', '\\').replace('\\&', '').replace('\\-', '-')
            block.append((number, text.strip()))


def in_block(block):
    """(refused, number, command) for each command of a block."""
    joined = []
    for number, line in block:
        if joined and joined[-1][1].endswith('\\'):
            joined[-1] = (joined[-1][0], joined[-1][1][:-1].rstrip() + ' ' + line)
        else:
            joined.append((number, line))
    for i, (number, line) in enumerate(joined):
        command = re.sub(r'^[#$] ', '', line)
        if not COMMAND.match(command) or re.match(r'\w+: ', command):
            continue
        program = command.split()[0]
        after = joined[i + 1][1] if i + 1 < len(joined) else ''
        refused = after.startswith(program + ': ') and not re.match(r'\S+: \S+ rule \d', after)
        yield refused, number, re.sub(r'(  +| +# ).*', '', command)


def documents(top):
    """(path, lines) of README, all documents and all man pages below the folder."""
    os.chdir(top)
    for path in ['README.rst'] + sorted(glob.glob('Documentation/**/*.rst', recursive=True) +
                                        glob.glob('Documentation/man/*.[1-8]')):
        with open(path, encoding='utf-8') as file:
            yield path, file.readlines()


def main():
    """All documents, in the order of their names."""
    for path, lines in documents(sys.argv[1]):
        blocks = rst_blocks(lines) if path.endswith('.rst') else man_blocks(lines)
        for block in blocks:
            for refused, number, command in in_block(block):
                print('block', 'refused' if refused else 'done', f'{path}:{number}', command,
                      sep='\t')
        for number, line in enumerate(lines, 1):
            for command in INLINE.findall(line) if path.endswith('.rst') else ():
                if not PLACEHOLDER.search(command):
                    print('inline', 'done', f'{path}:{number}', command, sep='\t')


if __name__ == '__main__':
    main()
