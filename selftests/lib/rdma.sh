# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Functions that make a fabric, send traffic over it, and print the counters of rxe and of
# the module.

# fabric NODES: make the fabric, and remove it at the end of the test.
fabric()
{
	defer rdmafault fabric down --force
	rdmafault fabric up "$1" >/dev/null ||
		{ echo "Bail out! the fabric cannot be made"; exit 1; }
}

# ports NETDEV...: make these netdevs ports until the end of the test.
ports()
{
	local dev

	for dev; do
		defer rdmafault port del "$dev" --force
		rdmafault port add "$dev" >/dev/null ||
			{ echo "Bail out! $dev cannot be made a port"; exit 1; }
	done
}

# hw DEVICE COUNTER: prints a hardware counter (hw_counters) of an rxe device.
hw()
{
	cat "/sys/class/infiniband/$1/ports/1/hw_counters/$2"
}

# tracepoints 0|1 [NAME]: disable or enable a tracepoint of the module, by default all of them.
# The caller defers "tracepoints 0".
tracepoints()
{
	echo "$1" >"/sys/kernel/tracing/events/rdmafault/${2:+$2/}enable"
}

# rule_stat NETDEV ID matched|hits: prints a counter of a rule
rule_stat()
{
	rdmafault --json rule show "$1" |
		jq -r --argjson id "$2" --arg key "$3" '.[] | select(.id == $id)[$key]'
}

# port_stat NETDEV tx|rx KEY: prints the counter KEY of this direction of a port
port_stat()
{
	rdmafault --json stat "$1" |
		jq -r --arg dir "$2" --arg key "$3" '.[0][$dir][$key]'
}

# prio_stat NETDEV PRIO KEY: prints the counter KEY of the priority PRIO of a port
prio_stat()
{
	rdmafault --json prio show "$1" | jq -r --argjson prio "$2" --arg key "$3" \
		'.[0].prio[] | select(.prio == $prio)[$key]'
}

# listens_or_ended PORT PID: succeeds if a process listens on the TCP port PORT, or if the
# process PID has ended
listens_or_ended()
{
	grep -q "$(printf ':%04X 0*:0000 0A' "$1")" /proc/net/tcp /proc/net/tcp6 ||
		! kill -0 "$2"
}

# perftest PROGRAM SERVER CLIENT [OPTION...]: run PROGRAM from rxeCLIENT to rxeSERVER. The two
# processes of PROGRAM connect over loopback. Fails if either process fails. In virtual time, both
# get a very long timeout, because virtual time advances while the machine waits for its disk.
# -u 20: perftest's timer of 67 ms expires on a busy host, and rxe can then end the queue pair
# (Documentation/rxe-bugs.rst). A later -u in OPTION replaces it.
# -F: perftest measures the clock of the CPU at its end; on a busy host this can fail, and then the
# program ends with an error although the traffic succeeded.
perftest()
{
	local program=$1 server=$2 client=$3 pid status
	local port=$((18600 + RANDOM % 1000)) patience=60

	shift 3
	[ -z "${KSFT_MACHINE_SLOW:-}" ] || patience=600
	[ -z "${vm_virtual:-}" ] || patience=100000
	timeout $patience "$program" -d "rxe$server" -x 1 -p $port -u 20 -F "$@" \
		>/dev/null 2>&1 &
	pid=$!
	wait_until $patience listens_or_ended $port $pid
	timeout $patience "$program" -d "rxe$client" -x 1 -p $port -u 20 -F "$@" \
		127.0.0.1
	status=$?
	# If the client has failed, its server would wait without end.
	[ $status = 0 ] || kill $pid 2>/dev/null
	wait $pid || status=$?
	return $status
}

# write_bw SERVER CLIENT [OPTION...]: run ib_write_bw from rxeCLIENT to rxeSERVER
write_bw()
{
	perftest ib_write_bw "$@"
}

# has_queue_pairs: succeeds if the program collperf has queue pairs
has_queue_pairs()
{
	rdma resource show qp | grep -q 'comm collperf'
}
