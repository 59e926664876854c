# SPDX-License-Identifier: GPL-2.0
"""Which user can send which requests of the netlink family; called by privilege.sh.

Each kind of user sends a valid request of each operation. With the capability the
request must succeed, which is the control. Without it the request must be refused and
change nothing. The root of another user namespace gets the reason as a message.
"""
import ctypes
import errno
import json
import os
import socket
import sys

from nlspec import Family, Spec
from tap import end, ok, same

NET_ADMIN = 12
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
CAPABILITY_VERSION = 0x20080522
OTHER_USER = 65534
REASON = 'needs CAP_NET_ADMIN in the initial user namespace'

spec = Spec(sys.argv[1])
port = socket.if_nametoindex(sys.argv[2])
nl = Family(spec)
libc = ctypes.CDLL(None, use_errno=True)

DEV = [('ifindex', port)]
SPARE = [('ifindex', socket.if_nametoindex(sys.argv[3]))]   # no port
LINK = ('ifindex', socket.if_nametoindex(sys.argv[4]))
PATH = ('path', [('mode', spec.value('path-mode', 'spray')), ('link', [LINK])])
RULE = ('rule', [('match', [('qp', 0x777)]),
                 ('action', [('type', spec.value('action', 'observe'))]),
                 ('flags', spec.value('rule-flag', 'persist'))])
STORM = ('storm', [('prios', 2), ('duration', 10 ** 9),
                   ('flags', spec.value('storm-flag', 'persist'))])
FLOW = ('flow', [('direction', 0), ('saddr', bytes([192, 0, 2, 1])),
                 ('daddr', bytes([192, 0, 2, 2])), ('qp', 0x777)])

# Operations that need no privilege, with a valid request
LOOKS = {
    'port-get': DEV,
    'rule-get': DEV + [('id', 0)],
    'queue-get': DEV,
    'path-get': DEV,
}
# Operations that need CAP_NET_ADMIN in the initial user namespace, in an order in which
# each succeeds
ADMIN = {
    'flow-get': DEV + [FLOW],
    'dcqcn-flow-get': DEV + [('dcqcn-flow', [('saddr', bytes(4)), ('daddr', bytes(4)), ('qp', 5)])],
    'step-set': DEV + [('step', 9)],
    'rule-new': DEV + [('direction', 0), RULE],
    'rule-del': DEV + [('id', 0)],
    'port-set': DEV + [('max-hold', 10 ** 9)],
    'queue-set': DEV + [('link', [('rate', 10 ** 9)])],
    'storm-start': DEV + [STORM],
    'storm-stop': DEV,
    'pause-send': DEV + [('pause', [('prios', 2), ('quanta', 0)])],
    'rule-flush': DEV,
    'path-set': DEV + [PATH],
    'path-link-set': DEV + [('path', [('link', [LINK, ('down', 1)])])],
    'path-del': DEV,
    'reset': DEV,
    'stats-reset': DEV,
    'ring-new': DEV + [('ring', [('bytes', 16384)])],
    'ring-get': DEV + [('direction', 0)],
    'port-new': SPARE,
    'port-del': SPARE,
}


def settings(info):
    """The settings of a port, without its counters."""
    info = dict(info)
    for name in ('tx', 'rx', 'pause', 'expires', 'used', 'peak'):
        info.pop(name, None)
    for part in info.get('prio', []):
        part.pop('stats', None)
    return info


def state():
    """Everything that a request can change, as text."""
    return json.dumps([[settings(m) for m in nl.dump(op).messages]
                       for op in ('port-get', 'rule-get', 'queue-get', 'path-get')],
                      default=str)


def begin():
    """Set a path, add a rule, and write its number into the requests that need one."""
    nl.do('rule-flush', DEV)
    nl.do('path-set', DEV + [('path', [('mode', 0), ('link', [LINK])])])
    answer = nl.do('rule-new', DEV + [('direction', 0), RULE])
    for op in (LOOKS['rule-get'], ADMIN['rule-del']):
        op[1] = ('id', answer.messages[0]['id'][0])
    send()


def send():
    """Send a packet of the flow that flow-get names."""
    bth = bytes([7, 0, 0xff, 0xff]) + (0x777).to_bytes(4, 'big') + bytes(12)
    udp = bytes.fromhex('c00012b7') + (8 + len(bth)).to_bytes(2, 'big') + bytes(2)
    head = bytes.fromhex('0200000000020200000000010800' '4500') + \
        (28 + len(bth)).to_bytes(2, 'big') + \
        bytes.fromhex('0000400040110000' 'c0000201' 'c0000202')
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sock.bind((sys.argv[2], 0))
    sock.send(head + udp + bth)
    sock.close()


