#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test many operations at once, under traffic: rules are replaced, ports added and
# deleted, links changed, storms started and stopped, namespaces and devices deleted,
# ranks killed, the module unloaded. Each kind of operation has one worker, which
# makes random choices from its own seed. A worker ignores the other workers, so many
# of its commands are refused or disturb other workers. No command may hang, the
# kernel must not complain, and everything must work afterwards.
#
#   sendroce - c1 (port) ======= c2 (port), a bridge, c3 (port) ======= c4
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 (port) - rxe2
#   rxe9 - d1 ======= d2 in namespaces that are created and deleted
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/abuse.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

seconds=${ABUSE_SECONDS:-$(amount 20 600)}
patience=60		# rxe may need 50 s to free a queue pair
tmp=$(mktemp -d)
defer rm -r "$tmp"
ports=(c1 c2 c3 v1 v2)

# go COMMAND...: run the command and count whether it succeeds or fails. The command must end
# in time. It may fail, but not because its words are invalid.
go()
{
	local status

	timeout -k 5 $patience "$@" >/dev/null 2>"$tmp/said.$worker"
	status=$?
	! grep -Eq 'unknown (command|word|option)|command missing' "$tmp/said.$worker" ||
		echo "$*: $(<"$tmp/said.$worker")" >>"$tmp/nonsense"
	case $status in
	124 | 137) echo "$*" >>"$tmp/hung" ;;
	0) done_ok=$((done_ok + 1)) ;;
	*) done_not=$((done_not + 1)) ;;
	esac
	return $status
}

# pick WORD...: set $drawn to one of the words, chosen at random
pick()
{
	draw $#
	shift "$drawn"
	drawn=$1
}

rules()
{
	local dev dir

	pick "${ports[@]}"; dev=$drawn
	pick tx rx; dir=$drawn
	draw 6
	case $drawn in
	0) go rdmafault rule flush "$dev" ;;
	1) go rdmafault reset ;;
	2) go rdmafault rule add "$dev" "$dir" all delay 3ms jitter 3ms ;;
	3) go rdmafault rule add "$dev" "$dir" class write every 20 duplicate 3 after 5ms \
		expires 50ms ;;
	4) go rdmafault rule add "$dev" "$dir" all reorder 3 within 5ms -- sleep 0.1 ;;
	5)
		draw 300
		seq 1 $((drawn + 1)) | sed 's/.*/qp & every 2 drop/' >"$tmp/rules"
		go rdmafault rule replace "$dev" "$dir" "$tmp/rules" ;;
	esac
}

port()
{
	local dev

	pick "${ports[@]}"; dev=$drawn
	draw 3
	case $drawn in
	0) go rdmafault port del "$dev" --force ;;
	1) go tc qdisc del dev "$dev" root ;;
	2) go tc qdisc replace dev "$dev" root pfifo ;;
	esac
	while_it_goes
	go tc qdisc replace dev "$dev" root rdmafault
}

links()
{
	local dev

	pick "${ports[@]}"; dev=$drawn
	draw 8
	case $drawn in
	0) go rdmafault link set "$dev" rate 40mbit delay 1ms jitter 1ms ;;
	1) go rdmafault link set "$dev" rate none delay 0ms jitter 0ms ;;
	2) go rdmafault link set "$dev" buffer 100KiB ;;
	3) go rdmafault link set "$dev" buffer none ;;
	4) go rdmafault prio set "$dev" prio-pfc all:on prio-headroom all:4KiB ;;
	5) go rdmafault ecn set "$dev" prio all kmin 1KiB kmax 20KiB pmax 50% ;;
	6) go rdmafault pause "$dev" watchdog prio all detect 20ms restore 20ms \
		poll 5ms action drop ;;
	7)
		[[ $dev = c* ]] || return
		go ip link set "$dev" down
		go ip link set "$dev" up ;;
	esac
}

storms()
{
	local dev

	pick "${ports[@]}"; dev=$drawn
	draw 5
	case $drawn in
	0) go rdmafault pause "$dev" prio all storm forever persist ;;
	1) go rdmafault pause "$dev" prio 0,3 storm for 100ms frames ;;
	2) go rdmafault pause "$dev" prio all stop ;;
	3) go rdmafault pause "$dev" prio all storm for 50ms duty 3ms/3ms ;;
	4)
		rdmafault pause "$dev" prio 0,1 storm forever >/dev/null 2>&1 &
		sleep 0.05
		kill -9 $!
		wait $! ;;
	esac
} 2>/dev/null

# A worker that adds a port waits while the module is being unloaded.
while_it_goes()
{
	while [ -e "$tmp/goes" ]; do
		sleep 0.1
	done
}

# Delete a namespace whose ports hold packets.
namespaces()
{
	while_it_goes
	go ip netns add abuse
	go ip link add d1 netns abuse type veth peer name d2 netns abuse
	go ip netns exec abuse sh -c '
		tc qdisc add dev d1 root rdmafault rate 1mbit
		tc qdisc add dev d2 root rdmafault
		ip link set d1 up; ip link set d2 up
		rdmafault rule add d1 tx all delay 1s
		rdmafault rule add d2 rx all delay 1s
		rdmafault pause d1 prio all storm forever frames persist
		exec sendroce d1 count 200'
	draw 2
	[ "$drawn" = 0 ] || go ip netns exec abuse ip link del d1
	go ip netns del abuse
}

