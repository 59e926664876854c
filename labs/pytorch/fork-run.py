# SPDX-License-Identifier: GPL-2.0
#
# Run a Python program in a process that fork-server.py forks. The exit status is that of the
# program.
#
#   python3 -S fork-run.py SOCKET PROGRAM [ARGUMENT...]
import json
import os
import socket
import sys

client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
client.connect(sys.argv[1])
message = json.dumps([dict(os.environ), sys.argv[2:], os.getcwd()]).encode()
socket.send_fds(client, [message], [0, 1, 2])
status = client.recv(1)
sys.exit(status[0] if status else 255)
