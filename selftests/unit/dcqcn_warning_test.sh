#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that rdmafault validate warns about a lowest rate of DCQCN at which 64 packets take longer than
# the retransmission timer of the job. Rates and timers that fit are the controls.
. "$(dirname "$0")/../lib/lib.sh"

bin=${BIN:-$selftests/../build/bin}
tmp=$(mktemp -d)
defer rm -r "$tmp"

# warning DCQCN TIMEOUT [CASE-KEY]: print the warning about a scenario with these settings, and with
# this key in its second and third case
warning()
{
	cat >"$tmp/x.yaml" <<-END
		name: x
		title: X
		fabric: {nodes: 2, rate: 20mbit}
		workload: {collective: sendrecv, ranks: 2, size: 4KiB, steps: 5}
		qp: {timeout: $2}
		dcqcn: $1
		cases:
		  - {name: clean, dcqcn: "off"}
		  - {name: first${3:+, $3}}
		  - {name: again${3:+, $3}}
	END
	"$bin/rdmafault" -q validate "$tmp/x.yaml" 2>&1 | sed "s|.*/x.yaml: case first: ||"
}

slow="np on rp on scale 2000 min-rate 2gbit"

# 64 packets of 4096 + 60 + 14 + 24 bytes at 1 Mbit/s take 2.1473 s; 4.096 us * 2^19 = 2.1475 s.
is "64 packets that take longer than the timer are warned about once" "$(warning "$slow" 18)" \
	"dcqcn: v1: min-rate 2gbit with scale 2000: 64 packets take 2.15 s, more than the retransmission timer, 1.07 s (timeout 18), so packets that wait are sent again; raise min-rate, or qp: timeout 19"
is "with this timeout there is no warning" "$(warning "$slow" 19)" ""
is "with twice the rate there is no warning" "$(warning "${slow/2gbit/4gbit}" 18)" ""
is "without a reaction point there is no warning" "$(warning "${slow/rp on/rp off}" 18)" ""
is "without DCQCN in the cases there is no warning" "$(warning "$slow" 18 "dcqcn: 'off'")" ""
is "shorter packets take less time" "$(warning "$slow" 18 "qp: {mtu: 1024}")" ""
is "a fault can lower the rate of one port" \
	"$(warning "${slow/2gbit/4gbit}" 18 "faults: [{do: dcqcn set v2 min-rate 2gbit, at: 1ms}]" |
		cut -d: -f 1-3)" "dcqcn: v2: min-rate 2gbit with scale 2000"
