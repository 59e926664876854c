# SPDX-License-Identifier: GPL-2.0
"""Test the judge of lib/judge.py with small records that are written by hand, and with
errors that are planted in these records.

A record has one line per event: the time in microseconds, the port, the direction, the
packet, and for a fault its action. A packet is a request (from 10.77.0.1 to queue pair 18
of 10.77.0.2) or a response (to queue pair 17) with its PSN, its opcode and its attempt."""
import collections
import json

import judge
import tap

TIMER = 67_108_864
OPCODES = {'write-first': 6, 'write-middle': 7, 'write-last': 8, 'read-request': 12,
           'read-response-first': 13, 'read-response-middle': 14, 'read-response-last': 15,
           'acknowledge': 17, 'atomic-acknowledge': 18, 'fetch-add': 20}
SHORT = {'ack': ('acknowledge', 0x1f), 'nak': ('acknowledge', 0x60), 'rnr': ('acknowledge', 0x2c),
         'reject': ('acknowledge', 0x63),
         'first': ('write-first', 0), 'middle': ('write-middle', 0), 'last': ('write-last', 0),
         'read': ('read-request', 0), 'rfirst': ('read-response-first', 0x1f),
         'rmiddle': ('read-response-middle', 0), 'rlast': ('read-response-last', 0x1f),
         'add': ('fetch-add', 0), 'added': ('atomic-acknowledge', 0x1f)}

# The second packet of four is lost between the switch and v2. Its PSN is 0xfffffe: the
# retransmission crosses the wrap of the PSN.
LOST_REQUEST = '''
  0 v1 tx fffffd first 1
 10 v2 rx fffffd first 1
 20 v1 tx fffffe middle 1
 25 p2 tx fffffe middle 1 drop
 40 v1 tx ffffff middle 1
 50 v2 rx ffffff middle 1
 60 v1 tx 000000 middle 1
 70 v2 rx 000000 middle 1
 80 v2 tx fffffe nak 1
 90 v1 rx fffffe nak 1
100 v1 tx fffffe middle 2
110 v2 rx fffffe middle 1
120 v1 tx ffffff middle 2
130 v2 rx ffffff middle 2
140 v1 tx 000000 middle 2
150 v2 rx 000000 middle 2
160 v1 tx 000001 last 1
170 v2 rx 000001 last 1
180 v2 tx 000001 ack 1
190 v1 rx 000001 ack 1
'''

# The last packet is lost twice. The timer expires twice.
LOST_LAST = '''
     0 v1 tx 000010 first 1
    10 v2 rx 000010 first 1
    20 v1 tx 000011 last 1
    25 v1 tx 000011 last 1 drop
 67000 v1 tx 000010 first 2
 67010 v2 rx 000010 first 2
 67020 v1 tx 000011 last 2
 67030 p1 rx 000011 last 1 corrupt
 67040 v2 rx 000011 last 1
 67050 v2 tx 000010 ack 1
 67060 v1 rx 000010 ack 1
134000 v1 tx 000011 last 3
134010 v2 rx 000011 last 2
134020 v2 tx 000011 ack 1
134030 v1 rx 000011 ack 1
'''

# The NAK is lost, and the timer expires.
LOST_NAK = '''
    0 v1 tx 000070 first 1
    5 p1 tx 000070 first 1 drop
   10 v1 tx 000071 last 1
   20 v2 rx 000071 last 1
   30 v2 tx 000070 nak 1
   40 v1 rx 000070 nak 1 drop
67000 v1 tx 000070 first 2
67010 v2 rx 000070 first 1
67020 v1 tx 000071 last 2
67030 v2 rx 000071 last 2
'''

# A fault answers with a NAK "remote operational error" on behalf of the receiver.
REJECTED = '''
 0 v1 tx 000074 first 1
 5 v1 tx 000074 first 1 nak
10 v1 rx 000074 reject 1
'''

# A packet waits in a queue and is dropped behind it, after its retransmission has left.
LATE_DROP = '''
    0 v1 tx 000020 first 1
   20 v1 tx 000021 last 1
   30 v2 rx 000020 first 1
67000 v1 tx 000020 first 2
67020 v1 tx 000021 last 2
67500 s1s2 tx 000021 last 1 drop
67600 v2 rx 000020 first 2
67610 v2 rx 000021 last 1
67620 v2 tx 000021 ack 1
67650 v1 rx 000021 ack 1
'''

