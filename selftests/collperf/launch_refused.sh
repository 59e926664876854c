#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ranks that others start, and that cannot be a job: each says soon why, in one
# line, and ends.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/ranks.sh"

fabric 4
job=(all_reduce -b 64K -n 3)

bad()
{
	local words=$1 regex=$2

	shift 2
	refused "$words" "^collperf: $regex" env "$@"
}

bad "--rank alone" "--rank, --ranks and --rendezvous go together, and --rendezvous is missing" \
	collperf all_reduce --rank 1 -N 2
bad "--rendezvous alone" "--rank, .* and --rank is missing" \
	collperf all_reduce -N 2 --rendezvous h:1
bad "no number of ranks" ".* and --ranks is missing" \
	collperf all_reduce --rank 1 --rendezvous h:1
bad "a rank beyond the last" "--rank takes a number from 0 to 3, .* not '4'" \
	collperf all_reduce --rank 4 -N 4 --rendezvous h:1
bad "no port" "--rendezvous takes HOST:PORT, of rank 0, not 'h'" \
	collperf all_reduce --rank 1 -N 4 --rendezvous h
bad "no such port" "--rendezvous takes HOST:PORT, .* not 'h:65536'" \
	collperf all_reduce --rank 1 -N 4 --rendezvous h:65536
rank1=(collperf all_reduce -N 2 --rank 1 --rendezvous)
bad "PMIX_RANK is left over" "PMIx: .*unset PMIX_RANK" \
	PMIX_RANK=0 collperf all_reduce
bad "nobody listens" \
	"rank 1 on .*: no rank 0 at 127.0.0.1:16999 .* within 0.5 s: Connection refused" \
	"${rank1[@]}" 127.0.0.1:16999 --deadline 500ms
bad "no such host" \
	"rank 1 on .*: no rank 0 at none.invalid:1 .* within 0.5 s: .*name" \
	collperf all_reduce --rank 1 -N 2 --rendezvous none.invalid:1 \
	--deadline 500ms

busybox nc -ll -p 16998 -e /bin/cat 2>/dev/null &
defer kill $!
wait_until "$soon" grep -q ':4266 0*:0000 0A' /proc/net/tcp /proc/net/tcp6
bad "something else listens" \
	"rank 1 on .*: no rank 0 at .*: something else answers there" \
	"${rank1[@]}" 127.0.0.1:16998 --deadline 1s
bad "rank 0 finds its port taken" \
	"rank 0 on .*: rank 0 cannot listen on 127.0.0.1:16998 .*in use" \
	collperf all_reduce -N 2 --rank 0 --rendezvous 127.0.0.1:16998

start=$SECONDS
job+=(--deadline 6s)
begin 0 1 3
end "a rank is missing" 3 4 4
ok "all name it" all_say "1 of 4 ranks did not come to 127.0.0.1:$port within 6 s: rank 2$" 0 1 3
ok "in time" [ $((SECONDS - start)) -le "$soon" ]

begin 0 1 3
wait_until "$soon" come 2
rank 2 all_reduce -b 1M -n 3 --deadline 6s
end "a rank has other arguments" 3 4 4 4
ok "all name the difference" all_say "rank 2 on .* has -b 1M, rank 0 has -b 64K$" 0 1 2 3

begin 0 1 2
wait_until "$soon" come 2
rank 3 all_reduce -b 64K -n 3 -o max --deadline 6s
end "a rank has another operation" 3 4 4 4
ok "all name it" all_say "rank 3 on .* has -o max, rank 0 has no -o$" 0 1 2 3

begin 0 1 2
wait_until "$soon" come 2
collperf "${job[@]}" --rank 2 -N 4 --rendezvous "127.0.0.1:$port" \
	>"$tmp/out.3" 2>"$tmp/err.3" &
pids[3]=$!
end "a rank is there twice" 3 4 4 4
ok "all name it" all_say "there are two ranks 2: process [0-9]+ on .* and process [0-9]+ on " 0 1 2 3

begin 0 1 2
wait_until "$soon" come 2
collperf "${job[@]}" --rank 3 -N 5 --rendezvous "127.0.0.1:$port" \
	>"$tmp/out.3" 2>"$tmp/err.3" &
pids[3]=$!
end "a rank counts other ranks" 3 4 4 4
ok "all say so" all_say "rank 3 on .* was started for 5 ranks, rank 0 for 4" 0 1 2 3

begin 0 1 2
wait_until "$soon" come 2
rank 3 "${job[@]}" --device a,b,c,rxe9
end "a rank has no device" 4 4 4 2
ok "it says so itself" all_say "there is no RDMA device 'rxe9' for rank 3" 3
ok "the others name it" all_say "rank 3 .* failed first: " 0 1 2

begin 0 1 3
rank 2 "${job[@]}" --device rxe1
end "two ranks of a machine share a device" 3 3 3 3
ok "all name it" all_say "ranks 0 and 2 share rxe1: " 0 1 2 3

mpirun --oversubscribe -np 2 collperf all_reduce -N 8 >"$tmp/out.0" 2>&1
ok "-N contradicts mpirun: it fails" [ $? -ne 0 ]
ok "it says so" grep -q -- \
	"-N says 8 ranks, but 2 were started .*unset PMIX_RANK" "$tmp/out.0"
mpirun --oversubscribe -np 1 collperf all_reduce -b 1M : \
	-np 1 collperf all_reduce -b 2M >"$tmp/out.0" 2>&1
ok "mpirun's ranks have other arguments: it fails" [ $? -ne 0 ]
is "both say so" "$(grep -Ec 'rank 1 on .* has -b 2M, rank 0 has -b 1M$' "$tmp/out.0")" 2
mpirun --oversubscribe -np 1 collperf all_reduce : \
	-np 1 collperf all_reduce --bogus >"$tmp/out.0" 2>&1
ok "one of them is refused: the other doesn't wait" [ $? -ne 0 ]
ok "it says so" grep -q "unknown option '--bogus'" "$tmp/out.0"
ok "nothing is left" wait_until "$soon" nothing_left
