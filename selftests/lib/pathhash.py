# SPDX-License-Identifier: GPL-2.0
"""The link that a path chooses for a packet, from its documentation (paths.rst)."""
import ipaddress

MASK = (1 << 64) - 1


def splitmix64(value, word):
    """Add a word to a hash."""
    z = (value + 0x9e3779b97f4a7c15 & MASK) ^ word
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
    z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
    return z ^ z >> 31


def flow_hash(seed, src, dst, sport, qp=0):
    """Return the hash of a flow. qp is given for the mode qp only."""
    ends = [ipaddress.ip_address(a) for a in (src, dst)]
    if ends[0].version == 4:
        words = [int(ends[0]) << 32 | int(ends[1])]
    else:
        words = [half for a in ends for half in (int(a) >> 64, int(a) & MASK)]
    value = splitmix64(0, seed)
    for word in words + [qp << 32 | sport << 16 | 4791]:
        value = splitmix64(value, word)
    return value


def link(links, value, choice=0):
    """Return one of the links, which are all up, for a hash and the number of the choice."""
    return links[splitmix64(value, choice) * len(links) >> 64]


def rxe_port(sender, receiver):
    """Return the UDP source port of a reliable connection of rxe without a flow label, from the
    numbers of both queue pairs: rdma_get_udp_sport() of Linux."""
    label = sender * receiver
    label ^= label >> 20
    label ^= label >> 40
    return 0xc000 | (label ^ (label & 0xfc000) >> 14) & 0x3fff
