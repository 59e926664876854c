#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# While packets are queued, in flight, charged to buffers and paused, test that ports can be
# added and removed, links can go down and the module can be unloaded. Afterwards, no memory,
# no reference to a netdev and no paused port may be left.
#
#   sendroce ×8 ─ t1 ═══════ t2 ── t0 ── t3 ═══════ t4
#             (port) 40      (port)       (port) 20 Mbit/s
#
# On a slow machine, the links have a tenth of these rates, so that senders can fill the links.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/hops.sh"
. "$selftests/lib/memory.sh"

LOOPS=3
fast=40mbit slow=20mbit
[ -z "${KSFT_MACHINE_SLOW:-}" ] || fast=4mbit slow=2mbit

# configure DEV: configure the port DEV, which was just added
configure()
{
	case $1 in
	t1) obeys_pfc t1 && rdmafault link set t1 rate $fast delay 1ms jitter 200us ;;
	t2) lossless_hop && rdmafault link set t2 rate $fast delay 1ms ;;
	t3) rdmafault link set t3 rate $slow delay 1ms ;;
	esac
}

port_comes()
{
	tc qdisc add dev "$1" root rdmafault && configure "$1"
}

port_goes()
{
	tc qdisc del dev "$1" root
}

# Send as fast as possible, but let all other processes run first (lowest scheduling priority).
senders_start()
{
	{
		renice -n 19 -p "$BASHPID" >/dev/null
		send_each 100000000
	} &
	senders=$!
}

senders_end()
{
	pkill -x sendroce
	wait "$senders" 2>/dev/null
}

arrived()
{
	cat /sys/class/net/t4/statistics/rx_packets
}

# goes_on TITLE: test that packets still arrive. TITLE ends the name of the test.
goes_on()
{
	local before

	before=$(arrived)
	ok "traffic continues $1" wait_until "$soon" eval "[ \$(arrived) -gt $((before + 200)) ]"
}

# loaded: succeeds if packets are queued at t3 and charged to t2, and t1 is paused with packets
# in its queue
loaded()
{
	rdmafault --json prio show | jq -e '
		map({ (.netdev): .prio }) | add |
		any(.t3[]; .backlog > 0) and any(.t2[]; .buffer_used > 0) and
		any(.t1[]; .paused and .backlog > 0)'
}

not_paused()
{
	rdmafault --json prio show t1 | jq -e 'all(.[].prio[]; .paused | not)'
}

nothing_charged()
{
	[ "$(total t2 buffer_used)" = 0 ]
}

# When a port is removed, packets and pauses that depend on this port must be released.
ports_go_under_load_ok()
{
	senders_start
	ok "control: queues, a buffer and pauses are in use" wait_until 20 loaded
	ok "a port with queued packets (t3) can be removed" port_goes t3
	goes_on "without the port t3"
	ok "without t3, no packet is charged to the buffer of t2" wait_until "$soon" nothing_charged
	ok "without t3, t1 is not paused" wait_until "$soon" not_paused
	port_comes t3
	ok "control: t3 is added, and all is in use again" wait_until 20 loaded
	ok "a port to which packets are charged (t2) can be removed" port_goes t2
	goes_on "without the port t2"
	ok "without t2, t1 is not paused" wait_until "$soon" not_paused
	port_comes t2
	ok "control: t2 is added, and all is in use again" wait_until 20 loaded
	ok "a paused port (t1) can be removed" port_goes t1
	goes_on "without the port t1"
	port_comes t1
	ok "control: t1 is added, and all is in use again" wait_until 20 loaded
}

# link_flaps DEV: set DEV down and up; the other end of the link loses its carrier, too
link_flaps()
{
	ok "$1 can be set down under load" ip link set "$1" down
	ok "$1 can be set up again" ip link set "$1" up
	goes_on "after $1 was set up again"
	ok "all is in use after $1 was set up again" wait_until 20 loaded
}

links_go_down_ok()
{
	link_flaps t2
	link_flaps t3
	link_flaps t4
}

storms()
{
	rdmafault --json pause show |
		jq '[.[].prio[].storm | select(. != null and .running)] | length'
}

reset_ok()
{
	rdmafault rule add t3 tx qp 16 delay 20ms >/dev/null
	rdmafault pause t1 prio 5 storm forever persist
	rdmafault pause t2 prio 6 storm forever frames persist
	is "control: two storms run" "$(storms)" 2
	ok "reset succeeds under load" rdmafault reset
	is "reset stops all storms" "$(storms)" 0
	for dev in t1 t2 t3; do
		configure $dev
	done
	goes_on "after a reset"
	ok "all is in use after a reset" wait_until 20 loaded
}

