#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does the debug kernel see what is planted in it? Afterwards its log is sick, so
# scripts/check --debug gives it a boot of its own. PLANT is the module.
. "$(dirname "$0")/../../lib/lib.sh"
. "$selftests/../scripts/lib/sicklog.sh"
. "$selftests/lib/leaks.sh"

plant()
{
	dmesg --clear
	insmod "$PLANT" what="$1"
	rmmod plant
}

# seen FLAW WORDS: its line is one of those that fail a run
seen()
{
	plant "$1"
	ok "$1 is seen" grep -q "$2" <(dmesg | sick_lines)
}

# After its first word about locks lockdep has no second, nor any after KASAN's
seen rcu 'suspicious RCU usage'
seen lock_order 'possible circular locking'
seen shift 'UBSAN: shift-out-of-bounds'
seen atomic_sleep 'sleeping function called from invalid context'
seen active_object 'ODEBUG: free active'
seen use_after_free 'KASAN: slab-use-after-free'
leaks_forget
plant leak
ok "leak is seen" grep -q 'unreferenced object' <(leaks)
