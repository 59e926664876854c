# SPDX-License-Identifier: GPL-2.0
"""Make allocations of the kernel fail, one at a time, by /proc/self/fail-nth.

Failing.call() runs one system call. The nth allocation of this and the following calls
fails; allocations between the calls are not counted. within() limits the failures to
the allocations of a kernel function and its callees, or of a module.
"""
import bisect
import os
import socket
import struct

NETLINK_ROUTE, NLMSG_ERROR, NLMSG_DONE = 0, 2, 3
NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP = 1, 4, 0x300
NLM_F_EXCL, NLM_F_CREATE = 0x200, 0x400
RTM_NEWQDISC, RTM_DELQDISC, RTM_GETQDISC = 36, 37, 38
TCA_KIND, TCA_OPTIONS, TCA_RATE = 1, 0x8002, 5
TC_H_ROOT, HANDLE = 0xffffffff, 0x10000


FAULTS = [f'/sys/kernel/debug/{name}/' for name in ('failslab', 'fail_page_alloc')]
# No function of the kernel has more bytes.
LONGEST = 1 << 16
# For each object that the kernel allocates, kmemleak allocates a record. kmemleak handles
# failures of these allocations, so the test does not make them fail.
KMEMLEAK = ('__alloc_object', '__create_object')


def setting(name, value):
    """Write one setting for all kinds of allocations."""
    for path in FAULTS:
        with open(path + name, 'w', encoding='utf-8') as f:
            f.write(value)


class Text:
    """The addresses of functions and modules."""

    def __init__(self):
        self.addresses, self.functions, self.modules = [], {}, {}
        with open('/proc/kallsyms', encoding='utf-8') as f:
            for line in f:
                address, kind, name, *module = line.split()
                if kind not in 'tT':
                    continue
                at = int(address, 16)
                self.addresses.append(at)
                if module:
                    self.modules.setdefault(module[0].strip('[]'), []).append(at)
                else:
                    self.functions[name] = at
        self.addresses.sort()

    def next(self, at):
        """Return the address of the next function; behind the last one, one beyond its end."""
        n = bisect.bisect_right(self.addresses, at)
        return self.addresses[n] if n < len(self.addresses) else at + LONGEST

    def range(self, name):
        """Return start and end of a function or a module."""
        places = self.modules.get(name) or [self.functions[name]]
        return min(places), self.next(max(places))

    def within(self, name):
        """Limit failures to allocations by this function or module."""
        start, end = self.range(name)
        setting('require-start', hex(start))
        setting('require-end', hex(end))

    def without_kmemleak(self):
        """Exclude the allocations of kmemleak."""
        places = [self.functions[n] for n in KMEMLEAK if n in self.functions]
        if not places:
            return
        setting('reject-start', hex(min(places)))
        setting('reject-end', hex(self.next(max(places))))


class Failing:
    """Counts down to the allocation that fails."""

    def __init__(self):
        self.fd = os.open('/proc/thread-self/fail-nth', os.O_RDWR)
        self.left, self.hit = 0, False

    def arm(self, nth):
        """Make the nth allocation from now on fail."""
        self.left, self.hit = nth, False

    def disarm(self):
        """Stop, and return whether one has failed."""
        self.left = 0
        return self.hit

    def call(self, function, *args):
        """Make one system call."""
        if not self.left:
            return function(*args)
        os.write(self.fd, b'%d' % self.left)
        try:
            return function(*args)
        finally:
            self.left = int(os.pread(self.fd, 16, 0).strip(b'\n\0'))
            os.write(self.fd, b'0')
            self.hit |= not self.left


class Socket:
    """A socket whose system calls can fail; its buffer is allocated beforehand."""

    def __init__(self, sock, failing):
        self.sock, self.failing = sock, failing
        self.buffer = bytearray(1 << 18)
        self.close = sock.close

    def send(self, data):
        """Send one message."""
        return self.failing.call(self.sock.send, data)

    def recv(self, _size):
        """Return what was received."""
        got = self.failing.call(self.sock.recv_into, self.buffer)
        return bytes(self.buffer[:got])


def attribute(kind, payload):
    """Return a netlink attribute."""
    return struct.pack('=HH', 4 + len(payload), kind) + payload + \
        bytes(-len(payload) % 4)


class Qdiscs:
    """Send the same messages as tc."""

    def __init__(self, failing):
        raw = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_ROUTE)
        raw.bind((0, 0))
        self.sock, self.seq = Socket(raw, failing), 0

    def _receive(self):
        messages = []
        while True:
            data = self.sock.recv(1 << 18)
            while data:
                length, kind, _, seq, _ = struct.unpack_from('=IHHII', data)
                msg, data = data[:length], data[(length + 3) & ~3:]
                if seq != self.seq:
                    continue
                if kind in (NLMSG_ERROR, NLMSG_DONE):
                    return -struct.unpack_from('=i', msg, 16)[0], messages
                messages.append(msg)

    def ask(self, kind, flags, ifindex, parent=TC_H_ROOT, attrs=b'', handle=HANDLE):
        """Send one request; return errno and the messages of the reply."""
        self.seq += 1
        body = struct.pack('=BxxxiIII', 0, ifindex, handle, parent, 0) + attrs
        self.sock.send(struct.pack('=IHHII', 16 + len(body), kind,
                                   flags | NLM_F_REQUEST, self.seq, 0) + body)
        return self._receive()

    def add(self, ifindex, options=b'', rate=b''):
        """Make a port."""
        attrs = attribute(TCA_KIND, b'rdmafault\0')
        if rate:
            attrs += attribute(TCA_RATE, rate)
        if options:
            attrs += attribute(TCA_OPTIONS, options)
        return self.ask(RTM_NEWQDISC, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL,
                        ifindex, attrs=attrs)[0]

    def change(self, ifindex, options):
        """Set the options of its link."""
        attrs = attribute(TCA_KIND, b'rdmafault\0') + \
            attribute(TCA_OPTIONS, options)
        return self.ask(RTM_NEWQDISC, NLM_F_ACK, ifindex, attrs=attrs)[0]

    def delete(self, ifindex):
        """Remove a port."""
        return self.ask(RTM_DELQDISC, NLM_F_ACK, ifindex)[0]

    def dump(self):
        """Return errno and the netdevs that have the qdisc rdmafault."""
        error, messages = self.ask(RTM_GETQDISC, NLM_F_DUMP, 0, handle=0, parent=0)
        return error, [struct.unpack_from('=i', m, 20)[0] for m in messages
                       if b'rdmafault\0' in m]
