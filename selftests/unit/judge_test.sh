#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the judge of recorded runs, selftests/lib/judge.py, with small records written by hand:
# it finds what was lost in them, and it finds errors that are planted in them.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/python.sh"

need_python
python_test "$selftests/unit/judge_test.py"
