#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does the debug kernel see what is planted in it? Afterwards its log is sick, so
# scripts/check --debug gives it boots of its own. PLANT is the module.
#
#   run.sh [BUG]
#
# Lockdep turns itself off at its first report about locks. So a boot has one bug
# of those: BUG and nothing else, or lock_order among all others.
. "$(dirname "$0")/../../lib/lib.sh"
. "$selftests/../scripts/lib/sicklog.sh"
. "$selftests/lib/lockdep.sh"

plant()
{
	dmesg --clear
	insmod "$PLANT" what="$1"
	rmmod plant
}

# seen BUG WORDS: its line is one of those that fail a run
seen()
{
	plant "$1"
	ok "$1 is seen" grep -q "$2" <(dmesg | sick_lines)
}

# The runner looks for leaks, and at lockdep, behind the last test.
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
	ok "leak is seen" grep -q 'unreferenced object' "$tmp/run"
	ok "lockdep that is off fails the run" \
		grep -q '^not ok - lockdep turned itself off' "$tmp/run"
}

if [ $# -gt 0 ]; then
	seen "$1" 'BUG: Invalid wait context'
	exit
fi
seen rcu 'suspicious RCU usage'
is "lockdep works" "$(debug_locks)" 1
seen lock_order 'possible circular locking'
seen shift 'UBSAN: shift-out-of-bounds'
seen atomic_sleep 'sleeping function called from invalid context'
seen active_object 'ODEBUG: free active'
seen use_after_free 'KASAN: slab-use-after-free'
runner_ok
