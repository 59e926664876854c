# SPDX-License-Identifier: GPL-2.0
"""What a port is told about pauses; called by netlink.sh with a port."""
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
# The first that stands in replies only
REPLIES = {'storm': 'running', 'pause': 'received'}


def state():
    """The port's queues."""
    return nl.do('queue-get', DEV).messages[0]


def running():
    """The priorities that a storm is in."""
    return [p['prio'] for p in state()['prio'] if p.get('storm', {}).get('running')]


def start(*parts, sock=nl):
    """The answer to a storm."""
    return sock.do('storm-start', DEV + [('storm', list(parts))])


def stop(*parts):
    """The answer to its end."""
    return nl.do('storm-stop', DEV + list(parts))


def send(*parts):
    """The answer to a frame."""
    return nl.do('pause-send', DEV + [('pause', list(parts))])


def leased_ok():
    """A storm ends with its socket; one that is told to doesn't."""
    mine = Family(spec)
    start(('prios', 6), ('flags', FOREVER), ('quanta', 9), sock=mine)
    start(('prios', 128), ('flags', FOREVER | PERSIST), sock=mine)
    same('storms run', running(), [1, 2, 7])
    prio = state()['prio']
    same('with what they were told',
         [(p['storm']['quanta'], p['storm']['flags'], p['storm']['owner'] > 0)
          for p in (prio[1], prio[7])],
         [(9, FOREVER, True), (0, FOREVER | PERSIST, False)])
    mine.close()
    deadline = time.monotonic() + 10
    while running() == [1, 2, 7] and time.monotonic() < deadline:
        pass
    same('the socket that is closed takes its own with it', running(), [7])
    stop(('storm', [('prios', 64)]))
    same('a storm of another priority is not this one', running(), [7])
    stop(('storm', [('prios', 128)]))
    same('which ends when it is named', running(), [])
    start(('prios', 255), ('duration', 10 ** 13))
    ok(0 < state()['prio'][4]['storm']['left'] <= 10 ** 13,
       'what is left of its time is told')
    start(('prios', 1), ('flags', FOREVER))
    same('another storm takes the place of one, and leaves the others alone',
         [p['storm'].get('duration') or None for p in state()['prio'][:2]],
         [None, 10 ** 13])
    stop()
    same('without a name all end', running(), [])


def sent():
    """Frames that the port has sent."""
    return state()['pause']['sent']


def refused(words, at, answer, error=(errno.EINVAL,), says=''):
    """An error at this attribute, with words."""
    ok(answer.error in error and answer.at == at and answer.words and
       answer.words.startswith(says), words, f'{answer}; wanted {at}')


def missing(words, where, name, answer):
    """An error for want of this attribute."""
    ok(answer.error == errno.EINVAL and answer.words == f'{name}: missing' and
       answer.missing == spec.sets[where][name].number, words, answer)


def contradictions_fail():
    """What passes the policies and can't be meant."""
    one, end_, turn = ('prios', 1), ('duration', 10 ** 9), 10 ** 7
    refused('a storm without an end', 'storm', start(one), says='duration: missing')
    refused('one with two', 'storm.duration',
            start(one, end_, ('flags', FOREVER)), says='duration: not with forever')
    refused('one of no priority', 'storm', start(end_), says='prios: missing')
    refused('turns on and never off', 'storm', start(one, end_, ('on-time', turn)),
            says='off-time: missing')
    refused('turns off and never on', 'storm', start(one, end_, ('off-time', turn)),
            says='on-time: missing')
    refused('turns of a nanosecond', 'storm.on-time',
            start(one, end_, ('on-time', 1), ('off-time', turn)), says='on-time: sh')
    missing('no storm', 'main', 'storm', nl.do('storm-start', DEV))
    missing('no frame', 'main', 'pause', nl.do('pause-send', DEV))
    missing('a frame of no priority', 'pause', 'prios', send(('quanta', 5)))
    missing('one that says neither XOFF nor XON', 'pause', 'quanta',
            send(('prios', 1)))
    answer = nl.do('storm-start', [('ifindex', 0x7fffffff),
                                   ('storm', [one, end_])])
    refused('a port that isn\'t there', 'ifindex', answer, error=(errno.ENODEV,))


def bad_items(where):
    """Each number of a set just outside of its range, and of a wrong length."""
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
    """Out of range, unknown, or of replies alone."""
    for where, ask in (('storm', start), ('pause', send)):
        bad, count = [], 0
        for name, item in bad_items(where):
            answer = ask(item)
            count += 1
            if answer.error not in RANGE or answer.at != f'{where}.{name}' or \
                    not answer.words:
                bad.append(f'{name}: {answer}')
        ok(count > 8 and not bad,
           f'{where}: {count} numbers out of range or of a wrong length',
           '\n'.join(bad))
        last = max(spec.numbers[where])
        refused(f'{where}: an unknown attribute', f'{where}.?',
                ask(Raw(last + 1, bytes(4))))
        name = REPLIES[where]
        refused(f'{where}: {name} stands in replies only', f'{where}.{name}',
                ask((name, 1)))


def unprivileged_fail():
    """All of it wants CAP_NET_ADMIN."""
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
    same('without privilege nothing is done', status, 0)


leased_ok()
frames = sent()
contradictions_fail()
ranges_fail()
unprivileged_fail()
same('nothing of this began or sent anything', (running(), sent()), ([], frames))
ok(not send(('prios', 255), ('quanta', 0)).error and sent() == frames + 1,
   'control: a frame is counted')
end()
