# SPDX-License-Identifier: GPL-2.0
#
# attributes.py SPEC NETDEV: test that the kernel refuses invalid qdisc options with an error
# message. The program sends options that tc itself would never send. python_test of
# lib/python.sh calls it.
import socket
import struct
import sys

from tap import end, ok

RTM_NEWQDISC, TCA_KIND, TCA_OPTIONS = 36, 1, 2
NLM_F_REQUEST, NLM_F_ACK, NLM_F_REPLACE = 1, 4, 0x100
NLA_F_NESTED = 0x8000
NLMSGERR_ATTR_MSG = 1
ROOT = 0xffffffff
RATE, NO_RATE, DELAY, OVERHEAD, IN_FLIGHT = 2, 3, 4, 6, 8


def attr(kind, data):
    return struct.pack("HH", len(data) + 4, kind) + data + bytes(-len(data) % 4)


def u32(v):
    return struct.pack("I", v)


def u64(v):
    return struct.pack("Q", v)


def extack(reply):
    """Return the kernel's message about a refused request, "" if it has none."""
    at = 16 + 4 + 16
    while at + 4 <= len(reply):
        size, kind = struct.unpack_from("HH", reply, at)
        if kind & 0x3fff == NLMSGERR_ATTR_MSG:
            return reply[at + 4:at + size - 1].decode()
        at += max((size + 3) & ~3, 4)
    return ""


def send(sock, ifindex, options, nested):
    body = struct.pack("BBHiIII", 0, 0, 0, ifindex, 0, ROOT, 0)
    body += attr(TCA_KIND, b"rdmafault\0")
    body += attr(TCA_OPTIONS | nested, options)
    flags = NLM_F_REQUEST | NLM_F_ACK
    sock.send(struct.pack("IHHII", len(body) + 16, RTM_NEWQDISC, flags, 1, 0) + body)
    reply = sock.recv(65536)
    return struct.unpack_from("i", reply, 16)[0], extack(reply)


CASES = [
    ("a rate of 0", attr(RATE, u64(0)), NLA_F_NESTED, "out of range"),
    ("too much overhead", attr(OVERHEAD, u32(257)), NLA_F_NESTED, "out of range"),
    ("a delay that is too long", attr(DELAY, u64(20000000001)), NLA_F_NESTED, "out of range"),
    ("a rate and no-rate together", attr(RATE, u64(10**9)) + attr(NO_RATE, b""), NLA_F_NESTED, "no-rate"),
    ("a rate of 32 bits", attr(RATE, u32(10**6)), NLA_F_NESTED, ""),
    ("an attribute that is only for replies", attr(IN_FLIGHT, u32(1)), NLA_F_NESTED, "only allowed in replies"),
    ("an unknown attribute", attr(99, u32(1)), NLA_F_NESTED, "nknown attribute"),
    ("a nest without NLA_F_NESTED", attr(RATE, u64(2 * 10**9)), 0, "NLA_F_NESTED"),
    ("a truncated attribute", struct.pack("HH", 12, RATE) + u32(1), NLA_F_NESTED, ""),
]


def main():
    sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
    # SOL_NETLINK: NETLINK_CAP_ACK, NETLINK_EXT_ACK
    sock.setsockopt(270, 10, 1)
    sock.setsockopt(270, 11, 1)
    ifindex = socket.if_nametoindex(sys.argv[2])
    for words, options, nested, want in CASES:
        error, said = send(sock, ifindex, options, nested)
        good = error < 0 and want in said
        ok(good, f"the qdisc refuses {words} ({error}: {said})")
    error, said = send(sock, ifindex, attr(RATE, u64(10**9)), NLA_F_NESTED)
    ok(not error, f"control: the qdisc accepts a valid rate ({error} {said})")
    end()


main()