# The second of four responses is lost. The READ is sent again for the missing ones.
LOST_RESPONSE = '''
    0 v1 tx 000030 read 1
   10 v2 rx 000030 read 1
   20 v2 tx 000030 rfirst 1
   30 v1 rx 000030 rfirst 1
   40 v2 tx 000031 rmiddle 1
   45 v2 tx 000031 rmiddle 1 drop
   60 v2 tx 000032 rmiddle 1
   70 v1 rx 000032 rmiddle 1
   80 v2 tx 000033 rlast 1
   90 v1 rx 000033 rlast 1
67000 v1 tx 000031 read 2
67010 v2 rx 000031 read 2
67020 v2 tx 000031 rmiddle 2
67030 v1 rx 000031 rmiddle 1
67040 v2 tx 000032 rmiddle 2
67050 v1 rx 000032 rmiddle 2
67060 v2 tx 000033 rlast 2
67070 v1 rx 000033 rlast 2
67100 v1 tx 000034 first 1
67110 v2 rx 000034 first 1
'''

# The first ACK is covered by the second one. The third one is lost, and nothing follows.
LOST_ACKS = '''
    0 v1 tx 000040 first 1
   10 v2 rx 000040 first 1
   20 v2 tx 000040 ack 1
   25 p2 rx 000040 ack 1 drop
   30 v1 tx 000041 middle 1
   40 v2 rx 000041 middle 1
   50 v2 tx 000041 ack 1
   60 v1 rx 000041 ack 1
   70 v1 tx 000042 last 1
   80 v2 rx 000042 last 1
   90 v2 tx 000042 ack 1
67100 v1 tx 000042 last 2
67110 v2 rx 000042 last 2
67120 v2 tx 000042 ack 2
67130 v1 rx 000042 ack 1
'''

# Only hits and retransmissions were recorded, so the time tells why the READ is repeated
READ_NOT_RECORDED = '''
 25 v2 tx 000050 rlast 1 drop
100 v1 tx 000050 read 2
150 v2 tx 000050 rlast 2
'''

# The response of an atomic is lost. The response of the next one implies a NAK.
LOST_ATOMIC = '''
  0 v1 tx 000050 add 1
 10 v2 rx 000050 add 1
 20 v2 tx 000050 added 1
 25 v2 tx 000050 added 1 drop
 30 v1 tx 000051 add 1
 40 v2 rx 000051 add 1
 50 v2 tx 000051 added 1
 60 v1 rx 000051 added 1
100 v1 tx 000050 add 2
110 v2 rx 000050 add 2
115 v1 tx 000051 add 2
120 v2 tx 000050 added 2
125 v2 rx 000051 add 2
130 v1 rx 000050 added 1
140 v2 tx 000051 added 2
150 v1 rx 000051 added 2
'''

# The scenario names no step: only hits, NAKs and retransmissions are recorded.
NOT_RECORDED = '''
  0 p2 tx 000101 middle 1 drop
 80 v2 tx 000101 nak 1
 90 v1 rx 000101 nak 1
100 v1 tx 000101 middle 2
110 v1 tx 000102 middle 2
120 p2 rx 000107 ack 1 drop
'''

# The same, and the packet is dropped after its retransmission has left.
NOT_RECORDED_LATE = '''
67000 v1 tx 000120 first 2
67020 v1 tx 000121 last 2
67500 s1s2 tx 000121 last 1 drop
'''

# A packet is delayed: it is not lost, but packets are retransmitted.
DELAYED = '''
  0 v1 tx 000060 first 1
 10 v2 rx 000060 first 1
 20 v1 tx 000061 middle 1
 25 v1 tx 000061 middle 1 delay
 40 v1 tx 000062 last 1
 50 v2 rx 000062 last 1
 60 v2 tx 000061 nak 1
 70 v1 rx 000061 nak 1
 80 v1 tx 000061 middle 2
 90 v2 rx 000061 middle 1
100 v1 tx 000062 last 2
110 v2 rx 000062 last 2
120 v2 tx 000062 ack 1
130 v1 rx 000062 ack 1
500 v2 rx 000061 middle 2
'''


def parse(record):
    """Return the events of a record."""
    events = []
    seqs = {}
    for line in record.strip().splitlines():
        t, port, direction, psn, what, attempt, *action = line.split()
        name, syndrome = SHORT[what]
        response = f'rc-{name}' in judge.RESPONSES
        key = (port, direction, psn, what, attempt)
        if not action or key not in seqs:
            seqs[key] = len(seqs) + 1
        actions = [{'action': a} for a in action] or [{'action': 'observe'}]
        if action == ['delay']:
            actions[0]['delay_ns'] = 400_000
        events.append({
            'type': 'hit', 't_ns': 1_000_000_000 + int(t) * 1000, 'seq': seqs[key], 'port': port,
            'direction': direction, 'rule': 1, 'action': actions[0]['action'], 'actions': actions,
            'fault': bool(action),
            'source': '10.77.0.2' if response else '10.77.0.1',
            'destination': '10.77.0.1' if response else '10.77.0.2',
            'qp': 17 if response else 18, 'psn': int(psn, 16), 'opcode': f'rc-{name}',
            'opcode_number': OPCODES[name], 'syndrome': syndrome, 'attempt': int(attempt),
            'step': 1, 'bytes': 100})
    return events


