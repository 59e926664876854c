# SPDX-License-Identifier: GPL-2.0
#
# Exchange datagrams of RDS, which arrive in order and once. The server sends each one back; the
# client compares it.
#
#   rds.py server ADDRESS COUNT
#   rds.py client ADDRESS SERVER COUNT
import os
import socket
import sys
import time

PORT, BYTES = 4000, 8192


def serve(address, count):
    with socket.socket(socket.AF_RDS, socket.SOCK_SEQPACKET, 0) as rds:
        rds.bind((address, PORT))
        print("ready", flush=True)
        for _ in range(count):
            data, peer = rds.recvfrom(65536)
            rds.sendto(data, peer)
        time.sleep(1)       # the last datagram is sent by the kernel while the socket is open


def ask(address, server, count):
    longest = wrong = 0
    with socket.socket(socket.AF_RDS, socket.SOCK_SEQPACKET, 0) as rds:
        rds.bind((address, PORT))
        for _ in range(count):
            sent = os.urandom(BYTES)
            start = time.monotonic()
            rds.sendto(sent, (server, PORT))
            wrong += rds.recv(65536) != sent
            longest = max(longest, time.monotonic() - start)
    print(f"longest {longest * 1000:.3f} ms, wrong {wrong}")


if sys.argv[1] == "server":
    serve(sys.argv[2], int(sys.argv[3]))
else:
    ask(sys.argv[2], sys.argv[3], int(sys.argv[4]))
