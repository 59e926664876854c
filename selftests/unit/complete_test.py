# SPDX-License-Identifier: GPL-2.0
"""Go over the netlink specification, and find what its entries lack elsewhere: actions,
attributes of rules, and counters of ports must be in each table, list and document that names
all of them. A missing entry would have no effect, or a silent one."""
import os
import re
import sys

import yaml

import tap

TOP = os.path.join(os.path.dirname(sys.argv[0]), '..', '..')

# Where each action must be, with the reason. %s is its name, %S its name in the specification.
ACTIONS = [
    ('kmod/rule/validate.c', r'\[RDMAFAULT_ACTION_%S\] =', 'its attributes'),
    ('kmod/fault/fault.c', r'\[RDMAFAULT_ACTION_%S\] =', 'its function'),
    ('kmod/trace.h', r'EMe?\(RDMAFAULT_ACTION_%S, "%s"\)', 'its name in the trace'),
    ('tools/rule/rulenames.c', r'{ "%s", RDMAFAULT_ACTION_%S }', 'its name'),
    ('tools/rule/words_action.c', r'^\t{ "%s",', 'its words'),
    ('tools/cli/main.c', r'{ "%s", rf_cmd_short,', 'its command'),
    ('tools/render/words/summary_line.c', r'RDMAFAULT_ACTION_%S\b', 'its participle in reports'),
    ('Documentation/actions/index.rst', r'^`%s <%s.rst>`_', 'its row in the table of actions'),
    ('Documentation/actions/index.rst', r'^   %s$', 'its entry in the table of contents'),
    ('Documentation/man/rdmafault-rule.8', r'Cm %s\b', 'its words in the manual'),
    ('Documentation/man/rdmafault.8', r'\b%s\b', 'its command in the manual'),
    ('selftests/exact/equality.rules', r'^\[action-%s\b', 'rules of the test that compares ways'),
    ('selftests/abuse/frames.sh', r'\b%s\b', 'a rule of the test with random frames'),
    ('selftests/cli/replace.sh', r'\b%s\b', 'a line of the test that saves every word'),
]

# Where each attribute must be: those of the nests of a rule
ATTRIBUTES = [
    ('kmod/fields.c', r'(RDMAFAULT_A_%N_%S\]|\b%N\(%S,).*"%s"', 'its member'),
]

# Where each counter of a port must be; pad and the numbers of other things are no counters
COUNTERS = [
    ('kmod/stats.h', r'\bRF_STAT_%S\b', 'its number'),
    ('tools/rule/genl_info.c', r'RDMAFAULT_A_STATS_%S\b', 'its value in the tools'),
    ('tools/cli/stat.c', r'\b%_\b', 'its line'),
    ('Documentation/man/rdmafault.8', r'\b%_\b', 'its line in the manual'),
]
NO_COUNTERS = ('pad', 'rules', 'flows', 'held')


def text_of(path, cache={}):
    """Return the text of a file."""
    if path not in cache:
        with open(os.path.join(TOP, path), encoding='utf-8') as f:
            cache[path] = f.read()
    return cache[path]


def is_in(path, pattern, name, nest=''):
    """Is an entry with this name in the file?"""
    upper = name.replace('-', '_').upper()
    for mark, value in (('%N', nest.upper()), ('%S', upper), ('%_', name.replace('-', '_')),
                        ('%s', re.escape(name))):
        pattern = pattern.replace(mark, value)
    return re.search(pattern, text_of(path), re.M)


def missing(places, name, nest=''):
    """Return where the entry is missing."""
    return [f'{why} ({path})' for path, pattern, why in places
            if not is_in(path, pattern, name, nest)]


def entries(spec, name):
    """Return the names of the entries of an enum."""
    found = next(d for d in spec['definitions'] if d['name'] == name)['entries']
    return [e['name'] if isinstance(e, dict) else e for e in found]


def attributes(spec, name):
    """Return the names of the attributes of a nest."""
    found = next(s for s in spec['attribute-sets'] if s['name'] == name)['attributes']
    return [a['name'] for a in found]


def check(what, names, lacks):
    """Test that no entry lacks anything."""
    for name in names:
        tap.ok(not lacks(name), f'{what} {name} is complete', f'missing: {"; ".join(lacks(name))}')


def main():
    """Run the test."""
    with open(sys.argv[1], encoding='utf-8') as f:
        spec = yaml.safe_load(f)
    actions = entries(spec, 'action')
    tap.ok(len(actions) >= 12, 'control: at least 12 actions are found')
    check('the action', actions, lambda name: missing(ACTIONS, name) + [
        f'its page (Documentation/actions/{name}.rst)'
        for _ in [0] if not os.path.exists(os.path.join(TOP, f'Documentation/actions/{name}.rst'))])
    tap.ok(len(missing(ACTIONS, 'no-such-action')) == len(ACTIONS),
           'control: an action that does not exist lacks everything')
    for nest in ('match', 'trigger', 'action'):
        names = [n for n in attributes(spec, nest) if n != 'pad']
        check(f'the attribute {nest}', names, lambda name, nest=nest: missing(ATTRIBUTES, name, nest))
    check('the counter', [n for n in attributes(spec, 'stats') if n not in NO_COUNTERS],
          lambda name: missing(COUNTERS, name))
    tap.end()


main()
