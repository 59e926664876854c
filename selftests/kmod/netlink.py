# SPDX-License-Identifier: GPL-2.0
"""Test the requests of the netlink family; called by netlink.sh with two ports."""
import errno
import socket
import struct
import subprocess
import sys
import threading
import time

from nlspec import Family, NLM_F_DUMP, Spec
from tap import end, ok, same

spec = Spec(sys.argv[1])
dev, far = sys.argv[2:4]
port = socket.if_nametoindex(dev)
nl = Family(spec)

HEAD = [('ifindex', port), ('direction', 0)]
DEV = HEAD[:1]
OBSERVE = ('action', [('type', spec.value('action', 'observe'))])
PERSIST = ('flags', spec.value('rule-flag', 'persist'))
OTHERS = ('match', [('qp', 0x999)])
ALL = ('match', [('attempt-min', 1)])
REPLACE = ('batch-flags', spec.value('batch-flag', 'replace'))


def state():
    """The attributes of the port."""
    return nl.do('port-get', DEV).messages[0]


def add(*parts, sock=nl, head=HEAD):
    """Add one rule. Returns its number."""
    answer = sock.do('rule-new', list(head) + [('rule', list(parts))])
    if answer.error:
        raise OSError(str(answer))
    return answer.messages[0]['id'][0]


def rules():
    """The rules of the port, by number."""
    return {m['rule'][0]['id']: m['rule'][0]
            for m in nl.dump('rule-get', DEV).messages}


def flush():
    """Delete all rules."""
    nl.do('rule-flush', DEV)


def until(seconds, true):
    """Poll until the function returns true."""
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.02)
    return true()


def rule_comes_back_ok():
    """A rule is shown with all the values it was given."""
    match = [('qp', 0xffffff), ('qp', 2), ('psn', 5), ('psn-max', 0),
             ('psn-rel', 1), ('psn-rel-max', 9), ('class', 1), ('position', 2),
             ('attempt-min', 1), ('attempt-max', 9), ('step-min', 0), ('step-max', 7),
             ('flow', 3), ('message', 1), ('message-max', 4),
             ('step-message', 1), ('step-message-max', 2), ('packet', 2),
             ('packet-max', 3), ('priority', 255), ('dscp', 63), ('ecn', 15),
             ('saddr', bytes(range(16))), ('saddr-prefix', 64),
             ('daddr', bytes(range(16))), ('sport', 65535), ('payload', 0),
             ('payload-max', 4096)]
    trigger = [('every', 2), ('after', 3), ('count', 5), ('from', 1),
               ('for', 1 << 40), ('burst', 2)]
    actions = [[('type', spec.value('action', 'delay')), ('delay', 10 ** 9),
                ('jitter', 10 ** 8), ('distribution', 1), ('flags', 1)],
               [('type', spec.value('action', 'corrupt')), ('unit', 1),
                ('offset', 3), ('value', 255), ('flags', 2)]]
    number = add(('match', match), ('trigger', trigger), ('seed', (1 << 64) - 1),
                 ('key', 77), *[('action', a) for a in actions])
    got = nl.do('rule-get', DEV + [('id', number)]).messages[0]['rule'][0]
    wanted = {name: value for name, value in match if name != 'qp'}
    same('rule-get returns all fields of the match', got['match'],
         {**wanted, 'qp': [0xffffff, 2]})
    same('rule-get returns all fields of the trigger', got['trigger'], dict(trigger))
    same('rule-get returns all fields of the actions, in order', got['action'],
         [dict(a) for a in actions])
    same('rule-get returns seed, key and direction of the rule',
         (got['seed'], got['key'], got['direction']), ((1 << 64) - 1, 77, 0))
    number = add(('match', [('qp', 1), ('cm', 0x7ff)]), OBSERVE)
    got = nl.do('rule-get', DEV + [('id', number)]).messages[0]['rule'][0]
    same('rule-get returns the messages of connection management', got['match'],
         {'qp': [1], 'cm': 0x7ff})
    flush()


