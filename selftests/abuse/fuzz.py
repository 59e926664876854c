# SPDX-License-Identifier: GPL-2.0
"""Random requests for the netlink family, made from its specification; see fuzz.sh.

fuzz.py SPEC SEED COUNT SECONDS SPARE NETDEV...: make SPARE a port and no port, and send COUNT
requests one by one, or more if SECONDS are not over; a refused request must change nothing. Then
send as many from several client processes at once. Each process has its own seed, so it sends the
same requests in every run, and a longer run begins with the requests of a shorter one.
"""
import errno
import json
import os
import random
import socket
import struct
import sys
import time

from nlspec import Family, NLM_F_ACK, NLM_F_DUMP, Raw, Spec
from tap import end, ok, same

CLIENTS = 4
SOCKETS = 6                 # per client
EPOCH = 50                  # requests between two resets
HOUR = 3600 * 10 ** 9
VOLATILE = ('tx', 'rx', 'stats', 'pause', 'used', 'peak', 'in-flight', 'expires')

spec = Spec(sys.argv[1])
seed, count, seconds = (int(word) for word in sys.argv[2:5])
spare = socket.if_nametoindex(sys.argv[5])
netdevs = sys.argv[6:]
ports = [socket.if_nametoindex(name) for name in netdevs]

FLOW = [('direction', 0), ('saddr', bytes([192, 0, 2, 1])),
        ('daddr', bytes([192, 0, 2, 2])), ('qp', 0x777)]
OBSERVE = [('match', [('qp', 0x777)]),
         ('action', [('type', spec.value('action', 'observe'))])]


