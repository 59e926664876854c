# SPDX-License-Identifier: GPL-2.0
#
# Add the user-defined enterprise ID "RDMAFAULT" to SMC: SMC-R version 2 connects only systems with
# the same ID. The message is SMC_NETLINK_ADD_UEID of linux/smc.h.
import socket
import struct

GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME = 16, 3, 1, 2
SMC_NETLINK_ADD_UEID, SMC_NLA_EID_TABLE_ENTRY = 10, 1
NLM_F_REQUEST_ACK, NLMSG_ERROR = 5, 2


def request(netlink, family, command, attribute, data):
    body = struct.pack("BBHHH", command, 1, 0, 4 + len(data), attribute) + data
    body += bytes(-len(body) % 4)
    netlink.send(struct.pack("IHHII", 16 + len(body), family, NLM_F_REQUEST_ACK, 1, 0) + body)
    reply = netlink.recv(65536)
    if struct.unpack_from("H", reply, 4)[0] == NLMSG_ERROR:
        error = -struct.unpack_from("i", reply, 16)[0]
        if error:
            raise OSError(error, "SMC refuses the ID")
    return reply


def family_id(netlink, name):
    reply = request(netlink, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, name)
    netlink.recv(65536)     # the acknowledgment
    at = 20
    while at < len(reply):
        length, kind = struct.unpack_from("HH", reply, at)
        if kind == CTRL_ATTR_FAMILY_ID:
            return struct.unpack_from("H", reply, at + 4)[0]
        at += (length + 3) & ~3
    raise OSError("no SMC")


with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE + 16) as generic:
    generic.bind((0, 0))
    request(generic, family_id(generic, b"SMC_GEN_NETLINK\0"), SMC_NETLINK_ADD_UEID,
            SMC_NLA_EID_TABLE_ENTRY, b"RDMAFAULT".ljust(32) + b"\0")
