# SPDX-License-Identifier: GPL-2.0
"""Netlink messages of the family rdmafault, built only from its specification.

A tree is a list of (name, value): a number, bytes, a string, True for a flag,
or a tree again. Raw(type, payload, ...) stands for an attribute that is not
what it should be. Answers are dicts; of attributes that may be there several
times, lists.
"""
import os
import socket
import struct
import yaml

NETLINK_GENERIC, SOL_NETLINK = 16, 270
NETLINK_CAP_ACK, NETLINK_EXT_ACK, NETLINK_GET_STRICT_CHK = 10, 11, 12
SO_SNDBUFFORCE, SO_RCVBUFFORCE = 32, 33
NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP, NLM_F_DUMP_INTR = 1, 4, 0x300, 0x10
NLM_F_CAPPED, NLM_F_ACK_TLVS = 0x100, 0x200
NLMSG_ERROR, NLMSG_DONE = 2, 3
NLA_F_NESTED, NLA_TYPE = 0x8000, 0x3fff
ATTR_MSG, ATTR_OFFS, ATTR_MISS_TYPE = 1, 2, 5
GENL_ID_CTRL, CTRL_GETFAMILY, CTRL_FAMILY_ID, CTRL_FAMILY_NAME = 16, 3, 1, 2
HEADERS = 16 + 4


class Raw:
    """An attribute given by its type and flags, payload and length."""

    def __init__(self, kind, payload=b'', length=None):
        self.kind, self.payload, self.length = kind, payload, length

    def pack(self):
        length = 4 + len(self.payload) if self.length is None else self.length
        pad = -len(self.payload) % 4
        return struct.pack('=HH', length, self.kind) + self.payload + bytes(pad)


class Attr:
    """One attribute of an attribute set."""

    def __init__(self, spec, number, entry):
        self.name, self.number = entry['name'], number
        self.type, self.nest = entry['type'], entry.get('nested-attributes')
        self.multi = entry.get('multi-attr', False)
        self.size = {'u32': 4, 'u64': 8}.get(self.type)
        checks = entry.get('checks', {})
        self.min = spec.number(checks.get('min', 0))
        self.max = spec.number(checks.get('max', (1 << 64) - 1))
        self.mask = None
        enum = spec.defs.get(entry.get('enum'))
        if 'flags-mask' in checks:
            self.mask = (1 << len(enum['entries'])) - 1
        elif enum:
            self.max = len(enum['entries']) - 1
        if self.size:
            self.max = min(self.max, (1 << 8 * self.size) - 1)


class Spec:
    """The specification: attribute sets and operations by name."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as f:
            self.doc = yaml.load(f, getattr(yaml, 'CSafeLoader', yaml.SafeLoader))
        self.defs = {d['name']: d for d in self.doc['definitions']}
        self.sets, self.numbers = {}, {}
        for entry in self.doc['attribute-sets']:
            attrs = [Attr(self, i, a)
                     for i, a in enumerate(entry['attributes'], 1)]
            self.sets[entry['name']] = {a.name: a for a in attrs}
            self.numbers[entry['name']] = {a.number: a for a in attrs}
        self.ops = {op['name']: i for i, op in
                    enumerate(self.doc['operations']['list'], 1)}
        self.requests = {op['name']: op['do']['request']['attributes']
                         for op in self.doc['operations']['list']}

    def number(self, value):
        """Return a number, or the constant with that name."""
        return value if isinstance(value, int) else self.defs[value]['value']

    def value(self, enum, name):
        """Return the value of an enum's entry, or its bit if the enum is flags."""
        entries = self.defs[enum]['entries']
        names = [e if isinstance(e, str) else e['name'] for e in entries]
        at = names.index(name)
        return 1 << at if self.defs[enum]['type'] == 'flags' else at

    def pack(self, where, tree):
        """Return the bytes of a tree of the attribute set."""
        out = b''
        for item in tree:
            if isinstance(item, Raw):
                out += item.pack()
                continue
            attr, value = self.sets[where][item[0]], item[1]
            kind = attr.number
            if attr.nest:
                kind |= NLA_F_NESTED
                value = self.pack(attr.nest, value)
            elif attr.size:
                value = value.to_bytes(attr.size, 'little')
            elif attr.type == 'string':
                value = value.encode() + b'\0'
            elif attr.type == 'flag':
                value = b''
            out += Raw(kind, value).pack()
        return out

    def unpack(self, where, data):
        """Return the bytes of an attribute set as a dict."""
        out = {}
        for _, kind, payload in walk(data):
            attr = self.numbers[where][kind & NLA_TYPE]
            if attr.type == 'pad':
                continue
            if attr.nest:
                value = self.unpack(attr.nest, payload)
            elif attr.size:
                value = int.from_bytes(payload, 'little')
            elif attr.type == 'string':
                value = payload.rstrip(b'\0').decode()
            else:
                value = attr.type == 'flag' or payload
            if attr.multi:
                out.setdefault(attr.name, []).append(value)
            else:
                out[attr.name] = value
        return out

    def path(self, where, data, offset, base=HEADERS):
        """Return the path of the attribute at an offset; [2] is the third of its name."""
        seen = {}
        for at, kind, payload in walk(data):
            attr = self.numbers[where].get(kind & NLA_TYPE)
            name = attr.name if attr else '?'
            nth = seen[name] = seen.get(name, -1) + 1
            here = name + (f'[{nth}]' if nth else '')
            if base + at == offset:
                return here
            if attr and attr.nest and offset < base + at + 4 + len(payload) \
                    and offset > base + at:
                return here + '.' + self.path(attr.nest, payload, offset,
                                              base + at + 4)
        return '?'