# Delete a netdev that has a port and an RDMA device.
devices()
{
	while_it_goes
	go ip link add e1 type veth peer name e2
	ip link set e1 up && ip link set e2 up
	go tc qdisc replace dev e1 root rdmafault rate 10mbit
	go rdmafault rule add e1 tx all delay 1s
	rdma link add rxe9 type rxe netdev e1
	sendroce e1 count 100
	draw 3
	[ "$drawn" = 0 ] || go rdma link delete rxe9
	go ip link del e1
} 2>/dev/null

# ranks_met PID: succeeds if a queue pair exists or the job has ended
ranks_met()
{
	has_queue_pairs || ! kill -0 "$1"
}

# The first job and half of the later jobs are killed as soon as they have queue pairs; the
# other jobs are killed at a random time.
ranks()
{
	local victim

	collperf all_reduce --device rxe1,rxe2 --ranks 2 -b 64K -n 1000 \
		--deadline ${patience}s >/dev/null 2>"$tmp/said.ranks" &
	victim=$!
	draw 2
	[ $((drawn * done_ok)) != 0 ] || wait_until $patience ranks_met $victim
	draw 10
	sleep 0.$((drawn + 1))
	if has_queue_pairs; then
		done_ok=$((done_ok + 1))
	else
		done_not=$((done_not + 1))
	fi
	draw 3
	case $drawn in
	0) kill -9 $victim ;;
	1) pkill -9 -P $victim ;;
	2) pkill -9 -x collperf ;;
	esac
	wait $victim
} 2>/dev/null

no_ports()
{
	local dev

	for dev in "${ports[@]}"; do
		tc qdisc del dev "$dev" root
	done 2>/dev/null
	modprobe -r rdmafault
}

# Unloading the module must succeed in the end, although a worker may be adding a
# port at that time, and although any command loads the module again.
module()
{
	local dev

	: >"$tmp/goes"
	if wait_until $patience no_ports; then
		echo >>"$tmp/unloaded"
	else
		echo "modprobe -r rdmafault" >>"$tmp/hung"
	fi
	rm "$tmp/goes"
	for dev in "${ports[@]}"; do
		go tc qdisc replace dev "$dev" root rdmafault
	done
	draw 10
	sleep "0.$drawn"
}

looks()
{
	go rdmafault --json stat
	go rdmafault --json rule show
	go rdmafault --json prio show
	go rdmafault --json stat --flows
	go tc -s qdisc show
}

traffic()
{
	go sendroce c1 count 300 flows 9 dscp 24 payload 200
	go sendroce c4 count 300 flows 9 payload 1000 message 5
	go throwframes "$RANDOM" 200 c1 c4
}

crowd=(rules port links storms namespaces devices ranks module looks traffic)

# A worker without any success continues for up to $patience seconds more, because a machine
# can be very slow.
time_is_over()
{
	[ $SECONDS -ge "$1" ] &&
		{ [ $done_ok -gt 0 ] || [ $SECONDS -ge $(($1 + patience)) ]; }
}

# run_worker NUMBER: repeat the operation of this worker until the time is over
run_worker()
{
	local deadline=$((SECONDS + seconds)) rounds=0

	worker=${crowd[$1]} done_ok=0 done_not=0
	RANDOM=$((seed * 100 + $1))
	until time_is_over $deadline || [ -e "$tmp/hung" ]; do
		$worker
		rounds=$((rounds + 1))
	done
	echo "$worker $rounds $done_ok $done_not" >"$tmp/did.$worker"
}

here()
{
	local dev

	rdmafault fabric up 2 >/dev/null
	veth_pair c1 c2
	veth_pair c3 c4
	defer ip link del crowd0
	ip link add crowd0 type bridge stp_state 0 mcast_snooping 0
	sysctl -q -w net.ipv6.conf.crowd0.disable_ipv6=1
	ip link set crowd0 up
	ip link set c2 master crowd0
	ip link set c3 master crowd0
	for dev in "${ports[@]}"; do
		tc qdisc replace dev "$dev" root rdmafault
	done
}

# all_do: succeeds if every worker had at least one success
all_do()
{
	local name rounds good bad idle=0

	for name in "${crowd[@]}"; do
		read -r _ rounds good bad <"$tmp/did.$name" || good=0
		echo "$name: $rounds rounds, $good done, $bad not" >>"$tmp/all"
		[ "$good" -gt 0 ] || idle=1
	done
	return $idle
}

no_process()
{
	! pgrep -x 'collperf|sendroce|throwframes' && ! pgrep -x rdmafault
}

defer rdmafault fabric down --force
defer ip netns del abuse
defer ip link del e1
here
pids=()
for i in "${!crowd[@]}"; do
	run_worker "$i" &
	pids+=($!)
done
wait "${pids[@]}"
is "no command is refused for its words" "$(cat "$tmp/nonsense" 2>/dev/null)" ""
is "no command hangs" "$(cat "$tmp/hung" 2>/dev/null)" ""
ok "each worker has a success in $seconds s" all_do
diagnose <"$tmp/all"
ok "the module was unloaded at least once ($(wc -l <"$tmp/unloaded") times)" \
	test -s "$tmp/unloaded"
ok "all processes of the workers end" wait_until 60 no_process

ok "reset succeeds after all workers" rdmafault reset
ok "fabric down succeeds after all workers" timeout 60 rdmafault fabric down --force
for dev in c1 c3; do
	ok "the netdev $dev can be deleted after all workers" timeout 60 ip link del $dev
done
ip netns del abuse 2>/dev/null
ip link del e1 2>/dev/null
ok "the module can be unloaded after all workers" wait_until 60 modprobe -r rdmafault
fabric 2
ports v1 v2
ok "perftest succeeds on a new fabric after all workers" write_bw 2 1 -n 20 -s 4096
