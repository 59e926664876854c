# SPDX-License-Identifier: GPL-2.0
"""
path.py SPEC: send RoCEv2 packets from h1 to the port p1, capture them at the far ends s1 to s4 of
the links and at h2, and compare the end at which each packet arrives with the prediction of
lib/pathhash.py. The counters of the path and of the netdevs must agree.
"""
import json
import random
import select
import socket
import subprocess
import sys
import time

import pathhash
import tap
from nlspec import Family, Spec
from roce import bth, ethernet, packet

NEAR, FAR, LOCAL, UNKNOWN = (bytes.fromhex(f'0200000000{n}') for n in ('01', '02', '22', '77'))
LINKS = ['t1', 't2', 't3', 't4']
ENDS = ['s1', 's2', 's3', 's4', 'h2']
OF = dict(zip(LINKS, ENDS))
ETH_P_ALL, SOL_PACKET, PACKET_IGNORE_OUTGOING, SO_RCVBUFFORCE = 3, 263, 23, 33
PATIENCE = 60      # s; packets arrive at once


def rdmafault(*words):
    """Run a command, and return its result."""
    done = subprocess.run(['rdmafault', '--json', *words], check=True, capture_output=True)
    return json.loads(done.stdout) if done.stdout else None


def listen(dev):
    """Return a socket that gets the frames that arrive at a netdev."""
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    sock.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 22)
    sock.bind((dev, ETH_P_ALL))
    return sock


class Flow:
    """A flow, and its packets, which have the numbers of PSNs."""

    def __init__(self, number, family=4):
        draw = random.Random(number)
        self.qp, self.sport = 16 + number, 0xc000 + draw.randrange(0x4000)
        self.ends = [f'192.0.2.{draw.randrange(1, 255)}' for _ in range(2)] if family == 4 else \
            [f'2001:db8::{draw.randrange(1, 65535):x}' for _ in range(2)]

    def frame(self, psn, mac=FAR, tag=None, **words):
        """Return a packet of the flow."""
        rest = bth(0x0a, self.qp, psn) + bytes(16) + b'path'
        return ethernet(NEAR, mac, packet(*self.ends, rest, sport=self.sport, **words), tag)

    def hash(self, seed, with_qp=False):
        """Return the hash of the flow."""
        return pathhash.flow_hash(seed, *self.ends, self.sport, self.qp if with_qp else 0)


class Fabric:
    """The sockets at all ends."""

    def __init__(self):
        self.out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self.out.bind(('h1', 0))
        self.end = {listen(name): name for name in ENDS}

    def carry(self, frames, total=None):
        """Send frames, wait until total have arrived, by default all, and return the sorted ends
        at which each of them has arrived."""
        for data in frames:
            self.out.send(data)
        arrived, left = {data: [] for data in frames}, len(frames) if total is None else total
        deadline = time.monotonic() + PATIENCE
        while left > 0 and time.monotonic() < deadline:
            for sock in select.select(list(self.end), [], [], 0.1)[0]:
                data = sock.recv(4096)
                if data in arrived:
                    arrived[data].append(self.end[sock])
                    left -= 1
        return [sorted(arrived[data]) for data in frames]


class Slots:
    """The slots of a path: flows whose hashes begin with the same bits share one."""

    def __init__(self):
        self.choices, self.last = {}, {}

    def choose(self, value, links, keep=False):
        """Make the next choice; with keep, only the first one of a slot is made."""
        slot = value >> 54
        if not keep or slot not in self.last:
            self.last[slot] = pathhash.link(links, value, self.choices.get(slot, 0))
            self.choices[slot] = self.choices.get(slot, 0) + 1
        return self.last[slot]


def path():
    """Return the path of p1."""
    return rdmafault('path', 'show', 'p1')[0]


def netdevs():
    """Return the packets that each link has sent."""
    return [int(open(f'/sys/class/net/{name}/statistics/tx_packets', encoding='ascii').read())
            for name in LINKS]


