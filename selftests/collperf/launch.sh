#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test ranks that a user or mpirun starts instead of collperf: all must connect to one
# job. If one rank fails, all ranks must end and print the reason.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/ranks.sh"

fabric 4
job=(all_reduce -b 4K -n 3)

begin 3 1 2
sleep 0.5
rank 0 "${job[@]}"
end "4 ranks started by hand, rank 0 last: all exit with 0" 0 0 0 0
ok "4 ranks started by hand: no value is wrong" grep -q "Out of bounds values : 0 OK" "$tmp/out.0"
is "4 ranks started by hand: only rank 0 prints" "$(cat "$tmp"/out.[123] "$tmp"/err.*)" ""
is "4 ranks started by hand: each uses the device of its number on the machine" \
	"$(grep -o '\[rxe[0-9]\]' "$tmp/out.0" | tr -d '\n')" \
	"[rxe1][rxe2][rxe3][rxe4]"

# script(1) runs rank 0 with a terminal, and writes the output of rank 0 to a file.
begin
args="${job[*]} --rank 0 --ranks 4 --rendezvous 127.0.0.1:$port"
script -qefc "collperf $args" "$tmp/terminal" >/dev/null &
pids[0]=$!
wait_until "$soon" listening
rank 1 "${job[@]}"
ok "rank 0 on a terminal: it shows how many ranks have joined" \
	wait_until "$soon" grep -q "127.0.0.1:$port: 2 of 4 ranks have joined" "$tmp/terminal"
rank 2 "${job[@]}"
rank 3 "${job[@]}"
end "rank 0 on a terminal: all 4 ranks exit with 0" 0 0 0 0
ok "rank 0 on a terminal: the table begins on an empty line" \
	grep -q $'\e\\[K# collperf version' "$tmp/terminal"

begin
for r in 0 1 2 3; do
	rank $r "${job[@]}" --device rxe4,rxe3,rxe2,rxe1
done
end "4 ranks with a list of devices: all exit with 0" 0 0 0 0
is "4 ranks with a list of devices: each uses the device of its place in the list" \
	"$(grep -o '\[rxe[0-9]\]' "$tmp/out.0" | tr -d '\n')" \
	"[rxe4][rxe3][rxe2][rxe1]"

begin
rank 0 "${job[@]}" -w 1 --iters 3 --device rxe1 --allow-loopback
for r in 1 2 3; do
	rank $r "${job[@]}" --device rxe1 --allow-loopback
done
end "4 ranks that share a device, one with default options given: all exit with 0" 0 0 0 0

mpirun --oversubscribe -np 4 collperf "${job[@]}" >"$tmp/mpi" 2>&1
is "4 ranks started by mpirun: mpirun exits with 0" $? 0
is "4 ranks started by mpirun: all are in one job" "$(grep -c '# *Rank *[0-9]' "$tmp/mpi")" 4
ok "4 ranks started by mpirun: no value is wrong" grep -q "Out of bounds values : 0 OK" "$tmp/mpi"

# Other programs connect to the TCP port of rank 0: one sends HTTP, 20 send nothing, one
# sends half of the first message that a rank would send
begin 0
wait_until "$soon" listening
printf 'GET / HTTP/1.0\r\n\r\n' >"/dev/tcp/127.0.0.1/$port"
for i in {1..20}; do
	exec {silent}<>"/dev/tcp/127.0.0.1/$port"
done
exec {half}<>"/dev/tcp/127.0.0.1/$port"
printf 'cop1\0\0\0\0' >&$half
for r in 1 2 3; do
	rank $r "${job[@]}"
done
end "other programs connect to the port: all 4 ranks exit with 0" 0 0 0 0

job=(all_reduce -b 64K -n 100000 -w 0 -z 1 --timeline "$tmp/timeline")
begin 0 1 2 3
wait_until "$soon" running
# Let the job do some steps.
packets=$(($(hw rxe1 sent_pkts) + 500))
wait_until "$soon" eval '[ "$(hw rxe1 sent_pkts)" -gt $packets ]'
kill -KILL "${pids[2]}"
start=$SECONDS
end "a rank killed: the others exit with 3" 3 3 137 3
ok "a rank killed: all ranks end within $soon s" [ $((SECONDS - start)) -le "$soon" ]
ok "a rank killed: the others name it and their step" \
	all_say "^collperf: rank [013] \(rxe[124] on .*\): rank 2 failed first: its connection closed without a reason .*step [0-9]+, " 0 1 3
ok "a rank killed: no process and no queue pair is left" wait_until "$soon" nothing_left

ok "a rank killed: the timeline has the steps of the others alone" jq -es \
	'[.[] | select(.type == "step").rank] | unique == [0, 1, 3]' "$tmp/timeline"
is "a rank killed: the timeline has the end of every rank" \
	"$(jq -r 'select(.type == "end") | "\(.rank) \(.status)"' \
	"$tmp/timeline" | paste -sd,)" "0 4,1 4,2 4,3 4"

job=(all_reduce -b 64K -n 100000 -w 0)
begin 0 1 2 3
wait_until "$soon" running
kill -INT "${pids[0]}"
end "SIGINT to rank 0: it exits with 99, the others with 3" 99 3 3 3
ok "SIGINT to rank 0: it says that it was interrupted" \
	all_say "^collperf: rank 0 .*: interrupted$" 0
ok "SIGINT to rank 0: the others name it" \
	all_say "rank 0 \(rxe1 on .*\) failed first: terminated by a signal" 1 2 3
ok "SIGINT to rank 0: no process and no queue pair is left" wait_until "$soon" nothing_left

job+=(--timeout 15 --retry-cnt 1)
begin 0 1 2 3
wait_until "$soon" running
tc qdisc add dev p2 root netem loss 100% limit 100000
for r in 0 1 2 3; do
	wait "${pids[r]}"
	echo $?
done >"$tmp/statuses"
is "a link that drops all packets: all ranks exit with 3" \
	"$(sort -u "$tmp/statuses")" 3
ok "a link that drops all packets: every rank explains retry exceeded" \
	all_say "retry exceeded: 1\+1 tries × 134 ms" 0 1 2 3
ok "a link that drops all packets: no process and no queue pair is left" \
	wait_until "$soon" nothing_left
tc qdisc del dev p2 root

# Test that all ranks end when mpirun is killed.
job=(all_reduce -b 64K -n 100000 -w 0)
rm -f "$tmp/out.0"
mpirun --oversubscribe -np 4 collperf "${job[@]}" >"$tmp/out.0" 2>&1 &
launcher=$!
wait_until "$soon" running
kill -KILL $launcher
wait $launcher 2>/dev/null
ok "mpirun killed: the ranks end" wait_until "$soon" nothing_left

rm -f "$tmp/out.0"
mpirun --oversubscribe -np 4 collperf "${job[@]}" >"$tmp/out.0" 2>"$tmp/err.0" &
launcher=$!
wait_until "$soon" running
pkill -KILL -n -x collperf
wait $launcher
ok "a rank of mpirun killed: mpirun fails" [ $? -ne 0 ]
ok "a rank of mpirun killed: no process and no queue pair is left" wait_until "$soon" nothing_left
