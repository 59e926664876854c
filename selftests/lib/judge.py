#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Judge a run from its recorded events, independently of the analysis in tools/.

Usage: judge.py DIR              print the verdict of each case as JSON
       judge.py --check DIR...   print what is wrong with the events
       judge.py --compare DIR... compare the verdict with summary.json, and print each
                                 difference

The judge decides for each case which packets were lost, how each loss was detected, when
the packet was sent again, whether it was delivered in the end, which packets were
retransmitted, and whether the events obey go-back-N. It also reports events that
contradict each other. It reads timeline.jsonl and events.jsonl of each case, and the
retransmission timer from the timeline or, of a command, from scenario.yaml.

The rules come from the InfiniBand Architecture Specification, volume 1, chapter 9
(reliable connections: 9.7), and from the definition of go-back-N. They do not come from
the code in tools/, and this file imports nothing from there. A commit that changes a rule
changes nothing else, and cites the specification or the source of rxe.

  order      A requester sends requests with increasing PSNs. A READ takes one PSN for each
             of its response packets (9.7.3.1). A retransmission goes back to a PSN, and
             continues from there without a gap.
  attempt    The order of packets at their sender decides which transmission of a PSN is
             the first, not the order at the place of a drop. Between two ports packets
             stay in order, unless a fault delays or reorders them.
  loss       A transmission is lost if it does not arrive at the port of its receiver, or
             if a fault removes or damages it there. A delayed packet, a marked packet
             and a packet that the receiver discards as out of sequence are not lost.
             If the place of a loss is not known, its time is that of the departure.
  NAK        A responder that receives a PSN beyond the one that it expects sends one NAK
             with the expected PSN, and no other NAK until that PSN arrives (9.7.5.1.2).
             The NAK acknowledges all earlier PSNs. The verdict counts the NAKs that the
             requester accepts, also forged ones.
             A NAK with another code rejects the request for ever (9.9.2).
  RNR NAK    The requester waits for the time in the RNR NAK before it retransmits
             (9.7.5.2.8). It goes back to the PSN of the RNR NAK, or to its oldest
             unacknowledged PSN: rxe takes an RNR NAK for no acknowledgment (check_ack() in
             rxe_comp.c).
  ACK        An ACK acknowledges all PSNs up to its own (9.7.5.1.2). A lost ACK costs
             nothing if a later response arrives before the timer expires. READs and
             atomics need their own response; a later response implies a NAK (9.7.5.1.4).
  timer      A retransmission that no response requested is due to the timer (9.7.6.1.3).
  again      A retransmitted READ can request the missing responses only. Its PSN is then
             inside the PSNs of the first request (9.7.5.1.4).
