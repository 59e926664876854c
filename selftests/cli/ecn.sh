#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rdmafault ecn: the ECN profile of a priority comes back as it was told, and what
# can't be meant is refused by the word that is wrong.
#
#   e1 (port) ======= e2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/queues.sh"

queue_ports e1 e2

# ecn FILTER: of what e1 has been told
ecn()
{
	rdmafault --json ecn show e1 | jq -c ".[0] | $1"
}

is "a new port marks nothing" "$(ecn '[.prio[].enabled] | unique')" '[false]'
is "and shows nothing" "$(rdmafault ecn show e1)" ""
ok "an ECN profile" rdmafault ecn set e1 prio 3 kmin 64KiB kmax 256k pmax 12.5% weight 4 \
	phantom 9.5gbit ect ect0 not-ect drop
is "comes back" "$(ecn '.prio[3] | [.enabled, .kmin, .kmax, .pmax, .weight,
	.phantom, .ect, .not_ect]')" \
	'[true,65536,262144,0.125,4,9500000000,"ect0","drop"]'
is "and in the words that tell it" "$(rdmafault ecn show e1)" \
	"e1 prio 3 kmin 64KiB kmax 256KiB pmax 12.5% weight 4 phantom 9.5gbit ect ect0 not-ect drop"
is "of this priority alone" "$(ecn '[.prio[] | select(.enabled) | .prio]')" '[3]'
ok "one word" rdmafault ecn set e1 prio 3 phantom none
is "leaves the others alone" "$(ecn '.prio[3] | [.kmin, .phantom, .not_ect]')" \
	'[65536,null,"drop"]'
ok "several priorities" rdmafault ecn set e1 prio 0,7 kmax 1k
is "at once" "$(ecn '[.prio[] | select(.enabled) | .prio]')" '[0,3,7]'
ok "off" rdmafault ecn set e1 prio all off
is "for all" "$(ecn '[.prio[].enabled] | unique')" '[false]'
is "keeps the profile for the next time" "$(ecn '.prio[3].kmax')" 262144
rdmafault ecn set e1 prio 3 kmin 64k

before=$(rdmafault --json ecn show)
size="want a size of up to 1TiB, as 100kb, got"
refused_all "ecn set e1" <<-END
	prio 8 kmax 1k|prio: want 0 to 7, with commas, or all, got "8"
	prio 3, kmax 1k|prio: want .*, got "3,"
	prio 3 kmin 9k kmax 8k|e1: prio 3: kmin: above kmax
	prio 3 kmin 300k|e1: prio 3: kmin: above kmax
	prio 4 pmax 10%|e1: prio 4: kmax: missing
	prio 3 kmin -1|kmin: $size "-1"
	prio 3 kmax 2000g|kmax: $size "2000g"
	prio 3 pmax 101%|pmax: want 0% to 100%, as 20% or 0.2, got "101%"
	prio 3 weight 32|weight: want 0 to 31, got "32"
	prio 3 phantom 0|phantom: want none or 1mbit to 10tbit, got "0"
	prio 3 ect both|ect: want any, ect0 or ect1, got "both"
	prio 3 not-ect ce|not-ect: want leave, mark or drop, got "ce"
	prio 3 off kmax 1k|off: want it alone, got other words
	prio 3 kmed 1k|want a word of off, kmin, .*, got "kmed"
	prio 3|usage: rdmafault ecn set DEV
	kmax 1k kmin 0|usage: rdmafault ecn set DEV
END
refused "no port" "^rdmafault: lo: is no port" rdmafault ecn set lo prio 3 kmax 1k
is "nothing of this changed anything" "$(rdmafault --json ecn show)" "$before"
