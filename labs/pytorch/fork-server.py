# SPDX-License-Identifier: GPL-2.0
#
# Import PyTorch once, and start Python programs in forked processes, because the import takes
# longer than a small training. fork-run.py connects to the socket, and sends its environment,
# its command line and its standard descriptors; the forked process runs the program with them.
#
#   python3 fork-server.py SOCKET
import ctypes
import fcntl
import json
import os
import runpy
import signal
import socket
import sys
import traceback

import torch
import torch._dynamo
import torch.distributed
import torch.nn.parallel
import torch.optim


def become(message, descriptors):
    """Take over environment, command line and descriptors, and run the program."""
    environment, arguments, directory = json.loads(message)
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(directory)
    sys.argv = arguments
    try:
        runpy.run_path(arguments[0], run_name="__main__")
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    if status == 0:
        finalize()
    return status


def end_with(client):
    """SIGIO ends this process when fork-run.py has been killed."""
    fcntl.fcntl(client, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(client, fcntl.F_SETFL, os.O_ASYNC)


def finalize():
    """os._exit() does not call the functions that libtorch has registered for the end."""
    mpi = ctypes.CDLL("libmpi.so.40")
    initialized = ctypes.c_int()
    mpi.MPI_Initialized(ctypes.byref(initialized))
    if initialized.value:
        mpi.MPI_Finalize()


def main(path):
    torch.set_num_threads(1)
    # The first optimizer imports further modules.
    torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), lr=0.1)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(path)
    server.listen(64)
    print("ready", flush=True)
    while True:
        client = server.accept()[0]
        message, descriptors, _, _ = socket.recv_fds(client, 1 << 20, 3)
        if os.fork() == 0:
            server.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            end_with(client)
            status = become(message, descriptors)
            client.sendall(bytes([status & 255]))
            os._exit(status & 255)
        client.close()
        for descriptor in descriptors:
            os.close(descriptor)


main(sys.argv[1])
