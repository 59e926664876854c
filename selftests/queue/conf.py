# SPDX-License-Identifier: GPL-2.0
"""What a port is told about its queues; called by conf.sh with a port."""
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
    """The port's queues."""
    return nl.do('queue-get', DEV).messages[0]


def told():
    """What of them is told, and not counted."""
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
    """The answer to a change."""
    return nl.do('queue-set', DEV + list(parts))


def prio(number, *parts):
    """One priority."""
    return ('prio', [('prio', number), *parts])


def ecn(number, *parts):
    """The ECN profile of a priority."""
    return prio(number, ('ecn', list(parts)))


def defaults_ok():
    """What a port does that nobody has told anything."""
    now = told()
    same('a new port: no rate, no delay, the overhead of Ethernet', now['link'],
         {'no-rate': True, 'delay': 0, 'jitter': 0, 'overhead': 24, 'seed': 0})
    same('no buffer', now['buffer'], {'no-size': True})
    same('eight priorities, strict', [(p['prio'], p['tsa'], p['pfc'])
                                      for p in now['prio']],
         [(i, 0, 0) for i in range(8)])
    same('the priority is the upper half of the DSCP',
         [(d['dscp'], d['prio']) for d in now['dscp-prio']],
         [(i, i >> 3) for i in range(64)])
    same('no watchdog', now['watchdog']['prios'], 0)


def comes_back_ok():
    """All that is given comes back, and what isn't given stays."""
    link = {'rate': 10 ** 8, 'delay': 5000, 'jitter': 300, 'overhead': 20,
            'seed': (1 << 64) - 1}
    third = {'tsa': 1, 'weight': 7, 'limit': 50, 'limit-bytes': 1 << 20,
             'pfc': 1, 'share': 300000, 'headroom': 100000, 'xoff': 200000,
             'xon': 150000}
    profile = {'enabled': 1, 'kmin': 1000, 'kmax': 9000, 'pmax': 10 ** 11,
             'weight': 4, 'phantom': 95 * 10 ** 6, 'ect': 1, 'not-ect': 2}
    dog = {'prios': 8, 'detect': 10 ** 9, 'restore': 2 * 10 ** 9,
           'poll': 10 ** 8, 'action': 1}
    before = told()
    answer = tell(('link', list(link.items())), ('buffer', [('size', 1 << 20)]),
                  prio(3, *third.items(), ('ecn', list(profile.items()))),
                  ('dscp-prio', [('dscp', 26), ('prio', 5)]),
                  ('watchdog', list(dog.items())))
    ok(not answer.error, 'everything is told in one request', answer)
    now = told()
    same('the link comes back', now['link'], link)
    same('so does the buffer', now['buffer'], {'size': 1 << 20})
    same('so does a priority', now['prio'][3],
         {'prio': 3, **third, 'ecn': profile})
    same('so does a line of the map', now['dscp-prio'][26]['prio'], 5)
    same('so does the watchdog', now['watchdog'], dog)
    same('the other priorities are as before', now['prio'][4:],
         before['prio'][4:])
    answer = tell(('link', [('delay', 7)]), prio(3, ('weight', 9)))
    same('what isn\'t given stays', (answer.error, told()['link'],
                                     told()['prio'][3]['share']),
         (0, {**link, 'delay': 7}, 300000))


def dumped_ok():
    """A dump has all ports, or the one that is asked for."""
    same('a dump shows both ports', [m['ifname'] for m in
                                     nl.dump('queue-get').messages],
         ['t1', 't2'])
    answer = nl.dump('queue-get', DEV)
    same('or one', [m['ifname'] for m in answer.messages], ['t1'])
    same('as the request for one shows it', answer.messages[0]['prio'][3]['ecn'],
         state()['prio'][3]['ecn'])


def back_ok():
    """Nothing that is told is for ever."""
    answer = tell(('link', [('no-rate', True), ('delay', 0), ('jitter', 0)]),
                  ('buffer', [('no-size', True)]),
                  prio(3, ('pfc', 0), ('share', 0), ('xoff', 0), ('xon', 0),
                       ('headroom', 0), ('limit-bytes', 0)),
                  ecn(3, ('enabled', 0)), ('watchdog', [('prios', 0)]))
    now = told()
    same('all can be taken back', (answer.error, now['link']['no-rate'],
                                   now['buffer'], now['prio'][3]['share'],
                                   now['watchdog']['prios']),
         (0, True, {'no-size': True}, 0, 0))


def refused(words, at, *parts, error=(errno.EINVAL,), says=''):
    """An error at this attribute, with words, and nothing changed."""
    before = told()
    answer = tell(*parts)
    ok(answer.error in error and answer.at == at and answer.words and
       answer.words.startswith(says) and told() == before, words,
       f'{answer}; wanted {at}')


