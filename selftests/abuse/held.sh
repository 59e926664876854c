#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Queue pairs whose packets are held by a delay, or wait because of a storm, are
# destroyed, or their process is killed; reset, the module's unloading and the
# netdev's end let them go. rxe waits for a queue pair until nobody holds a packet of it, and
# after 50 s frees it all the same, so it must be gone well before.
#
#   rcprobe rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2 rcprobe
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

bound=25	# seconds; an emulated machine may be late, but not that late
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

# begin HOW CAP: a queue pair whose packets are held; it goes on sending for half a
# minute
begin()
{
	ports_up "$2"
	"$1" "$2"
	exec {order}> >(exec rcprobe rxe1 rxe2 leave 1 16384 0 20 >"$tmp/out" 2>&1)
	probe=$!
	ok "$words: a queue pair has packets on their way" wait_until 30 posted
	ok "$words: they are held" wait_until 10 holding
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

# ends: the queue pair is gone in time, and the ports can go
ends()
{
	ok "$words: the queue pair is gone" wait_until $((2 * bound)) gone
	ok "$words: that took $((SECONDS - since)) s, at most $bound" \
		[ $((SECONDS - since)) -le $bound ]
	exec {order}>&-
	# The test may have ended them
	ports_down 2>/dev/null || :
}

destroyed_ok()
{
	words="destroyed, $1, the max-hold lets it go"
	begin "$1" 5s
	echo >&"$order"
	ends
	ok "$words: destroying it succeeded: $(tail -n 1 "$tmp/out")" \
		grep -q '^destroyed=' "$tmp/out"
}

killed_ok()
{
	words="killed, $1, the max-hold lets it go"
	begin "$1" 5s
	kill -KILL "$probe"
	ends
}

# What ends the hold before the max-hold does
released_ok()
{
	local how=$1

	shift
	words="killed, $how, $*"
	begin "$how" 20s
	kill -KILL "$probe"
	ok "$words: it is done" "$@"
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