def judged(record):
    """Return the verdict on a record."""
    lines = [json.dumps(e) for e in sorted(parse(record), key=lambda e: e['t_ns'])]
    return judge.judge_events('a', lines, TIMER).verdict()


def losses(verdict):
    """Return the losses in short."""
    return [f'{v["kind"]} {v["psn"]:06x} attempt {v["attempt"]} at {v["port"]} {v["direction"]}: '
            f'{v["detected_by"]} {(v["recovery_time"] or 0) // 1000} '
            f'{"delivered" if v["delivered"] else "lost"}' for v in verdict['losses']]


def golden(title, record, lost, **facts):
    """The judge must find these losses and facts in a record, and no error."""
    verdict = judged(record)
    tap.same(f'{title}: losses', losses(verdict), lost)
    for key, value in facts.items():
        tap.same(f'{title}: {key}', verdict[key], value)
    tap.same(f'{title}: the record has no error and obeys go-back-N',
             verdict['errors'] + verdict['violations'], [])


def planted(title, record, edits, pattern):
    """The judge must find the error that these replacements of lines plant in a record."""
    lines = record.strip('\n').split('\n')
    for old, new in edits:
        found = [i for i, line in enumerate(lines) if line.strip().startswith(old)]
        if old:
            assert len(found) == 1, (title, old, found)
            lines[found[0]:found[0] + 1] = [new] if new else []
        else:
            lines.append(new)
    verdict = judged('\n'.join(lines))
    texts = verdict['errors'] + verdict['violations'] + losses(verdict)
    tap.ok(any(pattern in text for text in texts), f'planted error: {title}', '\n'.join(texts))


def goldens():
    """Judge records without errors."""
    golden('a request is lost', LOST_REQUEST,
           ['request fffffe attempt 1 at p2 tx: nak 75 delivered'],
           detected_by='nak', retransmitted=3, timeouts=0, naks=1, without_loss=0)
    golden('a last packet is lost twice', LOST_LAST,
           ['request 000011 attempt 1 at v1 tx: timeout 133975 delivered',
            'request 000011 attempt 2 at p1 rx: timeout 66970 delivered'],
           detected_by='timeout', retransmitted=3, timeouts=2, naks=0)
    golden('a NAK is lost', LOST_NAK,
           ['request 000070 attempt 1 at p1 tx: timeout 66995 delivered',
            'nak 000070 attempt 1 at v1 rx: timeout 66960 lost'], naks=0, timeouts=1)
    golden('a NAK rejects a request', REJECTED,
           ['request 000074 attempt 1 at v1 tx: nak 0 lost'], recovery_time=None, retransmitted=0)
    golden('a drop after the retransmission has left', LATE_DROP,
           ['request 000021 attempt 1 at s1s2 tx: timeout 0 delivered'], recovery_time=None,
           retransmitted=2, timeouts=1, naks=0)
    golden('a packet whose departure was not recorded', NOT_RECORDED,
           ['request 000101 attempt 1 at p2 tx: nak 100 delivered',
            'ack 000107 attempt 1 at p2 rx: None 0 lost'], retransmitted=2, timeouts=0, naks=1)
    golden('the same, after its retransmission has left', NOT_RECORDED_LATE,
           ['request 000121 attempt 1 at s1s2 tx: timeout 0 delivered'],
           recovery_time=None, retransmitted=2, timeouts=1)
    golden('a READ response is lost', LOST_RESPONSE,
           ['response 000031 attempt 1 at v2 tx: timeout 66975 delivered'],
           detected_by='timeout', retransmitted=4, timeouts=1, naks=0)
    golden('two ACKs are lost', LOST_ACKS,
           ['ack 000040 attempt 1 at p2 rx: nothing 0 delivered',
            'ack 000042 attempt 1 at v1 rx: timeout 67010 delivered'],
           detected_by='nothing', retransmitted=1, timeouts=1)
    golden('a response of an atomic is lost', LOST_ATOMIC,
           ['response 000050 attempt 1 at v2 tx: implied 95 delivered'],
           detected_by='implied', retransmitted=4, timeouts=0)
    golden('a response whose request was not recorded is lost', READ_NOT_RECORDED,
           ['response 000050 attempt 1 at v2 tx: implied 125 delivered'],
           detected_by='implied', retransmitted=2, timeouts=0)
    golden('a packet is delayed', DELAYED, [],
           detected_by=None, retransmitted=2, timeouts=0, naks=1, without_loss=2)
    golden('nothing is lost', '\n'.join(LOST_REQUEST.strip().split('\n')[:2]), [],
           detected_by=None, recovery_time=None, retransmitted=0, timeouts=0, naks=0)


