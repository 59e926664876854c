# SPDX-License-Identifier: GPL-2.0
"""Test the configuration of a port's queues; conf.sh calls it with a port."""
import errno
import os
import socket
import sys

from nlspec import Family, Raw, Spec
from tap import end, ok, same

spec = Spec(sys.argv[1])
port = socket.if_nametoindex(sys.argv[2])
nl = Family(spec)
DEV = [('ifindex', port)]
RANGE = (errno.ERANGE, errno.EINVAL)


def state():
    """Return the port's queues."""
    return nl.do('queue-get', DEV).messages[0]


def settings():
    """Return the settings of the port's queues, without counters."""
    now = state()
    for prio in now['prio']:
        prio.pop('stats', None)
        prio.pop('storm', None)
    now.pop('pause', None)
    for name in ('in-flight', 'in-flight-bytes'):
        now['link'].pop(name, None)
    for name in ('used', 'peak'):
        now['buffer'].pop(name, None)
    return now


def tell(*parts):
    """Request a change; return the reply."""
    return nl.do('queue-set', DEV + list(parts))


def prio(number, *parts):
    """Return the attribute of one priority."""
    return ('prio', [('prio', number), *parts])


def ecn(number, *parts):
    """Return the attribute with the ECN profile of a priority."""
    return prio(number, ('ecn', list(parts)))


def defaults_ok():
    """The defaults of a new port."""
    now = settings()
    same('a new port has no rate, no delay, no jitter and the overhead of Ethernet', now['link'],
         {'no-rate': True, 'delay': 0, 'jitter': 0, 'overhead': 24, 'seed': 0})
    same('a new port has no buffer limit', now['buffer'], {'no-size': True})
    same('a new port has eight strict priorities without PFC', [(p['prio'], p['tsa'], p['pfc'])
                                      for p in now['prio']],
         [(i, 0, 0) for i in range(8)])
    same('a new port maps each DSCP to the priority DSCP / 8',
         [(d['dscp'], d['prio']) for d in now['dscp-prio']],
         [(i, i >> 3) for i in range(64)])
    same('no watchdog is enabled on a new port', now['watchdog']['prios'], 0)


def comes_back_ok():
    """Settings are read back, and others do not change."""
    link = {'rate': 10 ** 8, 'delay': 5000, 'jitter': 300, 'overhead': 20,
            'seed': (1 << 64) - 1}
    third = {'tsa': 1, 'weight': 7, 'limit': 50, 'limit-bytes': 1 << 20,
             'pfc': 1, 'share': 300000, 'headroom': 100000, 'xoff': 200000,
             'xon': 150000}
    profile = {'enabled': 1, 'kmin': 1000, 'kmax': 9000, 'pmax': 10 ** 11,
             'weight': 4, 'phantom': 95 * 10 ** 6, 'ect': 1, 'not-ect': 2}
    dog = {'prios': 8, 'detect': 10 ** 9, 'restore': 2 * 10 ** 9,
           'poll': 10 ** 8, 'action': 1}
    before = settings()
    answer = tell(('link', list(link.items())), ('buffer', [('size', 1 << 20)]),
                  prio(3, *third.items(), ('ecn', list(profile.items()))),
                  ('dscp-prio', [('dscp', 26), ('prio', 5)]),
                  ('watchdog', list(dog.items())))
    ok(not answer.error, 'one request sets link, buffer, priority, map and watchdog', answer)
    now = settings()
    same('the settings of the link are read back', now['link'], link)
    same('the size of the buffer is read back', now['buffer'], {'size': 1 << 20})
    same('the settings of a priority are read back', now['prio'][3],
         {'prio': 3, **third, 'ecn': profile})
    same('the changed DSCP of the map is read back', now['dscp-prio'][26]['prio'], 5)
    same('the settings of the watchdog are read back', now['watchdog'], dog)
    same('the other priorities are not changed', now['prio'][4:],
         before['prio'][4:])
    answer = tell(('link', [('delay', 7)]), prio(3, ('weight', 9)))
    now = settings()
    same('settings that a request does not contain are not changed',
         (answer.error, now['link'], now['prio'][3]['share']),
         (0, {**link, 'delay': 7}, 300000))