def walk(data):
    """Yield offset, type and payload of each attribute that fits."""
    at = 0
    while at + 4 <= len(data):
        length, kind = struct.unpack_from('=HH', data, at)
        if length < 4 or at + length > len(data):
            return
        yield at, kind, data[at + 4:at + length]
        at += (length + 3) & ~3


class Answer:
    """The result of a request: errno, message, path of the bad attribute."""

    def __init__(self):
        self.error, self.words, self.at, self.missing = 0, '', '', None
        self.messages, self.interrupted = [], False

    def __str__(self):
        return f'{os.strerror(self.error) if self.error else "success"}' \
               f' ({self.words or "no words"}) at {self.at or self.missing}'


class Family:
    """A socket to the family."""

    def __init__(self, spec):
        self.spec, self.seq = spec, 0
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW,
                                  NETLINK_GENERIC)
        for option in (NETLINK_CAP_ACK, NETLINK_EXT_ACK, NETLINK_GET_STRICT_CHK):
            self.sock.setsockopt(SOL_NETLINK, option, 1)
        for option in (SO_SNDBUFFORCE, SO_RCVBUFFORCE):
            try:
                self.sock.setsockopt(socket.SOL_SOCKET, option, 1 << 24)
            except PermissionError:
                break       # an unprivileged request has a short reply
        self.sock.bind((0, 0))
        self.id = self._resolve()

    def close(self):
        """Close the socket; the kernel removes what it owns."""
        self.sock.close()

    def _resolve(self):
        name = Raw(CTRL_FAMILY_NAME, self.spec.doc['name'].encode() + b'\0')
        self.send(GENL_ID_CTRL, CTRL_GETFAMILY, NLM_F_ACK, name.pack())
        for data in self._receive(b'', None).messages:
            for _, kind, payload in walk(data):
                if kind == CTRL_FAMILY_ID:
                    return struct.unpack('=H', payload)[0]
        raise OSError('no such family')

    def send(self, family, cmd, flags, payload, length=None):
        """Send one message; the length in its header can be wrong on purpose."""
        self.seq += 1
        body = struct.pack('=BBH', cmd, 1, 0) + payload
        length = 16 + len(body) if length is None else length
        head = struct.pack('=IHHII', length, family, flags | NLM_F_REQUEST,
                           self.seq, 0)
        self.sock.send(head + body)

    def _receive(self, sent, where):
        answer = Answer()
        while True:
            data = self.sock.recv(1 << 22)
            while data:
                length, kind, flags, seq, _ = struct.unpack_from('=IHHII', data)
                msg, data = data[:length], data[(length + 3) & ~3:]
                if seq != self.seq:
                    continue
                answer.interrupted |= bool(flags & NLM_F_DUMP_INTR)
                if kind in (NLMSG_ERROR, NLMSG_DONE):
                    self._end(answer, msg, flags, kind, sent, where)
                    return answer
                payload = msg[HEADERS:]
                answer.messages.append(self.spec.unpack(where, payload)
                                       if where else payload)

    def _end(self, answer, msg, flags, kind, sent, where):
        answer.error = -struct.unpack_from('=i', msg, 16)[0]
        if not flags & NLM_F_ACK_TLVS:
            return
        at = 20
        if kind == NLMSG_ERROR:
            at += 16
            if not flags & NLM_F_CAPPED:
                at += struct.unpack_from('=I', msg, 20)[0] - 16
        for _, what, payload in walk(msg[(at + 3) & ~3:]):
            if what == ATTR_MSG:
                answer.words = payload.rstrip(b'\0').decode()
            elif what == ATTR_OFFS and where:
                answer.at = self.spec.path(where, sent, struct.unpack('=I', payload)[0])
            elif what == ATTR_MISS_TYPE:
                answer.missing = struct.unpack('=I', payload)[0]

    def bytes(self, op, payload, flags=NLM_F_ACK, length=None):
        """Send bytes as the attributes of an operation."""
        cmd = op if isinstance(op, int) else self.spec.ops[op]
        self.send(self.id, cmd, flags, payload, length)
        return self._receive(payload, 'main')

    def do(self, op, tree):
        """Request an operation."""
        return self.bytes(op, self.spec.pack('main', tree))

    def dump(self, op, tree=()):
        """Request a dump."""
        return self.bytes(op, self.spec.pack('main', tree), NLM_F_DUMP)
