#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that a queue pair can be destroyed, or its process killed, while a delay or a
# storm holds its packets, and that reset, unloading the module and deleting the netdev
# release the packets. rxe waits until no packet of the queue pair is left, but after 50 s it
# frees the queue pair in any case. So the packets must be released well before.
#
#   rcprobe rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2 rcprobe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

bound=25	# seconds; more than a slow emulated machine needs
tmp=$(mktemp -d)
defer rm -r "$tmp"

by_delay()
{
	rdmafault rule add v1 tx class write delay "$1" >/dev/null
}

by_storm()
{
	rdmafault pause v1 prio 0 storm for 100s persist
}

holding()
{
	[ "$(port_stat v1 tx held)" -gt 0 ] ||
		[ "$(prio_stat v1 0 backlog)" -gt 0 ]
}

posted()
{
	grep -q posted "$tmp/out"
}

# begin FUNCTION MAX-HOLD: start a process whose queue pair sends for half a minute.
# FUNCTION makes the port hold these packets, for at most MAX-HOLD.
begin()
{
	ports_up "$2"
	"$1" "$2"
	exec {order}> >(exec rcprobe rxe1 rxe2 leave 1 16384 0 20 >"$tmp/out" 2>&1)
	probe=$!
	ok "$words: the process has posted its requests" wait_until 30 posted
	ok "$words: the port holds packets" wait_until 10 holding
	since=$SECONDS
}

ports_up()
{
	local dev

	for dev in v1 v2; do
		rdmafault port add $dev >/dev/null
		rdmafault port set $dev max-hold "$1"
	done
}

ports_down()
{
	rdmafault port del v1 --force && rdmafault port del v2 --force
}

gone()
{
	! kill -0 "$probe" && [ "$(rdma -j resource show qp | jq '[.[] |
		select(.type == "RC")] | length')" = 0 ]
}

# ends: test that the queue pair disappears in time, then delete the ports
ends()
{
	ok "$words: the queue pair disappears" wait_until $((2 * bound)) gone
	ok "$words: the queue pair disappears within $bound s ($((SECONDS - since)) s)" \
		[ $((SECONDS - since)) -le $bound ]
	exec {order}>&-
	# Delete the ports, unless the test has deleted them already.
	ports_down 2>/dev/null || :
}

destroyed_ok()
{
	words="queue pair destroyed, packets held $1, released by the max-hold"
	begin "$1" 5s
	echo >&"$order"
	ends
	ok "$words: destroying the queue pair succeeds ($(tail -n 1 "$tmp/out"))" \
		grep -q '^destroyed=' "$tmp/out"
}

killed_ok()
{
	words="process killed, packets held $1, released by the max-hold"
	begin "$1" 5s
	kill -KILL "$probe"
	ends
}

# released_ok FUNCTION COMMAND...: test that the command releases the packets before the
# max-hold
released_ok()
{
	local how=$1

	shift
	words="process killed, packets held $how, released by $*"
	begin "$how" 20s
	kill -KILL "$probe"
	ok "$words: the command succeeds" "$@"
	ends
}

module_goes()
{
	ports_down && modprobe -r rdmafault && ! grep -q '^rdmafault ' /proc/modules
}

netdev_goes()
{
	timeout 60 ip link del v1
}

fabric 2
destroyed_ok by_delay
released_ok by_delay rdmafault reset
destroyed_ok by_storm
killed_ok by_storm
released_ok by_storm module_goes
released_ok by_storm netdev_goes