# The last XOFF of the storm lasts 0.8 s at 40 Mbit/s.
a_storm_ends_with_its_port_ok()
{
	rdmafault pause t2 prio all storm forever frames persist
	ok "a port with a running storm can be removed" port_goes t2
	goes_on "after the port of a storm is removed"
	ok "t1 is not paused after the port of a storm is removed" wait_until "$soon" not_paused
	port_comes t2
}

all_empty()
{
	rdmafault --json prio show | jq -e '
		all(.[].prio[]; .backlog == 0 and .buffer_used == 0 and
			(.paused | not))'
}

it_drains_ok()
{
	senders_end
	ok "without traffic, all queues and buffers become empty and no port is paused" \
		wait_until 20 all_empty
}

# round PORT...: load the module, make and use the three ports, remove them in the order of the
# arguments, and unload the module
round()
{
	local dev

	modprobe rdmafault && port_comes t1 && port_comes t2 && port_comes t3 &&
		wait_until 20 loaded || return
	for dev; do
		port_goes "$dev" || return
	done
	modprobe -r rdmafault
}

rounds()
{
	local i order=(t1 t2 t3 t1 t2)

	for ((i = 0; i < $1; i++)); do
		round "${order[@]:i % 3:3}" || { echo "round $i"; return 1; }
	done
}

# A round has three ports. More than 100 packets of 8 KiB are in flight at each of them.
unload_under_load_ok()
{
	local before after

	for dev in t1 t2 t3; do
		port_goes $dev
	done
	modprobe -r rdmafault
	senders_start
	rounds 1 >/dev/null
	before=$(kernel_memory)
	ok "the module can be loaded, used and unloaded $LOOPS times, with ports removed in any order" rounds $LOOPS
	senders_end
	after=$(kernel_memory)
	if [ -e /sys/kernel/debug/kmemleak ]; then
		skip "kernel memory does not grow" "kmemleak finds leaks better"
	else
		ok "kernel memory does not grow ($((after - before)) KiB)" \
			[ $((after - before)) -lt 1000 ]
	fi
	ok "netdev t1 can be deleted: no reference is left" \
		timeout 10 ip link del t1
	ok "netdev t3 can be deleted: no reference is left" timeout 10 ip link del t3
}

# A storm holds packets of a queue pair, and the process that owns the queue pair is killed.
# rxe then continues to send, and waits until all packets of the queue pair are freed. After 50
# s, rxe stops waiting and frees the queue pair. A packet that the storm holds longer would use
# the freed queue pair.
held()
{
	rdmafault --json prio show v1 |
		jq -e 'any(.[].prio[]; .paused and .backlog > 0)'
}

gone()
{
	! pgrep -x ib_write_bw
}

hold_queue_pair()
{
	write_bw 2 1 -D 60 -s 65536 >/dev/null 2>&1 &
	traffic=$!
	ok "control, $1: packets are sent" wait_until 30 eval \
		'[ "$(port_stat v1 tx packets)" -gt 200 ]'
	rdmafault pause v1 prio 0 storm for 100s persist
	ok "control, $1: packets of a queue pair are held" wait_until "$soon" held
	pkill -9 -x ib_write_bw
}

queue_pair_ends_ok()
{
	fabric 2
	ports v1 v2
	rdmafault port set v1 max-hold "${KSFT_MACHINE_SLOW:+1}2s"
	hold_queue_pair "max-hold"
	ok "a killed process ends when its packets reach the max-hold" wait_until 25 gone
	wait $traffic
	ok "packets held for the max-hold are counted as expired" [ "$(prio_stat v1 0 expired)" -gt 0 ]
	rdmafault port del v1 --force
	rdmafault port add v1 >/dev/null
	hold_queue_pair "removal of the port"
	ok "a port with held packets can be removed" rdmafault port del v1 --force
	ok "a killed process ends when its port is removed" wait_until "$soon" gone
	wait $traffic
	rdmafault port del v2 --force
	ok "the module can be unloaded at the end" modprobe -r rdmafault
}

hops
configure t1
configure t2
configure t3
ports_go_under_load_ok
links_go_down_ok
reset_ok
a_storm_ends_with_its_port_ok
it_drains_ok
unload_under_load_ok
queue_pair_ends_ok