class Noise:
    """A source of random requests."""

    def __init__(self, number):
        self.draw = random.Random(number)
        self.rules = []         # port and number of the added rules

    def odds(self, percent):
        """True with this probability."""
        return self.draw.randrange(100) < percent

    def noise(self, most):
        """Random bytes, at most this many."""
        return self.draw.randbytes(self.draw.randrange(most + 1))

    def number(self, attr):
        """A number in its range, often a limit of the range."""
        if attr.name == 'expires':      # no rule may expire during the test
            return self.draw.randrange(HOUR, 1 << 60)
        if attr.mask is not None:
            return self.draw.randrange(attr.mask + 1)
        if self.odds(30):
            return self.draw.choice((attr.min, attr.max))
        top = attr.max if self.odds(20) else min(attr.max, attr.min + 1000)
        return self.draw.randint(attr.min, top)

    def wild(self, attr):
        """A number that may be out of range."""
        size = 1 << 8 * attr.size
        return self.draw.choice((0, 1, attr.max + 1, size - 1, size >> 1,
                                 self.draw.randrange(size))) % size

    def value(self, attr, depth):
        """A value of the type of the attribute."""
        if attr.nest:
            return self.tree(attr.nest, depth + 1)
        if attr.size:
            return self.number(attr) if self.odds(94) else self.wild(attr)
        if attr.type == 'string':
            return self.noise(20).hex()
        if attr.type == 'binary':
            size = self.draw.choice((4, 16)) if self.odds(90) else \
                self.draw.randrange(40)
            return self.draw.randbytes(size)
        return True

    def broken(self, where):
        """An attribute with random number, flags, length and payload."""
        kind = self.draw.randrange(len(spec.numbers[where]) + 3)
        kind |= self.draw.choice((0, 0, 0x8000, 0x4000))
        payload = self.noise(64)
        length = None if self.odds(60) else self.draw.randrange(1 << 16)
        return Raw(kind, payload, length)

    def deep(self):
        """Up to 100 nests in each other."""
        out = b''
        for _ in range(self.draw.randrange(1, 100)):
            out = Raw(0x8000 | self.draw.randrange(1, 12), out).pack()
        return Raw(0x8000 | self.draw.randrange(1, 30), out)

    def item(self, where, attr, depth):
        """One attribute, with a low probability a broken one."""
        if self.odds(4):
            return self.deep() if self.odds(20) else self.broken(where)
        return (attr.name, self.value(attr, depth))

    def tree(self, where, depth=0):
        """Random attributes of a set: usually few, sometimes many, sometimes one twice."""
        attrs = [a for a in spec.sets[where].values() if a.type != 'pad']
        if depth > 6:
            return []
        few = self.draw.randrange(len(attrs)) if self.odds(10) else \
            self.draw.randrange(4)
        return [self.item(where, self.draw.choice(attrs), depth)
                for _ in range(few)]

    def plausible(self, op):
        """One of the ports, and a random part of what the request can have."""
        out, share = [], self.draw.choice((25, 50, 90))
        for name in spec.requests[op]:
            attr = spec.sets['main'][name]
            if name == 'ifindex':
                if self.odds(95):
                    out.append((name, self.draw.choice(ports)))
            elif name == 'direction' and self.odds(80):
                out.append((name, self.draw.randrange(2)))
            elif self.odds(share):
                out += [self.part(attr) for _ in range(
                    self.draw.randrange(1, 4) if attr.multi else 1)]
        return out

    def part(self, attr):
        """A top-level attribute that has a chance to be accepted."""
        if attr.name == 'rule' and self.odds(80):
            return self.rule()
        if attr.name == 'id':
            return ('id', self.draw.randrange(1, 300))
        if attr.name == 'flow' and self.odds(60):
            return ('flow', FLOW)
        if attr.name == 'storm' and self.odds(60):
            return ('storm', [('prios', self.draw.randrange(1, 256)),
                              ('duration', self.draw.randrange(1, 10 ** 9)),
                              *self.tree('storm', 5)])
        return self.item('main', attr, 0)

    def good(self, op):
        """A request that succeeds if its rule or flow exists."""
        port, number = self.draw.choice(self.rules[-2:] or [(ports[0], 1)])
        if op in ('port-new', 'port-del'):
            port = spare
        if op.startswith('path-'):
            port = ports[0]
        prios = ('prios', self.draw.randrange(1, 256))
        more = {
            'rule-get': [('id', number)],
            'rule-del': [('id', number)],
            'rule-new': [('direction', self.draw.randrange(2)), ('rule', [
                ('match', [('qp', self.draw.randrange(2, 99))]), OBSERVE[1]])],
            'step-set': [('step', self.draw.randrange(99))],
            'port-set': [('max-hold', self.draw.randrange(10 ** 9, 10 ** 10)),
                         ('hold-forwarded', self.draw.randrange(2))],
            'flow-get': [('flow', FLOW)],
            'queue-set': [('dscp-prio', [('dscp', self.draw.randrange(64)),
                                         ('prio', self.draw.randrange(8))])],
            'storm-start': [('storm', [prios, ('duration', 10 ** 7)])],
            'pause-send': [('pause', [prios, ('quanta', 1)])],
            'ring-new': [('ring', [('bytes', self.draw.randrange(1 << 14, 1 << 18))])],
            'ring-get': [('direction', self.draw.randrange(2))],
            'path-set': [('path', [('mode', self.draw.choice((0, 1, 3, 4))),
                                   ('link', [('ifindex', spare)])])],
            'path-link-set': [('path', [('link', [('ifindex', spare),
                                                  ('down', self.draw.randrange(2))])])],
        }
        return [('ifindex', port)] + more.get(op, [])

    def rule(self):
        """A rule with some fields of a match, some of a trigger, and an action."""
        action = spec.sets['action']['type']
        kinds = [('type', self.draw.randint(0, action.max))]
        return ('rule', [('match', [('qp', self.draw.randrange(2, 99)),
                                    *self.tree('match', 5)]),
                         ('trigger', self.tree('trigger', 5)),
                         ('action', kinds + self.tree('action', 5)),
                         *(self.tree('rule', 5) if self.odds(30) else [])])

    def shuffled(self, tree):
        """The same attributes in random order, in each nest: a receiver accepts any order."""
        out = [(item[0], self.shuffled(item[1]))
               if isinstance(item, tuple) and isinstance(item[1], list) else item
               for item in tree]
        self.draw.shuffle(out)
        return out

    def payload(self, op):
        """The attributes of a request, as bytes."""
        how = self.draw.randrange(100)
        tree = self.good(op) if how < 30 else self.plausible(op) if how < 85 \
            else self.tree('main')
        if self.odds(70):
            tree = self.shuffled(tree)
        data = bytearray(spec.pack('main', tree))
        if data and self.odds(10):
            for _ in range(self.draw.randrange(1, 5)):
                data[self.draw.randrange(len(data))] = self.draw.randrange(256)
        return bytes(data)

    def operation(self):
        """A random operation."""
        return self.draw.choice(list(spec.ops))


