# SPDX-License-Identifier: GPL-2.0
"""
dcqcn.py SPEC: CNPs arrive at the port t1. Read the rates of its flows, and measure when
its packets arrive at t2. The timers are so slow that only CNPs change the rates.

  t1 (port, obeys CNPs) ======= t2 (sends CNPs, captures)
"""
import json
import socket
import struct
import subprocess

import tap
from cnp import ACK, BECN, CNP, FAMILIES, FAR, NEAR, RESPONSE, WRITE, Wire, answer, data
from roce import bth, ethernet, packet

SO_TIMESTAMPNS, SO_RCVBUFFORCE = 35, 33
LINE, SCALE, OVERHEAD = 100_000_000, 400, 24
FLOW_QP, OWN_QP = 0x20, 0x33
ADDR = FAMILIES['IPv4']


def rdmafault(words):
    """Run a command."""
    subprocess.run(['rdmafault', '--quiet', *words.split()], check=True)


def flows():
    """Return the flows with a rate."""
    out = subprocess.run('rdmafault --json dcqcn show t1'.split(), check=True,
                         stdout=subprocess.PIPE)
    return json.loads(out.stdout)[0]['flows']


def state():
    """Return rate, target, alpha and CNPs of each flow."""
    return [[flow[key] for key in ('qp', 'rate', 'target', 'alpha', 'cnps')] for flow in flows()]


def counters(direction, *keys):
    """Return counters of t1."""
    out = subprocess.run('rdmafault --json stat t1'.split(), check=True, stdout=subprocess.PIPE)
    return [json.loads(out.stdout)[0][direction][key] for key in keys]


def notify(addr, qp, damage=0):
    """Return a CNP for a QP of t1."""
    rest = bth(CNP, BECN | qp, 0) + bytes(16)
    frame = bytearray(ethernet(FAR, NEAR, packet(addr[1], addr[0], rest, tos=48 << 2)))
    frame[-1] ^= damage
    return bytes(frame)


def request(psn, size=1000):
    """Return a packet of the flow."""
    rest = bth(WRITE + 1, FLOW_QP, psn) + bytes(size)
    return ethernet(NEAR, FAR, packet(*ADDR, rest, tos=26 << 2))


def response(psn, size=64):
    """Return a READ response of the flow."""
    return ethernet(NEAR, FAR, packet(*ADDR, bth(RESPONSE, FLOW_QP, psn) + bytes(size),
                                      tos=26 << 2))


def begin(wire, addr, qp, own):
    """Make the flow known to the port: a request and its ACK."""
    wire.near.send(answer(addr, WRITE, qp, 7))
    wire.far.send(data(addr, ACK, own, 7, 0))
    wire.heard()


def arrivals(wire, count):
    """Return time, opcode and PSN of the next packets to the flow."""
    found = []
    while len(found) < count:
        frame, extra, _, _ = wire.far.recvmsg(4096, 128)
        if frame[12:14] != b'\x08\x00' or frame[36:38] != b'\x12\xb7':
            continue
        seconds, ns = struct.unpack('qq', extra[0][2][:16])
        found.append((seconds * 10**9 + ns, frame[42], int.from_bytes(frame[51:54], 'big')))
    return found


def cuts_ok(wire):
    """The rate after each CNP, and CNPs that are refused."""
    begin(wire, ADDR, FLOW_QP, OWN_QP)
    tap.same('without a CNP, no flow has a rate', state(), [])
    for k in range(1, 7):
        wire.far.send(notify(ADDR, OWN_QP))
        wire.heard()
        tap.same(f'CNP {k}: the rate is 1/{1 << k} of the link rate', state(),
                 [[FLOW_QP, LINE >> k, LINE >> (k - 1), 1, k]])
    before = counters('rx', 'cnps_received', 'cnps_refused')
    wire.far.send(notify(ADDR, OWN_QP, damage=1))
    wire.far.send(notify(ADDR, 0x77))
    wire.far.send(notify((ADDR[0], '192.0.2.9'), OWN_QP))
    wire.heard()
    tap.same('a damaged CNP, one for an unknown QP and one from another host are refused',
             counters('rx', 'cnps_received', 'cnps_refused'), [before[0], before[1] + 3])
    tap.same('they change no rate', state(), [[FLOW_QP, LINE >> 6, LINE >> 5, 1, 6]])