"""
import collections
import json
import os
import sys

import yaml

PSNS = 1 << 24

# Actions that remove a packet, and that damage it: the receiver discards a wrong ICRC
REMOVING = {'drop', 'blackhole', 'nak', 'rnr'}
DAMAGING = {'corrupt', 'truncate'}
FORGING = {'nak', 'rnr'}
HOLDING = {'delay', 'reorder'}
RESPONSES = {'rc-acknowledge', 'rc-atomic-acknowledge', 'rc-read-response-first',
             'rc-read-response-middle', 'rc-read-response-last', 'rc-read-response-only'}
READ = 'rc-read-request'
ATOMICS = {'rc-fetch-add', 'rc-compare-swap', 'rc-cmp-swap'}
ACK = 'rc-acknowledge'

# A packet that is recorded this long after the start of a step was sent in this step
EDGE = 1_000_000

# RNR timer codes in units of 10 us (IBTA vol. 1, table 45)
RNR_TIMER = [65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768,
             1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152]
# rxe waits in clock ticks of 4 ms, and rounds up; a worker then sends the packet
TICKS = 12_000_000


class Packet:
    """A packet that passed one port, with all rules that hit it there."""
    def __init__(self, event):
        for key in ('port', 'direction', 'seq', 'source', 'destination', 'qp', 'psn', 'opcode',
                    'attempt', 'step', 'bytes', 'syndrome'):
            setattr(self, key, event.get(key))
        self.t = event['t_ns']
        self.last = event['t_ns']
        self.actions = []           # (time, action, delay) of faults
        self.line = event['line']
        # set later, for packets at the port of their sender
        self.lin = self.end = 0
        self.arrivals = []
        self.lost = None            # Loss
        self.unknown = False        # the arrival was not recorded
        self.restart = None         # Restart that sent this packet
        self.forged = False
        self.answered = False       # a NAK: the requester went back
        self.damaged = False        # at the receiver: it discards the packet
        self.left = event['t_ns']   # if it stands for a transmission: when that left
        self.sent = None            # at the receiver: the packet at its sender

    def stream(self):
        """Return the flow of the packet, and whether it is one of responses."""
        return (self.source, self.destination, self.qp, self.opcode in RESPONSES)

    def removed_by(self):
        """Return time and action of the fault that removes the packet here, or None."""
        return next(((t, a) for t, a, _ in self.actions if a in REMOVING), None)

    def accepted(self):
        """Succeed if the receiver accepts the packet that arrived here."""
        return not self.damaged and \
            not any(a in REMOVING or a in DAMAGING for _, a, _ in self.actions)

    def time(self):
        """Return the time at which the packet leaves the port to the receiver."""
        return max([self.t] + [t + delay for t, a, delay in self.actions if a == 'delay'])

    def is_nak(self):
        """Succeed for NAKs except RNR NAKs."""
        return self.opcode == ACK and self.syndrome >> 5 == 3

    def is_rnr(self):
        """Succeed for RNR NAKs."""
        return self.opcode == ACK and self.syndrome >> 5 == 1

    def kind(self):
        """Return what the packet is."""
        if self.opcode not in RESPONSES:
            return 'request'
        if self.opcode != ACK:
            return 'response'
        return 'nak' if self.is_nak() else 'rnr' if self.is_rnr() else 'ack'


class Loss:
    """A transmission that did not reach its receiver."""
    def __init__(self, packet, t, port, direction, action):
        self.packet, self.t, self.port, self.direction, self.action = \
            packet, t, port, direction, action
        self.detected_by = None     # nak, rnr, implied, timeout, nothing; None: never
        self.again = None           # first transmission of the PSN that is not hit
        self.recovery = None
        self.delivered = False
        self.attempt = 0            # of how many
        self.attempts = 0
        self.restart = None

    def facts(self):
        """Return the loss as a dictionary."""
        p = self.packet
        return {'kind': p.kind(), 'source': p.source, 'destination': p.destination, 'qp': p.qp,
                'psn': p.psn, 'opcode': p.opcode, 'attempt': self.attempt, 't_ns': self.t,
                'port': self.port, 'direction': self.direction, 'action': self.action,
                'detected_by': self.detected_by,
                'again_ns': self.again.t if self.again else None,
                'recovery_time': self.recovery, 'delivered': self.delivered,
                'lost_in_all': self.attempts if not self.delivered else 0}


class Restart:
    """One time at which a requester went back, with the packets that it sent then."""
    def __init__(self, packet, cause, by):
        self.t, self.lin, self.cause, self.by = packet.t, packet.lin, cause, by
        self.packets = []
        self.losses = 0


class Connection:
    """The requests from one queue pair to another, and their responses."""
    def __init__(self, key, timer):
        self.source, self.destination, self.qp = key
        self.timer = timer
        self.base = None
        # Packets at the port of the sender and of the receiver, in the order of time
        self.requests, self.arrived = [], []
        self.responses, self.answered = [], []
        self.restarts = []
        self.violations = []

    def number(self, psn):
        """Return the PSN as a number that does not wrap."""
        if self.base is None:
            self.base = psn
        diff = (psn - self.base) % PSNS
        return self.base + (diff if diff < PSNS // 2 else diff - PSNS)

    def name(self):
        """Return the flow as text."""
        return f'{self.source} > {self.destination} qp {self.qp}'


class Case:
    """The events of one case in one round."""
    def __init__(self, name, timer):
        self.name, self.timer = name, timer
        self.packets = []
        self.qps = []
        self.facts = {}
        self.steps = collections.defaultdict(list)
        self.errors = []
        self.losses = []
        self.stand_ins = []
        self.connections = []
        self.nics = {}
        self.recorded = collections.defaultdict(set)
        self.blackholes = False

    def error(self, packet, text):
        """Report an event that contradicts others."""
        self.errors.append(f'{packet.port} {packet.direction} {packet.opcode} '
                           f'PSN {packet.psn:#x}: {text}')

    # -- reading ---------------------------------------------------------------------------

    def add(self, events):
        """Group the events of one packet at one port."""
        seen = {}
        last = {}
        for event in events:
            kind = event['type']
            if kind == 'qp':
                self.qps.append(event)
            elif kind == 'case':
                self.facts = event
            elif kind == 'step':
                self.steps[event['rank']].append(event)
            if 'psn' not in event or 't_ns' not in event:
                continue
            if event['opcode'] != 'unknown' and not event['opcode'].startswith('rc-'):
                continue
            key = (event['port'], event['direction'], event.get('seq'), event['line'])[:3]
            if key[2] is None:
                key = (event['port'], event['direction'], 'line', event['line'])
            packet = seen.get(key)
            if packet is None:
                packet = seen[key] = Packet(event)
                self.packets.append(packet)
                port = key[:2]
                if port in last and event['t_ns'] < last[port].t:
                    self.error(packet, 'the event is earlier than the event before it at this port')
                last[port] = packet
            elif (packet.psn, packet.qp, packet.source, packet.opcode) != \
                    (event['psn'], event['qp'], event.get('source'), event['opcode']) \
                    and not any(a == 'rewrite' for _, a, _ in packet.actions):
                self.error(packet, f'the events of packet {event["seq"]} differ: '
                                   f'PSN {event["psn"]:#x}')
            packet.last = max(packet.last, event['t_ns'])
            if event.get('fault'):
                packet.actions += [(event['t_ns'], action['action'], action.get('delay_ns', 0))
                                   for action in event['actions'] if not action.get('unchanged')]
            elif kind == 'hit' and event['attempt'] == 1 and event['syndrome'] >> 5 not in (1, 3):
                self.recorded[event['port'], event['direction']].add(event['step'])
        self.packets.sort(key=lambda p: (p.t, p.line))
        self.blackholes = any(a == 'blackhole' for p in self.packets for _, a, _ in p.actions)

    def find_forged(self):
        """Find the NAKs that a fault sends on behalf of the responder. Such a NAK appears
        only behind the port of the fault; it leaves at once."""
        hits = [(i, p) for p in self.packets for i, (_, a, _) in enumerate(p.actions)
                if a in FORGING]
        naks = [p for p in self.packets if p.is_nak() or p.is_rnr()]
        for i, hit in hits:
            answered = False
            for p in naks:
                if p.t >= hit.t and not p.forged and p.psn == hit.psn and \
                        p.source == hit.destination and p.destination == hit.source:
                    # It passes the sender's port, or the port of the receiver and then that
                    at_sender = (p.port, p.direction) == (self.nics.get(p.source), 'tx')
                    if at_sender and hit.port != p.port:
                        continue
                    p.forged = answered = True
                    if not at_sender:
                        break
            if not answered:
                # The fault does not know the requester's queue pair, and lets the request pass
                hit.actions[i] = (hit.t, 'unanswered', 0)

    def find_nics(self):
        """Find the port of each address: from the queue pairs, or the port at which only
        packets from this address leave, and only packets to it arrive."""
        for qp in self.qps:
            self.nics[qp['addr']] = qp['netdev']
        addresses = {p.source for p in self.packets} | {p.destination for p in self.packets}
        ports = {p.port for p in self.packets}
        for address in sorted(addresses - set(self.nics)):
            fits = [port for port in sorted(ports) if port.startswith('v') and all(
                (p.source if p.direction == 'tx' else p.destination) == address
                for p in self.packets if p.port == port)]
            if fits:
                self.nics[address] = fits[0]
        # At other ports, only packets that were hit are recorded
        for port in [port for port in self.recorded if port[0] not in self.nics.values()]:
            del self.recorded[port]

    def connect(self):
        """Make the connections, and give each packet its number."""
        pairs = {}
        for qp in self.qps:
            pairs[qp['addr'], qp['peer_addr'], qp['peer_qpn']] = qp['qpn']
        by_request = {}
        for p in self.packets:
            if p.opcode in RESPONSES:
                continue
            key = (p.source, p.destination, p.qp)
            if key not in by_request:
                by_request[key] = Connection(key, self.timer)
            p.lin = by_request[key].number(p.psn)
        by_response = {}
        for key, own in pairs.items():
            if key in by_request:
                by_response[key[1], key[0], own] = by_request[key]
        for p in self.packets:
            key = (p.source, p.destination, p.qp)
            if p.opcode in RESPONSES and key not in by_response:
                by_response[key] = self.guess(p, by_request)
        for p in self.packets:
            key = (p.source, p.destination, p.qp)
            response = p.opcode in RESPONSES
            conn = by_response[key] if response else by_request[key]
            p.conn = conn
            p.lin = conn.number(p.psn)
            at_sender = p.direction == 'tx' and p.port == self.nics.get(p.source)
            at_receiver = p.direction == 'rx' and p.port == self.nics.get(p.destination)
            if at_sender:
                (conn.responses if response else conn.requests).append(p)
            elif at_receiver:
                (conn.answered if response else conn.arrived).append(p)
        self.connections = list(by_request.values())

    def guess(self, response, by_request):
        """Return the connection of a response whose queue pair is not known: the one
        between the same addresses with a request that has this PSN, the latest if there
        are several. If requests are recorded only when they are repeated, it is the next
        one; or no request was recorded."""
        best = None
        for p in self.packets:
            if p.t > response.t and best:
                break
            if p.opcode not in RESPONSES and p.source == response.destination and \
                    p.destination == response.source and \
                    (response.psn - p.psn) % PSNS < 1024 and \
                    (p.t <= response.t or p.attempt > 1):
                best = by_request[p.source, p.destination, p.qp]
        if best is None:
            key = (response.destination, response.source, f'of responses to {response.qp}')
            best = by_request[key] = Connection(key, self.timer)
        return best

    # -- delivery --------------------------------------------------------------------------

    def covers(self, port, direction, packet):
        """Succeed if the port records this packet when it passes the port at about the time
        of this event: the port is then in a recorded step. A rank announces its next step
        between the end of a step and the start of the next one."""
        start, end = self.span(port, direction)
        return packet.step in self.recorded[port, direction] and start + EDGE < packet.t < end

    def span(self, port, direction):
        """Return the time from the first to the last recorded step of the port's rank."""
        steps = self.recorded[port, direction]
        ranks = {qp['rank'] for qp in self.qps if qp['netdev'] == port}
        known = [s for rank in ranks for s in self.steps[rank]]
        return (max((s['start_ns'] for s in known if s['step'] == min(steps, default=0)), default=0),
                min((s['end_ns'] for s in known if s['step'] == max(steps, default=0)),
                    default=1 << 63))

    def deliver(self):
        """Find the fate of each transmission."""
        by_psn = collections.defaultdict(list)
        for p in self.packets:
            by_psn[p.stream(), p.psn, p.kind(), p.forged].append(p)
        for packets in by_psn.values():
            self.deliver_one(packets)
        for conn in self.connections:
            for sent in (conn.requests, conn.responses):
                self.losses += [p.lost for p in sent if p.lost]
        self.losses += [p.lost for p in self.stand_ins if p.lost]

    def deliver_one(self, packets):
        """Find the fate of all transmissions of one PSN of one stream. Transmissions and
        their copies are tokens. On the way, the oldest token passes a port first, unless a
        fault holds it. If fewer packets arrive than are on their way, the arrivals are those
        of the latest transmissions that are possible, in their order."""
        tokens, arrivals = [], []
        sender = self.nics.get(packets[0].source), 'tx'
        receiver = self.nics.get(packets[0].destination), 'rx'
        first = next((p for p in packets if (p.port, p.direction) == sender), None)
        if first and first.kind() == 'request' and first.opcode != READ:
            # The attempt counts transmissions that were not recorded
            tokens += [{'packet': None, 'ready': 0, 'held': True, 'been': set(), 'damaged': False,
                        'copy': False} for _ in range(1, min(first.attempt, 17))]
        for p in packets:
            place = p.port, p.direction
            if place == sender:
                self.pass_port(p, {'packet': p, 'ready': p.last, 'held': False, 'been': set(),
                                   'damaged': False, 'copy': False}, tokens)
            elif place == receiver:
                arrivals.append(p)
            else:
                self.arrive(tokens, arrivals, first)
                arrivals = []
                fits = [t for t in tokens if self.has_left(t, p) and place not in t['been']]
                if fits:
                    token = min(fits, key=lambda t: (t['ready'] > p.t, t['copy'], t['ready']))
                    token['been'].add(place)
                    tokens.remove(token)
                    self.stand_in(p, token, first)
                    self.pass_port(p, token, tokens)
                else:
                    self.orphan(p, False, tokens, first)
        self.arrive(tokens, arrivals, first)
        self.decide(packets, tokens, receiver)

    @staticmethod
    def has_left(token, packet):
        """Succeed if the token can pass a port with this packet."""
        return token['packet'] is None or token['packet'].left <= packet.t

    def stand_in(self, packet, token, first):
        """Let a packet stand for its transmission if that was not recorded. It left before
        the first recorded one."""
        if token['packet'] is None:
            token['packet'] = packet
            if first and first.t <= packet.t:
                packet.left = first.t - 1
            self.stand_ins.append(packet)

    def arrive(self, tokens, arrivals, first):
        """Find the transmissions that arrived, the latest first."""
        for p in reversed(arrivals):
            fits = [t for t in tokens if self.has_left(t, p)]
            if not fits:
                self.orphan(p, True, tokens, first)
                continue
            token = max(fits, key=lambda t: (t['ready'] <= p.t, t['ready'], not t['copy']))
            tokens.remove(token)
            self.stand_in(p, token, first)
            p.sent = token['packet']
            p.damaged = token['damaged']
            self.pass_port(p, token, [])
            if p.accepted():
                p.sent.arrivals.insert(0, p)

    @staticmethod
    def pass_port(packet, token, tokens):
        """Apply the faults of one port to a token, and add what leaves the port."""
        sent = token['packet']
        copied = False
        for t, action, delay in packet.actions:
            if action in REMOVING or (action in DAMAGING and not token['damaged']):
                if not sent.lost:
                    sent.lost = Loss(sent, t, packet.port, packet.direction, action)
                token['damaged'] = True
            if action in REMOVING:
                return
            if action in HOLDING:
                token['held'] = True
                token['ready'] = max(token['ready'], t + delay)
            elif action == 'duplicate':
                copied = True
        tokens.append(token)
        # The number of copies is not recorded; it is at most 16
        for _ in range(16 if copied else 0):
            tokens.append(dict(token, held=True, copy=True, been=set(token['been'])))

    def orphan(self, packet, at_end, tokens, first):
        """Judge an arrival for which there is no transmission. A fault that removes or
        damages it is a loss, unless the header was damaged at another port before."""
        sender = self.nics.get(packet.source)
        if not self.covers(sender, 'tx', packet) and not packet.forged and not any(
                a in DAMAGING and t < packet.t and
                (p.port, p.direction) != (packet.port, packet.direction)
                for p in self.packets for t, a, _ in p.actions):
            if not packet.accepted():
                token = {'packet': None, 'ready': packet.last, 'held': False, 'damaged': False,
                         'been': {(packet.port, packet.direction)}, 'copy': False}
                self.stand_in(packet, token, first)
                self.pass_port(packet, token, tokens)
            return
        if not at_end:
            if self.covers(sender, 'tx', packet) and not self.blackholes:
                self.error(packet, 'the packet passes a port, but its sender has not sent it')
            return
        if packet.forged:
            return
        # A damaged header can have any queue pair and PSN
        if any(a in DAMAGING for p in self.packets for _, a, _ in p.actions):
            packet.damaged = True
            return
        if self.covers(sender, 'tx', packet) and not self.blackholes:
            self.error(packet, 'the packet arrives, but its sender has not sent it')

    def decide(self, packets, tokens, receiver):
        """Decide the fate of the transmissions that did not arrive."""
        left = {id(t['packet']): t for t in tokens if not t['copy'] and t['packet']}
        for p in packets:
            if p.arrivals:
                p.lost = None       # or a copy of it arrived
            elif p.lost or id(p) not in left or p in self.stand_ins:
                continue
            elif not left[id(p)]['held'] and self.covers(*receiver, p):
                p.lost = Loss(p, p.t, *receiver, None)
            else:
                p.unknown = True

    # -- requests --------------------------------------------------------------------------

    def ranges(self, conn):
        """Find how many PSNs each request takes."""
        lasts = sorted({p.lin for p in conn.responses + conn.answered
                        if p.opcode in ('rc-read-response-last', 'rc-read-response-only')})
        high = None
        for i, p in enumerate(conn.requests):
            p.end = p.lin + 1
            if p.opcode == READ:
                last = next((lin for lin in lasts if lin >= p.lin), None)
                later = next((q.lin for q in conn.requests[i + 1:] if q.lin > p.lin), None)
                if last is not None and (later is None or conn.requests[i].lin <= last):
                    p.end = last + 1
                elif later is not None:
                    p.end = later
            high = p.end if high is None else max(high, p.end)

    def find_restarts(self, conn):
        """Find each time at which the requester went back, and why."""
        expected = high = None
        current = None
        before = None
        for p in conn.requests:
            if p.attempt <= 1 and (high is None or p.lin >= high):
                if high is not None and p.lin > high and self.is_recorded(p) and \
                        set(range(before.step, p.step)) <= self.recorded[p.port, 'tx']:
                    self.error(p, f'the requests {high % PSNS:#x} to {(p.lin - 1) % PSNS:#x} '
                                  'were not sent')
                elif current and expected < high and self.is_recorded(p) and not any(
                        a.t < p.t and a.lin >= high - 1 and a.accepted() for a in conn.answered):
                    self.error(p, f'the retransmission has a gap: {expected % PSNS:#x} to '
                                  f'{(p.lin - 1) % PSNS:#x}')
                current = None
            else:
                goes_on = current is not None and p.lin == expected and \
                    p.t - before.t < conn.timer * 0.8
                if not goes_on:
                    if current is not None and expected < p.lin and self.is_recorded(p):
                        # Retransmissions have no gap, unless the requester goes back again
                        cause, by = self.cause(conn, p)
                        if cause == 'none':
                            self.error(p, f'the retransmission has a gap: {expected % PSNS:#x} to '
                                          f'{(p.lin - 1) % PSNS:#x}')
                    current = Restart(p, *self.cause(conn, p))
                    conn.restarts.append(current)
                current.packets.append(p)
                p.restart = current
            expected = p.end
            high = p.end if high is None else max(high, p.end)
            before = p

    def is_recorded(self, packet):
        """Succeed if all packets were recorded where and when this packet left."""
        return packet.step in self.recorded[packet.port, packet.direction] and not self.blackholes

    def cause(self, conn, packet):
        """Return why the requester goes back to this packet, and the response that
        requested it: nak, rnr, implied, timeout, or none."""
        since = conn.restarts[-1].t if conn.restarts else 0
        # The requester can process a NAK after it went back for an earlier one
        asked = [a for a in conn.answered if a.t < packet.t and a.accepted() and not a.answered
                 and packet.t - a.t < max(conn.timer / 2, packet.t - since)
                 and (a.lin == packet.lin and a.is_nak() or a.lin >= packet.lin and a.is_rnr())]
        for a in asked:
            a.answered = True
        for a in asked:
            if a.is_rnr():
                # The kernel's timers round up by at most an eighth (kernel/time/timer.c)
                if packet.t - a.t <= RNR_TIMER[a.syndrome & 31] * 11_250 + TICKS:
                    return 'rnr', a
            elif packet.t - a.t < conn.timer / 2 or any(b.is_rnr() for b in asked):
                return 'nak', a
        sent = [q.t for q in conn.requests if q.lin <= packet.lin < q.end and q.t < packet.t]
        needs_response = packet.opcode == READ or packet.opcode in ATOMICS
        if needs_response:
            for a in reversed(conn.answered):
                if since < a.t < packet.t and a.lin > packet.lin and a.accepted():
                    if packet.t - a.t < conn.timer / 2:
                        return 'implied', a
                    break
            # If neither the request nor later responses were recorded, the time decides
            if not sent and any(
                    packet.t - conn.timer / 2 < q.t < packet.t and q.conn is conn and
                    q.kind() == 'response' and not q.accepted() and
                    packet.lin <= q.lin < packet.end for q in self.packets):
                return 'implied', None
        # rxe starts the timer with a packet if it is not running, and does not stop it when
        # everything is acknowledged (update_state() in rxe_req.c, rxe_completer() in
        # rxe_comp.c). So an earlier packet can have started it.
        # The first packets of a recorded step can follow packets that were not recorded.
        if sent and packet.t - max(sent) < conn.timer / 2 and not any(
                conn.timer * 0.8 < packet.t - q.t < conn.timer + TICKS for q in conn.requests) and \
                packet.t - conn.timer - TICKS > self.span(packet.port, 'tx')[0]:
            return 'none', None
        return 'timeout', None

    # -- recovery --------------------------------------------------------------------------

    def recover(self, conn):
        """Find for each loss how it was detected and when the packet was sent again."""
        others = [p for p in self.stand_ins if p.conn is conn]
        for response, sent in ((False, conn.requests), (True, conn.responses)):
            more = [p for p in others if (p.opcode in RESPONSES) == response]
            sent = sorted(sent + more, key=lambda p: p.left)
            for p in sent:
                if not p.lost:
                    continue
                loss = p.lost
                same = [q for q in sent if q.kind() == p.kind() and
                        (q.lin == p.lin or q.lin < p.lin < q.end)]
                # The first transmissions are not recorded in all steps
                before = max(same[0].attempt - 1, 0) if p.kind() in ('request', 'response') else 0
                loss.attempts = before + len(same)
                loss.attempt = before + same.index(p) + 1
                loss.delivered = before > 0 or any(not q.lost for q in same)
                later = [q for q in same if q.left > p.left]
                loss.again = next((q for q in later if not q.lost), None)
                if p.kind() == 'request':
                    self.recover_request(conn, loss, later)
                else:
                    self.recover_response(conn, loss)
                if loss.again and loss.detected_by != 'nothing' and loss.again.t >= loss.t:
                    loss.recovery = loss.again.t - loss.t
                if loss.restart:
                    loss.restart.losses += 1

    @staticmethod
    def recover_request(conn, loss, later):
        """A request: the restart that contains its next transmission. A NAK that is no PSN
        sequence error ends the connection: the request is not sent again."""
        if later and later[0].restart:
            loss.restart = later[0].restart
            loss.detected_by = loss.restart.cause
        elif not later and any(a.is_nak() and a.syndrome & 31 and a.lin == loss.packet.lin and
                               a.t >= loss.t and a.accepted() for a in conn.answered):
            loss.detected_by = 'nak'

    @staticmethod
    def recover_response(conn, loss):
        """A response: a later one can cover it, otherwise the requester goes back. An ACK
        is not sent again, but the request with its PSN is."""
        p = loss.packet
        needs = p.kind() == 'response'
        for event in sorted(conn.answered + [r.packets[0] for r in conn.restarts],
                            key=lambda e: e.t):
            if event.t <= p.t:
                continue
            if event.restart:
                if event.lin <= p.lin and event.restart.packets[0] is event:
                    loss.restart = event.restart
                    loss.detected_by = loss.restart.cause
                    if not needs:
                        loss.again = next((q for q in conn.requests if q.t >= event.t and not q.lost
                                           and q.lin <= p.lin < q.end), None)
                    return
            elif event.accepted() and not needs:
                covered = event.lin > p.lin or \
                    (event.lin == p.lin and not (event.is_nak() or event.is_rnr()))
                if covered:
                    loss.detected_by = 'nothing'
                    loss.again = None
                    loss.delivered = True
                    return

    # -- go-back-N -------------------------------------------------------------------------

    def check(self, conn):
        """Check the responder: what it must have received before it sends a NAK, and that
        its acknowledgments never go back."""
        received = sorted((p for p in conn.arrived if p.accepted()), key=Packet.time)
        if not conn.requests or not conn.arrived or self.blackholes or \
                not set(range(conn.arrived[0].step, conn.arrived[-1].step + 1)) <= \
                self.recorded[conn.arrived[0].port, 'rx'] or \
                any(p.is_rnr() and not p.forged for p in conn.responses) or \
                any(a == 'reorder' for p in conn.arrived for _, a, _ in p.actions):
            self.check_restarts(conn)
            return
        # The responder processes packets in their order, some time after their arrival.
        # due: for each NAK the arrival that reveals the loss. states: what it expects.
        expected, asked = conn.requests[0].lin, False
        due, states = collections.deque(), []
        for p in received:
            if p.lin == expected:
                expected, asked = (p.sent.end if p.sent else p.lin + 1), False
            elif p.lin > expected and not asked:
                due.append((p.time(), expected))
                asked = True
            states.append((p.time(), expected))
        acked = last = None
        for p in conn.responses:
            if p.forged:
                continue
            if p.is_nak() and p.syndrome & 31 == 0:
                if due and due[0][1] == p.lin and due[0][0] <= p.t:
                    last = due.popleft()[1]
                    continue
                if due and due[0][0] <= p.t:
                    self.violate(conn, p, f'first-hole: the NAK requests {p.psn:#x}, but '
                                          f'{due[0][1] % PSNS:#x} is the first missing packet')
                elif p.lin == last:
                    self.violate(conn, p, f'one-nak: a second NAK requests {p.psn:#x}')
                else:
                    self.violate(conn, p, f'nak: no packet beyond {p.psn:#x} had arrived')
            elif p.kind() == 'ack':
                if acked is not None and p.lin < acked:
                    self.violate(conn, p, f'acks: the ACK of {p.psn:#x} follows that of '
                                          f'{acked % PSNS:#x}')
                acked = p.lin if acked is None else max(acked, p.lin)
                if p.lin >= max((e for t, e in states if t <= p.t), default=conn.requests[0].lin):
                    self.violate(conn, p, f'ack: {p.psn:#x} is acknowledged, but it has not '
                                          'arrived')
        for t, lin in due:
            self.violate(conn, received[-1], f'nak: no NAK requests {lin % PSNS:#x}, whose loss '
                                             f'was revealed at {t}')
        self.check_restarts(conn)


    def check_restarts(self, conn):
        """Check that the requester goes back to the right packet, and not without reason."""
        if any(p.forged for p in conn.answered):
            return
        for r in conn.restarts:
            if r.cause == 'none':
                self.violate(conn, r.packets[0], 'restart: the retransmission has no cause')

    def violate(self, conn, packet, text):
        """Report a violation of go-back-N."""
        conn.violations.append(f'{packet.port} {packet.opcode}: {text}')

    def check_order(self):
        """Check that no packet overtakes another one, unless a fault holds packets."""
        for conn in self.connections:
            for arrived in (conn.arrived, conn.answered):
                if not arrived or any(a in HOLDING or a == 'duplicate' or a in DAMAGING
                                      for q in self.packets if q.stream() == arrived[0].stream()
                                      for _, a, _ in q.actions):
                    continue
                fates = collections.Counter(p.psn for p in arrived)
                sent = collections.Counter(p.psn for p in (
                    conn.responses if arrived is conn.answered else conn.requests) if not p.lost)
                latest = None
                for p in arrived:
                    # The order is certain if all transmissions of the PSN arrived
                    if p.sent is None or fates[p.psn] != sent[p.psn]:
                        continue
                    if latest and p.sent.t < latest.t:
                        self.error(p, f'the packet arrives after PSN {latest.psn:#x}, '
                                      'which was sent later')
                    if latest is None or p.sent.t > latest.t:
                        latest = p.sent

    def check_attempts(self):
        """Check the attempts: the port counts how often a PSN has passed it. A READ that
        requests the rest of an earlier one is a further attempt of its PSN (9.7.5.1.4)."""
        seen = collections.defaultdict(int)
        reads = collections.defaultdict(list)
        ends = {(conn, q.lin): q.end for conn in self.connections for q in conn.requests}
        for p in self.packets:
            key = (p.port, p.direction, p.stream(), p.psn)
            if p.kind() in ('ack', 'nak', 'rnr') or not p.attempt:
                continue
            full = p.step in self.recorded[p.port, p.direction]
            count = seen[key] + 1
            if p.opcode == READ:
                before = reads[p.port, p.direction, p.conn]
                count = max(count, 1 + sum(lin <= p.lin < ends.get((p.conn, lin), 0)
                                           for lin in before))
                before.append(p.lin)
            at_nic = p.port in self.nics.values()
            wrong = p.attempt < count or (p.attempt > count and full and not self.blackholes)
            if wrong if at_nic else p.attempt < count:
                self.error(p, f'attempt {p.attempt}, but the packet passes the port for the '
                              f'{count}. time')
            seen[key] = max(p.attempt, count)

    def check_responses(self, conn):
        """Check that no response is missing: the responses of a READ have no gap, and a
        READ or atomic that arrived in sequence is answered."""
        if self.blackholes:
            return
        before = None
        for p in conn.responses:
            if p.kind() != 'response' or not p.opcode.startswith('rc-read'):
                before = None if p.kind() == 'response' else before
                continue
            first = p.opcode in ('rc-read-response-first', 'rc-read-response-only')
            if before is not None and not first and p.lin > before.lin + 1 and \
                    self.is_recorded(p) and \
                    not any(q.opcode == READ and q.lin == p.lin for q in conn.arrived):
                self.error(p, f'the responses {(before.lin + 1) % PSNS:#x} to '
                              f'{(p.lin - 1) % PSNS:#x} were not sent')
            before = p
        responded = {p.lin for p in conn.responses if p.kind() == 'response'}
        for p in conn.arrived:
            if (p.opcode == READ or p.opcode in ATOMICS) and not p.removed_by() and \
                    self.covers(p.port, 'tx', p) and self.is_recorded(p) and p.lin not in responded:
                later = [q for q in conn.responses if q.lin > p.lin and q.t > p.t]
                if later:
                    self.error(p, 'the request arrived, but the response was not sent')

    def check_recovery(self):
        """Check that a lost request is sent again if a later PSN is acknowledged."""
        for loss in self.losses:
            p = loss.packet
            if p.kind() != 'request' or loss.delivered or self.blackholes:
                continue
            if any(q.unknown or not q.lost for q in p.conn.requests if q.lin <= p.lin < q.end):
                continue
            if any(a.kind() in ('ack', 'response') and a.lin >= p.end - 1 and not a.forged
                   for a in p.conn.responses):
                self.error(p, 'the packet was lost in all attempts, but it is acknowledged')

    def check_counters(self):
        """Compare the verdict with the counters of rxe, which count each time at which a
        requester goes back after a NAK or timeout, and each NAK of a responder."""
        conns = self.connections
        restarts = sum(r.cause != 'rnr' for conn in conns for r in conn.restarts)
        rnr = sum(r.cause == 'rnr' for conn in conns for r in conn.restarts)
        naks = sum(not p.forged for p in self.naks())
        wrong = []
        # A NAK that arrives while the requester waits after an RNR NAK counts, too
        if self.blackholes or 'completer_retry_err' not in self.facts:
            return wrong
        if not restarts <= self.facts['completer_retry_err'] <= restarts + rnr:
            wrong.append(f'requesters went back {restarts} times; '
                         f'completer_retry_err: {self.facts["completer_retry_err"]}')
        if naks != self.facts['out_of_seq_request']:
            wrong.append(f'{naks} NAKs were sent; '
                         f'out_of_seq_request: {self.facts["out_of_seq_request"]}')
        return wrong

    # -- verdict ---------------------------------------------------------------------------

    def judge(self, events):
        """Judge the case."""
        self.add(events)
        self.find_nics()
        self.find_forged()
        self.connect()
        self.deliver()
        for conn in self.connections:
            self.ranges(conn)
            self.find_restarts(conn)
        for conn in self.connections:
            self.recover(conn)
            self.check(conn)
            self.check_responses(conn)
        self.check_order()
        self.check_attempts()
        self.check_recovery()
        self.losses.sort(key=lambda loss: (loss.t, loss.packet.line))

    def retransmitted(self):
        """Return the retransmitted packets: requests whose PSN was already used, and
        READ and atomic responses whose PSN was already sent."""
        again = []
        for conn in self.connections:
            again += [p for r in conn.restarts for p in r.packets]
            seen = set()
            for p in conn.responses:
                if p.kind() == 'response':
                    if p.lin in seen or (p.attempt > 1 and self.blackholes):
                        again.append(p)
                    seen.add(p.lin)
        return again

    def naks(self):
        """Return the NAKs that left a responder; their requests need not be recorded."""
        return [p for p in self.packets if p.is_nak() and p.direction == 'tx' and
                p.port == self.nics.get(p.source)]

    def verdict(self):
        """Return the verdict as a dictionary."""
        restarts = [r for conn in self.connections for r in conn.restarts]
        first = self.losses[0] if self.losses else None
        return {
            'case': self.name,
            'losses': [loss.facts() for loss in self.losses],
            'detected_by': first.detected_by if first else None,
            'recovery_time': first.recovery if first else None,
            'retransmitted': len(self.retransmitted()),
            'timeouts': sum(r.cause == 'timeout' for r in restarts),
            'naks': sum(p.is_nak() and p.accepted()
                        for conn in self.connections for p in conn.answered),
            'restarts': collections.Counter(r.cause for r in restarts),
            'without_loss': sum(len(r.packets) for r in restarts if not r.losses),
            'violations': [v for conn in self.connections for v in conn.violations],
            'errors': self.errors,
        }