class Test:
    """Sets paths, and compares packets with predictions."""

    def __init__(self):
        self.fabric = Fabric()
        self.flows = [Flow(n, 6 if n % 4 == 3 else 4) for n in range(64)]
        self.psn = 0

    def frames(self, flows, **words):
        """Return a packet of each of the flows."""
        self.psn += len(flows)
        return [flow.frame(self.psn + n, **words) for n, flow in enumerate(flows)]

    def set(self, *mode, links=None):
        """Set the path."""
        rdmafault('-q', 'path', 'set', 'p1', *mode, 'links', ','.join(links or LINKS), 'seed', '7')
        self.counts = [0] * len(LINKS)

    def check(self, words, predicted, frames, copies=1, idle=True):
        """Send the frames, and compare the links and their counters with the predicted links. If
        the links are not idle, other packets are sent, too."""
        before = netdevs()
        got = self.fabric.carry(frames, len(frames) * copies)
        after = netdevs()
        tap.same(f'{words}: {len(frames)} packets take the predicted links', got,
                 [[OF[link]] * copies for link in predicted])
        want = [predicted.count(link) * copies for link in LINKS]
        self.counts = [a + b for a, b in zip(self.counts, want)]
        tap.same(f'{words}: the counters of the path',
                 [link['packets'] for link in path()['links']], self.counts)
        if idle:
            tap.same(f'{words}: the counters of the netdevs',
                     [b - a for a, b in zip(before, after)], want)

    def ecmp(self, links=None):
        """Return the predicted links of the flows."""
        return [pathhash.link(links or LINKS, f.hash(7)) for f in self.flows]

    def static(self, words):
        """Without a path, the destination decides."""
        got = self.fabric.carry(self.frames(self.flows))
        tap.same(f'{words}: all packets take the link of their destination', got,
                 [['s1']] * len(self.flows))

    def hashed(self):
        """ecmp and qp"""
        self.set('ecmp')
        tap.ok(set(self.ecmp()) == set(LINKS), 'control: the flows take all links', self.ecmp())
        self.check('ecmp', self.ecmp(), self.frames(self.flows))
        # A capture does not show VLAN tags.
        for data in self.frames(self.flows, tag=0x6005):
            self.fabric.out.send(data)
        self.counts = [n + self.ecmp().count(link) for n, link in zip(self.counts, LINKS)]
        self.check('ecmp, after packets with VLAN tags', self.ecmp(), self.frames(self.flows),
                   idle=False)
        self.set('qp')
        self.check('qp', [pathhash.link(LINKS, f.hash(7, True)) for f in self.flows],
                   self.frames(self.flows))

    def others(self):
        """Packets that are left to the bridge"""
        few = [f for f in self.flows[:10] if ':' not in f.ends[0]]
        self.set('spray', links=LINKS[1:])
        tap.same('the link of the destination is not in the path: the bridge forwards',
                 self.fabric.carry(self.frames(few)), [['s1']] * len(few))
        self.set('spray')
        for words, end, frames in (
                ('a node of the same switch', 'h2', self.frames(few, mac=LOCAL)),
                ('UDP to another port', 's1', self.frames(few, dport=4792)),
                ('a fragment', 's1', self.frames(few, flags=0x2000))):
            tap.same(f'{words}: the bridge forwards', self.fabric.carry(frames), [[end]] * len(few))
        tap.same('an unknown destination: the bridge sends to all ports',
                 self.fabric.carry(self.frames(few, mac=UNKNOWN), 5 * len(few)),
                 [sorted(ENDS)] * len(few))
        tap.same('the path has counted none of these packets',
                 [link['packets'] for link in path()['links']], [0] * 4)

    def sprayed(self):
        """The choices of a flow are numbered: spray in both orders, and flowlet."""
        many = self.flows[:24] * 4
        self.set('spray')
        self.check('spray', [LINKS[n % 4] for n in range(len(many))], self.frames(many))
        for mode in (['spray', 'random'], ['flowlet', '1ns']):
            slots = Slots()
            self.set(*mode)
            self.check(' '.join(mode), [slots.choose(f.hash(7), LINKS) for f in many],
                       self.frames(many))
        slots = Slots()
        self.set('flowlet', '5s')
        self.check('flowlet 5s', [slots.choose(f.hash(7), LINKS, keep=True) for f in many],
                   self.frames(many))

    def listed(self):
        """list: routes by destination and by QP"""
        flow = self.flows
        self.set('list', 'dst', flow[0].ends[1], 'qp', str(flow[0].qp), 'via', 't3',
                 'dst', flow[3].ends[1], 'via', 't4', 'qp', str(flow[2].qp), 'via', 't2,t4')
        self.check('list', ['t3', pathhash.link(LINKS, flow[1].hash(7)),
                            pathhash.link(['t2', 't4'], flow[2].hash(7)), 't4'],
                   self.frames(flow[:4]))

    def adaptive(self):
        """The queues of two links are long, so all packets take the others, by chance."""
        for dev in ('t1', 't3'):
            rdmafault('-q', 'port', 'add', dev)
            rdmafault('-q', 'link', 'set', dev, 'rate', '1mbit')
        self.set('list', 'qp', '5', 'via', 't1', 'qp', '6', 'via', 't3')
        subprocess.run(['sendroce', 'h1', 'qp', '5', 'flows', '2', 'count', '400', 'payload', '1000'],
                       check=True)
        slots = Slots()
        self.set('adaptive')
        self.check('adaptive', [slots.choose(f.hash(7), ['t2', 't4']) for f in self.flows],
                   self.frames(self.flows), idle=False)
        for dev in ('t1', 't3'):
            rdmafault('-q', 'port', 'del', dev)

    def marked(self):
        """Links that are down are not chosen. If all are, the packets are dropped."""
        self.set('ecmp')
        for link in ('t2', 't4'):
            rdmafault('-q', 'path', 'link', 'p1', link, 'down')
        self.check('two links down', self.ecmp(['t1', 't3']), self.frames(self.flows))
        tap.same('the states are shown', [link['state'] for link in path()['links']],
                 ['up', 'down', 'up', 'down'])
        for link in ('t1', 't3'):
            rdmafault('-q', 'path', 'link', 'p1', link, 'down')
        for data in self.frames(self.flows):
            self.fabric.out.send(data)
        rdmafault('-q', 'path', 'link', 'p1', 't2', 'up')
        self.check('one link up', ['t2'] * 64, self.frames(self.flows))
        tap.same('the packets were dropped while all links were down', path()['no_link'], 64)

    def ruled(self):
        """Rules come first, and a packet that they delay takes a link when it is released."""
        self.set('ecmp')
        rdmafault('rule', 'add', 'p1', 'rx', 'qp', str(self.flows[0].qp), 'drop')
        got = self.fabric.carry(self.frames(self.flows), len(self.flows) - 1)
        tap.same('a packet that a rule drops takes no link', got,
                 [[]] + [[OF[link]] for link in self.ecmp()[1:]])
        self.set('ecmp')
        for words in (['delay', '20ms'], ['duplicate']):
            rdmafault('rule', 'flush', 'p1')
            rdmafault('rule', 'add', 'p1', 'rx', 'all', *words)
            self.check(f'the rule {words[0]}', self.ecmp(), self.frames(self.flows),
                       copies=1 + (words[0] == 'duplicate'))
        rdmafault('rule', 'flush', 'p1')


