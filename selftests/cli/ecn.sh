#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that rdmafault ecn shows the ECN profile that was set, and refuses invalid
# profiles with an error that names the wrong word.
#
#   e1 (port) ======= e2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/queues.sh"

queue_ports e1 e2

# ecn FILTER: prints the ECN settings of e1 as JSON, filtered by jq
ecn()
{
	rdmafault --json ecn show e1 | jq -c ".[0] | $1"
}

is "a new port has no ECN profile" "$(ecn '[.prio[].enabled] | unique')" '[false]'
is "ecn show prints nothing for a new port" "$(rdmafault ecn show e1)" ""
ok "ecn set accepts all words of a profile" \
	rdmafault ecn set e1 prio 3 kmin 64KiB kmax 256k pmax 12.5% weight 4 \
	phantom 9.5gbit ect ect0 not-ect drop
is "ecn show --json returns the profile that was set" \
	"$(ecn '.prio[3] | [.enabled, .kmin, .kmax, .pmax, .weight,
	.phantom, .ect, .not_ect]')" \
	'[true,65536,262144,0.125,4,9500000000,"ect0","drop"]'
is "ecn show prints the profile in the words of ecn set" "$(rdmafault ecn show e1)" \
	"e1 prio 3 kmin 64KiB kmax 256KiB pmax 12.5% weight 4 phantom 9.5gbit ect ect0 not-ect drop"
is "ecn set prio 3 enables no other priority" "$(ecn '[.prio[] | select(.enabled) | .prio]')" '[3]'
ok "ecn set accepts one word of a profile" rdmafault ecn set e1 prio 3 phantom none
is "ecn set of one word leaves the other words" "$(ecn '.prio[3] | [.kmin, .phantom, .not_ect]')" \
	'[65536,null,"drop"]'
ok "ecn set accepts several priorities" rdmafault ecn set e1 prio 0,7 kmax 1k
is "ecn set of several priorities enables each" \
	"$(ecn '[.prio[] | select(.enabled) | .prio]')" '[0,3,7]'
ok "ecn set off accepts all priorities" rdmafault ecn set e1 prio all off
is "ecn set prio all off disables all priorities" "$(ecn '[.prio[].enabled] | unique')" '[false]'
is "ecn set off keeps the profile" "$(ecn '.prio[3].kmax')" 262144
rdmafault ecn set e1 prio 3 kmin 64k

before=$(rdmafault --json ecn show)
size="0 to 1TiB, for example 100kb"
refused_all "ecn set e1" <<-END
	prio 8 kmax 1k|prio 8: out of range; 0 to 7, several with commas, or all
	prio 3, kmax 1k|prio 3,: invalid; 0 to 7
	prio 3 kmin 9k kmax 8k|e1: prio 3: kmin: greater than kmax
	prio 3 kmin 300k|e1: prio 3: kmin: greater than kmax
	prio 4 pmax 10%|e1: prio 4: kmax: missing
	prio 3 kmin -1|kmin -1: invalid; $size
	prio 3 kmax 2000g|kmax 2000g: invalid; $size
	prio 3 pmax 101%|pmax 101%: invalid; 0% to 100%, or a fraction up to 0.5, for example 20% or 0.2
	prio 3 weight 32|weight 32: out of range; 0 to 31
	prio 3 phantom 0|phantom 0: unit missing; none or 1mbit to 10tbit
	prio 3 ect both|ect both: invalid; any, ect0 or ect1
	prio 3 not-ect ce|not-ect ce: invalid; leave, mark or drop
	prio 3 off kmax 1k|off: cannot be combined with other words
	prio 3 kmed 1k|unknown word "kmed"; did you mean "kmin"\?
	prio 3|ecn set: setting missing; off, kmin, kmax, pmax, weight, phantom, ect, not-ect
	kmax 1k kmin 0|unexpected "kmax"; the first words after the port must be prio PRIO, for example prio 3
END
refused "ecn set of a netdev that is no port is refused" \
	"^rdmafault: lo: not a port" rdmafault ecn set lo prio 3 kmax 1k
is "refused ecn commands change no setting" "$(rdmafault --json ecn show)" "$before"
