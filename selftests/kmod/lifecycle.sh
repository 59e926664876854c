#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that loading and unloading the module, and adding and deleting ports, with rules
# and under traffic, leave nothing behind: no memory, no netdev reference, no line in
# the kernel's log (which the runner reads after each test).
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/frames.sh"
. "$selftests/lib/memory.sh"

# A debug kernel is slow, but kmemleak finds a leak there after a few rounds.
loops=50
[ -z "${KSFT_MACHINE_SLOW:-}" ] || loops=10

defer ip link del t1

loaded()
{
	grep -q '^rdmafault ' /proc/modules
}

# Give the ports a hundred flows, two rules, a storm and a configured link.
fill()
{
	rdmafault link set t1 rate 1gbit delay 1ms jitter 1ms buffer 1MiB &&
	rdmafault prio set t1 prio-pfc 3:on prio-headroom 3:128KiB &&
	rdmafault ecn set t1 prio all kmin 10KiB kmax 100KiB pmax 50% &&
	rdmafault pause t1 watchdog prio all &&
	rdmafault pause t1 prio 0,3 storm forever frames persist &&
	rdmafault pause t2 prio 0,3 storm forever persist &&
	rdmafault rule add t1 tx class write attempt 1 observe >/dev/null &&
	rdmafault rule add t2 rx class write attempt 1 observe >/dev/null &&
	sendframe t1 <"$frames"
}

# both_ports add|del [KIND]
both_ports()
{
	printf 'qdisc %s dev %s root %s\n' "$1" t1 "${2:-}" "$1" t2 "${2:-}" |
		tc -batch -
}

# round [COMMAND]: load the module, add both ports, run the command, delete the ports, and
# unload the module
round()
{
	modprobe rdmafault &&
	both_ports add rdmafault &&
	"${1:-true}" &&
	both_ports del &&
	modprobe -r rdmafault
}

# rounds COUNT: call round() COUNT times; in every fifth round, fill() is called while the ports
# exist
rounds()
{
	local i

	for ((i = 0; i < $1; i++)); do
		round "$( ((i % 5)) || echo fill)" ||
			{ echo "round $i"; return 1; }
	done
}

loop_leaves_nothing_ok()
{
	local before after qp

	frames=$(mktemp)
	defer rm "$frames"
	for ((qp = 16; qp < 116; qp++)); do
		roce4 7 $qp 100
	done >"$frames"
	ip link add t1 type veth peer name t2
	ip link set t1 up
	ip link set t2 up

	modprobe -r rdmafault 2>/dev/null
	rounds 5 >/dev/null
	before=$(kernel_memory)
	ok "loading, attaching, detaching and unloading succeed $loops times" rounds $loops
	after=$(kernel_memory)
	# In ten of fifty rounds the ports get flows, altogether 2000. A flow takes more than 1
	# KiB of memory, so a leak of all flows would exceed the limit.
	if [ -e /sys/kernel/debug/kmemleak ]; then
		skip "kernel memory does not grow" "kmemleak is more precise"
	else
		ok "kernel memory grows by less than 400 KiB ($((after - before)) KiB)" \
			[ $((after - before)) -lt 400 ]
	fi
	ok "the netdevs can be deleted: no reference is left" timeout 10 ip link del t1
}

in_use_fails()
{
	ip link add t1 type veth peer name t2
	tc qdisc add dev t1 root rdmafault
	refused "unloading the module while a port exists is refused" "in use" \
		modprobe -r rdmafault
	rdmafault rule add t1 tx qp 5 observe >/dev/null
	ok "a netdev with a port and rules can be deleted" timeout 10 ip link del t1
	ok "the module can be unloaded after its last netdev is deleted" modprobe -r rdmafault
}

# Prints the memory that a port needs, in KiB. It is the mean of many ports, because
# the rest of the kernel allocates memory at the same time.
port_kib()
{
	local before after i pairs=20

	for ((i = 0; i < pairs; i++)); do
		ip link add "m$i" type veth peer name "n$i"
	done
	before=$(kernel_memory)
	for ((i = 0; i < pairs; i++)); do
		tc qdisc add dev "m$i" root rdmafault
		tc qdisc add dev "n$i" root rdmafault
	done
	after=$(kernel_memory)
	for ((i = 0; i < pairs; i++)); do
		ip link del "m$i"
	done
	echo $(((after - before) / pairs / 2))
}

