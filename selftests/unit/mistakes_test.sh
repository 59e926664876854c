#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the errors about forty mistakes, drawn from a grammar of the commands with the seed $SEED (1
# by default).
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"

need_python
python_test "$selftests/unit/mistakes_test.py" "${BIN:-$selftests/../build/bin}/rdmafault"
