# SPDX-License-Identifier: GPL-2.0
"""
cnp.py SPEC: packets with CE arrive at the port t1. Compare each CNP that leaves it with the
frame that a NIC would send, built without the module.

  t1 (port, sends CNPs) ======= t2 (sends packets with CE, captures)
"""
import json
import socket
import subprocess
from pathlib import Path

import tap
from roce import DETH, RETH, aeth, bth, ethernet, packet

NEAR = bytes.fromhex(Path('/sys/class/net/t1/address').read_text(encoding='ascii').replace(':', ''))
FAR = bytes.fromhex('020000000002')
FAMILIES = {'IPv4': ('192.0.2.1', '192.0.2.2'), 'IPv6': ('2001:db8::1', '2001:db8::2')}
MARKER = NEAR + NEAR + bytes.fromhex('88b5') + bytes(50)
ETH_P_ALL, SOL_PACKET, PACKET_IGNORE_OUTGOING = 3, 263, 23
WRITE, ACK, READ, RESPONSE, UC_WRITE, UD = 0x0a, 0x11, 0x0c, 0x0e, 0x2a, 0x64
CNP, BECN, CE, ECT0, DSCP = 0x81, 1 << 30, 3, 2, 26
LOCAL_QP, PEER_QP = 0x20, 0x000033
HEADERS = {WRITE: RETH.pack(0x1000, 0x77, 64), READ: RETH.pack(0x1000, 0x77, 4096),
           ACK: aeth(0x1f, 1), UC_WRITE: RETH.pack(0x1000, 0x77, 64), UD: DETH.pack(1, 5)}


class Wire:
    """The link between t1 and t2."""

    def __init__(self):
        self.near = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self.near.bind(('t1', 0))
        self.far = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self.far.bind(('t2', ETH_P_ALL))
        self.far.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
        self.far.settimeout(30)

    def heard(self):
        """Return the CNPs that have arrived at t2. A marker follows them."""
        self.near.send(MARKER)
        frames = []
        while (frame := self.far.recv(4096))[:len(MARKER)] != MARKER:
            frames.append(frame)
        return [frame for frame in frames if bytes([CNP]) == frame[42 if frame[12:14] == b'\x08\x00'
                                                                  else 62:][:1]]


def data(addr, opcode, qp, psn, ecn):
    """Return a packet from the peer of t1."""
    rest = bth(opcode, qp, psn) + HEADERS.get(opcode, b'') + (bytes(64) if opcode != ACK else b'')
    return ethernet(FAR, NEAR, packet(addr[1], addr[0], rest, tos=DSCP << 2 | ecn, sport=0xc123))


def answer(addr, opcode, qp, psn):
    """Return a packet that leaves t1."""
    rest = bth(opcode, qp, psn) + HEADERS[opcode]
    return ethernet(NEAR, FAR, packet(addr[0], addr[1], rest, tos=DSCP << 2))


def cnp(addr, qp, dscp=48):
    """Return the CNP that a NIC sends for data()."""
    rest = bth(CNP, BECN | qp, 0) + bytes(16)
    return ethernet(NEAR, FAR, packet(addr[0], addr[1], rest, tos=dscp << 2, sport=0xc123))


def dcqcn(*words):
    """Change DCQCN of the port."""
    subprocess.run(['rdmafault', '--quiet', 'dcqcn', 'set', 't1', *words], check=True)


def counters():
    """Return the counters of t1: packets with CE, and what was done."""
    out = subprocess.run(['rdmafault', '--json', 'stat', 't1'], check=True, stdout=subprocess.PIPE)
    rx = json.loads(out.stdout)[0]['rx']
    return [rx[key] for key in ('ce', 'cnps_sent', 'cnps_suppressed', 'cnps_unsent')]


def grown(before):
    """Return how much the counters have grown."""
    return [now - then for now, then in zip(counters(), before)]


