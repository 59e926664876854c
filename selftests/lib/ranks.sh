# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Start each of the four ranks of a collperf job by a separate command (rank), and wait
# for all of them (end). The test sets $job, the arguments of collperf.

tmp=$(mktemp -d)
defer rm -r "$tmp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
port=17000
pids=()

# rank R OPTION...: start rank R of a job of four ranks in the background
rank()
{
	local r=$1

	shift
	collperf "$@" --rank "$r" --ranks 4 --rendezvous "127.0.0.1:$port" \
		>"$tmp/out.$r" 2>"$tmp/err.$r" &
	pids[r]=$!
}

# begin RANK...: begin a new job, and start its ranks RANK...
begin()
{
	local r

	port=$((port + 1)) pids=()
	rm -f "$tmp"/{out,err}.*
	for r; do
		rank "$r" "${job[@]}"
	done
}

# end TITLE STATUS...: wait for all started ranks, and test that they exit with STATUS... TITLE
# begins the names of the tests.
end()
{
	local words=$1 r list=()

	shift
	for r in "${!pids[@]}"; do
		wait "${pids[r]}" 2>/dev/null
		list+=($?)
	done
	is "$words" "${list[*]}" "$*"
}

# all_say REGEX RANK...: succeeds if each of these ranks has printed exactly one line and the
# line matches REGEX
all_say()
{
	local regex=$1 r

	shift
	for r; do
		[ "$(wc -l <"$tmp/err.$r")" = 1 ] &&
			grep -Eq "$regex" "$tmp/err.$r" ||
			{ echo "rank $r:"; cat "$tmp/err.$r"; return 1; }
	done
}

nothing_left()
{
	! pgrep -x collperf && ! rdma resource show qp | grep -q collperf
}

running()
{
	grep -q busbw "$tmp/out.0"
}

# come COUNT: succeeds if COUNT ranks are connected to rank 0. A test waits for this before it
# starts a rank that causes an error, because rank 0 then waits only one second for the other
# ranks.
come()
{
	[ "$(ss -Htn state established "sport = :$port" | wc -l)" = "$1" ]
}

# listening: does rank 0 listen?
listening()
{
	grep -q "$(printf ':%04X 0*:0000 0A' $port)" /proc/net/tcp
}
