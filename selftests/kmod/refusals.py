# SPDX-License-Identifier: GPL-2.0
"""What the netlink family refuses; called by refusals.sh with a port."""
import errno
import os
import random
import socket
import sys

from nlspec import Family, NLA_F_NESTED, NLA_TYPE, Raw, Spec
from tap import end, ok, same

spec = Spec(sys.argv[1])
port = socket.if_nametoindex(sys.argv[2])
nl = Family(spec)

HEAD = [('ifindex', port), ('direction', 0)]
OBSERVE = ('action', [('type', spec.value('action', 'observe'))])


def rule(*parts):
    """A request for a rule."""
    return HEAD + [('rule', list(parts))]


def generation():
    """Counts the changes of the port's rules."""
    return nl.do('port-get', [('ifindex', port)]).messages[0]['generation']


def refused(words, answer, at, error=errno.EINVAL, before=None):
    """An error, at this attribute, with words, and nothing changed."""
    good = answer.error in (error if isinstance(error, tuple) else (error,)) \
        and answer.at == at and answer.words
    if before is not None:
        good = good and generation() == before
    return ok(good, words, f'{answer}; wanted {error} at {at}')


def carrier(where, *item):
    """The request that carries an attribute of a set, and the way to it."""
    if where == 'match':
        return rule(('match', list(item)), OBSERVE), 'rule.match.'
    if where == 'trigger':
        return rule(('trigger', list(item)), OBSERVE), 'rule.trigger.'
    if where == 'action':
        return rule(('action', list(item))), 'rule.action.'
    if where == 'rule':
        return rule(*item, OBSERVE), 'rule.'
    return list(item), ''


def numbers(where):
    """The numbers of a set that a request may carry."""
    only = None
    if where == 'main':
        only = {name for attrs in spec.requests.values() for name in attrs}
    return [a for a in spec.sets[where].values()
            if a.size and (only is None or a.name in only)]


def ops_of(attr):
    """The operations whose requests carry an attribute of the outermost level."""
    return [op for op, attrs in spec.requests.items() if attr.name in attrs]


def out_of_range(attr):
    """Values that the specification doesn't allow."""
    if attr.mask is not None:
        return [attr.mask + 1, 1 << 31]
    values = [attr.min - 1] if attr.min else []
    if attr.max < (1 << 8 * attr.size) - 1:
        values += [attr.max + 1, (1 << 8 * attr.size) - 1]
    return values


def ask(where, attr, item):
    """Send one attribute in all requests that may carry it."""
    tree, way = carrier(where, item)
    ops = ops_of(attr) if where == 'main' else ['rule-new']
    return [(nl.do(op, tree), way + attr.name) for op in ops]


def every(words, where, items, errors):
    """All of these are refused at the attribute, and nothing has changed."""
    before, bad, count = generation(), [], 0
    for attr, item in items:
        for answer, at in ask(where, attr, item):
            count += 1
            if answer.error not in errors or answer.at != at or not answer.words:
                bad.append(f'{attr.name} {item}: {answer}')
    ok(count and not bad and generation() == before,
       f'{where}: {count} {words}', '\n'.join(bad) or f'{count} of them, '
       f'generation {before} -> {generation()}')


RANGE = (errno.ERANGE, errno.EINVAL)
SETS = ('main', 'rule', 'match', 'trigger', 'action')


def ranges_fail():
    """Each field just outside of its range, and far outside."""
    for where in SETS:
        items = [(a, (a.name, v)) for a in numbers(where)
                 for v in out_of_range(a)]
        if items:
            every('numbers out of range', where, items, RANGE)


def limits_pass():
    """The control: at its limits a field passes the policy."""
    for where in ('match', 'trigger', 'action'):
        bad = []
        for attr in numbers(where):
            for value in {attr.min, attr.mask or attr.max}:
                for answer, _ in ask(where, attr, (attr.name, value)):
                    if answer.error == errno.ERANGE:
                        bad.append(f'{attr.name} {value}: {answer}')
        ok(not bad, f'control: {where}: the limits themselves are in range',
           '\n'.join(bad))
    nl.do('rule-flush', [('ifindex', port)])


def lengths_fail():
    """Numbers of another length than theirs."""
    for where in SETS:
        items = [(a, Raw(a.number, bytes(n))) for a in numbers(where)
                 for n in (0, 1, a.size - 1, a.size + 1, 16)]
        every('numbers of a wrong length', where, items, RANGE)