def contradictions_fail():
    """What passes the policies and can't be meant."""
    size = ('buffer', [('size', 1000)])
    refused('XON above XOFF', 'prio.xon', prio(3, ('xoff', 500), ('xon', 501)),
            says='xon: above xoff')
    refused('the second priority is the wrong one', 'prio[1].xon',
            prio(2, ('xoff', 500)), prio(3, ('xoff', 500), ('xon', 501)))
    refused('headroom beyond the buffer', 'prio.headroom', size,
            prio(3, ('pfc', 1), ('headroom', 1001)), says='headroom:')
    refused('share beyond what headroom leaves', 'prio[1].share', size,
            prio(2, ('pfc', 1), ('headroom', 600)), prio(3, ('share', 401)))
    refused('XOFF above the share', 'prio.xoff', size,
            prio(3, ('share', 400), ('xoff', 401)))
    refused('Kmin above Kmax', 'prio.ecn.kmin',
            ecn(5, ('enabled', 1), ('kmin', 9), ('kmax', 8)), says='kmin:')
    refused('a profile without Kmax', 'prio.ecn', ecn(5, ('enabled', 1)),
            says='kmax: missing')
    refused('polling longer than the detection time', 'watchdog.poll',
            ('watchdog', [('detect', 5), ('poll', 6)]))
    refused('polling more often than each millisecond', 'watchdog.poll',
            ('watchdog', [('poll', 999_999)]))
    refused('a rate and none', 'link.no-rate',
            ('link', [('rate', 10 ** 8), ('no-rate', True)]))
    refused('a buffer and none', 'buffer.no-size',
            ('buffer', [('size', 5), ('no-size', True)]))
    answer = tell(size, prio(6, ('share', 900)))
    refused('a buffer that is too small for what was told before', 'buffer',
            ('buffer', [('size', 800)]), says='share:')
    tell(prio(6, ('share', 0)), ('buffer', [('no-size', True)]))
    ok(not answer.error, 'control: the share fits the buffer', answer)


def numbers(where):
    """The numbers of a set that a request may carry."""
    only = {'link': 5, 'buffer': 1, 'prio': 10}.get(where, 99)
    return [a for a in spec.sets[where].values() if a.size][:only]


def carrier(where, item):
    """The part of a request that carries an attribute, and the way to it."""
    if where == 'ecn':
        return ecn(7, item), 'prio.ecn.'
    if where == 'prio':
        return ('prio', [item]), 'prio.'
    return (where, [item]), where + '.'


SETS = ('link', 'buffer', 'prio', 'ecn', 'dscp-prio', 'watchdog')


def ranges_fail():
    """Each number just outside of its range, and of a wrong length."""
    before, bad, count = told(), [], 0
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
    ok(count > 100 and not bad and told() == before,
       f'{count} numbers out of range or of a wrong length', '\n'.join(bad))


def replies_only_fail():
    """What only replies carry, and what nobody knows."""
    refused('in-flight stands in replies only', 'link.in-flight',
            ('link', [('in-flight', 1)]))
    refused('used stands in replies only', 'buffer.used',
            ('buffer', [('used', 1)]))
    refused('stats stand in replies only', 'prio.stats',
            prio(3, ('stats', [])))
    for where in SETS:
        part, way = carrier(where, Raw(max(spec.numbers[where]) + 1, bytes(4)))
        refused(f'{where}: an unknown attribute', way + '?', part)


def missing_fail():
    """Requests without what they must have."""
    for words, parts, name, where in (
            ('a priority without its number', [('prio', [('pfc', 0)])], 'prio',
             'prio'),
            ('a DSCP without its priority', [('dscp-prio', [('dscp', 3)])],
             'prio', 'dscp-prio'),
            ('a priority without its DSCP', [('dscp-prio', [('prio', 3)])],
             'dscp', 'dscp-prio')):
        answer = tell(*parts)
        ok(answer.error == errno.EINVAL and
           answer.missing == spec.sets[where][name].number, words, answer)
    answer = tell()
    ok(answer.error == errno.EINVAL and 'link' in answer.words,
       'a change of nothing', answer)
    answer = nl.do('queue-set', [('link', [('delay', 5)])])
    ok(answer.error == errno.EINVAL and answer.words.startswith('ifindex'),
       'a change of no port', answer)
    answer = nl.do('queue-get', [('ifindex', 0x7fffffff)])
    ok(answer.error == errno.ENODEV and answer.at == 'ifindex', 'no such port',
       answer)


def unprivileged_fail():
    """Changes want CAP_NET_ADMIN; looking doesn't."""
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
    same('without privilege: no change, but a look', status, 0)


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