def dumped_ok():
    """A dump has all ports, or the requested one."""
    same('a dump without a port has both ports', [m['ifname'] for m in
                                     nl.dump('queue-get').messages],
         ['t1', 't2'])
    answer = nl.dump('queue-get', DEV)
    same('a dump with a port has only this port', [m['ifname'] for m in answer.messages], ['t1'])
    same('a dump and a request for one port have the same settings', answer.messages[0]['prio'][3]['ecn'],
         state()['prio'][3]['ecn'])


def back_ok():
    """All settings can be reset."""
    answer = tell(('link', [('no-rate', True), ('delay', 0), ('jitter', 0)]),
                  ('buffer', [('no-size', True)]),
                  prio(3, ('pfc', 0), ('share', 0), ('xoff', 0), ('xon', 0),
                       ('headroom', 0), ('limit-bytes', 0)),
                  ecn(3, ('enabled', 0)), ('watchdog', [('prios', 0)]))
    now = settings()
    same('all settings can be set back to their defaults', (answer.error, now['link']['no-rate'],
                                   now['buffer'], now['prio'][3]['share'],
                                   now['watchdog']['prios']),
         (0, True, {'no-size': True}, 0, 0))


def refused(words, at, *parts, error=(errno.EINVAL,), says=''):
    """Test that a request is refused with this attribute, and changes nothing."""
    before = settings()
    answer = tell(*parts)
    ok(answer.error in error and answer.at == at and answer.words and
       answer.words.startswith(says) and settings() == before, words,
       f'{answer}; expected {at}')


def contradictions_fail():
    """Requests that pass the policies, but contradict themselves."""
    size = ('buffer', [('size', 1000)])
    refused('XON above XOFF is refused', 'prio.xon', prio(3, ('xoff', 500), ('xon', 501)),
            says='xon: greater than xoff')
    refused('the second of two priorities is refused with its own attribute', 'prio[1].xon',
            prio(2, ('xoff', 500)), prio(3, ('xoff', 500), ('xon', 501)))
    refused('headroom larger than the buffer is refused', 'prio.headroom', size,
            prio(3, ('pfc', 1), ('headroom', 1001)), says='headroom:')
    refused('a share larger than the buffer without headroom is refused', 'prio[1].share', size,
            prio(2, ('pfc', 1), ('headroom', 600)), prio(3, ('share', 401)))
    refused('XOFF above the share is refused', 'prio.xoff', size,
            prio(3, ('share', 400), ('xoff', 401)))
    refused('Kmin above Kmax is refused', 'prio.ecn.kmin',
            ecn(5, ('enabled', 1), ('kmin', 9), ('kmax', 8)), says='kmin:')
    refused('an ECN profile without Kmax is refused', 'prio.ecn', ecn(5, ('enabled', 1)),
            says='kmax: missing')
    refused('a poll interval longer than the detection time is refused', 'watchdog.poll',
            ('watchdog', [('detect', 5), ('poll', 6)]))
    refused('a poll interval below a millisecond is refused', 'watchdog.poll',
            ('watchdog', [('poll', 999_999)]))
    refused('rate and no-rate together are refused', 'link.no-rate',
            ('link', [('rate', 10 ** 8), ('no-rate', True)]))
    refused('size and no-size together are refused', 'buffer.no-size',
            ('buffer', [('size', 5), ('no-size', True)]))
    answer = tell(size, prio(6, ('share', 900)))
    refused('a buffer smaller than an earlier share is refused', 'buffer',
            ('buffer', [('size', 800)]), says='share:')
    tell(prio(6, ('share', 0)), ('buffer', [('no-size', True)]))
    ok(not answer.error, 'control: the share fits the buffer', answer)


