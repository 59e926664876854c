# SPDX-License-Identifier: GPL-2.0
"""Every request of the family and of tc, with each of their allocations failing once.

Called by failslab.sh with a port and a netdev that is none. A request that is
refused has changed nothing. One whose answer got lost may have been done, but
then all of it. Refused for want of memory, and nothing else: that is told.
"""
import errno
import itertools
import os
import socket
import sys
import time

from failing import Failing, Qdiscs, Socket, Text
from nlspec import Family, NLM_F_DUMP, Spec
from tap import end, ok

spec = Spec(sys.argv[1])
port, free = (socket.if_nametoindex(dev) for dev in sys.argv[2:4])
failing = Failing()
plain = Family(spec)
NO_MEMORY = (errno.ENOMEM, errno.ENOBUFS)
DEV = [('ifindex', port)]
TX = DEV + [('direction', 0)]
PERSIST = ('flags', spec.value('rule-flag', 'persist'))
REPLACE = ('batch-flags', spec.value('batch-flag', 'replace'))
OBSERVE = ('action', [('type', spec.value('action', 'observe'))])
NUMBERED = ('generation', 'id')
MOVING = ('stats', 'left', 'requested', 'covered', 'xoffs', 'lapses', 'gap', 'pause',
          'interval-max', 'interval', 'in-flight', 'in-flight-bytes', 'used', 'peak')


def rule(*qps):
    """A rule for some queue pairs, two of which are more than one node."""
    return ('rule', [PERSIST, ('match', [('qp', qp) for qp in qps]), OBSERVE])


def armed():
    """A socket of whose system calls one may fail."""
    family = Family(spec)
    family.sock = Socket(family.sock, failing)
    return family


def without(tree, names):
    """What remains of an answer."""
    if isinstance(tree, dict):
        return {k: without(v, names) for k, v in tree.items() if k not in names}
    if isinstance(tree, list):
        return [without(v, names) for v in tree]
    return tree


class State:
    """All that a request may change, as the kernel tells it."""

    def __init__(self):
        self.messages = []
        for op, tree, flags in (('port-get', [], NLM_F_DUMP),
                                ('rule-get', [], NLM_F_DUMP),
                                ('queue-get', [], NLM_F_DUMP)):
            plain.send(plain.id, spec.ops[op], flags, spec.pack('main', tree))
            self.messages += plain._receive(b'', None).messages
        self.qdiscs = sorted(plainer.dump()[1])

    def without(self, names):
        """What remains of it, parsed."""
        return self.qdiscs, [without(spec.unpack('main', m), names)
                             for m in self.messages]

    def same(self, other):
        """Unchanged, with numbers of rules and generation; traffic may count."""
        return (self.messages, self.qdiscs) == (other.messages, other.qdiscs) or \
            self.without(MOVING) == other.without(MOVING)

    def meant(self):
        """It without what is another each time."""
        return self.without(MOVING + NUMBERED)


def trial(act, nth):
    """One request; what it came to: done, refused or unknown."""
    failing.arm(nth)
    try:
        error = act()
    except OSError as e:
        # What the socket says of a lost answer, it says after the request
        failing.disarm()
        return 'unknown', e.errno
    failing.disarm()
    return ('refused', error) if error else ('done', 0)


def judge(before, after, done, verdict, error, errors):
    """What is wrong about an outcome, if anything."""
    if error and error not in errors:
        return f'is {os.strerror(error)}'
    if verdict != 'done' and after.same(before):
        return ''
    if verdict == 'refused':
        return 'was refused, and has changed something'
    return '' if after.meant() == done else 'is half done'


def difference(before, after):
    """What of two states isn't the same."""
    return '\n'.join(f'{a}\n{b}' for a, b in
                     itertools.zip_longest([before[0], *before[1]],
                                           [after[0], *after[1]]) if a != b)


