#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ranks that this program does not start itself: by hand, by mpirun. They connect,
# and when one ends, all end and say why.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/ranks.sh"

fabric 4
job=(all_reduce -b 4K -n 3)

begin 3 1 2
sleep 0.5
rank 0 "${job[@]}"
end "by hand, rank 0 last: all end well" 0 0 0 0
ok "the result is right" grep -q "Out of bounds values : 0 OK" "$tmp/out.0"
is "only rank 0 prints" "$(cat "$tmp"/out.[123] "$tmp"/err.*)" ""
is "each rank has the device of its place on the machine" \
	"$(grep -o '\[rxe[0-9]\]' "$tmp/out.0" | tr -d '\n')" \
	"[rxe1][rxe2][rxe3][rxe4]"

begin
for r in 0 1 2 3; do
	rank $r "${job[@]}" --device rxe4,rxe3,rxe2,rxe1
done
end "devices are given by place" 0 0 0 0
is "and taken so" "$(grep -o '\[rxe[0-9]\]' "$tmp/out.0" | tr -d '\n')" \
	"[rxe4][rxe3][rxe2][rxe1]"

begin
rank 0 "${job[@]}" -w 1 --iters 3 --device rxe1 --allow-loopback
for r in 1 2 3; do
	rank $r "${job[@]}" --device rxe1 --allow-loopback
done
end "one device for all of a machine; a default said aloud" 0 0 0 0

mpirun --oversubscribe -np 4 collperf "${job[@]}" >"$tmp/mpi" 2>&1
is "by mpirun" $? 0
is "the ranks of mpirun are ranks of ours" "$(grep -c '# *Rank *[0-9]' "$tmp/mpi")" 4
ok "the result is right" grep -q "Out of bounds values : 0 OK" "$tmp/mpi"

# Other programs on the port: some talk, some don't, one says half a hello
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
end "other programs that connect to the port keep no rank out" 0 0 0 0

job=(all_reduce -b 64K -n 100000 -w 0 -z 1 --timeline "$tmp/timeline")
begin 0 1 2 3
wait_until "$soon" running
# For some steps at least
packets=$(($(hw rxe1 sent_pkts) + 500))
wait_until "$soon" eval '[ "$(hw rxe1 sent_pkts)" -gt $packets ]'
kill -KILL "${pids[2]}"
start=$SECONDS
end "a rank is killed" 4 4 137 4
ok "in time" [ $((SECONDS - start)) -le "$soon" ]
ok "the others name it" all_say "^collperf: rank [013] \(rxe[124] on .*\): rank 2 failed first: it is gone without a word .*step [0-9]+, " 0 1 3
ok "nothing is left" wait_until "$soon" nothing_left

ok "the timeline has what the others did, and nothing of the dead" jq -es \
	'[.[] | select(.type == "step").rank] | unique == [0, 1, 3]' "$tmp/timeline"
is "and how all ended" "$(jq -r 'select(.type == "end") | "\(.rank) \(.status)"' \
	"$tmp/timeline" | paste -sd,)" "0 4,1 4,2 4,3 4"

job=(all_reduce -b 64K -n 100000 -w 0)
begin 0 1 2 3
wait_until "$soon" running
kill -INT "${pids[0]}"
end "rank 0 is interrupted" 130 4 4 4
ok "it says so" all_say "^collperf: rank 0 .*: interrupted$" 0
ok "the others name it" all_say "rank 0 \(rxe1 on .*\) failed first: told to end" 1 2 3
ok "nothing is left" wait_until "$soon" nothing_left

job+=(--timeout 15 --retry-cnt 1)
begin 0 1 2 3
wait_until "$soon" running
tc qdisc add dev p2 root netem loss 100% limit 100000
for r in 0 1 2 3; do
	wait "${pids[r]}"
	echo $?
done >"$tmp/statuses"
is "a link swallows everything" "$(sort -u "$tmp/statuses" | tr '\n' ' ')" "3 4 "
ok "every rank has the explanation" all_say "retry exceeded: 1\+1 tries × 134 ms" 0 1 2 3
ok "nothing is left" wait_until "$soon" nothing_left
tc qdisc del dev p2 root

# A launcher that dies takes its ranks with it
job=(all_reduce -b 64K -n 100000 -w 0)
rm -f "$tmp/out.0"
mpirun --oversubscribe -np 4 collperf "${job[@]}" >"$tmp/out.0" 2>&1 &
launcher=$!
wait_until "$soon" running
kill -KILL $launcher
wait $launcher 2>/dev/null
ok "the launcher is killed: the ranks end" wait_until "$soon" nothing_left

rm -f "$tmp/out.0"
mpirun --oversubscribe -np 4 collperf "${job[@]}" >"$tmp/out.0" 2>"$tmp/err.0" &
launcher=$!
wait_until "$soon" running
pkill -KILL -n -x collperf
wait $launcher
ok "a rank of mpirun's is killed: mpirun tells so" [ $? -ne 0 ]
ok "nothing is left" wait_until "$soon" nothing_left