def numbers(where):
    """Return the numbers of a set that a request can contain."""
    only = {'link': 5, 'buffer': 1, 'prio': 10}.get(where, 99)
    return [a for a in spec.sets[where].values() if a.size][:only]


def carrier(where, item):
    """Return the part of a request with an attribute, and its path."""
    if where == 'ecn':
        return ecn(7, item), 'prio.ecn.'
    if where == 'prio':
        return ('prio', [item]), 'prio.'
    return (where, [item]), where + '.'


SETS = ('link', 'buffer', 'prio', 'ecn', 'dscp-prio', 'watchdog')


def ranges_fail():
    """Each number just outside its range, and with a wrong length."""
    before, bad, count = settings(), [], 0
    for where in SETS:
        for attr in numbers(where):
            items = [(attr.name, v) for v in (attr.min - 1, attr.max + 1)
                     if 0 <= v < 1 << 8 * attr.size]
            items += [Raw(attr.number, bytes(n)) for n in (0, 1, attr.size + 1)]
            for item in items:
                part, way = carrier(where, item)
                answer = tell(part)
                count += 1
                if answer.error not in RANGE or answer.at != way + attr.name \
                        or not answer.words:
                    bad.append(f'{where} {attr.name}: {answer}')
    ok(count > 100 and not bad and settings() == before,
       f'{count} numbers out of range or with a wrong length are refused', '\n'.join(bad))


def replies_only_fail():
    """Attributes that are only for replies, and unknown ones."""
    refused('in-flight, which is only for replies, is refused', 'link.in-flight',
            ('link', [('in-flight', 1)]))
    refused('used, which is only for replies, is refused', 'buffer.used',
            ('buffer', [('used', 1)]))
    refused('stats, which are only for replies, are refused', 'prio.stats',
            prio(3, ('stats', [])))
    for where in SETS:
        part, way = carrier(where, Raw(max(spec.numbers[where]) + 1, bytes(4)))
        refused(f'{where}: an unknown attribute is refused', way + '?', part)


def missing_fail():
    """Requests without a mandatory attribute."""
    for words, parts, name, where in (
            ('a priority without its number is refused', [('prio', [('pfc', 0)])], 'prio',
             'prio'),
            ('a DSCP without its priority is refused', [('dscp-prio', [('dscp', 3)])],
             'prio', 'dscp-prio'),
            ('a priority without its DSCP is refused', [('dscp-prio', [('prio', 3)])],
             'dscp', 'dscp-prio')):
        answer = tell(*parts)
        ok(answer.error == errno.EINVAL and
           answer.missing == spec.sets[where][name].number, words, answer)
    answer = tell()
    ok(answer.error == errno.EINVAL and 'link' in answer.words,
       'a change without settings is refused', answer)
    answer = nl.do('queue-set', [('link', [('delay', 5)])])
    ok(answer.error == errno.EINVAL and answer.words.startswith('ifindex'),
       'a change without a port is refused', answer)
    answer = nl.do('queue-get', [('ifindex', 0x7fffffff)])
    ok(answer.error == errno.ENODEV and answer.at == 'ifindex', 'a port that does not exist is refused',
       answer)


def unprivileged_fail():
    """Changes need CAP_NET_ADMIN, reading does not."""
    pid = os.fork()
    if not pid:
        status = 2
        try:
            os.setresuid(65534, 65534, 65534)
            mine = Family(spec)
            status = mine.do('queue-set', DEV + [('link', [('delay', 5)])]).error \
                != errno.EPERM or mine.do('queue-get', DEV).error
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    same('queue-set without CAP_NET_ADMIN returns EPERM, queue-get succeeds', status, 0)


defaults_ok()
comes_back_ok()
dumped_ok()
back_ok()
contradictions_fail()
ranges_fail()
replies_only_fail()
missing_fail()
unprivileged_fail()
end()
