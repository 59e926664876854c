# SPDX-License-Identifier: GPL-2.0
"""Verdicts of a Python program, for python_test of lib/python.sh to number."""


def ok(true, words, diagnosis=''):
    """One verdict; the diagnosis is told if it is bad."""
    print(f'{"ok" if true else "not ok"} - {words}', flush=True)
    if not true:
        for line in str(diagnosis).splitlines():
            print(f'# {line}', flush=True)
    return true


def same(words, got, wanted):
    """The two must be the same."""
    return ok(got == wanted, words, f'got:    {got}\nwanted: {wanted}')


def end():
    """The last word; without it the program has broken off."""
    print('end', flush=True)
