# SPDX-License-Identifier: GPL-2.0
"""Test what the netlink family refuses; called by refusals.sh with a port."""
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
    """The attributes of a request for one rule."""
    return HEAD + [('rule', list(parts))]


def generation():
    """The counter of changes of the port's rules."""
    return nl.do('port-get', [('ifindex', port)]).messages[0]['generation']


def refused(what, answer, at, error=errno.EINVAL, before=None):
    """The answer must be an error with a message at this attribute, nothing changed."""
    good = answer.error in (error if isinstance(error, tuple) else (error,)) \
        and answer.at == at and answer.words
    if before is not None:
        good = good and generation() == before
    return ok(good, f'{what}: refused, the error names the attribute',
              f'{answer}; wanted {error} at {at}')


def carrier(where, *item):
    """The request that carries an attribute of a set, and the path to the attribute."""
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
    """The integer attributes of a set that a request can carry."""
    only = None
    if where == 'main':
        only = {name for attrs in spec.requests.values() for name in attrs}
    return [a for a in spec.sets[where].values()
            if a.size and (only is None or a.name in only)]


def ops_of(attr):
    """The operations whose requests can carry this top-level attribute."""
    return [op for op, attrs in spec.requests.items() if attr.name in attrs]


def out_of_range(attr):
    """Values that the specification does not allow."""
    if attr.mask is not None:
        return [attr.mask + 1, 1 << 31]
    values = [attr.min - 1] if attr.min else []
    if attr.max < (1 << 8 * attr.size) - 1:
        values += [attr.max + 1, (1 << 8 * attr.size) - 1]
    return values


def ask(where, attr, item):
    """Send one attribute in all requests that can carry it."""
    tree, way = carrier(where, item)
    ops = ops_of(attr) if where == 'main' else ['rule-new']
    return [(nl.do(op, tree), way + attr.name) for op in ops]


def every(words, where, items, errors):
    """All of these must be refused with the attribute named, and nothing changed."""
    before, bad, count = generation(), [], 0
    for attr, item in items:
        for answer, at in ask(where, attr, item):
            count += 1
            if answer.error not in errors or answer.at != at or not answer.words:
                bad.append(f'{attr.name} {item}: {answer}')
    ok(count and not bad and generation() == before,
       f'set {where}: {count} {words} are refused, errors name the attribute',
       '\n'.join(bad) or f'{count} requests, '
       f'generation {before} -> {generation()}')


RANGE = (errno.ERANGE, errno.EINVAL)
SETS = ('main', 'rule', 'match', 'trigger', 'action')


def ranges_fail():
    """Values of each field just outside its range, and far outside."""
    for where in SETS:
        items = [(a, (a.name, v)) for a in numbers(where)
                 for v in out_of_range(a)]
        if items:
            every('values out of range', where, items, RANGE)


def limits_pass():
    """The control: the limits of each field are in range."""
    for where in ('match', 'trigger', 'action'):
        bad = []
        for attr in numbers(where):
            for value in {attr.min, attr.mask or attr.max}:
                for answer, _ in ask(where, attr, (attr.name, value)):
                    if answer.error == errno.ERANGE:
                        bad.append(f'{attr.name} {value}: {answer}')
        ok(not bad, f'control: set {where}: the limits of each field are in range',
           '\n'.join(bad))
    nl.do('rule-flush', [('ifindex', port)])


def lengths_fail():
    """Integers with a wrong length."""
    for where in SETS:
        items = [(a, Raw(a.number, bytes(n))) for a in numbers(where)
                 for n in (0, 1, a.size - 1, a.size + 1, 16)]
        every('integers of a wrong length', where, items, RANGE)


def unknown_fail():
    """Attributes with numbers that the specification does not have."""
    for where in SETS:
        top = max(spec.numbers[where])
        for kind in (top + 1, NLA_TYPE):
            tree, way = carrier(where, Raw(kind, bytes(4)))
            answer = nl.do('rule-new', (rule(OBSERVE) if where == 'main' else []) + tree)
            refused(f'set {where}: unknown attribute {kind}', answer, way + '?')


def nests_fail():
    """Nests without the flag for nests, and integers with it."""
    before = generation()
    for name in ('match', 'trigger', 'action'):
        number = spec.sets['rule'][name].number
        refused(f'{name} without the flag for nests',
                nl.do('rule-new', rule(Raw(number, bytes(0)), OBSERVE)),
                f'rule.{name}', before=before)
    psn = spec.sets['match']['psn'].number
    refused('match: an integer with the flag for nests',
            nl.do('rule-new', rule(('match', [Raw(psn | NLA_F_NESTED, bytes(4))]),
                                   OBSERVE)), 'rule.match.psn', before=before)
    deep = Raw(NLA_F_NESTED | 3, b'')
    for _ in range(200):
        deep = Raw(NLA_F_NESTED | 3, deep.pack())
    answer = nl.do('rule-new', rule(('match', [deep]), OBSERVE))
    ok(answer.error == errno.EINVAL and generation() == before,
       'nests 200 deep are refused', answer)
    answer = nl.do('rule-new', HEAD + [Raw(
        NLA_F_NESTED | spec.sets['main']['rule'].number,
        spec.pack('main', rule(OBSERVE)))])
    ok(answer.error and generation() == before,
       'a request nested in a rule is refused', answer)


