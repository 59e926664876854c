#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ports come and go, links go down and the module is unloaded while packets wait
# in queues, lie on wires, are charged to buffers and are held by pauses. Nothing
# stays behind: no memory, no netdev that somebody holds, no port that is paused.
#
#   sendroce ×8 ─ t1 ═══════ t2 ── t0 ── t3 ═══════ t4
#             (port) 40      (port)       (port) 20 Mbit/s
#
# On a slow machine links have a tenth of that, so that senders can fill them.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/hops.sh"
. "$selftests/lib/memory.sh"

LOOPS=3
fast=40mbit slow=20mbit
[ -z "${KSFT_MACHINE_SLOW:-}" ] || fast=4mbit slow=2mbit

# told DEV: what its port is told, whenever it comes
told()
{
	case $1 in
	t1) obeys_pfc t1 && rdmafault link set t1 rate $fast delay 1ms jitter 200us ;;
	t2) lossless_hop && rdmafault link set t2 rate $fast delay 1ms ;;
	t3) rdmafault link set t3 rate $slow delay 1ms ;;
	esac
}

port_comes()
{
	tc qdisc add dev "$1" root rdmafault && told "$1"
}

port_goes()
{
	tc qdisc del dev "$1" root
}

# As fast as they can, where no port makes them wait, but not in the way of
# others.
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

# goes_on WORDS: packets arrive from now on
goes_on()
{
	local before

	before=$(arrived)
	ok "$1: traffic goes on" wait_until "$soon" eval "[ \$(arrived) -gt $((before + 200)) ]"
}

# All that can be in the way of an end is there: packets wait at t3 and are
# charged to t2, which has paused t1, and more wait there.
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

# Who must be let go when a port isn't there any more?
ports_go_under_load_ok()
{
	senders_start
	ok "queues, a buffer and pauses are in use" wait_until 20 loaded
	ok "the port that packets wait at goes" port_goes t3
	goes_on "without it"
	ok "without it: nothing is charged any more" wait_until "$soon" nothing_charged
	ok "without it: nobody is paused" wait_until "$soon" not_paused
	port_comes t3
	ok "it comes, and is in use again" wait_until 20 loaded
	ok "the port that they are charged to goes" port_goes t2
	goes_on "without that"
	ok "without that: nobody is paused" wait_until "$soon" not_paused
	port_comes t2
	ok "it comes, and is in use again, too" wait_until 20 loaded
	ok "the port that is paused goes" port_goes t1
	goes_on "without the third"
	port_comes t1
	ok "all are in use again" wait_until 20 loaded
}

# link_flaps DEV: with its carrier, the other end's goes, too
link_flaps()
{
	ok "$1 goes down under load" ip link set "$1" down
	ok "$1 comes up" ip link set "$1" up
	goes_on "$1 is back"
	ok "$1 is back: all is in use" wait_until 20 loaded
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
	is "two storms, one by frames" "$(storms)" 2
	ok "reset under load" rdmafault reset
	is "after a reset: no storm" "$(storms)" 0
	for dev in t1 t2 t3; do
		told $dev
	done
	goes_on "after a reset"
	ok "after a reset: all is in use" wait_until 20 loaded
}

# The storm's last XOFF holds for 0.8 s at 40 Mbit/s.
a_storm_ends_with_its_port_ok()
{
	rdmafault pause t2 prio all storm forever frames persist
	ok "a port that storms goes" port_goes t2
	goes_on "without it"
	ok "without it: nobody is paused for long" wait_until "$soon" not_paused
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
	ok "when nobody sends any more, all drains and nobody is paused" \
		wait_until 20 all_empty
}

# round ORDER...: load, let the ports go in that order, unload
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

# A round has more than 100 packets under way, of 8 KiB each, and three ports.
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
	ok "$LOOPS times: load, use, end ports in any order, unload" rounds $LOOPS
	senders_end
	after=$(kernel_memory)
	if [ -e /sys/kernel/debug/kmemleak ]; then
		skip "kernel memory is what it was" "kmemleak tells better"
	else
		ok "kernel memory is what it was ($((after - before)) KiB)" \
			[ $((after - before)) -lt 1000 ]
	fi
	ok "the netdevs can go: nobody holds them" \
		timeout 10 ip link del t1
	ok "those of the bridge, too" timeout 10 ip link del t3
}

# A queue pair's packets are held by a storm, and the queue pair ends. rxe waits
# until nobody holds a packet of it, and goes on sending meanwhile; after 50 s it
# waits no more, and what is held then is used after it has been freed.
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
	write_bw 2 1 -D 60 -s 65536 -F >/dev/null 2>&1 &
	traffic=$!
	ok "$1: traffic flows" wait_until 30 eval \
		'[ "$(port_stat v1 tx packets)" -gt 200 ]'
	rdmafault pause v1 prio 0 storm for 100s persist
	ok "$1: packets of a queue pair are held" wait_until "$soon" held
	pkill -9 -x ib_write_bw
}

queue_pair_ends_ok()
{
	fabric 2
	ports v1 v2
	rdmafault port set v1 max-hold "${KSFT_MACHINE_SLOW:+1}2s"
	hold_queue_pair "the max-hold"
	ok "the max-hold lets the queue pair go" wait_until 25 gone
	wait $traffic
	ok "what was held is counted" [ "$(prio_stat v1 0 expired)" -gt 0 ]
	rdmafault port del v1 --force
	rdmafault port add v1 >/dev/null
	hold_queue_pair "the port's end"
	ok "a port with held packets goes" rdmafault port del v1 --force
	ok "the queue pair is gone with it" wait_until "$soon" gone
	wait $traffic
	rdmafault port del v2 --force
	ok "the module goes" modprobe -r rdmafault
}

hops
told t1
told t2
told t3
ports_go_under_load_ok
links_go_down_ok
reset_ok
a_storm_ends_with_its_port_ok
it_drains_ok
unload_under_load_ok
queue_pair_ends_ok
