# SPDX-License-Identifier: GPL-2.0
"""Every request of the netlink family and of tc, with each allocation failing once.

Called by failslab.sh with a port and a netdev that is no port. A refused request must
change nothing. A request whose reply was lost may have been executed, but then
completely. The error must say that memory is missing.
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
    """A rule for some queue pairs; from two on, the kernel allocates a node per QP."""
    return ('rule', [PERSIST, ('match', [('qp', qp) for qp in qps]), OBSERVE])


def armed():
    """A family on a socket whose system calls can fail."""
    family = Family(spec)
    family.sock = Socket(family.sock, failing)
    return family


def without(tree, names):
    """A parsed reply without these attributes, at any depth."""
    if isinstance(tree, dict):
        return {k: without(v, names) for k, v in tree.items() if k not in names}
    if isinstance(tree, list):
        return [without(v, names) for v in tree]
    return tree


class State:
    """Everything that a request can change, as dumps show it."""

    def __init__(self):
        self.messages = []
        for op, tree, flags in (('port-get', [], NLM_F_DUMP),
                                ('rule-get', [], NLM_F_DUMP),
                                ('queue-get', [], NLM_F_DUMP),
                                ('path-get', [], NLM_F_DUMP)):
            plain.send(plain.id, spec.ops[op], flags, spec.pack('main', tree))
            self.messages += plain._receive(b'', None).messages
        self.qdiscs = sorted(plainer.dump()[1])

    def without(self, names):
        """The qdiscs and the parsed replies without these attributes."""
        return self.qdiscs, [without(spec.unpack('main', m), names)
                             for m in self.messages]

    def same(self, other):
        """Whether nothing changed, rule numbers and generation included. Counters may."""
        return (self.messages, self.qdiscs) == (other.messages, other.qdiscs) or \
            self.without(MOVING) == other.without(MOVING)

    def meant(self):
        """The state without counters, rule numbers and generation."""
        return self.without(MOVING + NUMBERED)


def trial(act, nth):
    """Send one request. Returns its outcome, done, refused or unknown, and its error."""
    failing.arm(nth)
    try:
        error = act()
    except OSError as e:
        # The reply was lost: the request may have been executed.
        failing.disarm()
        return 'unknown', e.errno
    failing.disarm()
    return ('refused', error) if error else ('done', 0)


def judge(before, after, done, verdict, error, errors):
    """What is wrong about an outcome, or an empty string."""
    if error and error not in errors:
        return f'failed with {os.strerror(error)}'
    if verdict != 'done' and after.same(before):
        return ''
    if verdict == 'refused':
        return 'was refused but changed something'
    return '' if after.meant() == done else 'was executed in part'


def difference(before, after):
    """The lines in which two states differ."""
    return '\n'.join(f'{a}\n{b}' for a, b in
                     itertools.zip_longest([before[0], *before[1]],
                                           [after[0], *after[1]]) if a != b)


def each_fails(words, act, undo=None, first=1, errors=NO_MEMORY):
    """Let each allocation of a request fail, one per attempt, until it succeeds."""
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
       f'{words}: nothing is half done when one of {failed} allocations fails',
       '\n'.join(bad[:3]) or f'{verdict} {os.strerror(error)}')
    print(f'# {time.monotonic() - started:.1f} s')


def asks(op, tree):
    """A function that sends a request on the socket that can fail."""
    def act():
        return request.do(op, tree).error
    return act


def done(op, tree):
    """A function that sends a request that must succeed."""
    def act():
        error = plain.do(op, tree).error
        if error:
            raise OSError(error, f'{op}: {os.strerror(error)}')
    return act


def gone(op, tree):
    """A function that sends a request that ends something which need not exist."""
    def act():
        error = plain.do(op, tree).error
        if error not in (0, errno.ENOENT):
            raise OSError(error, f'{op}: {os.strerror(error)}')
    return act


def dumps(op):
    """A function that dumps on a new socket, because a failed dump may leave the old
    socket with a dump that has not ended."""
    def act():
        family = armed()
        try:
            return family.dump(op).error
        finally:
            family.close()
    return act


def flush():
    """Leave only the rule that exists from the beginning."""
    plain.do('rule-new', TX + [REPLACE, rule(1000)])


def rules_ok():
    """Add rules."""
    flush()
    each_fails('add one rule', asks('rule-new', TX + [rule(2, 3, 4)]), flush)
    each_fails('add ten rules', asks('rule-new', TX + [rule(7 + i, 900 + i)
                                                      for i in range(10)]), flush)
    each_fails('replace all rules by ten', asks('rule-new', TX + [REPLACE] + [
        rule(7 + i, 900 + i) for i in range(10)]), flush)
    each_fails('add the first rule of a direction', asks('rule-new', DEV + [
        ('direction', 1), rule(5)]),
        lambda: plain.do('rule-flush', DEV + [('direction', 1)]))


def rules_end_ok():
    """Show and delete rules."""
    each_fails('show one rule', lambda: request.do(
        'rule-get', DEV + [('id', the_rule())]).error)
    each_fails('dump all rules', dumps('rule-get'))
    each_fails('delete all rules', asks('rule-flush', TX), flush)
    each_fails('delete one rule', lambda: request.do(
        'rule-del', DEV + [('id', the_rule())]).error, flush)
    flush()


def the_rule():
    """The number of the only rule."""
    return plain.dump('rule-get', DEV).messages[0]['rule'][0]['id']


def flows_ok():
    """Show flows. This comes first, because the next rule for another QP makes the flow
    untracked."""
    each_fails('show one flow', asks('flow-get', DEV + [('flow', a_flow())]))
    each_fails('dump all flows', dumps('flow-get'))


def a_flow():
    """The attributes that name the first tracked flow."""
    flow = plain.dump('flow-get', DEV).messages[0]['flow']
    return [(key, flow[key]) for key in ('direction', 'saddr', 'daddr', 'qp')]


def port_ok():
    """Show and set the attributes of a port."""
    each_fails('show one port', asks('port-get', DEV))
    each_fails('dump all ports', dumps('port-get'))
    each_fails('set the max-hold', asks('port-set', DEV + [('max-hold', 10 ** 9)]),
               done('port-set', DEV + [('max-hold', 5 * 10 ** 9)]))
    each_fails('set the step', asks('step-set', DEV + [('step', 7)]),
               done('step-set', DEV + [('step', 1)]))


RING = DEV + [('ring', [('bytes', 16384)])]


def rings_ok():
    """Record the packets of a port, which ends with the socket, and read them."""
    def record():
        family = armed()
        try:
            return family.do('ring-new', RING).error
        finally:
            family.close()

    each_fails('record packets', record)
    request.do('ring-new', RING)
    each_fails('read recorded packets', asks('ring-get', TX))


def paths_ok():
    """Set, show and end a path."""
    path = DEV + [('path', [('mode', spec.value('path-mode', 'spray')),
                            ('link', [('ifindex', socket.if_nametoindex(sys.argv[4]))])])]
    each_fails('set a path', asks('path-set', path), gone('path-del', DEV))
    done('path-set', path)()
    each_fails('show the path of one port', asks('path-get', DEV))
    each_fails('dump all paths', dumps('path-get'))
    each_fails('end a path', asks('path-del', DEV), done('path-set', path))
    done('path-del', DEV)()


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
    """Show and set link, buffer, priorities, ECN profiles and watchdog."""
    each_fails('show the queues of one port', asks('queue-get', DEV))
    each_fails('dump the queues of all ports', dumps('queue-get'))
    each_fails('configure the queues', asks('queue-set', DEV + QUEUE),
               done('queue-set', DEV + NO_QUEUE))
    done('queue-set', DEV + QUEUE)()
    each_fails('restore the defaults of the queues', asks('queue-set', DEV + NO_QUEUE),
               done('queue-set', DEV + QUEUE))
    done('queue-set', DEV + NO_QUEUE)()


def storm(*flags):
    """The attributes of a storm that is longer than the test."""
    bits = sum(spec.value('storm-flag', flag) for flag in ('forever', 'persist') + flags)
    return DEV + [('storm', [('prios', 0x18), ('flags', bits)] +
                   [('quanta', 65535)] * ('frames' in flags))]


def storms_ok():
    """Start and stop storms, and send single pause frames."""
    stop = done('storm-stop', DEV)
    for words, flags in ('without frames', ()), ('with frames', ('frames',)):
        each_fails(f'start a storm {words}', asks('storm-start', storm(*flags)), stop)
        each_fails(f'stop a storm {words}', asks('storm-stop', DEV),
                   done('storm-start', storm(*flags)))
        stop()
    each_fails('send a pause frame', asks('pause-send', DEV + [
        ('pause', [('prios', 8), ('quanta', 100)])]))


def reset_ok():
    """Reset a port that has a rule and a storm."""
    def some():
        flush()
        done('storm-start', storm())()
    some()
    each_fails('reset', asks('reset', DEV), some)
    flush()


def options(tree):
    """The options of the qdisc."""
    return spec.pack('link', tree)


def tc_ok():
    """Add, change, show and delete the qdisc. Only allocations of our module fail, except
    for "del", where all of the request can fail."""
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
    # Recent kernels return EMSGSIZE whenever they cannot show a qdisc.
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
rings_ok()
paths_ok()
tc_ok()
end()
