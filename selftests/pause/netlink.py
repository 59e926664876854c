# SPDX-License-Identifier: GPL-2.0
"""Test the netlink requests about pauses; netlink.sh calls it with a port."""
import errno
import os
import socket
import sys
import time

from nlspec import Family, Raw, Spec
from tap import end, ok, same

spec = Spec(sys.argv[1])
port = socket.if_nametoindex(sys.argv[2])
nl = Family(spec)
DEV = [('ifindex', port)]
RANGE = (errno.ERANGE, errno.EINVAL)
FOREVER = spec.value('storm-flag', 'forever')
PERSIST = spec.value('storm-flag', 'persist')
# Some attributes occur only in replies: in the attribute set "storm", the attribute "running"
# and all attributes after it; in the set "pause", those from "received" on
REPLIES = {'storm': 'running', 'pause': 'received'}


def state():
    """Return the port's queues."""
    return nl.do('queue-get', DEV).messages[0]


def running():
    """Return the priorities with a running storm."""
    return [p['prio'] for p in state()['prio'] if p.get('storm', {}).get('running')]


def start(*parts, sock=nl):
    """Start a storm; return the reply."""
    return sock.do('storm-start', DEV + [('storm', list(parts))])


def stop(*parts):
    """Stop storms; return the reply."""
    return nl.do('storm-stop', DEV + list(parts))


def send(*parts):
    """Send a pause frame; return the reply."""
    return nl.do('pause-send', DEV + [('pause', list(parts))])


def leased_ok():
    """A storm ends with its socket, unless it has the flag persist."""
    mine = Family(spec)
    start(('prios', 6), ('flags', FOREVER), ('quanta', 9), sock=mine)
    start(('prios', 128), ('flags', FOREVER | PERSIST), sock=mine)
    same('storms run on the requested priorities', running(), [1, 2, 7])
    prio = state()['prio']
    same('running storms have the requested quanta, flags and owner',
         [(p['storm']['quanta'], p['storm']['flags'], p['storm']['owner'] > 0)
          for p in (prio[1], prio[7])],
         [(9, FOREVER, True), (0, FOREVER | PERSIST, False)])
    mine.close()
    deadline = time.monotonic() + 10
    while running() == [1, 2, 7] and time.monotonic() < deadline:
        pass
    same('closing a socket stops its storms except those with persist', running(), [7])
    stop(('storm', [('prios', 64)]))
    same('stopping another priority does not stop a persistent storm', running(), [7])
    stop(('storm', [('prios', 128)]))
    same('stopping its priority stops a persistent storm', running(), [])
    start(('prios', 255), ('duration', 10 ** 13))
    ok(0 < state()['prio'][4]['storm']['left'] <= 10 ** 13,
       'the remaining time of a storm is shown')
    start(('prios', 1), ('flags', FOREVER))
    same('another storm of a priority replaces the first one and does not change the others',
         [p['storm'].get('duration') or None for p in state()['prio'][:2]],
         [None, 10 ** 13])
    stop()
    same('stopping without priorities stops all storms', running(), [])


def sent():
    """Return the number of frames that the port has sent."""
    return state()['pause']['sent']


def refused(words, at, answer, error=(errno.EINVAL,), says=''):
    """Test that the reply is an error with this attribute and a message."""
    ok(answer.error in error and answer.at == at and answer.words and
       answer.words.startswith(says), words, f'{answer}; expected {at}')


def missing(words, where, name, answer):
    """Test that the reply is an error because this attribute is missing."""
    ok(answer.error == errno.EINVAL and answer.words == f'{name}: missing' and
       answer.missing == spec.sets[where][name].number, words, answer)


def contradictions_fail():
    """Requests that pass the policies, but contradict themselves."""
    one, end_, turn = ('prios', 1), ('duration', 10 ** 9), 10 ** 7
    refused('a storm without duration and without forever is refused', 'storm', start(one), says='duration: missing')
    refused('a storm with duration and forever is refused', 'storm.duration',
            start(one, end_, ('flags', FOREVER)), says='duration: not allowed with forever')
    refused('a storm without priorities is refused', 'storm', start(end_), says='prios: missing')
    refused('a storm with an on time and no off time is refused', 'storm', start(one, end_, ('on-time', turn)),
            says='off-time: missing')
    refused('a storm with an off time and no on time is refused', 'storm', start(one, end_, ('off-time', turn)),
            says='on-time: missing')
    refused('a storm with an on time of 1 ns is refused', 'storm.on-time',
            start(one, end_, ('on-time', 1), ('off-time', turn)), says='on-time: sh')
    missing('storm-start without a storm is refused', 'main', 'storm', nl.do('storm-start', DEV))
    missing('pause-send without a frame is refused', 'main', 'pause', nl.do('pause-send', DEV))
    missing('a pause frame without priorities is refused', 'pause', 'prios', send(('quanta', 5)))
    missing('a pause frame without quanta is refused', 'pause', 'quanta',
            send(('prios', 1)))
    answer = nl.do('storm-start', [('ifindex', 0x7fffffff),
                                   ('storm', [one, end_])])
    refused('a storm on a port that does not exist is refused', 'ifindex', answer, error=(errno.ENODEV,))


def bad_items(where):
    """Yield each number of a set just outside its range, and with wrong lengths."""
    for attr in spec.sets[where].values():
        if attr.name == REPLIES[where]:
            return
        if not attr.size:
            continue
        top = (attr.mask or attr.max) + 1
        yield from ((attr.name, (attr.name, v)) for v in (attr.min - 1, top)
                    if 0 <= v < 1 << 8 * attr.size)
        yield from ((attr.name, Raw(attr.number, bytes(n)))
                    for n in (0, 1, attr.size + 1))


def ranges_fail():
    """Attributes out of range, unknown, or only for replies."""
    for where, ask in (('storm', start), ('pause', send)):
        bad, count = [], 0
        for name, item in bad_items(where):
            answer = ask(item)
            count += 1
            if answer.error not in RANGE or answer.at != f'{where}.{name}' or \
                    not answer.words:
                bad.append(f'{name}: {answer}')
        ok(count > 8 and not bad,
           f'{where}: {count} numbers out of range or with a wrong length are refused',
           '\n'.join(bad))
        last = max(spec.numbers[where])
        refused(f'{where}: an unknown attribute is refused', f'{where}.?',
                ask(Raw(last + 1, bytes(4))))
        name = REPLIES[where]
        refused(f'{where}: the attribute {name}, which is only for replies, is refused', f'{where}.{name}',
                ask((name, 1)))


def unprivileged_fail():
    """All requests need CAP_NET_ADMIN."""
    pid = os.fork()
    if not pid:
        status = 2
        try:
            os.setresuid(65534, 65534, 65534)
            mine = Family(spec)
            asked = [('storm-start', [('storm', [('prios', 1), ('duration', 9)])]),
                     ('storm-stop', []),
                     ('pause-send', [('pause', [('prios', 1), ('quanta', 9)])])]
            status = any(mine.do(op, DEV + parts).error != errno.EPERM
                         for op, parts in asked)
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    same('storm-start, storm-stop and pause-send without CAP_NET_ADMIN return EPERM', status, 0)


leased_ok()
frames = sent()
contradictions_fail()
ranges_fail()
unprivileged_fail()
same('refused requests start no storm and send no frame', (running(), sent()), ([], frames))
ok(not send(('prios', 255), ('quanta', 0)).error and sent() == frames + 1,
   'control: a valid frame is sent and counted')
end()
