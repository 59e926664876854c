# SPDX-License-Identifier: GPL-2.0
"""Test the rings of a port; called by ring.sh with the netlink specification and two ports."""
import errno
import os
import socket
import struct
import subprocess
import sys
import threading

import roce
from nlspec import Family, Spec
from tap import end, ok, same

spec = Spec(sys.argv[1])
dev, far = sys.argv[2:4]
DEV = [('ifindex', socket.if_nametoindex(dev))]
FAR = [('ifindex', socket.if_nametoindex(far))]
TX, RX = 0, 1
RECORD = struct.Struct('=QIHBB')
HEADERS4, HEADERS6 = 14 + 20 + 8 + 12, 14 + 40 + 8 + 12
SEND_ONLY, READ_REQUEST, UD_SEND = 0x04, 0x0c, 0x64
PASS, DROP, DELAYED = 0, 1, 2
nl = Family(spec)


def new(port=None, sock=None, **words):
    """Ask for a ring."""
    return (sock or nl).do('ring-new', (port or DEV) + [('ring', list(words.items()))])


def get(direction, port=None, sock=None):
    """Read one part of a ring. Returns the answer and the records (time, length, bytes, verdict)."""
    answer = (sock or nl).do('ring-get', (port or DEV) + [('direction', direction)])
    data = answer.messages[0]['ring'].get('records', b'') if not answer.error else b''
    found = []
    while data:
        t_ns, length, captured, verdict, _ = RECORD.unpack_from(data)
        found.append((t_ns, length, data[16:16 + captured], verdict))
        data = data[16 + (captured + 7 & ~7):]
    return answer, found


def read(direction, port=None):
    """Read all of a ring. Returns its counters and the records."""
    found = []
    while True:
        answer, more = get(direction, port)
        if not more:
            return answer.messages[0]['ring'], found
        found += more