def cut_short_fails():
    """Messages truncated at every place, and attributes with a wrong length."""
    before, through = generation(), []
    whole = spec.pack('main', rule(('match', [('qp', 7), ('psn', 9)]), OBSERVE))
    start = len(spec.pack('main', HEAD))
    for end in range(start, len(whole)):
        answer = nl.bytes('rule-new', whole[:end])
        if not answer.error:
            through.append(end)
    ok(not through and generation() == before,
       f'a message truncated at each of {len(whole) - start} places is refused', through)
    for words, kind, length in (('reaches beyond the message', 0, 400),
                                ('is shorter than its header', 0, 3),
                                ('has no length', 0, 0)):
        answer = nl.bytes('rule-new', spec.pack('main', rule(OBSERVE)) +
                          Raw(kind or 2, bytes(4), length).pack())
        ok(answer.error and generation() == before,
           f'an attribute that {words} is refused', answer)
    inner = Raw(spec.sets['match']['psn'].number, bytes(4), 12)
    answer = nl.do('rule-new', rule(('match', [inner]), OBSERVE))
    ok(answer.error and generation() == before,
       'an attribute that reaches beyond its nest is refused', answer)


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
    """Too many QPs, actions and rules, and no action."""
    before = generation()
    refused('a match with 33 QPs', nl.do('rule-new', rule(
        ('match', [('qp', i) for i in range(33)]), OBSERVE)),
        'rule.match.qp[32]', before=before)
    refused('a rule with 9 actions', nl.do('rule-new', rule(*[OBSERVE] * 9)),
            'rule', before=before)
    refused('a rule without an action', nl.do('rule-new', rule(('match', [('qp', 7)]))),
            'rule', before=before)
    many = spec.pack('main', [('rule', [('match', [('qp', 7)]), OBSERVE])])
    most = spec.number('rules-max')
    refused(f'a batch of {most + 1} rules', nl.bytes(
        'rule-new', spec.pack('main', HEAD) + many * (most + 1)),
        'rule[%d]' % most, errno.ENOSPC, before)


def missing(words, op, tree, name, where='main'):
    """The request must be refused, and the error must name the missing attribute."""
    before = generation()
    answer = nl.do(op, tree)
    ok(answer.error == errno.EINVAL and generation() == before and
       answer.missing == spec.sets[where][name].number and answer.words,
       f'{words}: refused, the error names the missing attribute',
       f'{answer}, missing {answer.missing}')


def missing_fail():
    """Requests without an attribute that they need."""
    dev = HEAD[:1]
    for op in ('port-get', 'rule-get', 'port-set', 'port-new', 'port-del', 'step-set'):
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
    missing('ring-new without ring', 'ring-new', dev, 'ring')
    missing('ring-new without bytes', 'ring-new', dev + [('ring', [])], 'bytes', 'ring')
    missing('path-set without path', 'path-set', dev, 'path')
    missing('path-link-set without path', 'path-link-set', dev, 'path')
    missing('ring-get without direction', 'ring-get', dev, 'direction')
    missing('an action without type', 'rule-new', rule(('action', [])), 'type',
            'action')


def not_there_fails():
    """Ports, rules and flows that don't exist."""
    before = generation()
    for op, tree in (('port-get', []), ('reset', []), ('rule-flush', []),
                     ('port-new', []), ('port-del', []), ('rule-new', rule(OBSERVE)[1:]),
                     ('path-set', [('path', [])]), ('path-del', [])):
        refused(f'{op} for a netdev that does not exist',
                nl.do(op, [('ifindex', 0x7fffffff)] + tree), 'ifindex', errno.ENODEV, before)
    for op in ('rule-get', 'rule-del'):
        refused(f'{op} for a rule that does not exist',
                nl.do(op, HEAD[:1] + [('id', 0xffffffff)]), 'id', errno.ENOENT, before)
    refused('flow-get for a flow that does not exist', nl.do('flow-get', HEAD[:1] + [('flow', [
        ('direction', 0), ('saddr', bytes(4)), ('daddr', bytes(4)), ('qp', 1)])]),
        'flow', errno.ENOENT, before)
    answer = nl.bytes(99, b'')
    ok(answer.error == errno.EOPNOTSUPP, 'an unknown operation is refused', answer)


