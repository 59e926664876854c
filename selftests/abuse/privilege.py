# SPDX-License-Identifier: GPL-2.0
"""Who may ask the netlink family for what; called by privilege.sh with a port.

Each operation is requested by each kind of user, with valid requests. With the
capability they succeed, which is the control. Without it they are refused, and
nothing changes. The root of another user namespace is given the reason.
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
NOBODY = 65534
REASON = 'needs CAP_NET_ADMIN in the initial user namespace'

spec = Spec(sys.argv[1])
port = socket.if_nametoindex(sys.argv[2])
nl = Family(spec)
libc = ctypes.CDLL(None, use_errno=True)

DEV = [('ifindex', port)]
RULE = ('rule', [('match', [('qp', 0x777)]),
                 ('action', [('type', spec.value('action', 'observe'))]),
                 ('flags', spec.value('rule-flag', 'persist'))])
STORM = ('storm', [('prios', 2), ('duration', 10 ** 9),
                   ('flags', spec.value('storm-flag', 'persist'))])
FLOW = ('flow', [('direction', 0), ('saddr', bytes([192, 0, 2, 1])),
                 ('daddr', bytes([192, 0, 2, 2])), ('qp', 0x777)])

# By operation: the request, in an order in which each is good.
LOOKS = {
    'port-get': DEV,
    'rule-get': DEV + [('id', 0)],
    'queue-get': DEV,
}
# What needs CAP_NET_ADMIN in the initial user namespace
ADMIN = {
    'flow-get': DEV + [FLOW],
    'step-set': DEV + [('step', 9)],
    'rule-new': DEV + [('direction', 0), RULE],
    'rule-del': DEV + [('id', 0)],
    'port-set': DEV + [('max-hold', 10 ** 9)],
    'queue-set': DEV + [('link', [('rate', 10 ** 9)])],
    'storm-start': DEV + [STORM],
    'storm-stop': DEV,
    'pause-send': DEV + [('pause', [('prios', 2), ('quanta', 0)])],
    'rule-flush': DEV,
    'reset': DEV,
    'stats-reset': DEV,
}


def settings(info):
    """What a port was told, without what it counts."""
    info = dict(info)
    for name in ('tx', 'rx', 'pause', 'expires', 'used', 'peak'):
        info.pop(name, None)
    for part in info.get('prio', []):
        part.pop('stats', None)
    return info


def state():
    """All that anybody could change."""
    return json.dumps([[settings(m) for m in nl.dump(op).messages]
                       for op in ('port-get', 'rule-get', 'queue-get')],
                      default=str)


def begin():
    """A rule to be deleted; its number goes into the requests."""
    nl.do('rule-flush', DEV)
    answer = nl.do('rule-new', DEV + [('direction', 0), RULE])
    for op in (LOOKS['rule-get'], ADMIN['rule-del']):
        op[1] = ('id', answer.messages[0]['id'][0])
    send()


def send():
    """A packet of the flow that is asked for."""
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
    """A call into the C library has to work."""
    if result < 0:
        raise OSError(ctypes.get_errno(), words)


def without_the_right():
    """Still root, but for CAP_NET_ADMIN."""
    head = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    caps = (ctypes.c_uint32 * 6)()
    check(libc.capget(head, caps), 'capget')
    for i in range(3):
        caps[i] &= ~(1 << NET_ADMIN)
    check(libc.capset(head, caps), 'capset')


def become_nobody():
    """Another user, of no group."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def leave():
    """Another user in a user and a network namespace of his own."""
    become_nobody()
    check(libc.unshare(CLONE_NEWUSER | CLONE_NEWNET), 'unshare')


def ask_all(family):
    """By operation: the error and the reason, and what a dump shows."""
    answers = {}
    for op, tree in {**LOOKS, **ADMIN}.items():
        answer = family.do(op, tree)
        answers[op] = (answer.error, answer.words)
    shown = {op: len(family.dump(op).messages)
             for op in [*LOOKS, 'flow-get']}
    return answers, shown


def ask_without_port(family):
    """Those that mean every port of the asker's namespace."""
    answers = [family.do(op, []) for op in ('rule-flush', 'reset')]
    return [(answer.error, answer.words) for answer in answers]


def in_child(what):
    """What another process finds, which may become somebody else."""
    r, w = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            answer = json.dumps(what())
        except BaseException as e:  # whatever it is, the parent tells it
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
    """EPERM and its kin."""
    return errno.errorcode.get(error, 'success')


def refused_all(who, become, looks, reason='', socket_of_ours=False):
    """Each operation by one kind of user: errors, reason, no change."""
    begin()
    before = state()
    mine = Family(spec) if socket_of_ours else None

    def asks():
        become()
        return ask_all(mine or Family(spec))
    answers, shown = in_child(asks)
    for op in ADMIN:
        error, words = answers[op]
        same(f'{who}: {op} is refused', (name_of(error), words),
             ('EPERM', reason))
    same(f'{who}: a dump of flows shows nothing', shown['flow-get'], 0)
    for op in LOOKS:
        same(f'{who}: {op}', name_of(answers[op][0]), name_of(looks))
        same(f'{who}: {op} shows {"all" if not looks else "nothing"}',
             shown[op] > 0, not looks)
    same(f'{who}: nothing has changed', state(), before)


def right_ok():
    """The control: with the right, all of it is done."""
    same('every operation is asked for', sorted({**LOOKS, **ADMIN}),
         sorted(spec.ops))
    begin()
    before = state()
    answers, shown = ask_all(nl)
    for op, (error, _) in answers.items():
        same(f'with the right: {op} is done', name_of(error), 'success')
    ok(all(shown[op] for op in ('port-get', 'queue-get')),
       'with the right: dumps show the port', shown)
    ok(state() != before, 'with the right: something has changed')


def elsewhere_fails():
    """A request for every port of the requester's own namespace."""
    begin()
    before = state()

    def asks():
        leave()
        return ask_without_port(Family(spec))
    same('in another namespace: rule-flush and reset of all ports are refused',
         in_child(asks), [[errno.EPERM, REASON]] * 2)
    same('in another namespace: ours are untouched', state(), before)


def leases_are_ours():
    """A socket of the same number elsewhere ends no lease of ours."""
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
    same("in another namespace: a socket has our socket's number",
         in_child(asks), owner)
    same('in another namespace: its end is not that of our rule',
         len(nl.dump('rule-get', DEV).messages), 1)
    nl.do('rule-flush', DEV)


right_ok()
refused_all('root without CAP_NET_ADMIN', without_the_right, 0)
refused_all('another user', become_nobody, 0)
refused_all("another user with root's socket", become_nobody, 0,
            socket_of_ours=True)
refused_all('root of another user namespace', leave, errno.ENODEV, REASON)
elsewhere_fails()
leases_are_ours()
end()