def each_fails(words, act, undo=None, first=1, errors=NO_MEMORY):
    """Each allocation of a request fails, from one on; then it succeeds."""
    started, bad, failed = time.monotonic(), [], 0
    verdict, error = trial(act, 0)
    after = State()
    done = after.meant()
    for nth in itertools.count(first):
        if undo:
            undo()
        before = State() if undo else after
        verdict, error = trial(act, nth)
        after = State()
        wrong = judge(before, after, done, verdict, error, errors)
        if wrong:
            bad.append(f'allocation {nth}: the request {wrong}\n' +
                       difference(before.meant(), after.meant()))
        failed += failing.hit
        if not failing.hit:
            break
    if undo:
        undo()
    ok(failed and not bad and verdict == 'done',
       f'{words}: {failed} allocations failed', '\n'.join(bad[:3]) or
       f'{verdict} {os.strerror(error)}')
    print(f'# {time.monotonic() - started:.1f} s')


def asks(op, tree):
    """A request of our family."""
    def act():
        return request.do(op, tree).error
    return act


def done(op, tree):
    """To be asked for where nothing fails."""
    def act():
        error = plain.do(op, tree).error
        if error:
            raise OSError(error, f'{op}: {os.strerror(error)}')
    return act


def dumps(op):
    """A dump, by a socket of its own: one that has failed may not be over for it."""
    def act():
        family = armed()
        try:
            return family.dump(op).error
        finally:
            family.close()
    return act


def flush():
    """Only the one rule that is there from the beginning."""
    plain.do('rule-new', TX + [REPLACE, rule(1000)])


def rules_ok():
    """Rules come and go."""
    flush()
    each_fails('a rule', asks('rule-new', TX + [rule(2, 3, 4)]), flush)
    each_fails('ten rules', asks('rule-new', TX + [rule(7 + i, 900 + i)
                                                  for i in range(10)]), flush)
    each_fails('ten in place of all', asks('rule-new', TX + [REPLACE] + [
        rule(7 + i, 900 + i) for i in range(10)]), flush)
    each_fails('a direction\'s first', asks('rule-new', DEV + [
        ('direction', 1), rule(5)]),
        lambda: plain.do('rule-flush', DEV + [('direction', 1)]))


def rules_end_ok():
    """Rules are told of, and go."""
    each_fails('a rule is told', lambda: request.do(
        'rule-get', DEV + [('id', the_rule())]).error)
    each_fails('all rules are told', dumps('rule-get'))
    each_fails('a flush', asks('rule-flush', TX), flush)
    each_fails('a rule goes', lambda: request.do(
        'rule-del', DEV + [('id', the_rule())]).error, flush)
    flush()


def the_rule():
    """The number of the one rule."""
    return plain.dump('rule-get', DEV).messages[0]['rule'][0]['id']


def flows_ok():
    """A flow is told; the first rule that isn't about it makes it untracked."""
    each_fails('a flow is told', asks('flow-get', DEV + [('flow', a_flow())]))
    each_fails('all flows are told', dumps('flow-get'))


def a_flow():
    """What names the first flow that is followed."""
    flow = plain.dump('flow-get', DEV).messages[0]['flow']
    return [(key, flow[key]) for key in ('direction', 'saddr', 'daddr', 'qp')]


def port_ok():
    """What a port is told beside its rules."""
    each_fails('a port is told', asks('port-get', DEV))
    each_fails('all ports are told', dumps('port-get'))
    each_fails('the max-hold', asks('port-set', DEV + [('max-hold', 10 ** 9)]),
               done('port-set', DEV + [('max-hold', 5 * 10 ** 9)]))
    each_fails('a step', asks('step-set', DEV + [('step', 7)]),
               done('step-set', DEV + [('step', 1)]))