def rules_ok(wire):
    """Rules on rx see CNPs first."""
    rdmafault('rule add t1 rx class cnp drop')
    wire.far.send(notify(ADDR, OWN_QP))
    wire.heard()
    tap.same('a CNP that a rule drops has no effect', state()[0][4], 6)
    rdmafault('rule flush t1')
    rdmafault('rule add t1 rx class cnp delay 1ms')
    before = counters('rx', 'cnps_received')[0]
    wire.far.send(notify(ADDR, OWN_QP))
    subprocess.run(['sh', '-c', 'until [ "$(rdmafault --json stat t1 | '
                    f'jq .[0].rx.cnps_received)" -gt {before} ]; do :; done'],
                   check=True, timeout=60)
    tap.same('one that a rule delays has', state()[0][4], 7)
    rdmafault('rule flush t1')


def pace_ok(wire):
    """The packets of the flow depart at its rate."""
    rate = flows()[0]['rate']
    count, tries = 40, 5
    wanted = (len(request(0)) + OVERHEAD) * 8 * (count - 1) * 10**9 / rate
    # A busy machine can be late, but no packet departs early.
    for _ in range(tries):
        for psn in range(count):
            wire.near.send(request(100 + psn))
        found = arrivals(wire, count)
        took = found[-1][0] - found[0][0]
        if took / wanted < 1.03:
            break
    tap.same('the packets keep their order', [psn for _, _, psn in found],
             list(range(100, 100 + count)))
    tap.ok(abs(took / wanted - 1) < 0.03,
           f'{count} packets at {rate} bit/s take the right time', f'{took} ns, not {wanted} ns')
    tap.same('none departs early', counters('tx', 'pace_expired', 'pace_dropped'), [0, 0])


def acks_ok(wire):
    """ACKs wait only behind READ responses."""
    for psn in range(10):
        wire.near.send(request(200 + psn))
    wire.near.send(answer(ADDR, ACK, FLOW_QP, 9))
    opcodes = [opcode for _, opcode, _ in arrivals(wire, 11)]
    tap.ok(opcodes.index(ACK) < 10, 'an ACK does not wait behind requests', opcodes)
    for psn in range(10):
        wire.near.send(response(300 + psn))
    wire.near.send(answer(ADDR, ACK, FLOW_QP, 9))
    tap.same('it waits behind READ responses',
             [opcode for _, opcode, _ in arrivals(wire, 11)], [RESPONSE] * 10 + [ACK])


def limit_ok(wire):
    """Too many READ responses are dropped. All others leave at once when DCQCN ends."""
    # They are so long that even a slow machine sends them faster than the flow may.
    for psn in range(1500):
        wire.near.send(response(1000 + psn, 1000))
    dropped = counters('tx', 'pace_dropped')[0]
    tap.ok(dropped > 0, 'READ responses above the limit are dropped and counted', dropped)
    rdmafault('dcqcn off t1')
    psns = [psn for _, _, psn in arrivals(wire, 1500 - dropped)]
    tap.same('when DCQCN ends, the others depart in their order', psns, sorted(psns))
    wire.far.send(notify(ADDR, OWN_QP))
    before = counters('rx', 'cnps_received', 'cnps_refused')
    wire.heard()
    tap.same('then CNPs have no effect', counters('rx', 'cnps_received', 'cnps_refused'), before)
    tap.same('and no flow has a rate', flows(), [])


def families_ok(wire):
    """A flow over IPv6."""
    addr = FAMILIES['IPv6']
    begin(wire, addr, 0x51, 0x52)
    wire.far.send(notify(addr, 0x52))
    wire.heard()
    tap.same('IPv6: a CNP halves the rate', [[0x51, LINE >> 1, LINE, 1, 1]],
             [flow for flow in state() if flow[0] == 0x51])


def main():
    """Run all tests."""
    wire = Wire()
    wire.far.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    wire.far.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 16 << 20)
    rdmafault('link set t1 rate 100mbit')
    rdmafault(f'dcqcn set t1 rp on scale {SCALE} time-reset 10s dce-tcp-rtt 10s byte-reset none')
    cuts_ok(wire)
    families_ok(wire)
    rdmafault('dcqcn off t1')
    rdmafault('dcqcn set t1 rp on')
    begin(wire, ADDR, FLOW_QP, OWN_QP)
    for _ in range(6):
        wire.far.send(notify(ADDR, OWN_QP))
        wire.heard()
    rules_ok(wire)
    pace_ok(wire)
    acks_ok(wire)
    limit_ok(wire)
    tap.end()


if __name__ == '__main__':
    main()