def unknown_fail():
    """Attributes that are not there yet, and none, type 0."""
    for where in SETS:
        top = max(spec.numbers[where])
        for kind in (top + 1, NLA_TYPE):
            tree, way = carrier(where, Raw(kind, bytes(4)))
            answer = nl.do('rule-new', (rule(OBSERVE) if where == 'main' else []) + tree)
            refused(f'{where}: attribute {kind} is unknown', answer, way + '?')


def nests_fail():
    """Nests that don't say so, and plain attributes that say they are one."""
    before = generation()
    for name in ('match', 'trigger', 'action'):
        number = spec.sets['rule'][name].number
        refused(f'{name}: the flag for nests is missing',
                nl.do('rule-new', rule(Raw(number, bytes(0)), OBSERVE)),
                f'rule.{name}', before=before)
    psn = spec.sets['match']['psn'].number
    refused('match: a number is no nest',
            nl.do('rule-new', rule(('match', [Raw(psn | NLA_F_NESTED, bytes(4))]),
                                   OBSERVE)), 'rule.match.psn', before=before)
    deep = Raw(NLA_F_NESTED | 3, b'')
    for _ in range(200):
        deep = Raw(NLA_F_NESTED | 3, deep.pack())
    answer = nl.do('rule-new', rule(('match', [deep]), OBSERVE))
    ok(answer.error == errno.EINVAL and generation() == before,
       'nests 200 deep', answer)
    answer = nl.do('rule-new', HEAD + [Raw(
        NLA_F_NESTED | spec.sets['main']['rule'].number,
        spec.pack('main', rule(OBSERVE)))])
    ok(answer.error and generation() == before, 'a request in a rule', answer)


def cut_short_fails():
    """A message that ends anywhere before its end."""
    before, through = generation(), []
    whole = spec.pack('main', rule(('match', [('qp', 7), ('psn', 9)]), OBSERVE))
    start = len(spec.pack('main', HEAD))
    for end in range(start, len(whole)):
        answer = nl.bytes('rule-new', whole[:end])
        if not answer.error:
            through.append(end)
    ok(not through and generation() == before,
       f'a message cut short at any of {len(whole) - start} places', through)
    for words, kind, length in (('reaches beyond the message', 0, 400),
                                ('is shorter than its header', 0, 3),
                                ('has no length', 0, 0)):
        answer = nl.bytes('rule-new', spec.pack('main', rule(OBSERVE)) +
                          Raw(kind or 2, bytes(4), length).pack())
        ok(answer.error and generation() == before,
           f'an attribute that {words}', answer)
    inner = Raw(spec.sets['match']['psn'].number, bytes(4), 12)
    answer = nl.do('rule-new', rule(('match', [inner]), OBSERVE))
    ok(answer.error and generation() == before,
       'an attribute that reaches beyond its nest', answer)


def addresses_fail():
    """Addresses that are neither IPv4 nor IPv6."""
    before = generation()
    for name in ('saddr', 'daddr'):
        number = spec.sets['match'][name].number
        for n in (0, 1, 3, 5, 15, 17, 64):
            refused(f'{name} of {n} bytes', nl.do(
                'rule-new', rule(('match', [Raw(number, bytes(n))]), OBSERVE)),
                f'rule.match.{name}', RANGE, before)


def too_many_fail():
    """More than there is room for."""
    before = generation()
    refused('33 QPs', nl.do('rule-new', rule(
        ('match', [('qp', i) for i in range(33)]), OBSERVE)),
        'rule.match.qp[32]', before=before)
    refused('9 actions', nl.do('rule-new', rule(*[OBSERVE] * 9)),
            'rule', before=before)
    refused('no action', nl.do('rule-new', rule(('match', [('qp', 7)]))),
            'rule', before=before)
    many = spec.pack('main', [('rule', [('match', [('qp', 7)]), OBSERVE])])
    most = spec.number('rules-max')
    refused(f'{most + 1} rules', nl.bytes(
        'rule-new', spec.pack('main', HEAD) + many * (most + 1)),
        'rule[%d]' % most, errno.ENOSPC, before)


def missing(words, op, tree, name, where='main'):
    """What a request must have isn't there."""
    before = generation()
    answer = nl.do(op, tree)
    ok(answer.error == errno.EINVAL and generation() == before and
       answer.missing == spec.sets[where][name].number and answer.words, words,
       f'{answer}, missing {answer.missing}')


