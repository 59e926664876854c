# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Two machines. The first has one end of a stream socket for a network card, the
# second has the other end: a cable between the two, which no other machine and
# no host sees. The second is another scripts/vm, started by the first one's. It
# does what "on vm2 COMMAND..." says (guest/on, guest/serve) until it is told to
# end, and its kernel's log counts like that of the first.

readonly pair_patience=60	# seconds that the second may take to power off
readonly pair_mtu=4200		# room for an RDMA MTU of 4096 in a packet

pair_check() {
	[ -z "$vm_virtual" ] ||
		die "--pair and --virtual-time exclude each other: two machines have no virtual time in common"
	qemu-system-x86_64 -netdev help 2>/dev/null | grep -qx stream ||
		die "--pair needs QEMU 7.2 or later, for its stream sockets"
}

# A socket's address has room for some 100 characters, so it is relative.
pair_socket() {
	realpath --relative-to=. "$run_dir/pair"
}

pair_netdev() {
	local path=$vm_join server=off

	[ -n "$path" ] || path=$(pair_socket) server=on
	qemu+=(-netdev "stream,id=pair,server=$server,addr.type=unix,addr.path=$path"
		-device "virtio-net-pci,netdev=pair,host_mtu=$pair_mtu,mac=52:54:00:00:00:0$vm_pair")
}

# pair_start: the second machine, as soon as the first one's socket is there
pair_start() {
	local options=(-k "$vm_kernel" -c "$vm_cpus" -m "$vm_mem" --timeout "$vm_timeout")

	[ -z "$vm_accel" ] || options+=(--accel "$vm_accel")
	[ -z "$vm_append" ] || options+=(--append "$vm_append")
	(
		socket=$(pair_socket)
		until [ -S "$socket" ]; do sleep 0.05; done
		exec "$top/scripts/vm" run "${options[@]}" --no-build --join "$socket" -- serve
	) </dev/null >"$run_dir/second" 2>&1 &
	pair_pid=$!
}

# pair_killed: the verdict on the second machine, which could not give one itself
pair_killed() {
	local run_dir=$run_dir/pair.run

	say "vm2 did not power off within $pair_patience s"
	verdict 124
}

# pair_verdict QEMU-STATUS: the first machine's, and if that is 0 the second's
pair_verdict() {
	local first=0 second=0

	verdict "$1" || first=$?
	for ((i = 0; i < pair_patience * 10; i++)); do
		kill -0 "$pair_pid" 2>/dev/null || break
		sleep 0.1
	done
	kill "$pair_pid" 2>/dev/null || true
	wait "$pair_pid" || second=$?
	pair_pid=
	[ "$second" -ne 143 ] || pair_killed || second=$?
	[ "$second" -eq 0 ] || sed 's/^/vm2: /' "$run_dir/second" >&2
	# A log that isn't clean outweighs what a command says
	[ "$second" -eq "$status_sick" ] || [ "$first" -eq 0 ] || return "$first"
	return "$second"
}
