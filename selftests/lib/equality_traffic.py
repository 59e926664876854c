# SPDX-License-Identifier: GPL-2.0
"""The traffic of exact/equality: the same frames in both directions of a port.

A frame is (direction, bytes). The last two bytes of its source MAC address are its label:
the number of the frame in its direction, counted from 1.
"""
import struct

from roce import ATOMIC, DETH, MAD, RETH, aeth, bth, ethernet, packet

MAC = bytes.fromhex('020000000001'), bytes.fromhex('020000000002')
ADDR = ('192.0.2.1', '192.0.2.2')
ADDR6 = ('2001:db8::1', '2001:db8::2')
ACK, RNR, SEQUENCE, INVALID = 0x1f, 0x2e, 0x60, 0x61


def filler(length, first):
    """Return a payload that differs between packets."""
    return bytes((first * 17 + i) & 0xff for i in range(length))


class Sender:
    """One end: makes the frames of one direction."""

    def __init__(self, direction):
        self.direction, self.count = direction, 0
        self.near, self.far = (0, 1) if direction == 'tx' else (1, 0)

    def raw(self, ip, tag=None):
        """Return a frame with these bytes from the IP header on."""
        self.count += 1
        label = struct.pack('>H', self.count)
        return self.direction, ethernet(MAC[self.near][:4] + label, MAC[self.far], ip, tag)

    def send(self, opcode, qp, psn, size=0, header=b'', tag=None, addr=ADDR, src=None, **how):
        """Return a packet with this extended header and payload."""
        pad = -size & 3
        rest = bth(opcode, qp, psn, pad) + header + filler(size, psn) + bytes(pad)
        return self.raw(packet(src or addr[self.near], addr[self.far], rest, **how), tag)

    def write(self, qp, psn, count, size=64, first=0, base=0, **how):
        """Yield the packets of an RDMA WRITE from number first on."""
        for i in range(first, count):
            at = 0x0a if count == 1 else 0x06 if i == 0 else 0x08 if i == count - 1 else 0x07
            reth = RETH.pack(0x1000 * psn, 0x77, count * size)
            yield self.send(base + at, qp, psn + i, size, reth if i == 0 else b'', **how)

    def read(self, qp, psn, packets, done=0):
        """Return a READ request for 1024 bytes per packet, or for the rest of it."""
        reth = RETH.pack(0x100000 + 1024 * done, 0x78, 1024 * (packets - done))
        return self.send(0x0c, qp, psn + done, 0, reth)

    def reply(self, opcode, qp, psn, syndrome=None, msn=0, size=0, more=b''):
        """Return a response."""
        header = b'' if syndrome is None else aeth(syndrome, msn)
        return self.send(opcode, qp, psn, size, header + more)

    def datagram(self, qp, psn, sender, opcode=0x64, size=32):
        """Return an unreliable datagram from the queue pair sender."""
        return self.send(opcode, qp, psn, size,
                         DETH.pack(0x11, sender) + (b'imm!' if opcode == 0x65 else b''))

    def mad(self, attribute):
        """Return a message of connection management, to queue pair 1."""
        return self.send(0x64, 1, 1, 232, DETH.pack(0x11, 1) + MAD.pack(1, 7, 2, 3, 1, attribute, 0, 0))

    def messages(self):
        """Yield requests of all RC opcodes, PSN 100 to 124, to queue pair 16."""
        yield from self.write(16, 100, 3)
        yield from self.write(16, 103, 1)
        yield self.send(0x00, 16, 104, 64)
        yield self.send(0x01, 16, 105, 64)
        yield self.send(0x03, 16, 106, 10, b'imm!')
        yield self.send(0x04, 16, 107, 33)
        yield self.send(0x05, 16, 108, 0, b'imm!')
        yield self.send(0x0b, 16, 109, 64, RETH.pack(0x9000, 0x77, 64) + b'imm!')
        yield self.send(0x06, 16, 110, 64, RETH.pack(0xa000, 0x77, 128))
        yield self.send(0x09, 16, 111, 64, b'imm!')
        yield self.read(16, 112, 3)
        yield self.send(0x13, 16, 115, 0, ATOMIC.pack(0xb000, 0x79, 1, 2))
        yield self.send(0x14, 16, 116, 0, ATOMIC.pack(0xb000, 0x79, 3, 0))
        yield self.send(0x00, 16, 117, 64)
        yield self.send(0x16, 16, 118, 64, b'inv!')
        yield self.send(0x17, 16, 119, 64, b'inv!')
        yield self.send(0x00, 16, 120, 64)
        yield self.send(0x02, 16, 121, 5)
        yield self.read(16, 122, 1)
        yield from self.write(16, 123, 1, size=4000)
        yield from self.write(16, 124, 1)

    def others(self):
        """Yield packets of other flows, services and headers."""
        yield from self.write(17, 0xfffffe, 5, size=20)
        for psn in range(5):
            yield from self.write(18, psn, 1, size=24)
        yield from self.write(16, 100, 3, addr=ADDR6)
        yield from self.write(19, 1, 1, tag=0xa00a)
        yield from self.write(19, 2, 1, tag=0x600a)
        yield from self.write(20, 1, 1, tos=26 << 2 | 2)
        yield from self.write(20, 2, 1, tos=1)
        yield from self.write(20, 3, 1, tos=48 << 2 | 3)
        yield from self.write(21, 1, 1, sport=0xd00d)
        yield from self.write(21, 1, 1, src='192.0.2.77')
        yield self.datagram(22, 9, 5)
        yield self.datagram(22, 9, 6)
        yield self.datagram(22, 10, 5, opcode=0x65)
        yield self.mad(0x10)
        yield from self.write(23, 50, 3, base=0x20)
        yield self.send(0xa4, 24, 70, 12, b'xrc!')
        yield self.send(0x81, 32, 0, 0, bytes(16))

    def replies(self):
        """Yield responses to the requests of the other end, whose queue pair is 32."""
        yield self.reply(0x11, 32, 103, ACK, 2)
        yield self.reply(0x0d, 32, 112, ACK, 8, 1024)
        yield self.reply(0x0e, 32, 113, None, 0, 1024)
        yield self.reply(0x0f, 32, 114, ACK, 8, 1000)
        yield self.reply(0x12, 32, 115, ACK, 9, 0, bytes(8))
        yield self.reply(0x12, 32, 116, ACK, 10, 0, bytes(8))
        yield self.reply(0x11, 32, 118, SEQUENCE, 10)
        yield self.reply(0x11, 33, 0xffffff, ACK, 0)
        yield self.reply(0x11, 33, 1, RNR, 0)

    def again(self):
        """Yield retransmissions, old packets and a jump of the PSN."""
        yield self.send(0x16, 16, 118, 64, b'inv!')
        yield self.send(0x17, 16, 119, 64, b'inv!')
        yield self.send(0x00, 16, 120, 64)
        yield self.send(0x02, 16, 121, 5)
        yield self.read(16, 122, 1)
        yield self.send(0x16, 16, 118, 64, b'inv!')
        yield self.read(16, 112, 3, done=1)
        yield from self.write(16, 125, 4)
        yield from self.write(17, 0xfffffe, 5, size=20, first=3)
        yield from self.write(17, 3, 1, size=20)
        for psn in range(3, 9):
            yield from self.write(18, psn, 1, size=24)
        for psn in range(12):
            yield from self.write(25, 700 + psn, 1, size=psn)
        yield from self.write(16, 129 + 1500, 1)
        yield from self.write(16, 125, 1)
        yield from self.write(16, 131 + 1500, 1)
        yield self.datagram(22, 9, 6)
        yield self.datagram(22, 11, 5)
        yield self.send(0x81, 32, 0, 0, bytes(16))

    def broken(self):
        """Yield packets that are malformed, or not RoCEv2."""
        near, far = ADDR[self.near], ADDR[self.far]
        whole = bth(0x0a, 16, 130) + RETH.pack(0, 0, 4) + b'data'
        yield self.raw(packet(near, far, bth(0x0a, 16, 130, tver=1) + whole[12:]))
        yield self.raw(packet(near, far, bth(0x1f, 16, 130) + whole[12:]))
        yield self.raw(packet(near, far, whole[:9]))
        yield self.raw(packet(near, far, whole[:20]))
        yield self.raw(packet(near, far, bth(0x04, 16, 130, pad=3)))
        yield self.raw(packet(near, far, whole, flags=0x2000))
        yield self.raw(packet(near, far, whole, flags=0x0004))
        yield self.raw(packet(near, far, whole)[:-6])
        yield self.raw(packet(near, far, whole, dport=4790))

    def last_replies(self):
        """Yield responses to retransmitted requests."""
        yield self.reply(0x10, 32, 122, ACK, 15, 1024)
        yield self.reply(0x11, 32, 128, ACK, 18)
        yield self.reply(0x11, 32, 128, ACK, 18)
        yield self.reply(0x11, 33, 3, INVALID, 1)
        yield self.reply(0xb1, 34, 70, ACK, 1)


def halves():
    """Return the frames before and after the pause."""
    ends = Sender('tx'), Sender('rx')

    def both(*kinds):
        return [frame for kind in kinds for end in ends for frame in getattr(end, kind)()]

    return both('messages', 'replies', 'others'), both('again', 'last_replies', 'broken')