def family_ok(wire, name, addr):
    """The CNPs for requests and for READ responses."""
    before = counters()
    wire.far.send(data(addr, WRITE, LOCAL_QP, 7, CE))
    tap.same(f'{name}: before an ACK, the QP of the sender is not known', wire.heard(), [])
    tap.same(f'{name}: this is counted', grown(before), [1, 0, 0, 1])
    wire.near.send(answer(addr, ACK, PEER_QP, 7))
    wire.heard()
    wire.far.send(data(addr, WRITE, LOCAL_QP, 8, ECT0))
    tap.same(f'{name}: a packet without CE causes no CNP', wire.heard(), [])
    wire.far.send(data(addr, WRITE, LOCAL_QP, 9, CE))
    tap.same(f'{name}: a WRITE with CE causes the CNP of a NIC', wire.heard(), [cnp(addr, PEER_QP)])
    wire.near.send(answer(addr, READ, 0x44, 100))
    wire.heard()
    wire.far.send(data(addr, RESPONSE, 0x21, 100, ECT0))
    wire.far.send(data(addr, RESPONSE, 0x21, 101, CE))
    tap.same(f'{name}: so does a READ response, for the QP of the responder', wire.heard(),
             [cnp(addr, 0x44)])
    before = counters()
    wire.far.send(data(addr, ACK, 0x21, 101, CE))
    wire.far.send(data(addr, UD, LOCAL_QP, 10, CE))
    tap.same(f'{name}: ACKs and UD with CE cause none', wire.heard(), [])
    tap.same(f'{name}: they are not counted', grown(before), [0, 0, 0, 0])
    before = counters()
    wire.far.send(data(addr, UC_WRITE, 0x55, 1, CE))
    tap.same(f'{name}: UC with CE causes none, because its sender is not known', wire.heard(), [])
    tap.same(f'{name}: it is counted', grown(before), [1, 0, 0, 1])


def interval_ok(wire):
    """The interval between two CNPs, and its scopes."""
    addr = FAMILIES['IPv4']
    for scope, wanted in ('qp', 2), ('pair', 1), ('port', 1):
        # A new table of intervals; then the QPs must be found again.
        subprocess.run(['rdmafault', '--quiet', 'dcqcn', 'off', 't1'], check=True)
        dcqcn('np', 'on')
        for qp, peer in (LOCAL_QP, PEER_QP), (0x22, 0x34):
            wire.far.send(data(addr, WRITE, qp, 7, ECT0))
            wire.near.send(answer(addr, ACK, peer, 7))
            wire.heard()
        dcqcn('np-min-time-between-cnps', '10s', 'scale', '1000', 'np-scope', scope)
        before = counters()
        for psn in range(20, 30):
            wire.far.send(data(addr, WRITE, LOCAL_QP, psn, CE))
            wire.far.send(data(addr, WRITE, 0x22, psn, CE))
        tap.same(f'scope {scope}: two QPs get {wanted} CNPs in the interval', len(wire.heard()),
                 wanted)
        tap.same(f'scope {scope}: the others are counted', grown(before),
                 [20, wanted, 20 - wanted, 0])


def settings_ok(wire):
    """The DSCP, rules for CNPs, and the end."""
    addr = FAMILIES['IPv4']
    dcqcn('np-min-time-between-cnps', '0s', 'np-cnp-dscp', '10')
    wire.far.send(data(addr, WRITE, LOCAL_QP, 40, CE))
    tap.same('the DSCP of CNPs can be set', wire.heard(), [cnp(addr, PEER_QP, 10)])
    subprocess.run('rdmafault --quiet rule add t1 tx class cnp drop'.split(), check=True)
    wire.far.send(data(addr, WRITE, LOCAL_QP, 41, CE))
    tap.same('a rule on tx can drop CNPs', wire.heard(), [])
    subprocess.run('rdmafault --quiet rule flush t1'.split(), check=True)
    subprocess.run('rdmafault --quiet rule add t1 rx class write mark ce'.split(), check=True)
    wire.far.send(data(addr, WRITE, LOCAL_QP, 42, ECT0))
    tap.same('a mark by a rule on rx causes a CNP', wire.heard(), [cnp(addr, PEER_QP, 10)])
    subprocess.run('rdmafault --quiet rule flush t1'.split(), check=True)
    wire.far.send(data(addr, WRITE, LOCAL_QP, 43, CE))
    tap.same('the sender stays known when the rules end', wire.heard(), [cnp(addr, PEER_QP, 10)])
    subprocess.run(['rdmafault', '--quiet', 'dcqcn', 'off', 't1'], check=True)
    before = counters()
    wire.far.send(data(addr, WRITE, LOCAL_QP, 44, CE))
    tap.same('dcqcn off: no CNPs', wire.heard(), [])
    tap.same('dcqcn off: nothing is counted', grown(before), [0, 0, 0, 0])


def main():
    """Run all tests."""
    wire = Wire()
    dcqcn('np', 'on', 'np-min-time-between-cnps', '0s')
    for name, addr in FAMILIES.items():
        family_ok(wire, name, addr)
    interval_ok(wire)
    settings_ok(wire)
    tap.end()


if __name__ == '__main__':
    main()
