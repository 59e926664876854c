# SPDX-License-Identifier: GPL-2.0
"""Test which queues storms and pause frames pause; holds.sh calls it with two ports."""
import socket
import sys
import time

from nlspec import Family, Spec
from tap import end, ok, same

spec = Spec(sys.argv[1])
port, neighbour = ([('ifindex', socket.if_nametoindex(dev))]
                   for dev in sys.argv[2:4])
nl = Family(spec)
FRAMES, FOREVER, PERSIST = (spec.value('storm-flag', name)
                            for name in ('frames', 'forever', 'persist'))
ALWAYS = ('flags', FRAMES | FOREVER)


def priorities(where=port):
    """Return the eight priorities of a port."""
    return nl.do('queue-get', where).messages[0]['prio']


def storms():
    """Return the priorities with a running storm."""
    return [p['prio'] for p in priorities() if p.get('storm', {}).get('running')]


def held():
    """Return the paused priorities of the neighbour."""
    return [p['prio'] for p in priorities(neighbour) if p['stats']['paused']]


def start(*parts, by=nl):
    """Start a storm; return the reply."""
    return by.do('storm-start', port + [('storm', list(parts))])


def stop(*parts):
    """Stop storms; return the reply."""
    return nl.do('storm-stop', port + list(parts))


def soon(words, what, wanted):
    """Wait until what() returns the expected value."""
    end_at = time.monotonic() + 20
    while what() != wanted and time.monotonic() < end_at:
        pass
    same(words, what(), wanted)


def bits(*prios):
    """Return the attribute with the priorities of a storm."""
    return ('prios', sum(1 << p for p in prios))


def each_its_own_ok():
    """One request for two priorities starts two storms."""
    answer = start(bits(2, 7), ALWAYS)
    ok(not answer.error, 'a storm of two priorities can be started', answer)
    soon('a storm pauses both priorities of the neighbour', held, [2, 7])
    start(bits(7), ('flags', FRAMES), ('duration', 50_000_000))
    # The first storm also sends an XON, when the second storm replaces it. So an XON at the
    # neighbour does not show that the second storm has ended. Therefore, wait first until the
    # list of storms lacks the second storm.
    soon('a second storm of a priority replaces the first one and ends after its duration', storms,
         [2])
    soon('the priority of the ended storm is resumed, and no other', held, [2])
    same('the settings of an ended storm are still shown',
         [priorities()[7]['storm'].get(k) for k in ('prios', 'duration')],
         [1 << 7, 50_000_000])
    answer = stop(('storm', [bits(3)]))
    same('stopping the storm of another priority does not stop this one', (answer.error, storms()),
         (0, [2]))
    answer = stop(('storm', [bits(2)]))
    soon('stopping the storm of a priority resumes it', held, [])
    start(bits(0, 1, 5), ALWAYS)
    soon('a storm of three priorities pauses them at the neighbour', held, [0, 1, 5])
    stop()
    soon('one request without priorities stops all storms', held, [])


def leased_ok():
    """A storm ends with its socket, unless it has the flag persist."""
    mine, other = Family(spec), Family(spec)
    start(bits(3), ALWAYS, by=mine)
    start(bits(4), ('flags', FRAMES | FOREVER | PERSIST), by=mine)
    start(bits(5), ALWAYS, by=other)
    soon('three storms of two sockets pause three priorities', held, [3, 4, 5])
    ok(priorities()[3]['storm']['owner'] and
       not priorities()[4]['storm']['owner'], 'a storm without persist has an owner, one with persist has none')
    mine.close()
    soon('closing a socket resumes the priority of its storm', held, [4, 5])
    same('closing a socket stops its storm', storms(), [4, 5])
    nl.do('reset', port)
    soon('reset resumes the priorities of all storms', held, [])
    other.close()


def gate_ok():
    """A storm without frames pauses the port's own queue only."""
    start(bits(6), ('flags', FOREVER))
    same('a storm without frames pauses the port', (bool(priorities()[6]['stats']['paused']),
                                 priorities()[6]['storm']['running']), (True, 1))
    same('a storm without frames does not pause the neighbour', held(), [])
    start(bits(6), ALWAYS)
    soon('a storm with frames in its place pauses the neighbour', held, [6])
    same('a storm with frames does not pause the port', priorities()[6]['stats']['paused'], 0)
    stop()


def by_hand_ok():
    """Single pause frames."""
    def send(*parts):
        return nl.do('pause-send', port + [('pause', list(parts))])

    send(bits(0, 7), ('quanta', 65535))
    soon('XOFF pauses priorities 0 and 7 of the neighbour and no other', held, [0, 7])
    send(bits(0), ('quanta', 0))
    soon('XON resumes priority 0 of the neighbour and no other', held, [7])
    send(bits(7), ('quanta', 0))
    soon('a second XON resumes priority 7 of the neighbour', held, [])


each_its_own_ok()
leased_ok()
gate_ok()
by_hand_ok()
end()
