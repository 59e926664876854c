# SPDX-License-Identifier: GPL-2.0
"""
trim.py SPEC: send RoCEv2 packets through the port t1 in both directions, and compare each
frame that arrives with the frame that a switch would make of it. The frames are built
without the module, with the checksum of the IPv4 header and the ICRC.

  tx: t1 (port) to t2     rx: t2 to t1 (port), by the bridge to t3 and t4
"""
import json
import socket
import subprocess

import tap
from roce import RETH, aeth, bth, ethernet, packet

NEAR, FAR = bytes.fromhex('020000000001'), bytes.fromhex('020000000002')
FAMILIES = {'IPv4': ('192.0.2.1', '192.0.2.2'), 'IPv6': ('2001:db8::1', '2001:db8::2')}
PATHS = {'tx': ('t1', 't2'), 'rx': ('t2', 't4')}
MARKER = FAR + NEAR + bytes.fromhex('88b5') + bytes(50)
ETH_P_ALL, SOL_PACKET, PACKET_IGNORE_OUTGOING = 3, 263, 23
DSCP, ECN = 9, 2

# Opcode, extended header, and bytes of payload
PACKETS = [
    (0x06, RETH.pack(0x1000, 0x77, 5000), 1024),   # WRITE first
    (0x07, b'', 4096), (0x07, b'', 66), (0x07, b'', 65), (0x07, b'', 64), (0x07, b'', 1),
    (0x05, b'imm!', 1000),                         # SEND only with immediate
    (0x0e, b'', 1024),                             # READ response middle
    (0x11, aeth(0x1f, 1), 0),                      # ACK
]


def frame(addr, number, keep, dscp):
    """Return a packet of the list as it is after "trim keep", with this DSCP if it is trimmed."""
    opcode, header, size = PACKETS[number]
    trimmed = keep is not None and size > keep
    payload = bytes((number * 31 + i) & 0xff for i in range(size))[:keep if trimmed else size]
    pad = -len(payload) & 3
    tos = (dscp if trimmed and dscp is not None else DSCP) << 2 | ECN
    rest = bth(opcode, 0x20, number, pad) + header + payload + bytes(pad)
    return ethernet(NEAR, FAR, packet(*addr, rest, tos=tos)), trimmed


class Path:
    """A way through the port."""

    def __init__(self, direction):
        near, far = PATHS[direction]
        self.direction = direction
        self.out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self.out.bind((near, 0))
        self.far = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self.far.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
        self.far.bind((far, ETH_P_ALL))
        self.far.settimeout(60)

    def carry(self, frames):
        """Send frames, and return those that arrive. Rules do not apply to the marker."""
        arrived = []
        for data in frames + [MARKER]:
            self.out.send(data)
        while (data := self.far.recv(1 << 14)) != MARKER:
            arrived.append(data)
        return arrived

    def counters(self):
        """Return the counters of the port for packets that were trimmed, and that were not."""
        text = subprocess.check_output(['rdmafault', '--json', 'stat', 't1'])
        stat = json.loads(text)[0][self.direction]
        return stat['trimmed'], stat['unchanged'], stat['truncated']

    def check(self, action, keep=None, dscp=None):
        """Test that the port does this and nothing else to the packets of both families."""
        subprocess.run(['rdmafault', 'stat', '--reset', 't1'], check=True, capture_output=True)
        subprocess.run(['rdmafault', 'rule', 'replace', 't1', self.direction, '-'],
                       input=f'all {action}'.encode(), check=True, capture_output=True)
        trimmed = 0
        for family, addr in FAMILIES.items():
            sent = [frame(addr, n, None, None)[0] for n in range(len(PACKETS))]
            wanted = [frame(addr, n, keep, dscp) for n in range(len(PACKETS))]
            trimmed += sum(is_trimmed for _, is_trimmed in wanted)
            tap.same(f'{action} at {self.direction}, {family}: the right bytes arrive',
                     [data.hex() for data in self.carry(sent)], [data.hex() for data, _ in wanted])
        others = 0 if keep is None else len(FAMILIES) * len(PACKETS) - trimmed
        tap.same(f'{action} at {self.direction}: {trimmed} packets count as trimmed, '
                 f'{others} as unchanged', self.counters(), (trimmed, others, 0))


for path in (Path('tx'), Path('rx')):
    path.check('observe')
    path.check('trim 65', 65)
    path.check('trim 65 dscp 46', 65, 46)
    path.check('trim 0 dscp 63', 0, 63)
    path.check('trim 64 dscp 0', 64, 0)
    path.check('trim 4095 dscp 1', 4095, 1)
    path.check('trim 4096 dscp 1', 4096, 1)
tap.end()
