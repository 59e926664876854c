#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check a JUnit XML file, or print a value of it.

    junit.py FILE
    junit.py FILE PATH

Without PATH, print what breaks the rules of Jenkins' schema (junit-10.xsd: elements,
attributes, form of times), and counts that differ from the number of elements.
PATH is CASE@ATTRIBUTE, CASE/failure, CASE/failure@ATTRIBUTE, CASE/error or
CASE/error@ATTRIBUTE. CASE is the name of a testcase, or "suite" for the testsuite.
"""
import re
import sys
import xml.etree.ElementTree as ET

# For each XML element: its required attributes, its optional attributes, and the elements that
# it can contain
RULES = {
    'testsuites': ((), ('name', 'time', 'tests', 'failures', 'errors'), ('testsuite',)),
    'testsuite': (('name', 'tests', 'failures', 'errors'),
                  ('time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'),
                  ('testsuite', 'properties', 'testcase', 'system-out', 'system-err')),
    'properties': ((), (), ('property',)),
    'property': (('name', 'value'), (), ()),
    'testcase': (('name',), ('time', 'classname', 'group'),
                 ('skipped', 'error', 'failure', 'system-out', 'system-err')),
    'skipped': ((), ('type', 'message'), ()),
    'failure': ((), ('type', 'message'), ()),
    'error': ((), ('type', 'message'), ()),
}
TIME = re.compile(r'(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?')


def check_element(e):
    if e.tag not in RULES:
        yield f'unknown element {e.tag}'
        return
    required, optional, children = RULES[e.tag]
    for name in required:
        if name not in e.attrib:
            yield f'{e.tag}: attribute {name} is missing'
    for name in e.attrib:
        if name not in required + optional:
            yield f'{e.tag}: unknown attribute {name}'
    if not TIME.fullmatch(e.get('time', '0')):
        yield f'{e.tag}: time {e.get("time")}'
    for child in e:
        if child.tag not in children:
            yield f'{e.tag}: unexpected child {child.tag}'
        yield from check_element(child)


def check_counts(e):
    for attribute, path in (('tests', './/testcase'), ('failures', './/failure'),
                            ('errors', './/error')):
        found = len(e.findall(path))
        if e.get(attribute) != str(found):
            yield f'{e.tag}: {attribute} is {e.get(attribute)}, but there are {found}'


def check(root):
    if root.tag != 'testsuites':
        yield f'root element is {root.tag}'
    yield from check_element(root)
    for e in (root, *root.findall('testsuite')):
        yield from check_counts(e)
    names = [(c.get('classname'), c.get('name')) for c in root.iter('testcase')]
    if len(names) != len(set(names)):
        yield 'two testcases have the same name'


def value(root, path):
    words, _, attribute = path.partition('@')
    name, _, child = words.partition('/')
    e = root.find('testsuite') if name == 'suite' else next(
        c for c in root.iter('testcase') if c.get('name') == name)
    e = e.find(child) if child else e
    if e is None:
        return 'none'
    return e.get(attribute, 'none') if attribute else e.text


def main():
    root = ET.parse(sys.argv[1]).getroot()
    if len(sys.argv) > 2:
        print(value(root, sys.argv[2]))
        return
    for line in check(root):
        print(line)


main()