def check(result, words):
    """Raise an error if a call into the C library failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), words)


def without_the_right():
    """Stay root but give up CAP_NET_ADMIN."""
    head = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    caps = (ctypes.c_uint32 * 6)()
    check(libc.capget(head, caps), 'capget')
    for i in range(3):
        caps[i] &= ~(1 << NET_ADMIN)
    check(libc.capset(head, caps), 'capset')


def become_other():
    """Become another user, in no group."""
    os.setgroups([])
    os.setresgid(OTHER_USER, OTHER_USER, OTHER_USER)
    os.setresuid(OTHER_USER, OTHER_USER, OTHER_USER)


def leave():
    """Become another user, in new user and network namespaces."""
    become_other()
    check(libc.unshare(CLONE_NEWUSER | CLONE_NEWNET), 'unshare')


def ask_all(family):
    """Send all requests. Returns error and message per operation, and the dumps' sizes."""
    answers = {}
    for op, tree in {**LOOKS, **ADMIN}.items():
        answer = family.do(op, tree)
        answers[op] = (answer.error, answer.words)
    shown = {op: len(family.dump(op).messages)
             for op in [*LOOKS, 'flow-get']}
    return answers, shown


def ask_without_port(family):
    """Send the requests that mean all ports of the namespace of the sender."""
    answers = [family.do(op, []) for op in ('rule-flush', 'reset')]
    return [(answer.error, answer.words) for answer in answers]


def in_child(what):
    """Run a function in a child process, which can change its user. Returns its result."""
    r, w = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            answer = json.dumps(what())
        except BaseException as e:  # the parent raises it
            answer = json.dumps(repr(e))
        os.write(w, answer.encode())
        os._exit(0)
    os.close(w)
    with os.fdopen(r) as pipe:
        answer = json.loads(pipe.read())
    os.waitpid(pid, 0)
    if isinstance(answer, str):
        raise RuntimeError(answer)
    return answer


def name_of(error):
    """The symbolic name of an error number."""
    return errno.errorcode.get(error, 'success')


def refused_all(user, become, looks, reason='', socket_of_ours=False):
    """Test each operation with one kind of user. looks is the error of the operations
    that need no privilege, reason the message of the others."""
    begin()
    before = state()
    mine = Family(spec) if socket_of_ours else None

    def asks():
        become()
        return ask_all(mine or Family(spec))
    answers, shown = in_child(asks)
    for op in ADMIN:
        error, words = answers[op]
        same(f'{user}: {op} is refused', (name_of(error), words),
             ('EPERM', reason))
    same(f'{user}: a dump of flows is empty', shown['flow-get'], 0)
    for op in LOOKS:
        same(f'{user}: the result of {op} is {name_of(looks)}', name_of(answers[op][0]),
             name_of(looks))
        same(f'{user}: a dump of {op} is {"not " if not looks else ""}empty',
             shown[op] > 0, not looks)
    same(f'{user}: refused requests change nothing', state(), before)


def right_ok():
    """The control: with the capability, all requests succeed."""
    same('the test has a request of every operation', sorted({**LOOKS, **ADMIN}),
         sorted(spec.ops))
    begin()
    before = state()
    answers, shown = ask_all(nl)
    for op, (error, _) in answers.items():
        if op == 'dcqcn-flow-get':
            same('with CAP_NET_ADMIN: no flow has received a CNP', name_of(error), 'ENOENT')
        else:
            same(f'with CAP_NET_ADMIN: {op} succeeds', name_of(error), 'success')
    ok(all(shown[op] for op in ('port-get', 'queue-get')),
       'with CAP_NET_ADMIN: dumps show the port', shown)
    ok(state() != before, 'with CAP_NET_ADMIN: the requests change the port')


def all_ports_fails():
    """Requests for all ports, sent by the root of another namespace, are refused."""
    begin()
    before = state()

    def asks():
        leave()
        return ask_without_port(Family(spec))
    same('in another namespace: rule-flush and reset of all ports are refused',
         in_child(asks), [[errno.EPERM, REASON]] * 2)
    same('in another namespace: rule-flush and reset leave the ports of this one',
         state(), before)


def leases_are_ours():
    """Closing a socket with the same number in another namespace ends no lease here."""
    nl.do('rule-flush', DEV)
    nl.do('rule-new', DEV + [('direction', 0), ('rule', RULE[1][:2])])
    owner = nl.dump('rule-get', DEV).messages[0]['rule'][0]['owner']

    def asks():
        leave()
        other = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
        other.bind((owner, 0))
        number = other.getsockname()[0]
        other.close()
        return number
    same('in another namespace: a socket can have the number of a rule\'s owner',
         in_child(asks), owner)
    same('in another namespace: closing that socket does not delete the rule',
         len(nl.dump('rule-get', DEV).messages), 1)
    nl.do('rule-flush', DEV)


right_ok()
refused_all('root without CAP_NET_ADMIN', without_the_right, 0)
refused_all('another user', become_other, 0)
refused_all("another user with a socket opened by root", become_other, 0,
            socket_of_ours=True)
refused_all('root of another user namespace', leave, errno.ENODEV, REASON)
all_ports_fails()
leases_are_ours()
end()