def judge_events(name, lines, timer):
    """Judge the case with these lines of timeline.jsonl and events.jsonl."""
    events = []
    for number, line in enumerate(lines, 1):
        event = json.loads(line)
        event['line'] = number
        events.append(event)
        if event['type'] == 'job' and 'timeout' in event:
            timer = 4096 << event['timeout']
    case = Case(name, timer)
    case.judge(events)
    return case


def scenario_timer(scenario, name):
    """Return the retransmission timer in nanoseconds that the scenario gives to its case."""
    qp = {'timeout': 14, **scenario.get('qp', {})}
    for case in scenario['cases']:
        if case['name'] == name:
            qp.update(case.get('qp', {}))
    return 4096 << qp['timeout']


def judge_case(directory, name, timer):
    """Judge a case of a run's directory."""
    lines = []
    for file in ('timeline.jsonl', 'events.jsonl'):
        with open(os.path.join(directory, name, file), encoding='utf-8') as f:
            lines += f
    return judge_events(name, lines, timer)


def judge_run(directory):
    """Judge the cases of a run's directory, in the order of summary.json."""
    with open(os.path.join(directory, 'summary.json'), encoding='utf-8') as f:
        cases = json.load(f)['cases']
    with open(os.path.join(directory, 'scenario.yaml'), encoding='utf-8') as f:
        scenario = yaml.safe_load(f)
    return [judge_case(directory, case['label'], scenario_timer(scenario, case['name']))
            for case in cases]