def config(message):
    """The settings in a message, without counters."""
    if isinstance(message, dict):
        return {k: config(v) for k, v in message.items() if k not in VOLATILE}
    if isinstance(message, list):
        return [config(m) for m in message]
    return message


def quiet(part):
    """Remove the progress of storms, which changes by itself."""
    if isinstance(part, dict):
        for name in ('requested', 'covered', 'xoffs', 'lapses', 'interval', 'gap',
                     'interval-max', 'left', 'running'):
            part.get('storm', {}).pop(name, None)
        for value in part.values():
            quiet(value)
    elif isinstance(part, list):
        for value in part:
            quiet(value)
    return part


def seen(nl):
    """Everything that a request can change, as dumped bytes."""
    out = []
    for op in ('port-get', 'rule-get', 'queue-get'):
        nl.send(nl.id, spec.ops[op], NLM_F_DUMP, b'')
        out += nl._receive(b'', None).messages
    return out


def as_text(messages):
    """The settings in dumped bytes, as text; compared only if the bytes differ."""
    return json.dumps([quiet(config(spec.unpack('main', m))) for m in messages],
                      default=str)


def frame():
    """A WRITE to QP 0x777."""
    bth = bytes([7, 0, 0xff, 0xff]) + struct.pack('>II', 0x777, 0) + bytes(8)
    udp = struct.pack('>HHHH', 0xc000, 4791, 8 + len(bth), 0)
    ip = struct.pack('>BBHIBBH', 0x45, 0, 28 + len(bth), 0x4000, 64, 17, 0)
    eth = bytes.fromhex('020000000002' '020000000001' '0800')
    return eth + ip + bytes([192, 0, 2, 1, 192, 0, 2, 2]) + udp + bth


def send(dev):
    """Send the frame out of a port."""
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sock.bind((dev, 0))
    sock.send(frame())
    sock.close()


def made_by(answer):
    """The port and number of the rule that a request has added."""
    made = answer.messages[0]
    return made['ifindex'], made['id'][0]


def renew(nl):
    """Reset all ports, so that no table is full, and make a flow for flow-get and a path. Return
    the rules."""
    nl.do('reset', [])
    nl.do('path-set', [('ifindex', ports[0]), ('path', [
        ('mode', 0), ('link', [('ifindex', spare)])])])
    rules = []
    for port, dev in zip(ports, netdevs):
        rules.append(made_by(nl.do('rule-new', [
            ('ifindex', port), ('direction', 0),
            ('rule', OBSERVE + [('flags', spec.value('rule-flag', 'persist'))])])))
        send(dev)
    return rules