def frame(opcode, qp, psn, more, payload, ends=('192.0.2.1', '192.0.2.2')):
    """A RoCEv2 frame."""
    rest = roce.bth(opcode, qp, psn) + more + bytes(range(256)) * (payload // 256)
    kind = b'\x86\xdd' if ':' in ends[0] else b'\x08\x00'
    return bytes.fromhex('020000000002' '020000000001') + kind + roce.packet(*ends, rest)


def send(frames, out=dev):
    """Send frames out of a netdev."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
        sock.bind((out, 0))
        for data in frames:
            sock.send(data)


def close():
    """End the rings of the socket, and return a new one."""
    nl.close()
    return Family(spec)


SENDS = [frame(SEND_ONLY, 0x20, psn, b'', 1024) for psn in range(3)]

same('a ring without bytes is refused', (new(snaplen=64).error, new(snaplen=64).words),
     (errno.EINVAL, 'bytes: missing'))
for name, words in (('bytes below the minimum', {'bytes': 16383}),
                    ('bytes above the maximum', {'bytes': (256 << 20) + 1}),
                    ('snaplen 0', {'bytes': 16384, 'snaplen': 0}),
                    ('snaplen above the maximum', {'bytes': 16384, 'snaplen': 9217}),
                    ('an attribute of replies', {'bytes': 16384, 'packets': 1})):
    ok(new(**words).error in (errno.ERANGE, errno.EINVAL), f'{name}: refused')
same('a netdev that is no port is refused',
     new([('ifindex', socket.if_nametoindex('lo'))], bytes=16384).error, errno.ENODEV)
same('without a ring, nothing can be read', get(TX)[0].error, errno.ENOENT)
send(SENDS)

same('control: a ring of 100000 bytes is accepted', new(bytes=100000).error, 0)
same('a second ring is refused, also from the same socket',
     (new(bytes=16384).error, new(sock=Family(spec), bytes=16384).error), (errno.EBUSY,) * 2)
same('another socket cannot read the ring', get(TX, sock=Family(spec))[0].error, errno.ENOENT)
same('a ring has no packets from before', read(TX), ({'packets': 0, 'overwritten': 0}, []))

# One packet of each kind of headers
kinds = [(SENDS[0], HEADERS4),
         (frame(READ_REQUEST, 0x21, 9, bytes(range(16)), 0), HEADERS4 + 16),
         (frame(UD_SEND, 1, 1, bytes(8), 256), HEADERS4 + 8 + 64),
         (frame(SEND_ONLY, 0x22, 5, b'', 512, ('2001:db8::1', '2001:db8::2')), HEADERS6)]
send([data for data, _ in kinds])
send([SENDS[1]], far)
state, found = read(TX)
same('tx: the ring has the headers of each packet', [record[2] for record in found],
     [data[:length] for data, length in kinds])
same('tx: it has their lengths, and that they passed', [(r[1], r[3]) for r in found],
     [(len(data), PASS) for data, _ in kinds])
same('tx: it has counted them', state, {'packets': 4, 'overwritten': 0})
ok(all(a[0] <= b[0] for a, b in zip(found, found[1:])), 'tx: the records are sorted by time')
same('rx: the ring has the packet that arrived', [r[1:] for r in read(RX)[1]],
     [(len(SENDS[1]), SENDS[1][:HEADERS4], PASS)])
same('what was read is not read again', read(TX)[1], [])

# Rules on the same port
subprocess.run(['rdmafault', '-q', 'rule', 'add', dev, 'tx', 'qp', '0x20', 'psn', '1', 'drop'],
               check=True)
subprocess.run(['rdmafault', '-q', 'rule', 'add', dev, 'tx', 'qp', '0x20', 'psn', '2',
                'rewrite', 'psn', '77', 'delay', '1ms'], check=True)
send(SENDS)
same('the ring has the verdict of rules, and each packet as it arrived',
     [(r[2], r[3]) for r in read(TX)[1]],
     [(SENDS[0][:HEADERS4], PASS), (SENDS[1][:HEADERS4], DROP), (SENDS[2][:HEADERS4], DELAYED)])
subprocess.run(['rdmafault', '-q', 'rule', 'flush', dev], check=True)
send(SENDS)
same('the ring goes on without rules', len(read(TX)[1]), 3)

# Overwriting
small = 16 + (HEADERS4 + 7 & ~7)
send([frame(SEND_ONLY, 0x30, psn, b'', 0) for psn in range(4000)])
state, found = read(TX)
same('a full ring has overwritten the oldest packets',
     (len(found), state['overwritten']), ((1 << 17) // small, 4000 - (1 << 17) // small))
same('it has the latest ones', [int.from_bytes(r[2][51:54], 'big') for r in found],
     list(range(4000 - len(found), 4000)))

# The whole packet
nl = close()
same('a ring with snaplen replaces the ring of a closed socket',
     new(bytes=16384, snaplen=500).error, 0)
send([SENDS[0], kinds[1][0]])
same('with snaplen 500, the ring has so many bytes, or the whole frame',
     [r[2] for r in read(TX)[1]], [SENDS[0][:500], kinds[1][0]])
nl = close()
new(bytes=16384, snaplen=9216)
send([SENDS[0]] * 100)
state, found = read(TX)
same('with the longest snaplen, the ring has whole frames', {r[2] for r in found}, {SENDS[0]})
ok(0 < len(found) == 100 - state['overwritten'], 'and overwrites the oldest ones', state)

# Reading while packets arrive, and the end of the port under traffic
nl = close()
new(bytes=16384)
stop = threading.Event()


def traffic():
    while not stop.is_set():
        send(SENDS * 50)


threads = [threading.Thread(target=traffic) for _ in range(2)]
for thread in threads:
    thread.start()
bad = total = 0
for _ in range(100):
    answer, found = get(TX)
    total += len(found)
    bad += sum(r[2] not in {data[:HEADERS4] for data in SENDS} for r in found)
ok(total and not bad, 'packets that are read while others arrive are whole', (total, bad))
for _ in range(10):
    nl = close()
    new(bytes=16384)
ok(True, 'rings come and go under traffic')
subprocess.run(['rdmafault', '-q', 'port', 'del', dev, '--force'], check=True)
same('the ring ends with the port', get(TX)[0].error, errno.ENODEV)
subprocess.run(['rdmafault', '-q', 'port', 'add', dev, '--rules-only'], check=True)
same('a new port has no ring', get(TX)[0].error, errno.ENOENT)
stop.set()
for thread in threads:
    thread.join()

# The end of the netdev with its network namespace
same('control: the other port gets a ring', new(FAR, bytes=16384).error, 0)
subprocess.run(['ip', 'link', 'set', far, 'netns', 'rf-other'], check=True)
ok(not os.path.exists(f'/sys/class/net/{far}'), 'control: the netdev has moved')
same('a port at the other end gets a ring', new(bytes=16384).error, 0)
subprocess.run(['ip', 'netns', 'exec', 'rf-other', 'ip', 'link', 'del', far], check=True)
ok(not os.path.exists(f'/sys/class/net/{dev}'), 'the netdev of a ring can be removed')
end()
