# SPDX-License-Identifier: GPL-2.0
"""Record what rules do to the same traffic; called by equality.sh.

equality.py RULES OUT: each line of the file RULES is a set of rules. The set is added to both
directions of the port t1, then the traffic of lib/equality_traffic.py is sent through it.
OUT/NAME.txt records the result of the sets after the line [NAME]. RULES has the syntax.
"""
import bisect
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time

from equality_traffic import ADDR, halves
from tap import end, ok, same

PORT, FAR, SECOND, BEHIND = 't1', 't2', 't3', 't4'
ETH_P_ALL, SOL_PACKET, PACKET_AUXDATA, PACKET_IGNORE_OUTGOING = 3, 263, 8, 23
SO_RCVBUFFORCE = 33
MARKER = bytes.fromhex('0200000000ee0200000000ff88b5') + bytes(46)
TRACING = '/sys/kernel/tracing/'
DIRECTIONS = ('tx', 'rx')
PAUSE = 1
NEW = -1                    # the label of a frame that the module has made
OBSERVER = 'dscp 5 observe'     # matches no frame, and needs all flows


class Tool:
    """A running "rdmafault -batch", because a start takes long in an emulated machine."""

    def __init__(self):
        self.process = subprocess.Popen(
            ['rdmafault', '--json', '-batch', '-'], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
        self.text = ''

    def do(self, command):
        """Run a command that prints nothing, except notes."""
        self.process.stdin.write(command.encode() + b'\n')

    def ask(self, command):
        """Return what a command prints."""
        self.do(command)
        while True:
            self.text = self.text.lstrip()
            try:
                value, length = json.JSONDecoder().raw_decode(self.text)
            except ValueError:
                more = os.read(self.process.stdout.fileno(), 1 << 20)
                if not more:
                    raise OSError(f'{command}: {self.text}') from None
                self.text += more.decode()
                continue
            self.text = self.text[length:]
            if 'error' in value:
                raise OSError(f'{command}: {value["error"]}')
            if 'note' not in value:
                return value


class Wire:
    """Send frames at one netdev, and receive them at another."""

    def __init__(self, near, far):
        self.out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self.out.bind((near, 0))
        self.far = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self.far.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 24)
        self.far.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
        self.far.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
        self.far.bind((far, ETH_P_ALL))
        self.far.settimeout(60)
        self.arrived = []

    def receive(self):
        """Return the next frame, with the VLAN tag that the kernel has taken off."""
        frame, control, _, _ = self.far.recvmsg(1 << 14, 256)
        status, _, _, _, _, tci, tpid = struct.unpack('=IIIHHHH', control[0][2])
        if status & 0x10:       # TP_STATUS_VLAN_VALID
            frame = frame[:12] + struct.pack('>HH', tpid, tci) + frame[12:]
        return frame

    def settle(self):
        """Receive all frames that have left the port. Rules do not apply to the marker."""
        self.out.send(MARKER)
        while (frame := self.receive()) != MARKER:
            self.arrived.append(frame)


class Set:
    """A line of the file of rules."""

    def __init__(self, line):
        self.line = line
        options = re.match(r'(?:pause (\d+): )?(?:(tx|rx): )?(events: )?(.*)', line)
        self.pause = int(options[1] or PAUSE)
        self.directions = [options[2]] if options[2] else DIRECTIONS
        self.events = bool(options[3])
        first, *second = options[4].split(' || ')
        self.rules = [part.split(' ; ') for part in first.split(' >> ')]
        self.second = second[0].split(' ; ') if second else []


def read_sets(path):
    """Return the sets of each section of a file of rules."""
    sections = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            line = line.split('#')[0].strip()
            if line.startswith('['):
                sets = sections[line[1:-1]] = []
            elif line:
                sets.append(Set(line))
    return sections


def ranges(labels):
    """Return the labels of frames, consecutive ones as a range."""
    runs = []
    for n in labels:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ' '.join('new' if a == NEW else f'{a}-{b}' if a < b else f'{a}' for a, b in runs)


def changes(old, new):
    """Return the bytes that differ, as OFFSET:OLD>NEW, and the length if it does."""
    out, i, shared = [], 0, min(len(old), len(new))
    while i < shared:
        j = i
        while j < shared and old[j] != new[j]:
            j += 1
        if j > i:
            out.append(f'{i}:{old[i:j].hex()}>{new[i:j].hex()}')
        i = j + 1
    if len(old) != len(new):
        out.append(f'length {len(old)}>{len(new)}')
    return ' '.join(out)


