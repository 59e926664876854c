#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test ranks that are started separately and cannot form a job: each rank must end
# soon and print the reason in one line.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/ranks.sh"

fabric 4
job=(all_reduce -b 64K -n 3)

bad()
{
	local words=$1 regex=$2

	shift 2
	refused "$words: refused with one line that says why" "^collperf: $regex" env "$@"
}

bad "--rank without --rendezvous" \
	"--rendezvous missing; --rank, --ranks and --rendezvous must be given together" \
	collperf all_reduce --rank 1 -N 2
bad "--rendezvous without --rank" "--rank missing; " \
	collperf all_reduce -N 2 --rendezvous h:1
bad "--rank and --rendezvous without --ranks" "--ranks missing; " \
	collperf all_reduce --rank 1 --rendezvous h:1
bad "--rank 4 of 4 ranks" "--rank 4: out of range; 0 to 3" \
	collperf all_reduce --rank 4 -N 4 --rendezvous h:1
bad "--rendezvous without a port" "--rendezvous h: not valid; must be HOST:PORT of rank 0" \
	collperf all_reduce --rank 1 -N 4 --rendezvous h
bad "--rendezvous with port 65536" "--rendezvous h:65536: not valid; must be HOST:PORT of rank 0" \
	collperf all_reduce --rank 1 -N 4 --rendezvous h:65536
rank1=(collperf all_reduce -N 2 --rank 1 --rendezvous)
bad "PMIX_RANK set without a PMIx server" "PMIx: .*unset PMIX_RANK" \
	PMIX_RANK=0 collperf all_reduce
bad "rank 1 without a rank 0" \
	"rank 1 on .*: no rank 0 at 127.0.0.1:16999 .* within 0.5 s: Connection refused" \
	"${rank1[@]}" 127.0.0.1:16999 --deadline 500ms
bad "rank 1 with an unknown host" \
	"rank 1 on .*: no rank 0 at none.invalid:1 .* within 0.5 s: .*name" \
	collperf all_reduce --rank 1 -N 2 --rendezvous none.invalid:1 \
	--deadline 500ms

busybox nc -ll -p 16998 -e /bin/cat 2>/dev/null &
defer kill $!
wait_until "$soon" grep -q ':4266 0*:0000 0A' /proc/net/tcp /proc/net/tcp6
bad "rank 1 with another program on the port" \
	"rank 1 on .*: no rank 0 at .*: something else answers there" \
	"${rank1[@]}" 127.0.0.1:16998 --deadline 1s
bad "rank 0 with a port in use" \
	"rank 0 on .*: rank 0 cannot listen on 127.0.0.1:16998 .*in use" \
	collperf all_reduce -N 2 --rank 0 --rendezvous 127.0.0.1:16998

start=$SECONDS
job+=(--deadline 6s)
begin 0 1 3
end "one of 4 ranks missing: all ranks exit with 3" 3 3 3
ok "one of 4 ranks missing: all ranks name it" \
	all_say "1 of 4 ranks did not connect to 127.0.0.1:$port within 6 s: rank 2$" 0 1 3
ok "one of 4 ranks missing: all ranks end within $soon s" [ $((SECONDS - start)) -le "$soon" ]

begin 0 1 3
wait_until "$soon" come 2
rank 2 all_reduce -b 1M -n 3 --deadline 6s
end "a rank with another size: all ranks exit with 3" 3 3 3 3
ok "a rank with another size: all ranks name the difference" \
	all_say "rank 2 on .* has -b 1MiB, rank 0 has -b 64KiB$" 0 1 2 3

begin 0 1 2
wait_until "$soon" come 2
rank 3 all_reduce -b 64K -n 3 -o max --deadline 6s
end "a rank with another operation: all ranks exit with 3" 3 3 3 3
ok "a rank with another operation: all ranks name the difference" \
	all_say "rank 3 on .* has -o max, rank 0 has no -o$" 0 1 2 3

begin 0 1 2
wait_until "$soon" come 2
collperf "${job[@]}" --rank 2 -N 4 --rendezvous "127.0.0.1:$port" \
	>"$tmp/out.3" 2>"$tmp/err.3" &
pids[3]=$!
end "two processes with the same rank: all ranks exit with 3" 3 3 3 3
ok "two processes with the same rank: all ranks name both" \
	all_say "rank 2 exists twice: process [0-9]+ on .* and process [0-9]+ on " 0 1 2 3

begin 0 1 2
wait_until "$soon" come 2
collperf "${job[@]}" --rank 3 -N 5 --rendezvous "127.0.0.1:$port" \
	>"$tmp/out.3" 2>"$tmp/err.3" &
pids[3]=$!
end "a rank with another number of ranks: all ranks exit with 3" 3 3 3 3
ok "a rank with another number of ranks: all ranks name both numbers" \
	all_say "rank 3 on .* expects 5 ranks, rank 0 expects 4" 0 1 2 3

begin 0 1 2
wait_until "$soon" come 2
rank 3 "${job[@]}" --device a,b,c,rxe9
end "a rank without its device: it exits with 2, the others with 3" 3 3 3 2
ok "a rank without its device: it names the device" \
	all_say "device rxe9 of rank 3: no such RDMA device; " 3
ok "a rank without its device: the others name the rank" all_say "rank 3 .* failed first: " 0 1 2

begin 0 1 3
rank 2 "${job[@]}" --device rxe1
end "two ranks with the same device: all ranks exit with 3" 3 3 3 3
ok "two ranks with the same device: all ranks name both and the device" \
	all_say "device rxe1: used by ranks 0 and 2, " 0 1 2 3

mpirun --oversubscribe -np 2 collperf all_reduce -N 8 >"$tmp/out.0" 2>&1
ok "-N 8 with two ranks of mpirun: the job fails" [ $? -ne 0 ]
ok "-N 8 with two ranks of mpirun: the error has both numbers" grep -q -- \
	"-N 8: 2 ranks were started .*unset PMIX_RANK" "$tmp/out.0"
mpirun --oversubscribe -np 1 collperf all_reduce -b 1M : \
	-np 1 collperf all_reduce -b 2M >"$tmp/out.0" 2>&1
ok "ranks of mpirun with different sizes: the job fails" [ $? -ne 0 ]
is "ranks of mpirun with different sizes: both ranks name the difference" \
	"$(grep -Ec 'rank 1 on .* has -b 2MiB, rank 0 has -b 1MiB$' "$tmp/out.0")" 2
mpirun --oversubscribe -np 1 collperf all_reduce : \
	-np 1 collperf all_reduce --bogus >"$tmp/out.0" 2>&1
ok "one rank of mpirun with an unknown option: the job fails, the other rank does not wait" \
	[ $? -ne 0 ]
ok "one rank of mpirun with an unknown option: the error names the option" \
	grep -q "unknown option \"--bogus\"" "$tmp/out.0"
ok "no process and no queue pair is left after all refused jobs" wait_until "$soon" nothing_left
