# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Boot two or three connected machines (scripts/vm --machines). A cable between two machines
# is a stream socket, to which both of their network cards are connected:
#
#   --machines 2        --machines 3
#   vm1 -- eth0 vm2     vm1 -- eth0 (control) eth1 (data) vm2
#                           -- eth0 (control) eth1 (data) vm3
#
# vm1 has a network card for each cable, in this order: the cables to eth0 of all machines, then
# those to eth1. The script of vm1 starts the scripts of the others, which run the commands
# of "on vm2 COMMAND..." (guest/on, guest/serve) until the command "end". The kernel logs of
# all machines are checked.

readonly cluster_patience=60	# seconds that another machine can take to power off
readonly cluster_mtu=4200	# room for an RDMA MTU of 4096 in a packet

cluster_pids=()			# processes of the other machines, by their number

cluster_check() {
	[ -z "$vm_virtual" ] ||
		die "--machines: cannot be combined with --virtual-time; machines have no common virtual time"
	qemu-system-x86_64 -netdev help 2>/dev/null | grep -qx stream ||
		die "--machines: this QEMU has no stream sockets; use QEMU 7.2 or later"
}

# cluster_names MACHINES: prints the network cards that vm2, vm3, ... have
cluster_names() {
	[ "$1" -gt 2 ] && echo eth0 eth1 || echo eth0
}

# cluster_path MACHINE: prints the beginning of the paths of this machine's sockets and logs.
# It is relative, because the address of a socket has only about 100 characters.
cluster_path() {
	realpath --relative-to=. "$run_dir/vm$1"
}

# cluster_card NUMBER SOCKET SERVER: add network card NUMBER of this machine
cluster_card() {
	qemu+=(-netdev "stream,id=net$1,server=$3,addr.type=unix,addr.path=$2"
		-device "virtio-net-pci,netdev=net$1,host_mtu=$cluster_mtu,mac=52:54:00:00:0$vm_number:0$1")
}

# cluster_cards: add the network cards of this machine
cluster_cards() {
	local name k n=0

	for name in $(cluster_names "$vm_machines"); do
		if [ -n "$vm_join" ]; then
			cluster_card $((n++)) "$vm_join.$name" off
			continue
		fi
		for ((k = 2; k <= vm_machines; k++)); do
			cluster_card $((n++)) "$(cluster_path $k).$name" on
		done
	done
}

# cluster_start: start the other machines as soon as the sockets of this one exist
cluster_start() {
	local options=(-k "$vm_kernel" -c "$vm_cpus" --timeout "$vm_timeout" --machines "$vm_machines") k

	[ -z "$vm_mem" ] || options+=(-m "$vm_mem")
	[ -z "$layer" ] || options+=(--layer "$layer")
	[ -z "$vm_accel" ] || options+=(--accel "$vm_accel")
	[ -z "$vm_append" ] || options+=(--append "$vm_append")
	for ((k = 2; k <= vm_machines; k++)); do
		(
			path=$(cluster_path $k)
			last=$(cluster_names "$vm_machines")
			until [ -S "$path.${last##* }" ]; do sleep 0.05; done
			exec "$top/scripts/vm" run "${options[@]}" --no-build --join "$path" -- serve
		) </dev/null >"$run_dir/vm$k.out" 2>&1 &
		cluster_pids[k]=$!
	done
}

# cluster_kill: end the other machines
cluster_kill() {
	local k

	for k in "${!cluster_pids[@]}"; do
		kill "${cluster_pids[k]}" 2>/dev/null || true
	done
}

# cluster_killed MACHINE: report that a machine was killed. Returns a status that says
# whether the kernel log of this machine has errors.
cluster_killed() {
	local run_dir=$run_dir/vm$1.run

	say "vm$1 did not power off within $cluster_patience s"
	verdict 124
}

# cluster_wait MACHINE: wait for the end of another machine; returns its status
cluster_wait() {
	local k=$1 pid=${cluster_pids[$1]} status=0 i

	for ((i = 0; i < cluster_patience * 10; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill "$pid" 2>/dev/null || true
	wait "$pid" || status=$?
	unset "cluster_pids[$k]"
	[ "$status" -ne 143 ] || cluster_killed "$k" || status=$?
	[ "$status" -eq 0 ] || sed "s/^/vm$k: /" "$run_dir/vm$k.out" >&2
	return "$status"
}

# cluster_verdict QEMU-STATUS: wait for the other machines; returns the status of the first
# machine that failed. If the kernel log of a machine has errors, report them, whatever the
# status of the others is.
cluster_verdict() {
	local first=0 status k

	verdict "$1" || first=$?
	for k in "${!cluster_pids[@]}"; do
		status=0
		cluster_wait "$k" || status=$?
		[ "$first" -ne 0 ] && [ "$status" -ne "$status_sick" ] || first=$status
	done
	return "$first"
}
