# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Boot two connected machines (scripts/vm --pair). Their network cards are the two ends
# of a stream socket: a cable that no other machine uses. The script of the first machine
# starts the script of the second. The second machine runs the commands of "on vm2
# COMMAND..." (guest/on, guest/serve) until the command "end". The kernel logs of both
# machines are checked.

readonly pair_patience=60	# seconds that the second machine can take to power off
readonly pair_mtu=4200		# room for an RDMA MTU of 4096 in a packet

pair_check() {
	[ -z "$vm_virtual" ] ||
		die "--pair: cannot be combined with --virtual-time; two machines have no common virtual time"
	qemu-system-x86_64 -netdev help 2>/dev/null | grep -qx stream ||
		die "--pair: this QEMU has no stream sockets; use QEMU 7.2 or later"
}

# The path is relative, because the address of a socket has only about 100 characters.
pair_socket() {
	realpath --relative-to=. "$run_dir/pair"
}

pair_netdev() {
	local path=$vm_join server=off

	[ -n "$path" ] || path=$(pair_socket) server=on
	qemu+=(-netdev "stream,id=pair,server=$server,addr.type=unix,addr.path=$path"
		-device "virtio-net-pci,netdev=pair,host_mtu=$pair_mtu,mac=52:54:00:00:00:0$vm_pair")
}

# pair_start: start the second machine as soon as the socket of the first exists
pair_start() {
	local options=(-k "$vm_kernel" -c "$vm_cpus" --timeout "$vm_timeout")

	[ -z "$vm_mem" ] || options+=(-m "$vm_mem")
	[ -z "$layer" ] || options+=(--layer "$layer")
	[ -z "$vm_accel" ] || options+=(--accel "$vm_accel")
	[ -z "$vm_append" ] || options+=(--append "$vm_append")
	(
		socket=$(pair_socket)
		until [ -S "$socket" ]; do sleep 0.05; done
		exec "$top/scripts/vm" run "${options[@]}" --no-build --join "$socket" -- serve
	) </dev/null >"$run_dir/second" 2>&1 &
	pair_pid=$!
}

# pair_killed: report that the second machine was killed. Returns a status that says
# whether the second machine's kernel log has errors.
pair_killed() {
	local run_dir=$run_dir/pair.run

	say "vm2 did not power off within $pair_patience s"
	verdict 124
}

# pair_verdict QEMU-STATUS: wait for the second machine; returns the status of the first machine
# or, if that is 0, the status of the second machine
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
	# If the second machine's kernel log has errors, report them, whatever the status of
	# the first machine is
	[ "$second" -eq "$status_sick" ] || [ "$first" -eq 0 ] || return "$first"
	return "$second"
}
