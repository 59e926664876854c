# SPDX-License-Identifier: GPL-2.0
"""Make mistakes in valid command lines: words left out, given twice, misspelled or in the wrong
order, values with a wrong unit or out of range. Each must be refused with one line that names the
word or value and its valid form, or the command that helps. The mistakes are drawn with a seed,
which is printed."""
import os
import random
import subprocess
import sys
from dataclasses import dataclass

import tap

MISTAKES = 40


@dataclass
class Pair:
    """A name, a valid value and its valid form in errors, and two invalid values."""

    name: str
    value: str
    form: str
    unit: str           # a value with a wrong unit, or of a wrong kind
    far: str            # a value out of range, or an unknown name
    instead: str = ''   # the valid form in the error about the unit; default: form


@dataclass
class Command:
    """A command line: words, then pairs in any order, then words. An error about an unknown word
    names what helps."""

    words: str
    pairs: list
    helps: str
    end: str = ''


RULE = [
    Pair('nth', '3', '1 to 4294967295', '3ms', '0'),
    Pair('count', '1', '1 to 4294967295', '1%', '4294967296'),
    Pair('psn', '5', '0 to 0xffffff', '5ms', '16777216'),
    Pair('probability', '1%', '0% to 100%', '1', '101%', '1%'),
    Pair('class', 'write', 'write', '3', 'writes'),
    Pair('position', 'last', 'last', '1', 'lats'),
    Pair('seed', '7', '0 to 18446744073709551615', '7s', '-1'),
    Pair('expires', '10s', 'a time', '10', '10min'),
]

COMMANDS = [
    Command('rule add v1 tx', RULE, 'rdmafault rule help', 'drop'),
    Command('rule add rxe1 rx', RULE, 'rdmafault rule help', 'delay 5ms jitter 1ms'),
    Command('drop v1 tx', RULE, 'rdmafault rule help'),
    Command('observe v1 rx', RULE, 'rdmafault rule help'),
    Command('link set v1', [
        Pair('rate', '10gbit', '1mbit to 10tbit', '10', '1bit'),
        Pair('delay', '5us', '0s to 20s', '5', '21s'),
        Pair('overhead', '24', '0 to 256', '24b', '257'),
        Pair('buffer', '1MiB', '1 byte to 1TiB', '1mbit', '2TiB'),
    ], 'rate, delay, jitter'),
    Command('prio set v1', [
        Pair('prio-bw', '3:50', 'PRIO:N, N 1 to 100', '3:50%', '3:101'),
        Pair('prio-pfc', '3:on', 'PRIO:on or PRIO:off', '3', '8:on'),
        Pair('prio-limit', '3:64KiB', 'PRIO:SIZE', '3:64ms', '3:100001p'),
        Pair('dscp-prio', '26:3', 'DSCP:PRIO', '26', '64:3'),
    ], 'dscp-prio, prio-tsa'),
    Command('ecn set v1 prio 3', [
        Pair('kmin', '100k', '0 to 1TiB', '100ms', '2TiB'),
        Pair('kmax', '400k', '0 to 1TiB', '400%', '2TiB'),
        Pair('pmax', '20%', '0% to 100%', '20', '101%', '20%'),
        Pair('weight', '3', '0 to 31', '3s', '32'),
    ], 'kmin, kmax, pmax'),
    Command('pause v1 prio 3 storm', [
        Pair('for', '2s', '1ns to 86400s', '2', '86401s'),
        Pair('quanta', '100', '1 to 65535', '100us', '65536'),
        Pair('duty', '10ms/5ms', 'ON/OFF', '10/5', '1us/1us'),
    ], 'for, forever'),
    Command('pause v1 watchdog', [
        Pair('detect', '200ms', '1ms to 86400s', '200', '86401s'),
        Pair('prio', '3', '0 to 7', '3ms', '8'),
        Pair('action', 'drop', 'drop, forward or alert', '1', 'dorp'),
    ], 'off, prio, detect'),
    Command('fabric up 4 shape leaf-spine', [
        Pair('leaves', '2', '2 to ', '2ms', '17'),
        Pair('spines', '2', '1 to 4', '2ms', '5'),
    ], 'shape, switches'),
]


def misspell(draw, word):
    """Swap two letters, or leave one out, or double one."""
    at = draw.randrange(len(word) - 1)
    return draw.choice([
        word[:at] + word[at + 1] + word[at] + word[at + 2:] if word[at] != word[at + 1]
        else word[:at] + word[at + 1:],
        word[:at] + word[at + 1:],
        word[:at] + word[at] + word[at:],
    ])