QUEUE = [('link', [('rate', 10 ** 9), ('delay', 1000), ('jitter', 10)]),
         ('buffer', [('size', 1 << 20)]),
         ('prio', [('prio', 3), ('pfc', 1), ('headroom', 1 << 16), ('limit', 50),
                   ('ecn', [('enabled', 1), ('kmin', 1000), ('kmax', 9000)])]),
         ('prio', [('prio', 4), ('tsa', 1), ('weight', 60)]),
         ('dscp-prio', [('dscp', 10), ('prio', 3)]),
         ('watchdog', [('prios', 8), ('detect', 10 ** 9), ('restore', 10 ** 9),
                       ('poll', 10 ** 8)])]
NO_QUEUE = [('link', [('no-rate', True), ('delay', 0), ('jitter', 0)]),
            ('buffer', [('no-size', True)]),
            ('prio', [('prio', 3), ('pfc', 0), ('headroom', 0), ('limit', 1000),
                      ('ecn', [('enabled', 0)])]),
            ('prio', [('prio', 4), ('tsa', 0)]),
            ('dscp-prio', [('dscp', 10), ('prio', 1)]),
            ('watchdog', [('prios', 0)])]


def queues_ok():
    """Queues, buffer, marks, watchdog: all or nothing."""
    each_fails('queues are told', asks('queue-get', DEV))
    each_fails('all queues are told', dumps('queue-get'))
    each_fails('queues', asks('queue-set', DEV + QUEUE),
               done('queue-set', DEV + NO_QUEUE))
    done('queue-set', DEV + QUEUE)()
    each_fails('queues no more', asks('queue-set', DEV + NO_QUEUE),
               done('queue-set', DEV + QUEUE))
    done('queue-set', DEV + NO_QUEUE)()


def storm(*flags):
    """A storm that outlasts the test."""
    bits = sum(spec.value('storm-flag', flag) for flag in ('forever', 'persist') + flags)
    return DEV + [('storm', [('prios', 0x18), ('flags', bits)] +
                   [('quanta', 65535)] * ('frames' in flags))]


def storms_ok():
    """Storms and single pauses."""
    stop = done('storm-stop', DEV)
    for words, flags in ('of the gate', ()), ('by frames', ('frames',)):
        each_fails(f'a storm {words}', asks('storm-start', storm(*flags)), stop)
        each_fails(f'it ends, {words}', asks('storm-stop', DEV),
                   done('storm-start', storm(*flags)))
        stop()
    each_fails('a pause', asks('pause-send', DEV + [
        ('pause', [('prios', 8), ('quanta', 100)])]))


def reset_ok():
    """All of it goes."""
    def some():
        flush()
        done('storm-start', storm())()
    some()
    each_fails('reset', asks('reset', DEV), some)
    flush()


def options(tree):
    """Those of the qdisc."""
    return spec.pack('link', tree)


def tc_ok():
    """The qdisc comes, changes, is shown and goes; the rest of tc is others'."""
    def show():
        return Qdiscs(failing).dump()[0]

    fails = Qdiscs(failing)
    link = options([('rate', 10 ** 9), ('delay', 1000)])
    text.within('rdmafault')
    each_fails('tc qdisc add', lambda: fails.add(free),
               lambda: plainer.delete(free))
    each_fails('tc qdisc add with a link', lambda: fails.add(free, link),
               lambda: plainer.delete(free))
    plainer.add(free)
    each_fails('tc qdisc change', lambda: fails.change(free, link),
               lambda: plainer.change(free, options([('no-rate', True), ('delay', 0)])))
    # Recent kernels say EMSGSIZE for every qdisc that can't be shown
    each_fails('tc qdisc show', show, errors=NO_MEMORY + (errno.EMSGSIZE,))
    text.within('netlink_rcv_skb')
    each_fails('tc qdisc del', lambda: fails.delete(free), lambda: plainer.add(free))
    plainer.delete(free)


text = Text()
text.without_kmemleak()
text.within('netlink_rcv_skb')
request = armed()
plainer = Qdiscs(failing)
plainer.sock = Socket(plainer.sock.sock, Failing())
flows_ok()
rules_ok()
rules_end_ok()
port_ok()
queues_ok()
storms_ok()
reset_ok()
tc_ok()
end()