def keys_ok():
    """A rule without a key gets the highest key + 1."""
    add(OTHERS, OBSERVE)
    add(OTHERS, OBSERVE, ('key', 40))
    add(OTHERS, OBSERVE)
    same('a rule without a key gets the highest key + 1',
         sorted(r['key'] for r in rules().values()), [0, 40, 41])
    flush()
    add(OTHERS, OBSERVE, ('key', 0xfffffffd))
    add(OTHERS, OBSERVE)
    answer = nl.do('rule-new', HEAD + [('rule', [OTHERS, OBSERVE])])
    same('a rule without a key is refused after the highest key', (answer.error, answer.words),
         (errno.ENOSPC, 'key: the highest possible key is in use, so a new rule cannot get a higher key'))
    flush()


def many(count, qp):
    """The bytes of many equal rules, for one request."""
    one = spec.pack('main', [('rule', [('match', [('qp', qp)]), OBSERVE])])
    return one * count


def ten_thousand_ok():
    """A batch of 10,000 rules, replaced by another."""
    before = state()['generation']
    answer = nl.bytes('rule-new', spec.pack('main', HEAD) + many(10000, 7))
    ids = answer.messages[0]['id']
    same('10,000 rules in one message get 10,000 different numbers', len(set(ids)), 10000)
    same('a batch of 10,000 rules is one generation', answer.messages[0]['generation'],
         before + 1)
    answer = nl.bytes('rule-new', spec.pack('main', HEAD + [REPLACE]) +
                      many(10000, 8))
    ids = answer.messages[0]['id']
    got = nl.dump('rule-get', DEV)
    same('after replacing 10,000 rules, a dump lists exactly the new ones',
         [m['rule'][0]['id'] for m in got.messages], ids)
    ok(all(m['rule'][0]['match']['qp'] == [8] for m in got.messages),
       'after replacing 10,000 rules, each is shown with the values it was given')
    ok(not got.interrupted, 'control: a dump without a change is not interrupted')
    same('replacing 10,000 rules is one generation', state()['generation'], before + 2)
    flush()


def largest_ok():
    """The most rules that a port can have, each with the most QPs and actions."""
    parts = [('match', [('qp', 2 + i) for i in range(spec.number('qps-max'))])]
    parts += [OBSERVE] * spec.number('actions-max')
    most = spec.number('rules-max')
    one = spec.pack('main', [('rule', parts)])
    answer = nl.bytes('rule-new', spec.pack('main', HEAD) + one * most)
    same(f'{most} rules of {len(one)} bytes each are accepted', (
        answer.error, len(answer.messages[0]['id'])), (0, most))
    answer = nl.do('rule-new', HEAD + [('rule', [OTHERS, OBSERVE])])
    ok(answer.error == errno.ENOSPC, f'one rule more than {most} is refused', answer)
    flush()
    same(f'rule-flush deletes all {most} rules', state()['tx']['rules'], 0)


def begin_dump(op):
    """A socket with a dump whose first part is in the socket's buffer."""
    other = Family(spec)
    other.send(other.id, spec.ops[op], NLM_F_DUMP, spec.pack('main', []))
    return other


def interrupted_ok():
    """A dump reports a change during it, and shows all rules that stay."""
    ids = nl.bytes('rule-new', spec.pack('main', HEAD) + many(2000, 7)).messages[0]['id']
    other = begin_dump('rule-get')
    nl.do('rule-del', DEV + [('id', ids[0])])
    got = other._receive(b'', 'main')
    ok(got.interrupted, 'a rule dump during which a rule is deleted is marked interrupted')
    shown = [m['rule'][0]['id'] for m in got.messages]
    same('an interrupted rule dump shows all rules that stay', shown[shown[0] == ids[0]:],
         ids[1:])
    other.close()
    flush()


def qdisc(do):
    """Add or delete the second port."""
    subprocess.run(['tc', 'qdisc', do, 'dev', far, 'root'] +
                   ['rdmafault'] * (do == 'add'), check=True)


def port_goes_ok():
    """A dump during which a port is deleted shows all rules of another port."""
    add(OTHERS, OBSERVE, head=[('ifindex', socket.if_nametoindex(far)), ('direction', 0)])
    ids = nl.bytes('rule-new', spec.pack('main', HEAD) + many(500, 7)).messages[0]['id']
    other = begin_dump('rule-get')
    qdisc('del')
    got = other._receive(b'', 'main')
    ok(got.interrupted, 'a rule dump during which a port is deleted is marked interrupted')
    same('a rule dump during which a port is deleted shows all rules of the other port', [
        m['rule'][0]['id'] for m in got.messages if m['ifindex'] == port], ids)
    other.close()
    qdisc('add')
    flush()


