#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that rdmafault prio shows the settings of priorities that were set, for one
# priority, several or all, and refuses invalid ones with an error that names the
# wrong word and the priority.
#
#   q1 (port) ======= q2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/queues.sh"

queue_ports q1 q2

# prio FILTER: prints the priority settings of q1 as JSON, filtered by jq
prio()
{
	rdmafault --json prio show q1 | jq -c ".[0] | $1"
}

is "a new port has strict priorities only" "$(prio '[.prio[].tsa] | unique')" \
	'["strict"]'
is "a new port maps a DSCP to priority DSCP / 8" \
	"$(prio '[.dscp_prio[0, 7, 8, 26, 63]]')" '[0,0,1,3,7]'
is "without a buffer a priority has no share" "$(prio '.prio[3].share')" null

ok "prio set accepts dscp-prio of two DSCPs" rdmafault prio set q1 dscp-prio 26:5 46:6
is "dscp-prio of two DSCPs changes these alone" "$(prio '[.dscp_prio[25, 26, 46]]')" '[3,5,6]'
ok "prio set accepts dscp-prio all" rdmafault prio set q1 dscp-prio all:2
is "dscp-prio all changes every DSCP" "$(prio '.dscp_prio | unique')" '[2]'
ok "prio set accepts prio-tsa and prio-bw" \
	rdmafault prio set q1 prio-tsa 0:ets 1:ets prio-bw 0:10 1:90
is "prio show returns prio-tsa and prio-bw" "$(prio '[.prio[0, 1, 2] | .tsa, .weight]')" \
	'["ets",10,"ets",90,"strict",1]'
ok "prio-limit accepts limits in bytes and packets" \
	rdmafault prio set q1 prio-limit 3:64KiB 3:100p \
	4:100kb
is "prio show returns limits in bytes and packets" \
	"$(prio '[.prio[3, 4] | .limit, .limit_bytes]')" \
	'[100,65536,10000,102400]'
ok "prio-limit accepts all:none" rdmafault prio set q1 prio-limit all:none
is "prio-limit all:none removes all limits in bytes" \
	"$(prio '[.prio[] | .limit_bytes] | unique')" '[null]'

ok "link set accepts a buffer" rdmafault link set q1 buffer 1m
ok "prio set accepts prio-pfc on with a headroom" \
	rdmafault prio set q1 prio-pfc 3:on prio-headroom 3:128k
is "a priority with PFC has by default a share and XOFF of buffer minus headroom" \
	"$(prio '.prio[3] | [.pfc, .share, .headroom, .xoff, .xon]')" \
	'[true,917504,131072,917504,458752]'
ok "prio set accepts prio-share, prio-xoff and prio-xon" \
	rdmafault prio set q1 prio-share 3:512k prio-xoff 3:256k \
	prio-xon 3:64k
is "prio show returns prio-share, prio-xoff and prio-xon" \
	"$(prio '.prio[3] | [.share, .xoff, .xon]')" '[524288,262144,65536]'
ok "prio-share, prio-xoff and prio-xon accept default" rdmafault prio set q1 prio-share 3:default \
	prio-xoff 3:default prio-xon 3:default
is "default computes share and XOFF from the buffer again" "$(prio '.prio[3] | [.share, .xoff]')" \
	'[917504,917504]'
ok "prio show prints the settings of a priority as one line" grep -Eq \
	'^ +3 strict +1 on +100p +- +896KiB +128KiB +896KiB +448KiB$' \
	<(rdmafault prio show q1)

before=$(rdmafault --json prio show)
refused_all "prio set q1" <<-END
	prio-pfc 8:on|prio-pfc 8:on: invalid; PRIO:on or PRIO:off; for example 3:on
	prio-pfc 3:yes|prio-pfc 3:yes: invalid; .*
	prio-pfc 3|prio-pfc 3: invalid; .*
	prio-pfc|prio-pfc: value missing; .*
	prio-pfc 3:on 4:maybe|prio-pfc 4:maybe: invalid; .*
	prio-tsa 3:wfq|prio-tsa 3:wfq: invalid; PRIO:strict or PRIO:ets; .*
	prio-bw 3:0|prio-bw 3:0: invalid; PRIO:N, N 1 to 100; .*
	prio-bw 3:101|prio-bw 3:101: invalid; .*
	prio-limit 3:0|prio-limit 3:0: invalid; .*
	prio-limit 3:0p|prio-limit 3:0p: invalid; .*
	prio-limit 3:p|prio-limit 3:p: invalid; .*
	prio-limit 3:100001p|prio-limit 3:100001p: invalid; .* 1p to 100000p, .*
	prio-share 3:0|prio-share 3:0: invalid; .*
	prio-xoff 9:1k|prio-xoff 9:1k: invalid; .*
	prio-xon 3:-1|prio-xon 3:-1: invalid; .*
	dscp-prio 64:3|dscp-prio 64:3: invalid; DSCP:PRIO, DSCP 0 to 63 or all, .*
	dscp-prio 26:8|dscp-prio 26:8: invalid; .*
	dscp-prio 26|dscp-prio 26: invalid; .*
	prio-cell 3:1|unknown word "prio-cell"; .*
	prio-xoff 3:100k prio-xon 3:101k|q1: prio 3: xon: greater than xoff
	prio-xoff 3:897k|q1: prio 3: xoff: greater than the share
	prio-headroom 3:1025k|q1: prio 3: headroom: greater than the buffer of the port
	prio-share 4:897k|q1: prio 4: share: greater than the buffer
END
refused "a buffer smaller than the headroom of its priorities is refused" \
	"^rdmafault: q1: headroom: greater than the buffer" rdmafault link set q1 buffer 100k
refused "prio set without a setting is refused" "^rdmafault: prio set: setting missing; dscp-prio, " \
	rdmafault prio set q1
refused "prio show of a netdev that is no port is refused" "^rdmafault: lo: not a port" \
	rdmafault prio show lo
is "refused prio commands change no setting" "$(rdmafault --json prio show)" "$before"
