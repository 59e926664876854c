#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rdmafault prio: what is told of priorities comes back, one by one, several at
# once and all; and what can't be meant is refused by the word and the priority
# that are wrong.
#
#   q1 (port) ======= q2 (port)
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/queues.sh"

queue_ports q1 q2

# prio FILTER: of what q1 has been told
prio()
{
	rdmafault --json prio show q1 | jq -c ".[0] | $1"
}

is "a new port: eight strict priorities" "$(prio '[.prio[].tsa] | unique')" \
	'["strict"]'
is "the map of DSCPs" "$(prio '[.dscp_prio[0, 7, 8, 26, 63]]')" '[0,0,1,3,7]'
is "no share has an end without a buffer" "$(prio '.prio[3].share')" null

ok "the map, line by line" rdmafault prio set q1 dscp-prio 26:5 46:6
is "comes back" "$(prio '[.dscp_prio[25, 26, 46]]')" '[3,5,6]'
ok "and whole" rdmafault prio set q1 dscp-prio all:2
is "comes back" "$(prio '.dscp_prio | unique')" '[2]'
ok "service" rdmafault prio set q1 prio-tsa 0:ets 1:ets prio-bw 0:10 1:90
is "comes back" "$(prio '[.prio[0, 1, 2] | .tsa, .weight]')" \
	'["ets",10,"ets",90,"strict",1]'
ok "limits in bytes and packets" rdmafault prio set q1 prio-limit 3:64KiB 3:100p \
	4:100kb
is "come back" "$(prio '[.prio[3, 4] | .limit, .limit_bytes]')" \
	'[100,65536,10000,102400]'
ok "none takes the limit in bytes back" rdmafault prio set q1 prio-limit all:none
is "of all" "$(prio '[.prio[] | .limit_bytes] | unique')" '[null]'

ok "a buffer" rdmafault link set q1 buffer 1m
ok "lossless" rdmafault prio set q1 prio-pfc 3:on prio-headroom 3:128k
is "shares all of the buffer but the headroom, and XOFF comes when that is full" \
	"$(prio '.prio[3] | [.pfc, .share, .headroom, .xoff, .xon]')" \
	'[true,917504,131072,917504,458752]'
ok "thresholds" rdmafault prio set q1 prio-share 3:512k prio-xoff 3:256k \
	prio-xon 3:64k
is "come back" "$(prio '.prio[3] | [.share, .xoff, .xon]')" '[524288,262144,65536]'
ok "default takes them back" rdmafault prio set q1 prio-share 3:default \
	prio-xoff 3:default prio-xon 3:default
is "to what follows from the buffer" "$(prio '.prio[3] | [.share, .xoff]')" \
	'[917504,917504]'
ok "text says the same" grep -Eq \
	'^ +3 strict +1 on +100p +- +896KiB +128KiB +896KiB +448KiB$' \
	<(rdmafault prio show q1)

before=$(rdmafault --json prio show)
all="PRIO of 0 to 7 or all"
refused_all "prio set q1" <<-END
	prio-pfc 8:on|prio-pfc: want $all:on or off, as 3:on, got "8:on"
	prio-pfc 3:yes|prio-pfc: want .*, got "3:yes"
	prio-pfc 3|prio-pfc: want .*, got "3"
	prio-pfc|prio-pfc: want .*, got nothing
	prio-pfc 3:on 4:maybe|prio-pfc: want .*, got "4:maybe"
	prio-tsa 3:wfq|prio-tsa: want $all:strict or ets, .*, got "3:wfq"
	prio-bw 3:0|prio-bw: want $all:weight of 1 to 100, .*, got "3:0"
	prio-bw 3:101|prio-bw: want .*, got "3:101"
	prio-limit 3:0|prio-limit: want .*, got "3:0"
	prio-limit 3:0p|prio-limit: want .*, got "3:0p"
	prio-limit 3:p|prio-limit: want .*, got "3:p"
	prio-limit 3:100001p|prio-limit: want .* 1p to 100000p, .*, got "3:100001p"
	prio-share 3:0|prio-share: want .*, got "3:0"
	prio-xoff 9:1k|prio-xoff: want .*, got "9:1k"
	prio-xon 3:-1|prio-xon: want .*, got "3:-1"
	dscp-prio 64:3|dscp-prio: want DSCP of 0 to 63 or all:PRIO of 0 to 7, .*, got "64:3"
	dscp-prio 26:8|dscp-prio: want .*, got "26:8"
	dscp-prio 26|dscp-prio: want .*, got "26"
	prio-cell 3:1|want a word of dscp-prio, .*, got "prio-cell"
	prio-xoff 3:100k prio-xon 3:101k|q1: prio 3: xon: above xoff
	prio-xoff 3:897k|q1: prio 3: xoff: above the share
	prio-headroom 3:1025k|q1: prio 3: headroom: beyond the buffer of the port
	prio-share 4:897k|q1: prio 4: share: beyond the buffer
END
refused "a buffer smaller than the headroom in it" \
	"^rdmafault: q1: headroom: beyond the buffer" rdmafault link set q1 buffer 100k
refused "nothing told" "^rdmafault: usage: rdmafault prio set DEV" \
	rdmafault prio set q1
refused "no port" "^rdmafault: lo: is no port" rdmafault prio show lo
is "nothing of this changed anything" "$(rdmafault --json prio show)" "$before"
