# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# One boot of the machine: the kernel to boot, the accelerator to use, QEMU's
# command line, the deadline, and the verdict on the guest's log.

# On a busy host the ticks that the kernel counts to try its timer may come too
# late; it then gives up one that works, and 7.x may wait for ever.
readonly kernel_arguments=(
	no_timer_check
	console=ttyS0 loglevel=5 panic=-1 oops=panic mitigations=off nokaslr
	rcupdate.rcu_cpu_stall_timeout=60 watchdog_thresh=30 net.ifnames=0
	softlockup_panic=1 softlockup_all_cpu_backtrace=1
)
readonly status_sick=97 status_timeout=98

# find_kernel NAME: sets vm_version, vm_base (the folder that has its
# lib/modules) and vm_vmlinuz. NAME is the start of a version in the image
# (6.1) or of one above them, "newest", or a folder with vmlinuz and
# lib/modules/VERSION.
find_kernel() {
	local name=$1

	if [[ $name == */* ]]; then
		find_own_kernel "$name"
		return
	fi
	if newest_is "$name"; then
		find_newest_kernel "$name"
		return
	fi
	vm_base=
	vm_version=$(image_versions | grep -E "^${name//./\\.}([^0-9]|$)" | tail -n 1) || true
	[ -n "$vm_version" ] ||
		die "no kernel $name in the image: want one of $(image_versions | grep -oE '^[0-9]+\.[0-9]+' | paste -sd ' '), newest, or a folder with vmlinuz and lib/modules"
	vm_vmlinuz=$(image_root)/boot/vmlinuz-$vm_version
	[ -r "$vm_vmlinuz" ] || vm_vmlinuz=$(image_root)/usr/lib/modules/$vm_version/vmlinuz
}

# The kernel that isn't in the image, fetched if it isn't here yet
find_newest_kernel() {
	newest_ensure
	# Nobody may replace it while a machine runs from it.
	with_lock -s "$build/image/$newest_suite.lock"
	vm_base=$(newest_root)
	vm_version=$(newest_version)
	[ "$1" = newest ] || [[ $vm_version =~ ^"$1"([^0-9]|$) ]] ||
		die "no kernel $1: the newest there is, is $(grep -oE '^[0-9]+\.[0-9]+' <<<"$vm_version")"
	vm_vmlinuz=$vm_base/boot/vmlinuz-$vm_version
}

find_own_kernel() {
	local versions source

	vm_base=$(realpath -e "$1" 2>/dev/null) || die "no such kernel folder: $1"
	vm_vmlinuz=$vm_base/vmlinuz
	versions=("$vm_base"/lib/modules/*)
	[ -r "$vm_vmlinuz" ] && [ -d "${versions[0]}" ] && [ ${#versions[@]} -eq 1 ] ||
		die "a kernel folder has vmlinuz and one lib/modules/VERSION; $1 has not"
	vm_version=${versions[0]##*/}
	image_binds=("$vm_base")
	source=$(realpath -e "$vm_base/lib/modules/$vm_version/build" 2>/dev/null) ||
		die "no headers for kernel $vm_version: want $vm_base/lib/modules/$vm_version/build"
	image_binds+=("$source")
}

# The accelerator: KVM only where the CPU has it and a probe has booted. A
# /dev/kvm that opens proves nothing. The verdict is kept for the next time.
accelerator() {
	local verdict=$build/vm/kvm

	if ! grep -qwE 'vmx|svm' /proc/cpuinfo || ! [ -w /dev/kvm ]; then
		echo tcg
		return
	fi
	[ -s "$verdict" ] || probe_kvm >"$verdict.$BASHPID"
	[ -s "$verdict" ] || mv -f "$verdict.$BASHPID" "$verdict"
	rm -f "$verdict.$BASHPID"
	cat "$verdict"
}

probe_kvm() {
	timeout -k 1 15 "$top/scripts/vm" run --accel kvm --no-build --timeout 10 -- true \
		>/dev/null 2>&1 && echo kvm || echo tcg
}

# qemu_arguments: fills $qemu from the vm_* settings
qemu_arguments() {
	local accel=$vm_accel
	# QEMU 7.2 computes the flags after CMPXCHG16B from whatever stood in them
	# before. An interrupt there saves a pointer's low half for flags, and its
	# return sets trap or virtual-8086 mode: an oops in the slab allocator. The
	# kernel has another way for CPUs that lack the instruction.
	# QEMU carries out REP MOVSB byte by byte, so it isn't the fast way to copy
	# that the flag erms tells C library and kernel.
	local cpu=max,-cx16,-erms

	[ -n "$accel" ] || accel=$(accelerator)
	[ -z "$vm_virtual" ] || accel=virtual
	qemu=(qemu-system-x86_64 -name rdmafault -nodefaults -no-user-config -display none
		-no-reboot -m "$vm_mem,maxmem=64G" -kernel "$vm_vmlinuz" -initrd "$run_dir/initrd")
	case $accel in
	kvm) qemu+=(-accel kvm -cpu host -smp "$vm_cpus") ;;
	virtual) qemu+=(-accel "tcg,thread=single" -icount "shift=0,sleep=off" -cpu "$cpu" -smp 1) ;;
	*)
		# With a thread for each CPU, one may go on with its old translation
		# of code that the kernel has patched on the other, and stay in the
		# breakpoint that stood there meanwhile (QEMU 7.2). The CPUs take turns
		# instead.
		qemu+=(-accel "tcg,thread=single" -cpu "$cpu" -smp "$vm_cpus") ;;
	esac
	[ -n "$vm_virtual" ] || without_acpi
	qemu+=(-append "${kernel_arguments[*]} $vm_append")
	qemu_share root "$(image_root)" readonly=on,
	qemu_disk "$(image_programs)"
	qemu_share project "$top" readonly=on,
	qemu_share out "$vm_out" ""
	qemu_share runs "${vm_runs_in:-$vm_runs}" ""
	[ -z "$vm_base" ] || qemu_share modules "$vm_base/lib/modules/$vm_version" readonly=on,
	qemu_ports
	[ -z "$vm_pair" ] || pair_netdev
}