def plants():
    """Judge records with one error each."""
    planted('a removed retransmission', LOST_REQUEST,
            [('140 ', ''), ('150 ', '')], 'the retransmission has a gap: 0x0 to 0x0')
    planted('a wrong attempt', LOST_REQUEST,
            [('120 ', '120 v1 tx ffffff middle 3')], 'attempt 3, but')
    planted('a READ for the rest as attempt 1', LOST_RESPONSE,
            [('67000 ', '67000 v1 tx 000031 read 1')], 'attempt 1, but')
    planted('a NAK before the loss', LOST_REQUEST,
            [('80 ', ' 12 v2 tx fffffe nak 1'), ('90 ', ' 15 v1 rx fffffe nak 1')],
            'nak: no packet beyond 0xfffffe had arrived')
    planted('a swapped order', LOST_REQUEST,
            [('130 ', '150 v2 rx ffffff middle 2'), ('150 v2 rx 0', '130 v2 rx 000000 middle 2')],
            'the packet arrives')
    planted('a missing response', LOST_RESPONSE,
            [('60 ', ''), ('70 ', ''), ('67040 ', ''), ('67050 ', '')],
            'the responses 0x32 to 0x32 were not sent')
    planted('a delivered packet that was dropped', LOST_REQUEST,
            [('', '155 p2 tx 000000 middle 2 drop'), ('150 ', '158 v2 rx 000000 middle 2')],
            'the packet arrives, but its sender has not sent it')
    planted('an extra retransmission', LOST_REQUEST,
            [('', '200 v1 tx 000001 last 2'), ('', '210 v2 rx 000001 last 2')],
            'the retransmission has no cause')
    planted('a changed PSN behind the wrap', LOST_REQUEST,
            [('60 ', ' 60 v1 tx 000002 middle 1'), ('70 ', ' 70 v2 rx 000002 middle 1')],
            'the requests 0x0 to 0x1 were not sent')
    planted('a changed PSN at the receiver', LOST_REQUEST,
            [('170 ', '170 v2 rx 000003 last 1')], 'PSN 0x3: the packet arrives, but its sender')
    planted('a NAK for another packet', LOST_REQUEST,
            [('80 ', ' 80 v2 tx ffffff nak 1'), ('90 ', ' 90 v1 rx ffffff nak 1')],
            'first-hole: the NAK requests 0xffffff, but 0xfffffe is the first missing packet')
    planted('a second NAK', LOST_REQUEST,
            [('', ' 85 v2 tx fffffe nak 2'), ('', ' 95 v1 rx fffffe nak 2')], 'one-nak: ')
    planted('a removed NAK', LOST_REQUEST,
            [('80 ', ''), ('90 ', '')], 'nak: no NAK requests 0xfffffe')
    planted('an ACK that goes back', LOST_ACKS,
            [('67120 ', '67120 v2 tx 000040 ack 2'), ('67130 ', '67130 v1 rx 000040 ack 2')],
            'acks: the ACK of 0x40 follows that of 0x42')
    planted('an ACK of a packet that has not arrived', LOST_REQUEST,
            [('180 ', '165 v2 tx 000001 ack 1')],
            'ack: 0x1 is acknowledged, but it has not arrived')
    planted('a lost packet that is acknowledged', LOST_REQUEST,
            [('110 ', '110 p2 tx fffffe middle 2 drop')],
            'the packet was lost in all attempts, but it is acknowledged')
    planted('a removed transmission', LOST_REQUEST,
            [('0 v1', '')], 'PSN 0xfffffd: the packet arrives, but its sender has not sent it')
    planted('a removed arrival', LOST_LAST,
            [('134010 ', '')], 'request 000011 attempt 3 at v2 rx: None 0 lost')
    planted('an arrival before the transmission', LOST_REQUEST,
            [('170 ', '155 v2 rx 000001 last 1')], 'PSN 0x1: the packet arrives, but its sender')
    planted('a retransmission from another packet', LOST_REQUEST,
            [('100 ', ''), ('110 ', '')], 'restart: the retransmission has no cause')
    planted('an atomic without response', LOST_ATOMIC,
            [('20 v2', ''), ('25 ', ''), ('120 ', ''), ('130 ', '')],
            'the request arrived, but the response was not sent')


def timers():
    """The timer of a case is that of the scenario, unless the case has its own."""
    scenario = {'qp': {'timeout': 12},
                'cases': [{'name': 'a'}, {'name': 'b', 'qp': {'timeout': 17}}]}
    tap.same('the timer of the scenario', judge.scenario_timer(scenario, 'a'), 16_777_216)
    tap.same('the timer of a case', judge.scenario_timer(scenario, 'b'), 536_870_912)
    tap.same('no timer in the scenario: the default',
             judge.scenario_timer({'cases': [{'name': 'a'}]}, 'a'), TIMER)


if __name__ == '__main__':
    goldens()
    plants()
    timers()
    tap.end()
