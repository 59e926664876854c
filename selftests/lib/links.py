#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print the references in documents and man pages that lead nowhere.

    links.py TOP

reStructuredText: `Section`_, word_ and :ref:`label` need a section or a label of this
name, and file.rst#anchor needs a section in this file. mdoc(7): .Xr needs a page of
ours, or a page of another project that is listed in FOREIGN; .Sx needs a section.
man(7): a bold name before "(N)" is like .Xr. The syntax of http and https addresses is
checked; no network is used.
"""
import os
import re
import sys
from urllib.parse import urlsplit

from commands import documents

OURS = re.compile(r'(rdmafault|collperf|train|tc-rdmafault)(-[a-z]+)?')
# The man pages of other projects to which our documents may refer
FOREIGN = {
    'bridge(8)', 'dcb(8)', 'ip(8)', 'ip-link(8)', 'ip-rule(8)', 'rdma(8)', 'rdma-link(8)',
    'rdma-resource(8)', 'tc(8)', 'tc-netem(8)',   # iproute2
    'ethtool(8)', 'ib_write_bw(1)', 'nohup(1)', 'regex(7)', 'tshark(1)', 'veth(4)',
}
UNDERLINE = re.compile(r'^([=\-~^"\'+*#.])\1{2,}$')


def sections(lines):
    """The section titles of a reStructuredText document."""
    return [lines[i].strip() for i in range(len(lines) - 1)
            if lines[i].strip() and UNDERLINE.match(lines[i + 1].rstrip()) and
            not UNDERLINE.match(lines[i].rstrip()) and
            len(lines[i + 1].rstrip()) >= len(lines[i].rstrip())]


def name(text):
    """TEXT as references compare it."""
    return ' '.join(text.lower().split())


def anchor(title):
    """The anchor that a section gets in HTML."""
    return re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')


def prose(lines):
    """The text without literal blocks and literals, with the lines kept."""
    out, indent = [], None
    for line in lines:
        own = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if indent is not None and line.strip() and own <= indent:
            indent = None
        out.append('' if indent is not None else re.sub(r'``.*?``', '', line.rstrip('\n')))
        if indent is None and line.rstrip().endswith('::') and not line.lstrip().startswith('..'):
            indent = own
    return '\n'.join(out)


def bad_address(address):
    """True if an address of the web has a wrong form."""
    parts = urlsplit(address)
    return not re.fullmatch(r'[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:\d+)?', parts.netloc)


def addresses(lines):
    """The addresses of the web in a text."""
    return re.findall(r'\bhttps?:[^\s>"`)\]]*', ''.join(lines))


def rst_problems(lines, folder):
    """What is wrong in a reStructuredText document."""
    text = prose(lines)
    labels = {name(label) for label in re.findall(r'^\.\. _`?([^:`]+)`?:', text, re.M)}
    targets = labels | {name(title) for title in sections(lines)}
    found = re.findall(r'(?<![`:\w])`([^`<>]+)`_(?![\w_])', text)
    found += re.findall(r'(?<![`\w/.-])([A-Za-z][\w.-]*[A-Za-z0-9])_(?![\w_`])', text)
    for reference in found:
        if name(reference) not in targets:
            yield f'{reference}_: no such section'
    for reference in re.findall(r':ref:`(?:[^`<]*<)?([^`>]+)>?`', text):
        if name(reference) not in labels:
            yield f':ref:`{reference}`: no such label'
    for path, part in re.findall(r'<([\w./-]+\.rst)#([\w-]+)>`_', text):
        try:
            with open(os.path.join(folder, path), encoding='utf-8') as file:
                titles = sections(file.readlines())
        except OSError:
            titles = []
        if part not in map(anchor, titles):
            yield f'{path}#{part}: no such section'
    titles = [name(title) for title in sections(lines)]
    for title in sorted(set(titles)):
        if titles.count(title) > 1 and title in map(name, found):
            yield f'{title}_: several sections have this name'


def page_problem(page):
    """What is wrong with a man page that is named, or None."""
    if OURS.fullmatch(page.split('(')[0]):
        path = 'Documentation/man/' + page.replace('(', '.').rstrip(')')
        return None if os.path.exists(path) else f'{page}: no such man page'
    return None if page in FOREIGN else f'{page}: a page of another project that is not listed'


def man_problems(lines):
    """What is wrong in a man page."""
    headings = {re.sub(r'^\.S[hsH] +"?|"$', '', line.strip()) for line in lines
                if re.match(r'\.S[hsH] ', line)}
    for line in lines:
        pages = [f'{page}({section})'
                 for page, section in re.findall(r'(?:^\.| )Xr (\S+) (\d)', line)]
        pages += [f'{page}({section})'.replace('\\-', '-')
                  for page, section in re.findall(r'^\.BR (\S+) "? ?\((\d)\)', line)]
        for page in pages:
            problem = page_problem(page)
            if problem:
                yield problem
        if re.search(r'(^\.| )Xr \S+( *$| \D)', line):
            yield f'{line.strip()}: no section'
        for heading in re.findall(r'^\.Sx (.*?)(?: [.,:;)])*$', line):
            if heading not in headings:
                yield f'.Sx {heading}: no such section'


def main():
    """All documents."""
    for path, lines in documents(sys.argv[1]):
        if path.endswith('.rst'):
            problems = list(rst_problems(lines, os.path.dirname(path)))
        else:
            problems = list(man_problems(lines))
        problems += [f'{address}: not an address' for address in addresses(lines)
                     if bad_address(address.rstrip('.,;:'))]
        for problem in problems:
            print(f'{path}: {problem}')


if __name__ == '__main__':
    main()
