#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check that Perfetto can read a file. Prints each error.

    trace_json.py FILE

The form by trace.schema.json, where jsonschema is installed. And what no schema
can say: slices of a track nest, every track has a name, every arrow begins and
ends in a slice, and not before it began."""
import collections
import json
import os
import re
import sys


def by_schema(trace):
    try:
        import jsonschema
    except ImportError:
        return
    path = os.path.join(os.path.dirname(__file__), 'trace.schema.json')
    with open(path, encoding='utf-8') as f:
        validator = jsonschema.Draft202012Validator(json.load(f))
    for error in validator.iter_errors(trace):
        yield f'schema: {error.json_path}: {error.message[:200]}'


def ns(us):
    """Round to nanoseconds, because sums of floats can differ by less."""
    return round(us * 1000)


def slices_of(events):
    tracks = collections.defaultdict(list)
    for e in events:
        if e['ph'] == 'X':
            begin = ns(e['ts'])
            tracks[e['pid'], e['tid']].append(
                (begin, begin + ns(e['dur']), e['name']))
    return tracks


def nesting(tracks):
    for track, slices in tracks.items():
        around = []
        for begin, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
            while around and around[-1][1] <= begin:
                around.pop()
            if around and end > around[-1][1]:
                yield f'{name} ends behind {around[-1][2]}, in track {track}'
            around.append((begin, end, name))


def names(events):
    named = {(e['pid'], e['tid']) for e in events if e['name'] == 'thread_name'}
    processes = {e['pid'] for e in events if e['name'] == 'process_name'}
    for e in events:
        if e['pid'] not in processes:
            yield f'process {e["pid"]} has no name'
        if e['ph'] in 'Xistf' and (e['pid'], e['tid']) not in named:
            yield f'track {e["tid"]} of process {e["pid"]} has no name'


def arrows(events, tracks):
    flows = collections.defaultdict(list)
    for e in events:
        if e['ph'] in 'stf':
            flows[e['id']].append(e)
            if not any(begin <= ns(e['ts']) <= end for begin, end, _ in
                       tracks[e['pid'], e['tid']]):
                yield f'an arrow at {e["ts"]} is in no slice'
    for number, flow in flows.items():
        flow.sort(key=lambda e: (ns(e['ts']), 'stf'.index(e['ph'])))
        phases = ''.join(e['ph'] for e in flow)
        if not re.fullmatch('st*f', phases):
            yield f'arrow {number} is {phases}'


def problems(trace):
    yield from by_schema(trace)
    events = trace['traceEvents']
    tracks = slices_of(events)
    yield from nesting(tracks)
    yield from names(events)
    yield from arrows(events, tracks)


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        found = list(problems(json.load(f)))
    print(*found[:20], sep='\n', end='\n' if found else '')
    return bool(found)


if __name__ == '__main__':
    sys.exit(main())
