# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A bridge on vm1 between two machines with rxe (scripts/vm --machines 3). Only vm1 has rules:
#
#   vm2                    vm1                        vm3
#   rxe1 - eth1 ==== eth2 (port) - br0 - eth3 (port) ==== eth1 - rxe1
#   10.77.0.2                                         10.77.0.3
#
#   bump                    set it up until the end of the test
#   job OPTION...           run "collperf broadcast OPTION..." from vm2 (rank 0) to vm3, and
#                           store the differences of the rxe counters
#   job_start OPTION...     the same in the background, until job_end
#   job_end                 wait for the job; sets $status to the exit statuses of both ranks
#   added VM COUNTER        prints how much a counter of rxe1 has increased in the last job
#   verified TITLE          test that the last job has ended with 0 on both machines, without a
#                           wrong value and without a send error
. "$selftests/lib/rdma.sh"

command -v on >/dev/null && on vm3 true 2>/dev/null ||
	skip_all "three machines are needed: scripts/vm run --machines 3"
tmp=$(mktemp -d)
defer rm -r "$tmp"

# end_host VM: make the RDMA device of vm2 or vm3. collperf must not load the module there.
end_host()
{
	defer on "vm$1" "rdma link del rxe1; ip link set eth1 down; ip address flush dev eth1;
		modprobe -r rdmafault; rm /etc/modprobe.d/bump.conf"
	on "vm$1" "echo blacklist rdmafault >/etc/modprobe.d/bump.conf &&
		ip address add 10.77.0.$1/24 dev eth1 && ip link set eth1 up &&
		rdma link add rxe1 type rxe netdev eth1"
}

# has_gid VM: succeeds if the RDMA device has its IPv4 GID
has_gid()
{
	on "vm$1" "grep -q 0a4d:0 /sys/class/infiniband/rxe1/ports/1/gids/1"
}

bump()
{
	local dev

	defer ip link del br0
	ip link add br0 mtu 4200 type bridge forward_delay 0 mcast_snooping 0
	for dev in eth2 eth3; do
		ip link set $dev up mtu 4200 master br0
	done
	ip link set br0 up
	ports eth2 eth3
	end_host 2
	end_host 3
	wait_until 20 has_gid 2
	wait_until 20 has_gid 3
}

# counters: prints lines "VM COUNTER VALUE"
counters()
{
	local k

	for k in 2 3; do
		on vm$k "cd /sys/class/infiniband/rxe1/ports/1/hw_counters && grep . *" |
			sed "s/^/$k /; s/:/ /"
	done
}

job_start()
{
	local k

	counters >"$tmp/before"
	for k in 2 3; do
		on vm$k "collperf broadcast --place out -z 1 $* --rank $((k - 2)) --ranks 2 \
			--rendezvous 10.78.0.2:7000" >"$tmp/out.$k" &
		job_pids[k]=$!
	done
}

job_end()
{
	local k

	status=
	for k in 2 3; do
		wait "${job_pids[k]}"
		status+=${status:+ }$?
	done
	counters >"$tmp/after"
}

job()
{
	job_start "$@"
	job_end
}

added()
{
	awk -v vm="$1" -v counter="$2" '$1 == vm && $2 == counter { n = $3 - n } END { print n }' \
		"$tmp/before" "$tmp/after"
}

verified()
{
	is "$1: the job exits with 0 on both machines" "$status" "0 0"
	ok "$1: no value is wrong" grep -q '^# Out of bounds values : 0 OK' "$tmp/out.2"
	is "$1: rxe counts no send error" "$(added 2 send_err) $(added 3 send_err)" "0 0"
}

# step_time: prints the time of a step of the last job, in microseconds
step_time()
{
	awk '$1 ~ /^[0-9]+$/ { printf "%d\n", $6 }' "$tmp/out.2"
}
