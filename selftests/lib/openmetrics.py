#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that a file is OpenMetrics text. Prints each violation of the format.

    openmetrics.py FILE

It goes by the text of the specification, and by prometheus_client's parser
too, where there is one."""
import re
import sys

NAME = r'[a-zA-Z_:][a-zA-Z0-9_:]*'
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"'
SAMPLE = re.compile(rf'({NAME})(?:\{{((?:{LABEL})(?:,{LABEL})*)?\}})? (\S+)$')
NUMBER = re.compile(r'[+-]?(\d+(\.\d*)?([eE][+-]?\d+)?|Inf)$|NaN$')
SUFFIXES = {
    'counter': {'_total', '_created'}, 'info': {'_info'}, 'gauge': {''},
    'stateset': {''}, 'histogram': {'_bucket', '_count', '_sum', '_created'},
}
# Suffixes of metric names that "promtool check metrics" refuses: suffixes that belong to other
# metric types, and units that are not base units
RESERVED = ('_total', '_count', '_sum', '_bucket', '_created')
NOT_BASE = {'bits', 'minutes', 'hours', 'days', 'weeks', 'milliseconds', 'ms', 'us', 'ns',
            'kilobytes', 'percent', 's', 'b', 'kb', 'mb', 'gb', 'sec'}
KEYWORDS = ('TYPE', 'UNIT', 'HELP')


class Checker:
    """The current metric family, and what has been read."""

    def __init__(self):
        self.family = self.type = self.group = None
        self.families, self.samples, self.said = set(), set(), set()
        self.buckets = {}
        self.errors = []

    def wrong(self, number, why):
        self.errors.append(f'{number}: {why}')

    def metadata(self, n, line):
        match = re.match(rf'# ({"|".join(KEYWORDS)}) ({NAME}) (.*)$', line)
        if not match:
            return self.wrong(n, f'no metadata: {line}')
        what, name, text = match.groups()
        if name != self.family:
            if name in self.families:
                self.wrong(n, f'{name} comes twice')
            self.family, self.type, self.said = name, 'unknown', set()
            self.families.add(name)
            self.group = None
            self.lint(n, name)
        if what in self.said or 'sample' in self.said:
            self.wrong(n, f'{what} of {name} comes too late or twice')
        self.said.add(what)
        if what == 'TYPE':
            self.type = text
            if text not in SUFFIXES:
                self.wrong(n, f'no type: {text}')
        elif what == 'UNIT' and not name.endswith('_' + text):
            self.wrong(n, f'{name} does not end in its unit {text}')

    def lint(self, n, name):
        if name.endswith(RESERVED):
            self.wrong(n, f'{name} has the suffix of another type')
        bad = NOT_BASE.intersection(name.split('_'))
        if bad:
            self.wrong(n, f'{name} has a unit that is no base unit: {bad.pop()}')

    def suffix(self, n, name):
        if not self.family or not name.startswith(self.family):
            return self.wrong(n, f'{name} stands outside of its family')
        suffix = name[len(self.family):]
        if suffix not in SUFFIXES.get(self.type, {''}):
            self.wrong(n, f'{name} is not what a {self.type} has')
        return suffix

    def sample(self, n, line):
        match = SAMPLE.match(line)
        if not match:
            return self.wrong(n, f'no sample: {line}')
        name, labels, value = match[1], match[2] or '', match[match.lastindex]
        pairs = re.findall(LABEL, labels)
        keys = [k for k, _ in pairs]
        if len(set(keys)) != len(keys):
            self.wrong(n, 'a label comes twice')
        if not NUMBER.match(value):
            return self.wrong(n, f'no number: {value}')
        if (name, tuple(sorted(pairs))) in self.samples:
            self.wrong(n, 'the sample comes twice')
        self.samples.add((name, tuple(sorted(pairs))))
        self.said.add('sample')
        self.value(n, self.suffix(n, name), dict(pairs), float(value))

    def value(self, n, suffix, labels, v):
        if self.type == 'counter' and not 0 <= v < float('inf'):
            self.wrong(n, f'a counter of {v}')
        if self.type == 'info' and v != 1:
            self.wrong(n, f'an info of {v}')
        if self.type == 'stateset' and (v not in (0, 1) or
                                        self.family not in labels):
            self.wrong(n, 'a state without its label, or not 0 or 1')
        if self.type == 'histogram':
            self.histogram(n, suffix, labels, v)

    def histogram(self, n, suffix, labels, v):
        le = labels.pop('le', None)
        key = (self.family, tuple(sorted(labels.items())))
        rows = self.buckets.setdefault(key, [])
        if suffix == '_bucket':
            if le is None:
                return self.wrong(n, 'a bucket without le')
            if rows and (float(le) <= rows[-1][0] or v < rows[-1][1]):
                self.wrong(n, 'buckets do not rise')
            rows.append((float(le), v))
        elif suffix == '_count' and (not rows or rows[-1] != (float('inf'), v)):
            self.wrong(n, 'the count is not that of the bucket +Inf')

    def text(self, text):
        lines = text.split('\n')
        if lines[-2:] != ['# EOF', '']:
            self.wrong(len(lines), 'does not end in # EOF and a newline')
        for n, line in enumerate(lines[:-2], 1):
            if line.startswith('# '):
                self.metadata(n, line)
            else:
                self.sample(n, line)
        return self.errors


def second_opinion(text):
    """Return the error of prometheus_client; '' if it is not installed."""
    try:
        from prometheus_client.openmetrics import parser
    except ImportError:
        return ''
    try:
        n = sum(len(f.samples) for f in
                parser.text_string_to_metric_families(text))
    except ValueError as e:
        return f'prometheus_client: {e}'
    return '' if n else 'prometheus_client: no samples'


def main():
    with open(sys.argv[1], encoding='utf-8', newline='') as f:
        text = f.read()
    checker = Checker()
    errors = checker.text(text)
    errors += [e for e in [second_opinion(text)] if e]
    print(*errors[:20], sep='\n', end='\n' if errors else '')
    if not errors and len(checker.samples) < 10:
        errors = ['hardly any samples']
        print(*errors)
    return bool(errors)


if __name__ == '__main__':
    sys.exit(main())
