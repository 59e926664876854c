# SPDX-License-Identifier: GPL-2.0
"""Build RoCEv2 frames with valid checksums and ICRC."""
import socket
import struct
import zlib

ROCE_PORT = 4791

# Headers between BTH and payload (IBTA vol. 1, 9.2 and 9.3)
DETH = struct.Struct('>II')         # Q_Key, queue pair of the sender
# versions, class, method, transaction, attribute ID (IBTA vol. 1, 13.4.3)
MAD = struct.Struct('>BBBB4xQHHI')
RETH = struct.Struct('>QII')        # address, R_Key, length
ATOMIC = struct.Struct('>QIQQ')     # address, R_Key, swap or add, compare


def aeth(syndrome, msn):
    """Return an ACK extended transport header."""
    return struct.pack('>I', syndrome << 24 | msn)


def bth(opcode, qp, psn, pad=0, tver=0):
    """Return a base transport header."""
    return struct.pack('>BBHII', opcode, pad << 4 | tver, 0xffff, qp, psn & 0xffffff)


def ip_sum(header):
    """Return the checksum of an IPv4 header whose checksum field is 0."""
    total = sum(struct.unpack(f'>{len(header) // 2}H', header))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def ip_header(src, dst, length, proto, tos, flags):
    """Return an IPv4 or IPv6 header for a payload of this length."""
    if ':' in src:
        pack = socket.inet_pton
        return struct.pack('>IHBB', 6 << 28 | tos << 20, length, proto, 64) + \
            pack(socket.AF_INET6, src) + pack(socket.AF_INET6, dst)
    fields = [0x45, tos, 20 + length, 0, flags, 64, proto, 0]
    ends = socket.inet_aton(src) + socket.inet_aton(dst)
    fields[7] = ip_sum(struct.pack('>BBHHHBBH', *fields) + ends)
    return struct.pack('>BBHHHBBH', *fields) + ends


def icrc(ip, udp, rest):
    """Return the ICRC; fields that a router may change count as ones."""
    ip, udp, rest = bytearray(ip), bytearray(udp), bytearray(rest)
    if len(ip) == 20:
        masked = (1, 8, 10, 11)
    else:
        ip[0] |= 0x0f
        masked = (1, 2, 3, 7)
    for at in masked:
        ip[at] = 0xff
    udp[6:8] = b'\xff\xff'
    rest[4] = 0xff
    return struct.pack('<I', zlib.crc32(b'\xff' * 8 + ip + udp + rest))


def packet(src, dst, rest, tos=0, sport=0xc000, dport=ROCE_PORT, flags=0x4000):
    """Return a packet with this BTH and payload, from the IP header on."""
    length = 8 + len(rest) + 4
    udp = struct.pack('>HHHH', sport, dport, length, 0)
    ip = ip_header(src, dst, length, 17, tos, flags)
    return ip + udp + rest + icrc(ip, udp, rest)


def ethernet(source, destination, ip, tag=None):
    """Return a frame; tag is the TCI of a VLAN tag."""
    tags = b'' if tag is None else struct.pack('>HH', 0x8100, tag)
    kind = 0x86dd if ip[0] >> 4 == 6 else 0x0800
    return destination + source + tags + struct.pack('>H', kind) + ip