def leases_ok():
    """Rules end with their socket, unless they are persistent."""
    other = Family(spec)
    add(OTHERS, OBSERVE, sock=other)
    kept = add(OTHERS, OBSERVE, PERSIST, sock=other)
    owners = {r['owner'] for r in rules().values()}
    ok(len(owners) == 2 and 0 in owners,
       'a leased rule shows its owner, a persistent rule shows 0', owners)
    other.close()
    same('a leased rule ends with its socket, a persistent rule stays', list(rules()), [kept])
    flush()


def expiry_ok():
    """Rules expire at their time without a request."""
    before = state()['generation']
    add(OTHERS, OBSERVE)
    add(OTHERS, OBSERVE, ('expires', 3 * 10 ** 9))
    add(OTHERS, OBSERVE, ('expires', 3600 * 10 ** 9))
    left = sorted(r.get('expires', 0) for r in rules().values())
    ok(left[0] == 0 < left[1] <= 3 * 10 ** 9 < left[2] <= 3600 * 10 ** 9,
       'a rule shows its remaining time', left)
    ok(until(20, lambda: state()['tx']['rules'] == 2), 'a rule of 3 s expires by itself')
    left = [r.get('expires', 0) for r in rules().values()]
    ok(left[0] == 0 and left[1] > 10 ** 12,
       'rules without expiry or with a later one stay', left)
    same('the expiry of a rule is one generation', state()['generation'], before + 4)
    flush()


def expired_at_once_ok():
    """A rule can expire before the reply with its number, also with the tracepoint on."""
    listen = '/sys/kernel/tracing/events/rdmafault/rf_rule/enable'
    one = spec.pack('main', [('rule', [OTHERS, OBSERVE, ('expires', 1)])])
    with open(listen, 'w') as f:
        f.write('1')
    answers = [nl.bytes('rule-new', spec.pack('main', HEAD) + one * n)
               for n in (1, 100, 1)]
    with open(listen, 'w') as f:
        f.write('0')
    same('rules that expire after 1 ns are accepted and get numbers',
         [len(a.messages[0]['id']) for a in answers], [1, 100, 1])
    ok(until(20, lambda: not rules()), 'rules that expire after 1 ns are removed')


def announced_ok():
    """A port shows the last announcement of a job."""
    nl.do('step-set', DEV + [('step', 4), ('messages', 6), ('messages-total', 60)])
    got = state()
    same('a port shows the announced step, messages and total',
         (got['step'], got['messages'], got['messages-total']),
         (4, 6, 60))
    nl.do('step-set', DEV + [('step', 5)])
    got = state()
    same('a step announced without messages sets both numbers to 0',
         (got['step'], got['messages'], got['messages-total']),
         (5, 0, 0))
    nl.do('step-set', DEV + [('step', 0)])


def announced_whole_ok():
    """No packet sees a mixture of two announcements."""
    def announce(n):
        nl.do('step-set', DEV + [('step', n), ('messages', n),
                                 ('messages-total', n)])
    ids = {(step, total): add(
        ('match', [('step-min', step), ('step-max', step),
                   ('message-end', total)]), OBSERVE)
        for step in (10, 20) for total in (10, 20)}
    stop = threading.Event()

    def traffic():
        while not stop.is_set():
            send([frame(SEND_ONLY, 7, 0)] * 200)

    def hits():
        return {pair: rules()[number]['hits'] for pair, number in ids.items()}

    def both():
        announce(10)
        announce(20)
        return hits()[10, 10] and hits()[20, 20]
    sender = threading.Thread(target=traffic)
    sender.start()
    for n in range(3000):
        announce(10 + n % 2 * 10)
    # On a busy machine, the sender may have had no processor yet.
    ok(until(60, both), 'control: packets match each of two announcements', hits())
    stop.set()
    sender.join()
    got = hits()
    same('no packet matches a mixture of two announcements',
         (got[10, 20], got[20, 10]), (0, 0))
    flush()
    announce(0)