class Port:
    """The port under test, and the record of one set of rules."""

    def __init__(self, work):
        self.tool, self.work = Tool(), work
        self.observed = False
        self.wire = {'tx': Wire(PORT, FAR), 'rx': Wire(FAR, BEHIND)}
        self.frames = halves()
        self.sent = {d: [f for half in self.frames for way, f in half if way == d]
                     for d in DIRECTIONS}

    def replace(self, rules, directions, port=PORT):
        """Replace the rules of these directions; with observers before, between and after."""
        path = os.path.join(self.work, 'rules')
        if self.observed and port == PORT:
            rules = [OBSERVER] + [r for rule in rules for r in (rule, OBSERVER)]
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(rules) + '\n')
        for d in directions:
            self.tool.ask(f'rule replace {port} {d} {path}')

    def observers(self):
        """Return the numbers of the observers."""
        return [r['id'] for r in self.tool.ask(f'rule show {PORT}')
                if r['rule'].startswith(OBSERVER.split(' observe', maxsplit=1)[0])]

    def send(self, frames):
        """Send frames; before the direction changes, all must have passed the port."""
        last = None
        for d, frame in frames:
            if last and d != last:
                self.wire[last].settle()
            self.wire[d].out.send(frame)
            last = d
        self.wire[last].settle()

    def send_half(self, half, middle):
        """Send half of the frames, and call a function in the middle."""
        frames = self.frames[half]
        if not middle:
            self.send(frames)
            return
        self.send(frames[:len(frames) // 2])
        middle()
        self.send(frames[len(frames) // 2:])

    def stat(self, port=PORT):
        """Return the counters of a port."""
        return self.tool.ask(f'stat {port}')[0]

    def empty(self):
        """Return whether the ports delay no packet."""
        return not any(self.stat(port)[d]['held'] for port in (PORT, SECOND) for d in DIRECTIONS)

    def run(self, rules, come=None, go=None, observed=False):
        """Send all frames through a set of rules. Return the lines of the record.

        come is called in the middle of the first half, and go in the middle of the second.
        """
        self.observed = observed
        self.tool.do(f'reset {PORT}')
        self.tool.do(f'reset {SECOND}')
        for wire in self.wire.values():
            wire.settle()
            wire.arrived = []
        self.tool.do(f'stat --reset {PORT}')
        self.replace(rules.rules[0], rules.directions)
        if rules.second:
            self.replace(rules.second, ['tx'], SECOND)
        self.send_half(0, come)
        time.sleep(rules.pause)
        subprocess.run(['announce', PORT, '7', '3', '12'], check=True)
        for more in rules.rules[1:]:
            self.replace(more, rules.directions)
        self.send_half(1, go)
        while not self.empty():
            time.sleep(0.1)
        for wire in self.wire.values():
            wire.settle()
        lines = []
        for d in DIRECTIONS:
            lines += self.arrivals(d)
        return lines + self.rules() + self.counters() + self.flows()

    def arrivals(self, d):
        """Return which frames have arrived in which order, and how they were changed."""
        sent, seen, changed, forged = self.sent[d], [], [], []
        for frame in self.wire[d].arrived:
            label = struct.unpack('>H', frame[10:12])[0]
            if frame[:10] != sent[0][:10]:
                seen.append(NEW)
                forged.append(f'{d} new {frame.hex()}')
                continue
            seen.append(label)
            if (what := changes(sent[label - 1], frame)):
                changed.append(f'{d} changed {label} {what}')
        lost = [n for n in range(1, len(sent) + 1) if n not in seen]
        return [f'{d} arrived {ranges(seen)}'] + \
            ([f'{d} lost {ranges(lost)}'] if lost else []) + changed + forged

    def rules(self):
        """Return the counters of the rules. A rule has its place instead of its number."""
        lines, places = [], {'tx': 0, 'rx': 0, 'second': 0}
        second = [dict(r, direction='second') for r in self.tool.ask(f'rule show {SECOND}')]
        observers = self.observers()
        for rule in self.tool.ask(f'rule show {PORT}') + second:
            d = rule['direction']
            if d != 'second' and rule['id'] in observers:
                continue
            places[d] += 1
            counts = {k: rule[k] for k in ('matched', 'hits', 'bytes', 'unanswered', 'unchanged')}
            counts.update({f'missed.{k}': v for k, v in rule['missed'].items()})
            lines.append(f'{"rx second" if d == "second" else d} rule {places[d]}' +
                         ''.join(f' {k} {v}' for k, v in counts.items() if v))
        return lines

    def counters(self):
        """Return the counters of the port that are not 0."""
        stat = self.stat()
        return [f'{d} counter {k} {v}' for d in DIRECTIONS
                for k, v in stat[d].items() if v and k != 'rules']

    def flows(self):
        """Return the ledger of flows, with "near" and "far" for the IPv4 addresses of the ends."""
        lines = []
        for f in self.tool.ask(f'stat --flows {PORT}'):
            ends = [f.pop('saddr'), f.pop('daddr')]
            del f['netdev']
            names = dict(zip(ADDR if f['direction'] == 'tx' else ADDR[::-1], ('near', 'far')))
            ends = [names.get(e, e) for e in ends]
            lines.append(f'{f.pop("direction")} flow {">".join(ends)} qp {f.pop("qp")} '
                         f'{f.pop("kind")}/{f.pop("ordinal")}' +
                         ''.join(f' {k} {v}' for k, v in f.items() if v))
        return lines


def merge(lines):
    """Write a line that is the same in both directions only once."""
    rest = {line[2:] for line in lines if line[:2] == 'rx'} & \
           {line[2:] for line in lines if line[:2] == 'tx'}
    return [('both' if line[2:] in rest else line[:2]) + line[2:] for line in lines
            if line[:2] == 'tx' or line[2:] not in rest]


def short(lines, usual):
    """Leave out the counters and flows that are as usual; name the missing ones."""
    out = [line for line in lines if line not in usual or not re.match('.x (counter|flow)', line)]
    heads = {head(line) for line in lines}
    gone = [head(line) for line in usual if head(line) not in heads]
    for d in DIRECTIONS:
        for kind in ('counter', 'flow'):
            missing = [h.split(' ', 2)[2] for h in gone if h.startswith(f'{d} {kind} ')]
            if missing:
                out.append(f'{d} no {kind} {", ".join(missing)}')
    return merge(out)


def head(line):
    """Return the words of a counter or flow that come before its numbers."""
    found = re.match(r'.x (counter \S+|flow \S+ qp \S+ \S+)', line)
    return found[0] if found else line


def events():
    """Return the events, without times; numbers of packets and rules begin at 1. The numbers of
    packets as they leave, which rf_sent records, are not counted."""
    with open(TRACING + 'trace', encoding='utf-8') as file:
        lines = [line.split(': ', 1)[1].strip() for line in file
                 if ' rf_' in line and ' rf_packet: ' not in line and ' rf_rule: ' not in line]
    sent = [int(re.search(r'\bseq=(\d+)', line)[1]) for line in lines
            if line.startswith('rf_sent: ') and line.endswith(' offset=0')]
    lines = [re.sub(r'\bseq=(\d+)', lambda m: f'seq={int(m[1]) - bisect.bisect(sent, int(m[1]))}',
                    line) for line in lines if not line.startswith('rf_sent: ')]
    for key in ('seq', 'rule'):
        numbers = [int(n) for line in lines for n in re.findall(fr'\b{key}=(\d+)', line)]
        first = min(n for n in numbers if n)
        lines = [re.sub(fr'\b{key}=(\d+)', lambda m, k=key, n=first:
                        f'{k}={int(m[1]) - n + 1 if int(m[1]) else 0}', line) for line in lines]
    return ['event ' + re.sub(r'(rf_release: .*) ns=\d+', r'\1', line) for line in lines]


def listen(on):
    """Enable or disable all tracepoints."""
    with open(TRACING + 'events/rdmafault/enable', 'w', encoding='utf-8') as file:
        file.write('1' if on else '0')
    with open(TRACING + 'trace', 'w', encoding='utf-8'):
        pass


def judged(lines):
    """Return the lines that a listener must not change: victims and counters of rules."""
    return [line for line in lines if not re.match(r'\S+ (no )?(counter|flow)', line)]


def observed(port, rules):
    """Run a set with observers, one of which comes and goes in the middle of flows."""
    def come():
        for d in rules.directions:
            port.tool.ask(f'rule add {PORT} {d} {OBSERVER}')

    def go():
        for number in sorted(port.observers())[-len(rules.directions):]:
            port.tool.do(f'rule del {PORT} {number}')

    return port.run(rules, come, go, True)


def passing(port, rules):
    """Run a set with a listener that comes and goes."""
    return port.run(rules, lambda: listen(True), lambda: listen(False))


WATCHERS = {'a listener that comes and goes': passing, 'observers': observed}


def watched(port, rules, which):
    """Run a set with what must not change its effects. Return the lines to compare."""
    return {what: untimed(rules, judged(merge(WATCHERS[what](port, rules)))) for what in which}


def watchers(n):
    """Return the watchers of set number n: with --full all, otherwise few of them, to save time."""
    if int(os.environ.get('FAULT_RUNS') or 0) >= 50 or n % 8 == 0:
        return list(WATCHERS)
    return list(WATCHERS)[n % 8 - 1:n % 8]


def untimed(rules, lines):
    """Return the lines without the order of frames if it depends on when they are sent."""
    if 'jitter' not in rules.line:
        return lines
    return [' '.join(sorted(numbers(line))) if ' arrived ' in line else line for line in lines]


def numbers(line):
    """Yield the words of a line, and the numbers of its ranges."""
    for word in line.split():
        first, _, last = word.partition('-')
        if last.isdigit():
            yield from map(str, range(int(first), int(last) + 1))
        else:
            yield word


def record(port, rules, usual, which):
    """Run a set without and with a listener. Return the record, and all for comparison."""
    bare = short(port.run(rules), usual)
    listen(True)
    heard = short(port.run(rules), usual)
    traced = events() if rules.events else []
    listen(False)
    more = [f'listener - {line}' for line in bare if line not in heard] + \
           [f'listener + {line}' for line in heard if line not in bare]
    return [f'== {rules.line}'] + bare + more + traced, judged(bare), \
        {'a listener': judged(heard), **watched(port, rules, which)}


def unused_words(tool, sections):
    """Return the words of the grammar that no rule of the file has."""
    used = {w for sets in sections.values() for s in sets for w in s.line.split()}
    words = {e['word'] for part in tool.ask('rule help').values() for e in flat(part)}
    return sorted(words - used)


def flat(entries):
    """Yield the words of a part of the grammar, and the parameters of actions."""
    for entry in entries:
        if 'word' in entry:
            yield entry
        yield from flat(entry.get('words', []))


def victims(port, line):
    """Return the frames that arrive with a rule."""
    return [x for x in port.run(Set(line)) if ' arrived ' in x]


def controls(port):
    """Check that the test sees what rules do, and sees nothing without."""
    whole = [f'{d} arrived {ranges(range(1, len(port.sent[d]) + 1))}' for d in DIRECTIONS]
    idle = Set('qp 4095 drop')
    idle.rules = [[]]
    same('control: without rules, all frames arrive in order, unchanged',
         judged(port.run(idle)), whole)
    same('control: with rules that match no packet, all frames arrive in order, unchanged',
         [x for x in judged(port.run(Set('qp 4095 drop ; sport 1 delay 1s ; dscp 63 drop')))
          if ' rule ' not in x], whole)
    one, two = (victims(port, f'all probability 30% seed {n} drop') for n in (1, 2))
    ok(one != two and whole not in (one, two), 'control: another seed gives other victims', one)


def main():
    """Record all sets of rules."""
    os.sched_setaffinity(0, {0})
    sections, out = read_sets(sys.argv[2]), sys.argv[3]
    port = Port(out)
    listen(False)
    controls(port)
    same('each word of the grammar is in the file of rules, except owners of queue pairs',
         unused_words(port.tool, sections), ['comm', 'owner-dev', 'persist', 'pid'])
    usual = [line for line in port.run(Set('all observe')) if re.match('.x (counter|flow)', line)]
    number = 0
    for name, sets in sections.items():
        results = []
        for s in sets:
            results.append(record(port, s, usual if name != 'control' else [], watchers(number)))
            number += 1
        for what in ['a listener', *WATCHERS]:
            mine = [(s, r) for s, r in zip(sets, results) if what in r[2]]
            if mine:
                same(f'{name}: with {what}, the same packets leave and each rule counts the same',
                     [r[2][what] for s, r in mine],
                     [untimed(s, r[1]) if what != 'a listener' else r[1] for s, r in mine])
        with open(os.path.join(out, f'{name}.txt'), 'w', encoding='utf-8') as file:
            file.write('\n'.join(line for r in results for line in r[0]) + '\n')
    end()


main()