class Mistake:
    """A valid command line with a mistake. ``needs`` are texts that the error must have: strings,
    or tuples of which one must occur."""

    def __init__(self, draw):
        self.draw = draw
        self.command = draw.choice(COMMANDS)
        self.start = self.command.words.split()
        self.pairs = draw.sample(self.command.pairs, draw.randint(1, 2))
        self.pair = draw.choice(self.pairs)
        self.kind = draw.choice(sorted(n for n in dir(self) if n.startswith('make_')))
        self.body = {pair.name: [pair.name, pair.value] for pair in self.pairs}
        self.needs = getattr(self, self.kind)()

    def line(self):
        """Return the words of the command line."""
        return self.start + sum(self.body.values(), []) + self.command.end.split()

    def make_value_missing(self):
        """Leave out a value. The word behind it is taken for the value, unless it is the last."""
        self.body = {self.pair.name: [self.pair.name]}
        self.command = Command(self.command.words, [], self.command.helps)
        return [self.pair.name, 'value missing', self.pair.form]

    def make_twice(self):
        """Give a pair twice."""
        self.body[self.pair.name] *= 2
        return [f'{self.pair.name}: given twice']

    def make_name_misspelled(self):
        """Misspell a name."""
        word = misspell(self.draw, self.pair.name)
        if word == self.pair.name or any(word == p.name for p in self.command.pairs):
            return self.make_unit()
        self.body[self.pair.name][0] = word
        return [f'"{word}"', (f'did you mean "{self.pair.name}"', self.command.helps)]

    def make_command_misspelled(self):
        """Misspell the command."""
        word = misspell(self.draw, self.start[0])
        right = self.start[0]
        self.start[0] = word
        return [f'unknown command "{word}"',
                (f'did you mean "{right}"', '"rdmafault --help" lists the commands')]

    def make_verb_misspelled(self):
        """Misspell the verb, if the command has one; else the direction."""
        at = {'rule': 1, 'link': 1, 'prio': 1, 'ecn': 1, 'fabric': 1, 'pause': -1}.get(
            self.start[0], 2)
        right = self.start[at]
        word = misspell(self.draw, right)
        self.start[at] = word
        if at == 2:
            return [f'direction {word}', 'tx or rx']
        return [f'"{word}"', (f'did you mean "{right}"', f' {right}', f'{right},')]

    def make_unit(self):
        """Give a value a wrong unit."""
        self.body[self.pair.name][1] = self.pair.unit
        return [f'{self.pair.name} {self.pair.unit}: ', self.pair.instead or self.pair.form]

    def make_far(self):
        """Give a value that is out of range."""
        self.body[self.pair.name][1] = self.pair.far
        return [f'{self.pair.name} {self.pair.far}: ', self.pair.form]

    def make_order(self):
        """Write a value before its name."""
        self.body = {self.pair.name: self.body[self.pair.name][::-1]}
        return [f'"{self.pair.value}"', (self.command.helps, f'{self.pair.name} {self.pair.value}')]

    def make_device_missing(self):
        """Leave out the device."""
        if self.start[0] == 'fabric':
            return self.make_unit()
        self.start = [w for w in self.start if w not in ('v1', 'rxe1')]
        self.body = {self.pair.name: self.body[self.pair.name]}
        word = self.start[-1] if self.start[-1] in ('tx', 'rx') else self.pair.name
        return [('tx or rx', self.command.helps, 'prio PRIO', 'storm', 'DEV'), (word, 'DEV')]


def run(program, words):
    """Return the exit status and the lines of a command."""
    done = subprocess.run([program] + words, capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def lacks(status, lines, needs):
    """Return what an answer lacks."""
    missing = []
    if status != 2:
        missing.append(f'exit status {status} instead of 2')
    if len(lines) != 1 or not lines[0].startswith('rdmafault: '):
        missing.append(f'{len(lines)} lines instead of one')
    text = lines[0] if lines else ''
    for need in needs:
        one_of = need if isinstance(need, tuple) else (need,)
        if not any(n in text for n in one_of):
            missing.append(' or '.join(repr(n) for n in one_of))
    return missing


def main():
    """Run the test."""
    seed = int(os.environ.get('SEED', '1'))
    draw = random.Random(seed)
    print(f'# seed {seed}; SEED=N draws other mistakes')
    for _ in range(MISTAKES):
        mistake = Mistake(draw)
        words = mistake.line()
        status, lines = run(sys.argv[2], words)
        tap.ok(not lacks(status, lines, mistake.needs),
               f'{mistake.kind[5:].replace("_", " ")}: "{" ".join(words)}" is refused with what helps',
               f'lacks {lacks(status, lines, mistake.needs)}: {lines}')
    # The judge itself: an answer without the value and the form lacks both.
    tap.ok(len(lacks(0, ['rdmafault: id: no such rule', ''], ['99', 'rule show'])) == 4,
           'control: an answer without value and help is refused')
    tap.end()


main()
