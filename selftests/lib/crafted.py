#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
crafted.py model|burst|bucket|asking|acks [COUNT]: print frames for sendframe, with
addresses that give the same hash for all, if the hash has no secret key.

  model   two frames. A rule "gemodel 1% 30% once flow", the first rule of the port t1,
          with seed 0 and direction tx, hits the first. The second frame's hash for the
          state of the loss model equals the first frame's hash for "once flow".
  burst   ten frames to one queue pair, and one more: the same for the burst of a rule
          "every 10 burst 1 once flow", which hits the tenth.
  bucket  COUNT frames, each with another flow and other addresses, but with the same
          sum of addresses, which an earlier version used as the hash of flows.
  asking  COUNT requests between two addresses, to COUNT queue pairs, with the same PSN
  acks    COUNT acknowledgments in the opposite direction, of a PSN that was not sent

The hash is that of kmod/rand.h, which can be inverted step by step.
"""
import struct
import sys

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MUL1, MUL2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
SOURCE = bytes.fromhex("20010db8000000000000000000000001")
PREFIX = bytes.fromhex("20010db800000000")
WRITE_MIDDLE, ACKNOWLEDGE = 7, 0x11
ONCE_FLOW, NOTE_CHAIN, NOTE_BURST, NOTE_ONCE = 0, 0, 1, 2
DRAW_START = 3
PORT = b"t1"
P, R = 10**10, 3 * 10**11


def final(z):
    z = (z ^ z >> 30) * MUL1 & MASK
    z = (z ^ z >> 27) * MUL2 & MASK
    return z ^ z >> 31


def unshift(z, shift):
    x = z
    for _ in range(64 // shift):
        x = z ^ x >> shift
    return x


def unfinal(z):
    z = unshift(z, 31) * pow(MUL2, -1, 1 << 64) & MASK
    z = unshift(z, 27) * pow(MUL1, -1, 1 << 64) & MASK
    return unshift(z, 30)


def mix(h, word):
    return final((h + GOLDEN & MASK) ^ word)


def words(addr):
    return struct.unpack(">QQ", addr)


def key64_but_last(dst_high):
    """The hash of the first request flow between the addresses, except its last word."""
    src = words(SOURCE)
    h = mix(1, 0)
    for word in (src[0], dst_high, src[1]):
        h = mix(h, word)
    return h


def key64(dst):
    high, low = words(dst)
    return mix(key64_but_last(high), low)


def with_key64(key):
    """Return the destination address whose flow has that key."""
    high = struct.unpack(">Q", PREFIX)[0]
    low = unfinal(key) ^ (key64_but_last(high) + GOLDEN & MASK)
    return PREFIX + struct.pack(">Q", low)


def begins_bad(flow):
    """Is the first packet of the flow in the bad state? (kmod/rule/loss_model.c, rand.c)"""
    h = 0
    for word in (*PORT, 0, 0, flow, 1, DRAW_START):
        h = mix(h, word)
    return h * (P + R) >> 64 < P


def collides_with_once(first, kind):
    """Return the key of a flow whose note of this kind has the same hash as "once"."""
    once = mix(mix(NOTE_ONCE, ONCE_FLOW), first)
    key = unfinal(once) ^ (kind + GOLDEN & MASK)
    assert mix(kind, key) == once
    return key


def bth(qp, psn, opcode=WRITE_MIDDLE):
    return struct.pack(">BBHII", opcode, 0, 0xFFFF, qp, psn)


def udp(payload):
    return struct.pack(">HHHH", 0xC000, 4791, 8 + len(payload), 0) + payload


def frame6(dst, qp, psn):
    payload = udp(bth(qp, psn) + bytes(8))
    ip = struct.pack(">IHBB", 6 << 28, len(payload), 17, 64) + SOURCE + dst
    return bytes.fromhex("02000000000202000000000186dd") + ip + payload


def frame4(src, dst, qp, psn, opcode=WRITE_MIDDLE):
    payload = udp(bth(qp, psn, opcode) + bytes(8))
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0x4000, 64, 17, 0)
    return bytes.fromhex("0200000000020200000000010800") + ip + src + dst + payload


def pair(kind):
    n = 1
    while True:
        first = PREFIX + struct.pack(">Q", n)
        if kind != NOTE_CHAIN or begins_bad(key64(first)):
            break
        n += 1
    second = with_key64(collides_with_once(key64(first), kind))
    before = 9 if kind == NOTE_BURST else 0
    for psn in range(before + 1):
        yield frame6(first, 0x20, psn)
    yield frame6(second, 0x20, 0)


def bucket(count):
    """Yield frames with equal source + 5 * destination, as little-endian numbers."""
    for n in range(count):
        src = struct.pack("<I", 0xC0000000 - 5 * n)
        yield frame4(src, struct.pack("<I", 0x0A000000 + n), 0x20, 0)


NEAR, FAR = bytes((192, 0, 2, 1)), bytes((192, 0, 2, 2))


def asking(count):
    for n in range(count):
        yield frame4(NEAR, FAR, 0x1000 + n, 10)


def acks(count):
    for _ in range(count):
        yield frame4(FAR, NEAR, 0x20, 5, ACKNOWLEDGE)


def main():
    kind, *count = sys.argv[1:]
    made = {
        "model": lambda: pair(NOTE_CHAIN),
        "burst": lambda: pair(NOTE_BURST),
        "bucket": lambda: bucket(int(count[0])),
        "asking": lambda: asking(int(count[0])),
        "acks": lambda: acks(int(count[0])),
    }[kind]()
    for frame in made:
        print(frame.hex())


main()
