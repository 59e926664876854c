# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Four ranks that this test starts itself, each a command of its own: begin,
# rank, end, and what they said. A test sets $job, the words of collperf.

tmp=$(mktemp -d)
defer rm -r "$tmp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
port=17000
pids=()

# rank R OPTION...: rank R of four, in the background
rank()
{
	local r=$1

	shift
	collperf "$@" --rank "$r" --ranks 4 --rendezvous "127.0.0.1:$port" \
		>"$tmp/out.$r" 2>"$tmp/err.$r" &
	pids[r]=$!
}

# begin RANK...: a new job of these
begin()
{
	local r

	port=$((port + 1)) pids=()
	rm -f "$tmp"/{out,err}.*
	for r; do
		rank "$r" "${job[@]}"
	done
}

# end WORDS STATUS...: all ranks that were begun end, by rank with these
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

# all_say REGEX RANK...: each of these ranks says one line, and it matches
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

# come COUNT: so many have come to rank 0. When it has found what is wrong with
# one, it waits a second for others, and no more.
come()
{
	[ "$(ss -Htn state established "sport = :$port" | wc -l)" = "$1" ]
}

# listening: rank 0 does
listening()
{
	grep -q "$(printf ':%04X 0*:0000 0A' $port)" /proc/net/tcp
}