def missing_fail():
    """Requests without what they must have."""
    dev = HEAD[:1]
    for op in ('port-get', 'rule-get', 'port-set', 'step-set'):
        missing(f'{op} without ifindex', op,
                [i for i in (('id', 1), ('step', 1), ('max-hold', 1000))
                 if i[0] in spec.requests[op]], 'ifindex')
    missing('rule-new without ifindex', 'rule-new', rule(OBSERVE)[1:], 'ifindex')
    missing('rule-new without direction', 'rule-new',
            dev + rule(OBSERVE)[2:], 'direction')
    missing('rule-new without rules', 'rule-new', HEAD, 'rule')
    missing('rule-get without id', 'rule-get', dev, 'id')
    missing('rule-del without id', 'rule-del', dev, 'id')
    missing('step-set without step', 'step-set', dev, 'step')
    missing('port-set without max-hold', 'port-set', dev, 'max-hold')
    missing('flow-get without flow', 'flow-get', dev, 'flow')
    missing('flow-get without the flow\'s QP', 'flow-get', dev + [
        ('flow', [('direction', 0), ('saddr', bytes(4)), ('daddr', bytes(4))])],
        'qp', 'flow')
    missing('an action without type', 'rule-new', rule(('action', [])), 'type',
            'action')


def not_there_fails():
    """Ports, rules and flows that don't exist."""
    before = generation()
    for op, tree in (('port-get', []), ('reset', []), ('rule-flush', []),
                     ('rule-new', rule(OBSERVE)[1:])):
        refused(f'{op}: no such port', nl.do(op, [('ifindex', 0x7fffffff)] + tree),
                'ifindex', errno.ENODEV, before)
    for op in ('rule-get', 'rule-del'):
        refused(f'{op}: no such rule', nl.do(op, HEAD[:1] + [('id', 0xffffffff)]),
                'id', errno.ENOENT, before)
    refused('flow-get: no such flow', nl.do('flow-get', HEAD[:1] + [('flow', [
        ('direction', 0), ('saddr', bytes(4)), ('daddr', bytes(4)), ('qp', 1)])]),
        'flow', errno.ENOENT, before)
    answer = nl.bytes(99, b'')
    ok(answer.error == errno.EOPNOTSUPP, 'an operation that isn\'t there', answer)


def foreign_fail():
    """Attributes that the specification knows, but not in this request."""
    before = generation()
    for name, value in (('id', 1), ('matched', 1), ('hits', 1), ('bytes', 1),
                        ('owner', 1), ('unanswered', 1), ('unchanged', 1),
                        ('direction', 0), ('missed', [])):
        refused(f'rule: {name} stands in replies only',
                nl.do('rule-new', rule((name, value), OBSERVE)), f'rule.{name}',
                before=before)
    refused('flow: packets stands in replies only', nl.do('flow-get', HEAD[:1] + [
        ('flow', [('direction', 0), ('saddr', bytes(4)), ('daddr', bytes(4)),
                  ('qp', 1), ('packets', 1)])]), 'flow.packets', before=before)
    for op, name, value in (('rule-get', 'id', 1), ('flow-get', 'flow', [])):
        answer = nl.dump(op, [(name, value)])
        ok(answer.error == errno.EINVAL and answer.words.startswith(name),
           f'{op}: a dump takes no {name}', answer)
    refused('step-set takes no rule', nl.do('step-set', rule(OBSERVE)[2:]), 'rule',
            before=before)


def contradictions_fail():
    """Rules that pass the policies and can't be meant, by the field to blame."""
    before = generation()
    drop = ('action', [('type', spec.value('action', 'drop'))])
    delay = spec.value('action', 'delay')
    for words, at, parts in (
            ('payload from 9 to 3', 'rule.match.payload',
             [('match', [('payload', 9), ('payload-max', 3)]), OBSERVE]),
            ('attempt from 3 to 2', 'rule.match.attempt-',
             [('match', [('attempt-min', 3), ('attempt-max', 2)]), OBSERVE]),
            ('two models of loss', 'rule.trigger.',
             [('trigger', [('probability', 5), ('ge-p', 5)]), OBSERVE]),
            ('a PSN in an action that takes none', 'rule.action.psn',
             [('match', [('psn', 1)]), ('action', [('type', 0), ('psn', 7)])]),
            ('the second of two actions', 'rule.action[1].copies',
             [OBSERVE, ('action', [('type', delay), ('delay', 5), ('copies', 2)])]),
            ('longer than the max-hold', 'rule.action.delay',
             [('match', [('qp', 7)]), ('action', [('type', delay),
                                                  ('delay', 19 * 10 ** 9)])]),
            ('a drop of everything', 'rule', [drop]),
            ('from beyond expires', 'rule.expires',
             [('trigger', [('from', 10 ** 9)]), ('expires', 10 ** 6), OBSERVE])):
        answer = nl.do('rule-new', rule(*parts))
        good = answer.error == errno.EINVAL and answer.words and \
            (answer.at == at or answer.at.startswith(at)) and \
            generation() == before
        ok(good, words, f'{answer}; wanted {at}')
    answer = nl.do('rule-new', rule(('action', [('type', delay)])))
    ok(answer.error == errno.EINVAL and answer.at == 'rule.action.type' and
       answer.words.startswith('delay:'),
       'a delay without its time says what is missing', answer)