def max_hold_ok():
    """A rule must not delay longer than max-hold, whichever of the two is set first."""
    long = [('match', [('qp', 7)]), ('action', [
        ('type', spec.value('action', 'delay')), ('delay', 8 * 10 ** 9)])]
    old = state()['max-hold']
    same('control: a delay of 8 s is refused with the default max-hold', nl.do(
        'rule-new', HEAD + [('rule', long)]).error, errno.EINVAL)
    nl.do('port-set', DEV + [('max-hold', 9 * 10 ** 9)])
    same('a port shows the max-hold that was set', state()['max-hold'], 9 * 10 ** 9)
    add(*long)
    answer = nl.do('port-set', DEV + [('max-hold', old)])
    ok(answer.error == errno.EBUSY and answer.at == 'max-hold',
       'a max-hold below the delay of a rule is refused', answer)
    flush()
    same('the same max-hold is accepted without that rule', nl.do('port-set', DEV + [
        ('max-hold', old)]).error, 0)


def frame(opcode, qp, psn, more=bytes(4)):
    """A RoCEv2 packet from 192.0.2.1 to 192.0.2.2."""
    bth = struct.pack('>BBHII', opcode, 0, 0xffff, qp, psn) + more + bytes(4)
    udp = struct.pack('>HHHH', 0xc000, 4791, 8 + len(bth), 0)
    ip = struct.pack('>BBHIBBH', 0x45, 0, 28 + len(bth), 0x4000, 64, 17, 0)
    eth = bytes.fromhex('020000000002' '020000000001' '0800')
    return eth + ip + SRC + DST + udp + bth


SRC, DST = bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2])
SIZE = 20 + 8 + 12 + 4 + 4
SEND_ONLY, WRITE_MIDDLE, ACK = 0x04, 0x07, 0x11


def send(frames):
    """Send frames out of the port."""
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sock.bind((dev, 0))
    for data in frames:
        sock.send(data)
    sock.close()


def flow(qp, response=False):
    """The attributes that name a flow."""
    name = [('direction', 0), ('saddr', SRC), ('daddr', DST), ('qp', qp)]
    return DEV + [('flow', name + ([('response', True)] if response else []))]


def flow_statistics_ok():
    """The statistics of flows."""
    add(ALL, OBSERVE)
    before = state()['tx']
    send([frame(WRITE_MIDDLE, 5, psn) for psn in (10, 11, 12, 11, 12, 11)] +
         [frame(WRITE_MIDDLE, 6, 0xffffff), frame(WRITE_MIDDLE, 6, 0)] +
         [frame(ACK, 5, 3, bytes([syndrome, 0, 0, 0]))
          for syndrome in (0x60, 0x2e, 0x1f, 0x61)])
    got = nl.do('flow-get', flow(5)).messages[0]['flow']
    same('flow-get returns the statistics of a flow of requests', {k: got.get(k) for k in (
        'packets', 'bytes', 'retransmitted', 'retransmitted-bytes', 'max-attempt',
        'first-psn', 'highest-psn', 'ordinal', 'naks')},
        {'packets': 6, 'bytes': 6 * SIZE, 'retransmitted': 3,
         'retransmitted-bytes': 3 * SIZE, 'max-attempt': 3, 'first-psn': 10,
         'highest-psn': 12, 'ordinal': 1, 'naks': None})
    got = nl.do('flow-get', flow(6)).messages[0]['flow']
    same('flow-get of the second flow has its PSNs across the wrap, and ordinal 2',
         (got['first-psn'], got['highest-psn'], got['ordinal']), (0xffffff, 0, 2))
    got = nl.do('flow-get', flow(5, True)).messages[0]['flow']
    same('a flow of responses counts its NAKs', (got['naks'], got['rnrs']), (2, 1))
    after = state()['tx']
    same('port-get has the sums over all flows of the direction', {
        k: after[k] - before[k] for k in (
        'roce', 'retransmitted', 'retransmitted-bytes', 'naks', 'rnrs')},
        # All four responses have the same PSN. The second and the third NAK count as
        # retransmitted, the ACK does not.
        {'roce': 12, 'retransmitted': 5, 'retransmitted-bytes': 5 * SIZE,
         'naks': 2, 'rnrs': 1})
    same('flow-get dumps two flows of requests and one of responses', sorted(
        (m['flow']['qp'], 'response' in m['flow'])
        for m in nl.dump('flow-get', DEV).messages),
        [(5, False), (5, True), (6, False)])
    flush()


