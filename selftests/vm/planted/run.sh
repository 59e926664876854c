#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that the debug kernel reports the deliberate bugs of plant.c; $PLANT is the path of the
# module. The test leaves errors in the kernel log, so scripts/check --debug runs it in separate
# boots.
#
#   run.sh [BUG]
#
# Lockdep disables itself after its first report about locks. So only one bug about locks can
# be tested per boot. If BUG is given, the script tests only this bug. Otherwise, it tests
# lock_order and the bugs that are not about locks.
. "$(dirname "$0")/../../lib/lib.sh"
. "$selftests/../scripts/lib/sicklog.sh"
. "$selftests/lib/lockdep.sh"

plant()
{
	dmesg --clear
	insmod "$PLANT" what="$1"
	rmmod plant
}

# seen BUG PATTERN: trigger the bug BUG. Of the lines in the kernel log that selftests/run.sh
# reports as errors, one must match PATTERN.
seen()
{
	plant "$1"
	ok "the debug kernel reports the deliberate bug $1" grep -q "$2" <(dmesg | sick_lines)
}

# selftests/run.sh runs a test that leaks memory, while lockdep is disabled because of an earlier
# bug. run.sh must report both errors after the test.
runner_ok()
{
	local tmp

	tmp=$(mktemp -d)
	defer rm -r "$tmp"
	cat >"$tmp/leaky.sh" <<-EOT
		#!/bin/bash
		insmod "$PLANT" what=leak && rmmod plant && echo "ok 1 - planted"
		echo 1..1
	EOT
	chmod +x "$tmp/leaky.sh"
	"$selftests/run.sh" "$tmp/leaky.sh" >"$tmp/run"
	ok "run.sh reports a memory leak" grep -q 'unreferenced object' "$tmp/run"
	ok "run.sh fails if lockdep has disabled itself" \
		grep -q '^not ok - lockdep works until the end of the boot' "$tmp/run"
}

if [ $# -gt 0 ]; then
	seen "$1" 'BUG: Invalid wait context'
	exit
fi
seen rcu 'suspicious RCU usage'
is "control: lockdep works before the first bug" "$(debug_locks)" 1
seen lock_order 'possible circular locking'
seen shift 'UBSAN: shift-out-of-bounds'
seen atomic_sleep 'sleeping function called from invalid context'
seen active_object 'ODEBUG: free active'
seen use_after_free 'KASAN: slab-use-after-free'
runner_ok