def packet_key(packet):
    """Return what identifies a packet in a verdict and in summary.json."""
    return (packet['source'], packet['destination'], packet['qp'], packet['psn'], packet['opcode'])


def compare_losses(verdict, summary):
    """Return the differences between the losses of the judge and those of summary.json.
    Its losses also contain packets that were hit and not lost; they are ignored."""
    differences = []
    theirs = collections.defaultdict(list)
    for loss in summary['losses']:
        if loss['lost']:
            theirs[packet_key(loss['packet'])].append(loss)
    ours = collections.defaultdict(list)
    for loss in verdict['losses']:
        ours[packet_key(loss)].append(loss)
    for key in sorted(set(ours) | set(theirs)):
        name = f'{key[0]} > {key[1]} qp {key[2]} PSN {key[3]:#x} {key[4]}'
        if len(ours[key]) != len(theirs[key]):
            places = [f'{o["port"]} {o["direction"]}' for o in ours[key]]
            differences.append(f'{name}: lost {len(ours[key])} times {places}; '
                               f'summary.json: {len(theirs[key])} times')
            continue
        for our, their in zip(ours[key], sorted(theirs[key], key=lambda t: t['packet']['t_ns'])):
            said = [('detected_by', our['detected_by'], their['detected_by']),
                    ('recovery_time', our['recovery_time'], their['recovery_time_ns'])]
            differences += [f'{name} attempt {our["attempt"]}: {what} {a}; summary.json: {b}'
                            for what, a, b in said if a != b]
    return differences