def refused():
    """Requests that the command line does not send; the path is ecmp over all links."""
    spec = Spec(sys.argv[1])
    nl = Family(spec)
    link = {name: ('link', [('ifindex', socket.if_nametoindex(name))]) for name in LINKS + ['u1']}
    mode = {name: ('mode', spec.value('path-mode', name)) for name in
            ('ecmp', 'flowlet', 'spray', 'list')}
    for words, op, tree in (
            ('mode: missing', 'path-set', [link['t1']]),
            ('link: missing', 'path-set', [mode['ecmp']]),
            ('link: given twice', 'path-set', [mode['ecmp'], link['t1'], link['t1']]),
            ('link: is not in the bridge of the port', 'path-set', [mode['ecmp'], link['u1']]),
            ('link: no such netdev', 'path-set', [mode['ecmp'], ('link', [('ifindex', 1 << 30)])]),
            ('ifindex: missing', 'path-set', [mode['ecmp'], ('link', [])]),
            ('only allowed in replies', 'path-set',
             [mode['ecmp'], ('link', link['t1'][1] + [('packets', 1)])]),
            ('only allowed in replies', 'path-set', [mode['ecmp'], link['t1'], ('no-link', 1)]),
            ('gap: missing', 'path-set', [mode['flowlet'], link['t1']]),
            ('gap: only for', 'path-set', [mode['spray'], link['t1'], ('gap', 5)]),
            ('order: only for spray', 'path-set', [mode['ecmp'], link['t1'], ('order', 1)]),
            ('route: missing', 'path-set', [mode['list'], link['t1']]),
            ('route: only for list', 'path-set',
             [mode['ecmp'], link['t1'], ('route', [('qp', 5), ('links', 1)])]),
            ('route: its links are not links', 'path-set',
             [mode['list'], link['t1'], ('route', [('qp', 5), ('links', 2)])]),
            ('route: daddr or qp missing', 'path-set',
             [mode['list'], link['t1'], ('route', [('links', 1)])]),
            ('links: missing', 'path-set', [mode['list'], link['t1'], ('route', [('qp', 5)])]),
            ('address: invalid length', 'path-set',
             [mode['list'], link['t1'], ('route', [('daddr', bytes(5)), ('links', 1)])]),
            ('route: too many', 'path-set',
             [mode['list'], link['t1']] + [('route', [('qp', 5), ('links', 1)])] * 65),
            ('only link is allowed', 'path-link-set', [mode['ecmp']]),
            ('down: missing', 'path-link-set', [link['t1']]),
            ('is not a link of the path', 'path-link-set',
             [('link', link['t1'][1] + [('down', 1)]), ('link', link['u1'][1] + [('down', 1)])])):
        answer = nl.do(op, [('ifindex', socket.if_nametoindex('p1')), ('path', tree)])
        tap.ok(answer.error and words in answer.words, f'{op} is refused: {words}', answer)
    shown = path()
    tap.same('the refused requests change nothing',
             (shown['mode'], [link['state'] for link in shown['links']]), ('ecmp', ['up'] * 4))
    port = [('ifindex', socket.if_nametoindex('p1'))]
    nl.do('path-set', port + [('path', [mode['flowlet'], link['t1'], ('gap', 10 ** 9)])])
    answer = nl.do('port-set', port + [('name', 'other'), ('max-hold', 10 ** 8)])
    tap.same('a max-hold shorter than the gap is refused, and the name of the request is not set',
             (answer.at, nl.do('port-get', port).messages[0]['name']), ('max-hold', 'p1'))


test = Test()
test.static('control, no path')
test.hashed()
test.others()
test.sprayed()
test.listed()
test.adaptive()
test.marked()
test.ruled()
refused()
rdmafault('-q', 'path', 'del', 'p1')
test.static('after the path')
tap.end()