def snapshot_ok():
    """A dump of flows is a snapshot of the moment in which it began."""
    add(ALL, OBSERVE)
    send(frame(WRITE_MIDDLE, 0x1000 + i, 0) for i in range(700))
    other = Family(spec)
    other.send(other.id, spec.ops['flow-get'], NLM_F_DUMP, spec.pack('main', DEV))
    send(frame(WRITE_MIDDLE, 0x1000 + i, 1) for i in range(800))
    got = [m['flow'] for m in other._receive(b'', 'main').messages]
    same('a flow dump during traffic has each flow once, in order', [f['qp'] for f in got],
         [0x1000 + i for i in range(700)])
    same('a flow dump during traffic has the counters of the moment it began',
         {f['packets'] for f in got}, {1})
    other.send(other.id, spec.ops['flow-get'], NLM_F_DUMP, spec.pack('main', DEV))
    other.close()
    same('control: the packets after the dump began make 800 flows',
         state()['tx']['flows'], 800)
    flush()


def reset_ok():
    """After reset there is no rule, no delayed packet and no blackhole."""
    add(('match', [('qp', 1000)]), ('action', [
        ('type', spec.value('action', 'delay')), ('delay', 4 * 10 ** 9)]))
    add(('match', [('qp', 1001)]), ('action', [
        ('type', spec.value('action', 'blackhole')), ('delay', 10 ** 10)]))
    send([frame(WRITE_MIDDLE, 1000, 0)] * 3 + [frame(WRITE_MIDDLE, 1001, 0)])
    held = state()['tx']['held']
    same('control: three packets are in the delay queue', held, 3)
    same('reset of a port succeeds', nl.do('reset', DEV).error, 0)
    ok(until(2, lambda: state()['tx']['held'] == 0), 'reset empties the delay queue')
    add(OTHERS, OBSERVE)
    before = state()['tx']
    send([frame(WRITE_MIDDLE, 1002, 0)])
    after = state()['tx']
    same('reset ends a blackhole', (after['roce'] - before['roce'],
                                    after['dropped'] - before['dropped']), (1, 0))
    nl.do('reset', [])
    same('reset of all ports deletes all rules', len(rules()), 0)


def settings(where=DEV):
    """The settings and counters of the port, without name, number and generation."""
    got = {**nl.do('port-get', where).messages[0],
           **nl.do('queue-get', where).messages[0]}
    return {k: v for k, v in got.items()
            if k not in ('ifindex', 'ifname', 'generation')}


def reset_is_new_ok():
    """A fully configured port equals a new one after reset."""
    def qdisc(verb):
        subprocess.run(['tc', 'qdisc', verb, 'dev', dev, 'root', 'rdmafault'],
                       check=True)
    qdisc('del')
    qdisc('add')
    new = settings()
    nl.do('port-set', DEV + [('max-hold', 10 ** 9), ('hold-forwarded', 1)])
    nl.do('step-set', DEV + [('step', 3), ('messages', 4), ('messages-total', 5)])
    answer = nl.do('queue-set', DEV + [
        ('link', [('rate', 10 ** 9), ('delay', 1000), ('jitter', 7), ('seed', 1)]),
        ('buffer', [('size', 1 << 20)]),
        ('prio', [('prio', 3), ('pfc', 1), ('limit', 9), ('xoff', 1000),
                  ('ecn', [('enabled', 1), ('kmax', 5)])]),
        ('dscp-prio', [('dscp', 9), ('prio', 5)]),
        ('watchdog', [('prios', 255), ('detect', 10 ** 8),
                      ('restore', 10 ** 8), ('poll', 10 ** 8)])])
    same('queue-set of all queue settings succeeds', answer.error, 0)
    nl.do('storm-start', DEV + [('storm', [
        ('prios', 8), ('flags', spec.value('storm-flag', 'forever') |
                       spec.value('storm-flag', 'persist'))])])
    add(ALL, OBSERVE)
    nl.do('pause-send', DEV + [('pause', [('prios', 1), ('quanta', 0)])])
    send([frame(WRITE_MIDDLE, 7, n) for n in range(5)])
    ok(settings() != new and state()['tx']['hits'] == 5,
       'control: a configured port differs from a new one', settings())
    nl.do('reset', DEV)
    same('reset: a configured port equals a new one', settings(), new)