def batch_fails_whole():
    """One bad rule, and none of its batch is taken."""
    before = generation()
    good = ('rule', [('match', [('qp', 7)]), OBSERVE])
    bad = ('rule', [('match', [('qp', 1 << 24)]), OBSERVE])
    refused('a batch whose third rule is bad', nl.do(
        'rule-new', HEAD + [good, good, bad, good]), 'rule[2].match.qp',
        errno.ERANGE, before)
    answer = nl.do('rule-new', HEAD + [good])
    ids = answer.messages[0]['id']
    before = generation()
    refused('a deletion whose second rule is not there', nl.do(
        'rule-del', HEAD[:1] + [('id', ids[0]), ('id', 0xffffffff)]),
        'id[1]', errno.ENOENT, before)
    same('its first rule is still there', nl.do(
        'rule-get', HEAD[:1] + [('id', ids[0])]).error, 0)
    nl.do('rule-flush', HEAD[:1])


def asked_by_nobody():
    """A process without privilege asks for everything; what was not refused."""
    os.setresuid(65534, 65534, 65534)
    mine = Family(spec)
    asked = {'step-set': [('step', 1)], 'rule-new': rule(OBSERVE)[1:],
             'rule-del': [('id', 1)], 'rule-flush': [],
             'port-set': [('max-hold', 1000)], 'reset': []}
    wrong = [op for op, tree in asked.items()
             if mine.do(op, HEAD[:1] + tree).error != errno.EPERM]
    return 1 if wrong or mine.do('port-get', HEAD[:1]).error else 0


def unprivileged_fail():
    """Changes want CAP_NET_ADMIN; looking doesn't."""
    before = generation()
    pid = os.fork()
    if not pid:
        status = 2
        try:
            status = asked_by_nobody()
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    ok(os.waitstatus_to_exitcode(status) == 0 and generation() == before,
       'without privilege: all changes refused, port-get answered', status)


def mutated_change_nothing():
    """Noise: what is refused changes nothing, what is taken counts."""
    draw, wrong, taken = random.Random(1), 0, 0
    whole = spec.pack('main', rule(
        ('match', [('qp', 7), ('psn', 9), ('saddr', bytes(4))]),
        ('trigger', [('nth', 3)]), ('seed', (1 << 64) - 1), OBSERVE))
    keep = len(spec.pack('main', HEAD))
    for _ in range(600):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(keep, len(data))] = draw.choice(
                (0, 1, 4, 0x7f, 0x80, 0xff, draw.randrange(256)))
        before = generation()
        answer = nl.bytes('rule-new', bytes(data))
        taken += not answer.error
        wrong += generation() != before + (not answer.error)
    ok(not wrong, f'600 mutated requests: {600 - taken} refused, '
       'and the generation counts the others', f'{wrong} times not')
    ok(0 < taken < 600, 'control: some are taken, some are not', taken)
    nl.do('rule-flush', HEAD[:1])


def control_ok():
    """The control for all: the request that the others spoil is good."""
    before = generation()
    answer = nl.do('rule-new', rule(('match', [('qp', 7), ('psn', 9)]), OBSERVE))
    ok(not answer.error and generation() == before + 1,
       'control: the good request is taken', answer)
    nl.do('rule-flush', HEAD[:1])


control_ok()
ranges_fail()
limits_pass()
lengths_fail()
unknown_fail()
nests_fail()
cut_short_fails()
addresses_fail()
too_many_fail()
missing_fail()
not_there_fails()
foreign_fail()
contradictions_fail()
batch_fails_whole()
unprivileged_fail()
mutated_change_nothing()
end()