def check(case):
    """Return what is wrong with the events of a case: they contradict each other or the
    counters of rxe, or rxe violates go-back-N."""
    verdict = case.verdict()
    return [f'events.jsonl: {e}' for e in verdict['errors']] + \
        [f'go-back-N: {v}' for v in verdict['violations']] + case.check_counters()


def compare(case, summary):
    """Return the differences between a judged case and the same case of summary.json."""
    verdict, metrics = case.verdict(), summary['metrics']
    differences = compare_losses(verdict, summary)
    for key in ('retransmitted', 'timeouts', 'naks', 'detected_by', 'recovery_time'):
        ours, theirs = verdict[key], metrics[key]
        if key == 'detected_by' and not verdict['losses'] and theirs == 'nothing':
            theirs = None       # the summary says so if nothing was lost
        if ours != theirs:
            differences.append(f'{key} {ours}; summary.json: {theirs}')
    if metrics['gbn.violations'] != len(verdict['violations']):
        breaches = [b for flow in summary['flows'] for b in flow['breaches']]
        differences.append(f'{len(verdict["violations"])} violations of go-back-N; summary.json: '
                           f'{metrics["gbn.violations"]} {breaches}')
    return differences


def report(directory, with_summary):
    """Check the events of a run, or compare its judged cases with its summary.json. Print
    all differences, and the number of cases and losses. Return whether there are none."""
    with open(os.path.join(directory, 'summary.json'), encoding='utf-8') as f:
        summaries = json.load(f)['cases']
    judged = judge_run(directory)
    differences = []
    for case, summary in zip(judged, summaries, strict=True):
        found = compare(case, summary) if with_summary else check(case)
        if not summary['events_lost']:
            differences += [f'{directory} {case.name}: {text}' for text in found]
    lost = sum(len(case.losses) for case in judged)
    print(*differences, f'# {directory}: {len(judged)} cases, {lost} losses', sep='\n')
    return not differences


def main():
    """Run the program."""
    if sys.argv[1] in ('--check', '--compare'):
        good = [report(directory, sys.argv[1] == '--compare') for directory in sys.argv[2:]]
        sys.exit(not all(good))
    for case in judge_run(sys.argv[1]):
        print(json.dumps(case.verdict()))


if __name__ == '__main__':
    main()
