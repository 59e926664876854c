#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Write the results of selftests/run.sh as JUnit XML.

    tap_to_junit.py FILE DIR

DIR has a file N.tap for each test, with what it printed, and a file N.test with
its name, its seconds and its exit status, one per line. A test is a test suite;
each of its results is a test case. FILE is replaced when it is complete.
"""
import os
import re
import sys
from xml.etree import ElementTree as ET

# Characters that are not allowed in XML 1.0
ILLEGAL = re.compile('[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
RESULT = re.compile(r'(not )?ok\b *\d* *(?:- )?(.*)')
SKIP = re.compile(r'(.*?)\s*#\s*skip\S*\s*(.*)', re.IGNORECASE)
SKIP_ALL = re.compile(r'1\.\.0\s*#\s*skip\S*\s*(.*)', re.IGNORECASE)


def text(words):
    """WORDS without the characters that XML does not allow."""
    return ILLEGAL.sub('?', words)


def case(suite, name, seconds='0'):
    """A new test case; equal names in a suite get a number."""
    suite_name = suite.get('name').removesuffix('.sh').replace('/', '.')
    names = {other.get('name') for other in suite}
    own, number = text(name), 1
    while own in names:
        number += 1
        own = f'{text(name)} ({number})'
    return ET.SubElement(suite, 'testcase', classname=suite_name, name=own, time=seconds)


def add_results(suite, lines):
    """A test case per result; the lines after a failed one are its diagnostics."""
    failure = None
    for line in lines:
        found = RESULT.fullmatch(line)
        if not found:
            if failure is not None:
                failure.text = (failure.text or '') + text(line.removeprefix('# ')) + '\n'
            continue
        failed, words = found.groups()
        failure = None
        skipped = SKIP.fullmatch(words)
        if failed:
            failure = ET.SubElement(case(suite, words), 'failure', message=text(words))
        elif skipped:
            ET.SubElement(case(suite, skipped.group(1)), 'skipped',
                          message=text(skipped.group(2)))
        else:
            case(suite, words)


def add_suite(root, path):
    """The test whose output is PATH.tap."""
    with open(path + '.test', encoding='utf-8', errors='replace') as file:
        name, seconds, status = file.read().splitlines()
    with open(path + '.tap', encoding='utf-8', errors='replace') as file:
        lines = file.read().split('\n')
    suite = ET.SubElement(root, 'testsuite', name=text(name), time=seconds)
    add_results(suite, lines)
    if status == '4':
        reasons = [found.group(1) for found in map(SKIP_ALL.fullmatch, lines) if found]
        ET.SubElement(case(suite, name, seconds), 'skipped',
                      message=text(reasons[0] if reasons else ''))


def count(element):
    """Set the numbers of test cases, failures and skipped ones."""
    element.set('tests', str(len(element.findall('.//testcase'))))
    element.set('failures', str(len(element.findall('.//failure'))))
    element.set('errors', '0')
    if element.tag == 'testsuite':
        element.set('skipped', str(len(element.findall('.//skipped'))))


def main():
    """Read all tests in the order in which they ran."""
    out, directory = sys.argv[1:]
    root = ET.Element('testsuites', name='rdmafault')
    names = [name[:-5] for name in os.listdir(directory) if name.endswith('.test')]
    for name in sorted(names, key=int):
        add_suite(root, os.path.join(directory, name))
    for element in root:
        count(element)
    count(root)
    root.set('time', str(sum(int(suite.get('time')) for suite in root)))
    ET.indent(root)
    ET.ElementTree(root).write(out + '.new', encoding='utf-8', xml_declaration=True)
    os.replace(out + '.new', out)


if __name__ == '__main__':
    main()
