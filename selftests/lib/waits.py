#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare drawn waits with the record of a run and with its packets. Prints each difference.

    waits.py DIR CASE MESSAGES COUNT SEED

COUNT waits for data are chosen at random from the figure of ranks of CASE. In the run, each rank
sends MESSAGES messages of one packet per step around a ring, and the ports observe all of them. A
rank sends message K and then waits for message K of the rank before it. So a wait starts when the
port sends message K, and ends when it receives message K. Both times must be those of the trace
within 50 us: the time in which a rank enters and leaves a wait.

Message 1 is not chosen: all ranks send it at the same time, and the processor of the machine handles
one after the other. Nor are the message that has crossed all links, which arrives at all ranks at
the same time, and the message after it."""
import collections
import json
import os
import random
import sys

TOLERANCE_NS = 50000


def lines(*path):
    with open(os.path.join(*path), encoding='utf-8') as f:
        return [json.loads(line) for line in f]


def drawn_waits(figure, messages):
    """Yield rank, step, message, start and end of each wait for data that can be chosen."""
    ranks = len(figure['ranks'])
    for row in figure['ranks']:
        for step in row['steps']:
            waits = [s for s in step['spans'] if s[3:4] == ['recv']]
            if len(waits) != messages:
                sys.exit(f'rank {row["rank"]}, step {step["step"]}: {len(waits)} waits')
            for k, (_, start, end, _, peer) in enumerate(waits, 1):
                if k not in (1, ranks, ranks + 1):
                    yield (row['rank'], step['step'], k, peer,
                           *(figure['zero_ns'] + round(us * 1000) for us in (start, end)))


def packets(events):
    """Return the times of the messages of each port, direction and step. Only the first packet of
    a message counts: the dropped one at the sender, the retransmitted one at the receiver."""
    times = collections.defaultdict(dict)
    for e in events:
        if e.get('opcode') == 'rc-write-only-imm':
            seen = times[e['port'], e['direction'], e['step']]
            seen[e['psn_rel']] = min(e['t_ns'], seen.get(e['psn_rel'], e['t_ns']))
    return {key: [seen[psn] for psn in sorted(seen)] for key, seen in times.items()}


def differences(wait, record, times, messages):
    rank, step, k, peer, start, end = wait
    if [start, end, peer] not in record[rank, step]:
        yield 'not in the record'
    for direction, name, at in ('tx', 'starts', start), ('rx', 'ends', end):
        seen = times[f'v{rank + 1}', direction, step]
        if len(seen) != messages:
            yield f'{len(seen)} messages in direction {direction}'
        elif abs(at - seen[k - 1]) > TOLERANCE_NS:
            yield f'{name} {(at - seen[k - 1]) / 1000} us after the packet'


def main(path, case, messages, count, seed):
    with open(os.path.join(path, 'summary.json'), encoding='utf-8') as f:
        cases = {c['name']: c for c in json.load(f)['cases']}
    record = {(s['rank'], s['step']): [[w['start_ns'], w['end_ns'], w['peer']] for w in s['waits']]
              for s in lines(path, case, 'timeline.jsonl') if s['type'] == 'step'}
    times = packets(lines(path, case, 'events.jsonl'))
    waits = list(drawn_waits(cases[case]['figures']['ranks'], int(messages)))
    for wait in random.Random(int(seed)).sample(waits, int(count)):
        for text in differences(wait, record, times, int(messages)):
            print(f'rank {wait[0]}, step {wait[1]}, message {wait[2]}: {text}')


main(*sys.argv[1:])
