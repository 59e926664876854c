# SPDX-License-Identifier: GPL-2.0
"""
path_rdma.py SPEC: run connections between rxe1 and rxe2, predict the links of their packets from
the numbers of the queue pairs, and compare them with the counters of the paths of p1 and p2, which
have the mode ecmp and the seed 3.
"""
import collections
import json
import socket
import struct
import subprocess

import pathhash
import tap
from roce import ROCE_PORT

RUNS = 5
NEAR, FAR = '10.77.0.1', '10.77.0.2'
ETH_P_ALL, SO_RCVBUFFORCE = 3, 33


def capture():
    """Return a socket that gets the packets of v1 in both directions."""
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 24)
    sock.bind(('v1', ETH_P_ALL))
    sock.setblocking(False)
    return sock


def flows(sock):
    """Count the RoCEv2 packets in a capture by source address, UDP source port and QP."""
    count = collections.Counter()
    while True:
        try:
            data = sock.recv(128)
        except BlockingIOError:
            return count
        if len(data) > 54 and data[12:14] == b'\x08\x00' and data[23] == 17 and \
                struct.unpack_from('>H', data, 36)[0] == ROCE_PORT:
            source = socket.inet_ntoa(data[26:30])
            sport, qp = struct.unpack_from('>H', data, 34)[0], struct.unpack_from('>I', data, 46)[0]
            count[source, sport, qp & 0xffffff] += 1


def counters(port):
    """Return the packets of each link of a path."""
    shown = json.loads(subprocess.check_output(['rdmafault', '--json', 'path', 'show', port]))
    return {link['netdev']: link['packets'] for link in shown[0]['links']}


near, far = counters('p1'), counters('p2')
used, ports = set(), []
for _ in range(RUNS):
    with capture() as sock:
        subprocess.run(['rcprobe', 'rxe1', 'rxe2', 'write', '10', '4096'], check=True,
                       capture_output=True)
        seen = flows(sock)
    # A packet names the QP of its receiver; those of the other direction name that of its sender.
    numbers = {source: qp for (source, _, qp) in seen}
    for (source, sport, qp), packets in seen.items():
        path, other = (near, FAR) if source == NEAR else (far, NEAR)
        port = pathhash.rxe_port(numbers[other], qp)
        ports.append((sport, port))
        link = pathhash.link(list(path), pathhash.flow_hash(3, source, other, port))
        path[link] += packets
        used.add(link)
tap.same(f'{2 * RUNS} flows have the UDP source ports that follow from their queue pairs',
         [seen for seen, _ in ports], [port for _, port in ports])
tap.ok(len(ports) == 2 * RUNS and len(used) > 3,
       'control: each run has two flows, and the flows take several links', sorted(used))
tap.same('the packets of all flows from rxe1 took the predicted links', counters('p1'), near)
tap.same('the packets of all flows from rxe2 took the predicted links', counters('p2'), far)
tap.end()