def one_by_one():
    """Send requests one by one; a refused request must change nothing."""
    nl, noise, wrong = Family(spec), Noise(seed), []
    tally = {op: [0, 0] for op in spec.ops}
    errors = set()
    end_of_time = time.monotonic() + seconds
    i = 0
    while i < count or time.monotonic() < end_of_time:
        if not i % EPOCH:
            noise.rules = renew(nl)
            before = seen(nl)
        op = noise.operation()
        data = noise.payload(op)
        answer = nl.bytes(op, data)
        tally[op][bool(answer.error)] += 1
        if op == 'rule-new' and not answer.error:
            noise.rules.append(made_by(answer))
        errors.add(answer.error)
        after = seen(nl)
        if answer.error and after != before and as_text(after) != as_text(before):
            wrong.append(f'{i}: {op} {data.hex()}: {answer}')
        before = after
        i += 1
    nl.close()
    print(f'# {i} requests one by one, {sum(no for _, no in tally.values())} refused')
    ok(not wrong, f'the refused ones of {count} or more random requests change nothing',
       '\n'.join(wrong[:10]))
    same('random requests of every operation succeed, others are refused', sorted(
        f'{op}: {yes} succeed, {no} refused'
        for op, (yes, no) in tally.items()
        if not no or not (yes or op == 'dcqcn-flow-get')), [])     # no flow obeys CNPs
    ok(errors <= {0, errno.EINVAL, errno.ERANGE, errno.ENODEV, errno.ENOENT,
                  errno.EBUSY, errno.EEXIST, errno.ENOSPC, errno.EMSGSIZE, errno.EOPNOTSUPP},
       'each refused random request has an error number of the documented ones',
       sorted(errno.errorcode.get(e, str(e)) for e in errors))


def shout(nl, noise, op):
    """Send a message with a random header; the reply is not awaited."""
    data = noise.payload(op)
    flags = noise.draw.choice((0, NLM_F_ACK, NLM_F_DUMP, noise.draw.randrange(
        1 << 12)))
    length = None
    if noise.odds(10):
        length = noise.draw.randrange(64)
    cmd = spec.ops[op] if noise.odds(95) else noise.draw.randrange(256)
    try:
        nl.send(nl.id, cmd, flags, data, length)
    except OSError as e:
        if e.errno not in (errno.EMSGSIZE, errno.ENOBUFS, errno.EAGAIN):
            raise


def drain(nl):
    """Read and ignore replies; a dump continues when its socket is read."""
    nl.sock.setblocking(False)
    for _ in range(8):
        try:
            nl.sock.recv(1 << 16)
        except BlockingIOError:
            break
        except OSError as e:
            if e.errno != errno.ENOBUFS:
                raise
    nl.sock.setblocking(True)


def client(number):
    """Send requests on several sockets and close some while requests are running."""
    noise = Noise(seed * 1000 + number)
    sockets = [Family(spec) for _ in range(SOCKETS)]
    end_of_time = time.monotonic() + seconds
    sent = 0
    while sent < count // CLIENTS or time.monotonic() < end_of_time:
        sent += 1
        at = noise.draw.randrange(SOCKETS)
        shout(sockets[at], noise, noise.operation())
        if noise.odds(30):
            drain(sockets[at])
        if noise.odds(5):
            sockets[at].close()
            sockets[at] = Family(spec)


def forked(number):
    """Start a client process. Returns its process number."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            client(number)
            status = 0
        except BaseException as e:  # print it, because only the status reaches the parent
            print(f'# client {number}: {e!r}', flush=True)
        os._exit(status)
    return pid


def all_at_once():
    """Run several clients at the same time."""
    pids = [forked(number) for number in range(CLIENTS)]
    status = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    same(f'{CLIENTS} clients with {SOCKETS} sockets each end without an error', status,
         [0] * CLIENTS)


def works(words):
    """Test that a rule can be added, hits a packet and ends with its socket."""
    nl = Family(spec)
    same(f'{words}: reset of all ports succeeds', nl.do('reset', []).error, 0)
    same(f'{words}: reset leaves no rule', len(nl.dump('rule-get').messages), 0)
    for port, dev in zip(ports, netdevs):
        head = [('ifindex', port)]
        answer = nl.do('rule-new', head + [('direction', 0), ('rule', OBSERVE)])
        same(f'{words}: a rule can be added to {dev}', answer.error, 0)
        send(dev)
        got = nl.dump('rule-get', head).messages
        same(f'{words}: the rule on {dev} hits a packet',
             [m['rule'][0]['hits'] for m in got], [1])
    nl.close()
    nl = Family(spec)
    same(f'{words}: the rules end with their socket',
         len(nl.dump('rule-get').messages), 0)
    nl.close()


works('before random requests')
one_by_one()
works('after random requests one by one')
all_at_once()
works('after random requests from several clients')
end()