def foreign_fail():
    """Attributes that the specification has, but not in this request."""
    before = generation()
    for name, value in (('id', 1), ('matched', 1), ('hits', 1), ('bytes', 1),
                        ('owner', 1), ('unanswered', 1), ('unchanged', 1),
                        ('direction', 0), ('missed', [])):
        refused(f'rule-new with {name}, an attribute of replies',
                nl.do('rule-new', rule((name, value), OBSERVE)), f'rule.{name}',
                before=before)
    refused('flow-get with packets, an attribute of replies', nl.do('flow-get', HEAD[:1] + [
        ('flow', [('direction', 0), ('saddr', bytes(4)), ('daddr', bytes(4)),
                  ('qp', 1), ('packets', 1)])]), 'flow.packets', before=before)
    for op, name, value in (('rule-get', 'id', 1), ('flow-get', 'flow', [])):
        answer = nl.dump(op, [(name, value)])
        ok(answer.error == errno.EINVAL and answer.words.startswith(f'netlink attribute {name}: '),
           f'{op}: a dump with {name} is refused', answer)
    refused('step-set with a rule', nl.do('step-set', rule(OBSERVE)[2:]), 'rule',
            before=before)


def contradictions_fail():
    """Rules that pass the policies but contradict themselves; the error names the field."""
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
            ('observe with a PSN, which it does not have', 'rule.action.psn',
             [('match', [('psn', 1)]), ('action', [('type', 0), ('psn', 7)])]),
            ('delay with copies, as the second action', 'rule.action[1].copies',
             [OBSERVE, ('action', [('type', delay), ('delay', 5), ('copies', 2)])]),
            ('a delay longer than the max-hold', 'rule.action.delay',
             [('match', [('qp', 7)]), ('action', [('type', delay),
                                                  ('delay', 19 * 10 ** 9)])]),
            ('a drop of everything', 'rule', [drop]),
            ('a rule that expires before it begins', 'rule.expires',
             [('trigger', [('from', 10 ** 9)]), ('expires', 10 ** 6), OBSERVE])):
        answer = nl.do('rule-new', rule(*parts))
        good = answer.error == errno.EINVAL and answer.words and \
            (answer.at == at or answer.at.startswith(at)) and \
            generation() == before
        ok(good, f'{words}: refused, the error names the attribute',
           f'{answer}; wanted {at}')
    answer = nl.do('rule-new', rule(('action', [('type', delay)])))
    ok(answer.error == errno.EINVAL and answer.at == 'rule.action.type' and
       answer.words.startswith('delay:'),
       'a delay without a time: refused, the message names the action', answer)


def batch_fails_whole():
    """A batch with one invalid rule is refused as a whole."""
    before = generation()
    good = ('rule', [('match', [('qp', 7)]), OBSERVE])
    bad = ('rule', [('match', [('qp', 1 << 24)]), OBSERVE])
    refused('a batch whose third rule is invalid', nl.do(
        'rule-new', HEAD + [good, good, bad, good]), 'rule[2].match.qp',
        errno.ERANGE, before)
    answer = nl.do('rule-new', HEAD + [good])
    ids = answer.messages[0]['id']
    before = generation()
    refused('rule-del of two rules, the second of which does not exist', nl.do(
        'rule-del', HEAD[:1] + [('id', ids[0]), ('id', 0xffffffff)]),
        'id[1]', errno.ENOENT, before)
    same('a refused rule-del of two rules does not delete the first', nl.do(
        'rule-get', HEAD[:1] + [('id', ids[0])]).error, 0)
    nl.do('rule-flush', HEAD[:1])


def all_refused_unprivileged():
    """Send every request without privilege. Returns 0 if only port-get succeeds."""
    os.setresuid(65534, 65534, 65534)
    mine = Family(spec)
    asked = {'step-set': [('step', 1)], 'rule-new': rule(OBSERVE)[1:],
             'rule-del': [('id', 1)], 'rule-flush': [],
             'port-set': [('max-hold', 1000)], 'port-new': [], 'port-del': [],
             'ring-new': [('ring', [('bytes', 16384)])], 'ring-get': [('direction', 0)],
             'dcqcn-flow-get': [], 'path-set': [('path', [])], 'path-link-set': [('path', [])], 'path-del': [],
             'reset': []}
    wrong = [op for op, tree in asked.items()
             if mine.do(op, HEAD[:1] + tree).error != errno.EPERM]
    return 1 if wrong or mine.do('port-get', HEAD[:1]).error else 0


def unprivileged_fail():
    """Changes need CAP_NET_ADMIN; showing a port does not."""
    before = generation()
    pid = os.fork()
    if not pid:
        status = 2
        try:
            status = all_refused_unprivileged()
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    ok(os.waitstatus_to_exitcode(status) == 0 and generation() == before,
       'without privilege, all changes are refused and port-get succeeds', status)


def mutated_change_nothing():
    """Mutated requests: a refused one changes nothing, an accepted one is one change."""
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
    ok(not wrong, f'of 600 mutated requests, {600 - taken} are refused and change '
       'nothing; the generation counts the others', f'{wrong} times not')
    ok(0 < taken < 600, 'control: some mutated requests are accepted, some refused', taken)
    nl.do('rule-flush', HEAD[:1])


def control_ok():
    """The control: the valid request, of which the others are variants, is accepted."""
    before = generation()
    answer = nl.do('rule-new', rule(('match', [('qp', 7), ('psn', 9)]), OBSERVE))
    ok(not answer.error and generation() == before + 1,
       'control: the valid request is accepted', answer)
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