def stats_reset_ok():
    """stats-reset sets the counters to 0 and nothing else."""
    add(ALL, OBSERVE)
    send([frame(WRITE_MIDDLE, 7, n) for n in range(5)])
    before = rules()
    got = state()
    same('control: the port counts five packets and hits',
         (got['tx']['roce'], got['tx']['hits']), (5, 5))
    same('stats-reset of a port succeeds', nl.do('stats-reset', DEV).error, 0)
    got = state()
    same('stats-reset sets the counters to 0, but not the numbers of rules and flows',
         {k: v for k, v in got['tx'].items() if v}, {'rules': 1, 'flows': 1})
    same('stats-reset leaves the counters of rules', rules(), before)
    send([frame(WRITE_MIDDLE, 7, 9)])
    got = state()['tx']
    same('a port counts from 0 after stats-reset', (got['packets'], got['roce'], got['hits']),
         (1, 1, 1))
    same('stats-reset of a netdev that is no port is refused', nl.do(
        'stats-reset', [('ifindex', 1)]).error, errno.ENODEV)
    same('stats-reset of all ports sets the counters to 0', (
        nl.do('stats-reset', []).error, state()['tx']['packets']), (0, 0))
    flush()


def dumps_ok():
    """A dump can be limited to one port."""
    names = [m['ifname'] for m in nl.dump('port-get').messages]
    ok(dev in names and len(names) == 2, 'a port dump shows both ports', names)
    same('a port dump with an ifindex shows that port alone',
         [m['ifname'] for m in nl.dump('port-get', DEV).messages], [dev])
    same('a rule dump for a netdev that is no port is empty',
         len(nl.dump('rule-get', [('ifindex', 1)]).messages), 0)


def in_other(*command):
    """Run a command in the network namespace rf-other. Returns its duration in seconds."""
    start = time.monotonic()
    subprocess.run(['ip', 'netns', 'exec', 'rf-other'] + list(command), check=True)
    return time.monotonic() - start


def namespaces_ok():
    """Dumps do not delay a port of another network namespace, and do not notice it."""
    ids = nl.bytes('rule-new', spec.pack('main', HEAD) + many(10000, 7)).messages[0]['id']
    in_other('ip', 'link', 'add', 'o1', 'type', 'veth', 'peer', 'name', 'o2')
    unread = begin_dump('rule-get')
    done = threading.Event()

    def dump():
        """Dump all rules again and again."""
        other = Family(spec)
        while not done.is_set():
            other.dump('rule-get', DEV)
        other.close()

    dumps = threading.Thread(target=dump)
    dumps.start()
    times = []
    for _ in range(5):
        times.append(in_other('tc', 'qdisc', 'add', 'dev', 'o1', 'root', 'rdmafault'))
        times.append(in_other('tc', 'qdisc', 'del', 'dev', 'o1', 'root'))
    done.set()
    dumps.join()
    ok(max(times) < 10, 'tc works in a network namespace during rule dumps in another', times)
    got = unread._receive(b'', 'main')
    same('a rule dump is complete, and not interrupted by ports of other network namespaces',
         ([m['rule'][0]['id'] for m in got.messages], got.interrupted), (ids, False))
    unread.close()
    flush()


rule_comes_back_ok()
keys_ok()
ten_thousand_ok()
largest_ok()
interrupted_ok()
port_goes_ok()
leases_ok()
expiry_ok()
expired_at_once_ok()
announced_ok()
announced_whole_ok()
max_hold_ok()
flow_statistics_ok()
snapshot_ok()
reset_ok()
reset_is_new_ok()
stats_reset_ok()
dumps_ok()
namespaces_ok()
end()
