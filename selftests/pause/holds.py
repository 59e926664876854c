# SPDX-License-Identifier: GPL-2.0
"""Whom storms and pause frames hold; called by holds.sh with two ports."""
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
    """The eight priorities of a port."""
    return nl.do('queue-get', where).messages[0]['prio']


def storms():
    """The priorities that a storm is in."""
    return [p['prio'] for p in priorities() if p.get('storm', {}).get('running')]


def held():
    """The priorities that the neighbour holds."""
    return [p['prio'] for p in priorities(neighbour) if p['stats']['paused']]


def start(*parts, by=nl):
    """The answer to a storm."""
    return by.do('storm-start', port + [('storm', list(parts))])


def stop(*parts):
    """The answer to the end of storms."""
    return nl.do('storm-stop', port + list(parts))


def soon(words, what, wanted):
    """What comes true in a moment."""
    end_at = time.monotonic() + 20
    while what() != wanted and time.monotonic() < end_at:
        pass
    same(words, what(), wanted)


def bits(*prios):
    """The priorities of a storm."""
    return ('prios', sum(1 << p for p in prios))


def each_its_own_ok():
    """Two priorities by one request are two storms."""
    answer = start(bits(2, 7), ALWAYS)
    ok(not answer.error, 'a storm of two priorities', answer)
    soon('holds both at the neighbour', held, [2, 7])
    start(bits(7), ('flags', FRAMES), ('duration', 50_000_000))
    # The first ends with XON, so who is held says nothing yet.
    soon('another one takes the place of the first, and has an end', storms,
         [2])
    soon('whose priority resumes, and no other', held, [2])
    same('the one that is over can still be seen',
         [priorities()[7]['storm'].get(k) for k in ('prios', 'duration')],
         [1 << 7, 50_000_000])
    answer = stop(('storm', [bits(3)]))
    same('the end of another storm is not its end', (answer.error, storms()),
         (0, [2]))
    answer = stop(('storm', [bits(2)]))
    soon('its own is', held, [])
    start(bits(0, 1, 5), ALWAYS)
    soon('three', held, [0, 1, 5])
    stop()
    soon('all end by one request', held, [])


def leased_ok():
    """A storm ends with its socket, unless it is to persist."""
    mine, other = Family(spec), Family(spec)
    start(bits(3), ALWAYS, by=mine)
    start(bits(4), ('flags', FRAMES | FOREVER | PERSIST), by=mine)
    start(bits(5), ALWAYS, by=other)
    soon('three storms of two sockets', held, [3, 4, 5])
    ok(priorities()[3]['storm']['owner'] and
       not priorities()[4]['storm']['owner'], 'the first has an owner')
    mine.close()
    soon('a socket goes, and the storm that it leased', held, [4, 5])
    same('which is over', storms(), [4, 5])
    nl.do('reset', port)
    soon('reset ends the others', held, [])
    other.close()


def gate_ok():
    """Without frames the port's own queue is paused and nobody else's."""
    start(bits(6), ('flags', FOREVER))
    same('a storm at the gate', (bool(priorities()[6]['stats']['paused']),
                                 priorities()[6]['storm']['running']), (True, 1))
    same('holds no neighbour', held(), [])
    start(bits(6), ALWAYS)
    soon('one by frames in its place does', held, [6])
    same('and leaves the gate open', priorities()[6]['stats']['paused'], 0)
    stop()


def by_hand_ok():
    """One frame, and another."""
    def send(*parts):
        return nl.do('pause-send', port + [('pause', list(parts))])

    send(bits(0, 7), ('quanta', 65535))
    soon('XOFF by hand', held, [0, 7])
    send(bits(0), ('quanta', 0))
    soon('XON by hand', held, [7])
    send(bits(7), ('quanta', 0))
    soon('and another', held, [])


each_its_own_ok()
leased_ok()
gate_ok()
by_hand_ok()
end()
