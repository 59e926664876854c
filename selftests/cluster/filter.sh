#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test a port on a NIC that filters group addresses: it receives pause frames as long as the port
# obeys PFC, and no longer. The NIC of a virtual machine filters; veth does not.
#
#   vm1  tcpdump - eth0 (port) == eth0 - sendframe  vm2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/pfc.sh"
. "$selftests/lib/capture.sh"

command -v on >/dev/null || skip_all "two machines are needed: scripts/vm run --machines 2"
tmp=$(mktemp -d)
defer rm -r "$tmp"

# captured TYPE: prints the number of captured frames with the EtherType TYPE
captured()
{
	tcpdump -r "$tmp/frames" -n "ether proto $1" 2>/dev/null | wc -l
}

has_marker()
{
	[ "$(captured 0x88b5)" = 1 ]
}

# xoffs: vm2 sends an XOFF for priority 3, and then a broadcast frame; prints how many XOFFs have
# arrived before the broadcast frame. The capture does not change the filter (-p).
xoffs()
{
	capture_begin "$tmp/log" -p --immediate-mode -U -i eth0 -Q in -w "$tmp/frames" \
		'ether proto 0x8808 or ether proto 0x88b5'
	on vm2 "PATH=$PATH; printf '%s\n' $(pfc 8 0 0 0 65535) $marker | sendframe eth0"
	wait_until "$soon" has_marker
	capture_end
	captured 0x8808
}

marker=ffffffffffff02000000000188b5$(zeros 46)
defer rdmafault port del eth0 --force
rdmafault port add eth0 --force >/dev/null
is "control: without PFC, the NIC does not receive an XOFF" "$(xoffs)" 0
rdmafault prio set eth0 prio-pfc 3:on
is "with PFC, the NIC receives an XOFF" "$(xoffs)" 1
is "the port counts the XOFF and obeys it" \
	"$(prio_stat eth0 3 xoff_rx) $(prio_stat eth0 3 pauses)" "1 1"
rdmafault prio set eth0 prio-pfc 4:on
rdmafault prio set eth0 prio-pfc 3:off
is "with PFC for another priority only, the NIC receives an XOFF" "$(xoffs)" 1
rdmafault prio set eth0 prio-pfc all:off
is "without PFC again, the NIC does not receive an XOFF" "$(xoffs)" 0
rdmafault prio set eth0 prio-pfc 3:on
rdmafault port del eth0 --force
is "after the end of the port, the NIC does not receive an XOFF" "$(xoffs)" 0
