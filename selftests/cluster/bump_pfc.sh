#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test PFC on a bridge between two machines. A storm of the bridge stops vm2 if vm2 obeys PFC. The
# bridge loses no packet of vm2 on the way to a slow link, if the headroom holds what vm2 still
# sends after an XOFF. lib/bump.sh shows the machines.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/bump.sh"

bump

# packets: prints how many packets have arrived from vm2
packets()
{
	port_stat eth2 rx packets
}

more_packets_than()
{
	[ "$(packets)" -gt "$1" ]
}

# vm2_stat KEY: prints a counter of priority 3 of the port on vm2
vm2_stat()
{
	on vm2 "rdmafault --json prio show rxe1" | jq ".[0].prio[3].$1"
}

# storm: run a job of priority 3 (DSCP 24), and a storm of 1.5 s of frames to vm2; sets $passed to the
# number of packets that arrive from vm2 during the storm. On Linux 6.1 the retransmission timer can
# expire in a job that is longer (Documentation/rxe-bugs.rst); this one lasts 17 s.
storm()
{
	local before

	before=$(packets)
	job_start -b 64K -n 300 --compute 10ms --tclass 96 --timeout 22
	wait_until 60 more_packets_than $((before + 100))
	before=$(packets)
	rdmafault --json pause eth2 prio 3 storm for 1500ms frames >"$tmp/storm"
	passed=$(($(packets) - before))
	job_end
}

# sent KEY: prints a value of the report of the storm
sent()
{
	jq ".[0].$1" "$tmp/storm"
}

# rate RATE: set the rate of the link between the bridge and vm2, from which both compute the time
# of an XOFF
rate()
{
	rdmafault link set eth2 rate "$1" >/dev/null
	on vm2 "rdmafault link set rxe1 rate $1" >/dev/null
}

rdmafault prio set eth2 prio-pfc 3:on >/dev/null
storm
ok "control: without the module, vm2 sends during the storm: $passed packets" [ "$passed" -ge 50 ]
verified "control: without the module on vm2"
defer on vm2 "rdmafault port del rxe1 --force"
on vm2 "modprobe rdmafault && rdmafault port add rxe1 && rdmafault prio set rxe1 prio-pfc 3:on" >/dev/null
rate 1gbit	# an XOFF lasts 33 ms; a busy machine renews a shorter one too late
storm
verified "with PFC on vm2"
is "with PFC on vm2: vm2 receives all XOFFs of the bridge" "$(vm2_stat xoff_rx)" "$(sent xoffs)"
paused=$(vm2_stat paused_total_ns)
ok "with PFC on vm2: vm2 is paused while XOFF is in effect: $paused of $(sent sent_ns) ns" \
	[ "$paused" -ge $(($(sent sent_ns) * 9 / 10)) ]
is "with PFC on vm2: no packet is retransmitted" \
	"$(added 2 completer_retry_err) $(added 3 out_of_seq_request)" "0 0"

# lossless BUFFER HEADROOM OPTION...: run a job from vm2 to a link of 20 Mbit/s, with this buffer for
# the packets of vm2; sets $lost to the number of packets that it had no room for
lossless()
{
	before=$(prio_stat eth3 3 no_buffer)
	xoffs=$(prio_stat eth2 3 xoff_tx)
	rdmafault prio set eth2 prio-headroom 3:0B >/dev/null
	rdmafault link set eth2 buffer "$1" >/dev/null
	rdmafault prio set eth2 prio-headroom "3:$2" prio-xoff 3:20000B >/dev/null
	job -b 256K --tclass 96 "${@:3}"
	lost=$(($(prio_stat eth3 3 no_buffer) - before))
}

rdmafault link set eth3 rate 20mbit >/dev/null
lossless 4MiB 2MiB -n 10 --timeout 20
verified "a headroom of 2 MiB"
is "a headroom of 2 MiB: no packet is lost" "$lost" 0
is "a headroom of 2 MiB: no packet is retransmitted" \
	"$(added 2 completer_retry_err) $(added 3 out_of_seq_request)" "0 0"
ok "a headroom of 2 MiB: the bridge pauses vm2" [ "$(prio_stat eth2 3 xoff_tx)" -gt "$xoffs" ]
# The job fails if it loses too many packets.
lossless 32KiB 8KiB -n 2 --timeout 14
ok "control: with a headroom of 8 KiB, packets are lost: $lost" [ "$lost" -gt 0 ]
is "control: with a headroom of 8 KiB, rxe counts no send error" \
	"$(added 2 send_err) $(added 3 send_err)" "0 0"