# without_acpi: a kernel that has none knows of one CPU in each socket only, and of
# no clock to measure the TSC by, which in QEMU is the host's
without_acpi() {
	local khz

	grep -qs '^# CONFIG_ACPI is not set' "$vm_base/config" || return 0
	khz=$(awk '/^cpu MHz/ { print int($4 * 1000); exit }' /proc/cpuinfo)
	qemu+=(-smp "$vm_cpus,sockets=$vm_cpus")
	[ -z "$khz" ] || vm_append+=" tsc_early_khz=$khz tsc=reliable"
}

# qemu_share TAG DIR OPTION,
qemu_share() {
	qemu+=(-fsdev "local,id=$1,$3multidevs=remap,security_model=none,path=$2"
		-device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}

# qemu_disk FILE: read-only, and shared by all machines; as a part of the machine's
# memory, and for a kernel that doesn't know such a disk, as another one. To wait for
# that takes time, which leaps meanwhile where it is virtual.
qemu_disk() {
	qemu+=(-object "memory-backend-file,id=programs,readonly=on,share=on,mem-path=$1,size=$(stat -c %s "$1")"
		-device "virtio-pmem-pci,memdev=programs"
		-drive "if=none,id=disk,format=raw,readonly=on,file=$1"
		-device "virtio-blk-pci,drive=disk")
}

qemu_ports() {
	local port

	qemu+=(-chardev "file,id=console,path=$run_dir/console" -serial chardev:console)
	if [ -n "$vm_shell" ]; then
		qemu+=(-chardev "stdio,id=tty,signal=off" -serial chardev:tty)
	else
		qemu+=(-serial null)
	fi
	qemu+=(-device "virtio-serial-pci,max_ports=8")
	for port in out err; do
		qemu+=(-chardev "pipe,id=$port,path=$run_dir/$port")
	done
	for port in status dmesg; do
		qemu+=(-chardev "file,id=$port,path=$run_dir/$port")
	done
	# guest/run knows them by their numbers
	qemu+=(-device "virtserialport,nr=1,chardev=out,name=out"
		-device "virtserialport,nr=2,chardev=err,name=err"
		-device "virtserialport,nr=3,chardev=status,name=status"
		-device "virtserialport,nr=4,chardev=dmesg,name=dmesg")
}

# The initramfs of this kernel, and behind it a second archive with what this
# run alone knows.
write_initrd() {
	local cache extra=$run_dir/extra

	cache=$build/vm/initramfs-$(echo "$vm_base$vm_version $(image_stamp) $(cat "$top"/scripts/lib/{initramfs.sh,guest/init} | sha256sum)" |
		sha256sum | cut -c1-16)
	[ -s "$cache" ] || initramfs_make "$vm_version" "${vm_base:-/}" "$cache"
	mkdir "$extra"
	cat >"$extra/vm.conf" <<-CONF
	vm_top=$(printf %q "$top")
	vm_out=$(printf %q "$vm_out")
	vm_runs=$(printf %q "$vm_runs")
	vm_no_programs='${image_no_programs[*]}'
	vm_kernel=${vm_base:+$vm_version}
	vm_shell=$vm_shell
	vm_pair=$vm_pair
	vm_virtual=$vm_virtual
	vm_term=$(printf %q "${TERM:-dumb}")
	vm_size='$([ -z "$vm_shell" ] || stty size)'
	vm_loglevel=5
	CONF
	printf '%s\n' "$vm_command" >"$extra/vm.command"
	{ cat "$cache"; cpio_of "$extra"; } >"$run_dir/initrd"
	rm -r "$extra"
}

# boot: one run of the machine; returns the status to exit with
boot() {
	local readers=() port status=0

	run_dir=$(mktemp -d "$build/vm/$(date +%H%M%S)-XXXX")
	trap boot_cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	ln -sfn "${run_dir##*/}" "$build/vm/last"
	# Where the first machine finds the second one's log
	[ -z "$vm_join" ] || ln -sfn "$run_dir" "$vm_join.run"
	mkfifo "$run_dir"/{out,err}.{in,out}
	write_initrd
	qemu_arguments
	note "booting $vm_version$([ -z "$vm_virtual" ] || echo ", in virtual time")"
	[ "$vm_pair" != 1 ] || pair_start
	if [ -n "$vm_shell" ]; then
		# In the foreground, for the terminal
		timeout --foreground -k 3 "$vm_timeout" "${qemu[@]}" 2>"$run_dir/qemu.err" || status=$?
	else
		timeout -k 3 "$vm_timeout" "${qemu[@]}" </dev/null 2>"$run_dir/qemu.err" &
		qemu_pid=$!
		cat "$run_dir/out.out" &
		readers+=($!)
		cat "$run_dir/err.out" >&2 &
		readers+=($!)
		wait "$qemu_pid" || status=$?
		qemu_pid=
	fi
	# QEMU may have ended before it opened the pipes.
	for port in out err; do
		: <>"$run_dir/$port.out"
	done
	[ ${#readers[@]} -eq 0 ] || wait "${readers[@]}" || true
	if [ "$vm_pair" = 1 ]; then
		pair_verdict "$status"
	else
		verdict "$status"
	fi
}

boot_cleanup() {
	[ -z "${pair_pid:-}" ] || kill "$pair_pid" 2>/dev/null || true
	# timeout passes the signal on to QEMU, and kills it if that does not help
	[ -z "${qemu_pid:-}" ] || kill "$qemu_pid" 2>/dev/null || true
	[ -z "$vm_stty" ] || stty "$vm_stty"
	rm -f "$run_dir"/{out,err}.{in,out} "$run_dir/initrd"
	find "$build/vm" -mindepth 1 -maxdepth 1 -type d -mmin +1440 -exec rm -r {} + 2>/dev/null || true
}

# verdict QEMU-STATUS: the log first, then the deadline, then the command
verdict() {
	local sick

	sick=$(cat "$run_dir/console" "$run_dir/dmesg" 2>/dev/null | sick_lines || true)
	if [ -n "$sick" ]; then
		printf '%s\n' "$sick" >&2
		cat "$run_dir/console" "$run_dir/dmesg" 2>/dev/null |
			sick_context >&2
		say "the guest's kernel log is not clean: see ${run_dir#"$top"/}/console"
		return "$status_sick"
	fi
	if [ "$1" -eq 124 ] || [ "$1" -eq 137 ]; then
		tail -n 15 "$run_dir/console" >&2
		say "no end within $vm_timeout s (--timeout); last console lines above, all in ${run_dir#"$top"/}/console"
		return "$status_timeout"
	fi
	if ! grep -q '^exit [0-9]' "$run_dir/status" 2>/dev/null; then
		cat "$run_dir/qemu.err" >&2
		tail -n 15 "$run_dir/console" >&2
		say "the machine ended without telling a status: see ${run_dir#"$top"/}"
		return "$status_sick"
	fi
	return "$(sed -n 's/^exit //p' "$run_dir/status")"
}
