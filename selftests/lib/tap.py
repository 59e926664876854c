# SPDX-License-Identifier: GPL-2.0
"""Results of a Python program; python_test of lib/python.sh numbers them."""


def ok(true, words, diagnosis=''):
    """Print one result, and if it failed the diagnosis."""
    print(f'{"ok" if true else "not ok"} - {words}', flush=True)
    if not true:
        for line in str(diagnosis).splitlines():
            print(f'# {line}', flush=True)
    return true


def same(words, got, wanted):
    """The two values must be equal."""
    return ok(got == wanted, words, f'got:      {got}\nexpected: {wanted}')


def end():
    """Print the mark of the end; without it the program has died."""
    print('end', flush=True)