footprint_ok()
{
	local module port

	if [ -e /sys/kernel/debug/kmemleak ]; then
		skip "module and a port are under 512 KiB" "a debug kernel uses more memory"
		return
	fi
	modprobe rdmafault
	module=$(awk '$1 == "rdmafault" { print $2 }' /proc/modules)
	port=$(port_kib)
	ok "module ($module bytes) and a port without rules ($port KiB) are under 512 KiB" \
		[ "$port" -gt 0 -a $((module + port * 1024)) -lt 524288 ]
}

namespaces_ok()
{
	ip netns add rf-test
	defer ip netns del rf-test
	ip link add t1 type veth peer name t2
	tc qdisc add dev t1 root rdmafault
	rdmafault rule add t1 tx qp 5 observe >/dev/null
	is "a port is invisible from another namespace" \
		"$(ip netns exec rf-test rdmafault --json port show | jq length)" 0
	ok "reset in a namespace without ports succeeds" ip netns exec rf-test rdmafault reset
	is "reset in one namespace leaves the rules of another" \
		"$(rdmafault --json rule show t1 | jq length)" 1
	ip link set t1 netns rf-test
	is "a netdev that moves to another namespace loses its port" \
		"$(rdmafault --json port show | jq length)" 0
	ip netns exec rf-test ip link del t1
}

has_rules()
{
	[ "$(rdmafault --json rule show t1 | jq length)" = "$1" ]
}

leases_ok()
{
	ip link add t1 type veth peer name t2
	tc qdisc add dev t1 root rdmafault
	rdmafault rule add t1 tx qp 5 observe -- sleep 60 >/dev/null 2>&1 &
	ok "a leased rule exists while its command runs" \
		wait_until "$soon" has_rules 1
	kill -9 $!
	wait $! 2>/dev/null
	ok "a leased rule ends when rdmafault is killed" wait_until "$soon" has_rules 0
	ok "the command of a leased rule ends when rdmafault is killed" \
		wait_until "$soon" eval '! pgrep -f "^sleep 60"'
	rdmafault rule add t1 tx qp 5 observe >/dev/null
	is "a persistent rule stays when rdmafault ends" \
		"$(rdmafault --json rule show t1 | jq length)" 1
	rdmafault reset
	is "reset deletes a persistent rule" "$(rdmafault --json rule show t1 | jq length)" 0
	ip link del t1
}

moved()
{
	[ "$(port_stat v1 tx packets)" -gt "$1" ]
}

under_traffic_ok()
{
	local traffic

	fabric 2
	ports v1 v2
	rdmafault rule add v1 tx class write nth 50 drop >/dev/null
	rdmafault rule add v1 tx attempt 2+ observe >/dev/null
	rdmafault rule add v2 rx attempt 2+ observe >/dev/null
	# The traffic must last until it is ended below.
	write_bw 2 1 -D 40 -s 65536 -u 17 -Q 1 >/dev/null 2>&1 &
	traffic=$!
	ok "more than 100 packets of perftest pass the port" wait_until 20 moved 100
	ok "rules can be deleted under traffic" rdmafault rule flush v1
	ok "rules can be added under traffic" \
		rdmafault rule add v1 tx attempt 2+ observe
	ok "the sending port can be deleted under traffic" rdmafault port del v1 --force
	ok "the receiving port can be deleted under traffic" rdmafault port del v2 --force
	ok "the module can be unloaded under traffic" modprobe -r rdmafault
	is "/proc/modules does not list the unloaded module" "$(loaded && echo there)" ""
	pkill -x ib_write_bw
	wait $traffic || :
}

loop_leaves_nothing_ok
in_use_fails
footprint_ok
namespaces_ok
leases_ok
under_traffic_ok
