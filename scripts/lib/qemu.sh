# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Boot the machine once: find the kernel and the accelerator, build QEMU's command line,
# enforce the timeout, and check the guest's kernel log.

# no_timer_check: on a busy host, the ticks with which the kernel tests its timer can
# be late. The kernel then disables a working timer, and Linux 7.x can wait for ever.
readonly kernel_arguments=(
	no_timer_check
	console=ttyS0 loglevel=5 panic=-1 oops=panic mitigations=off nokaslr
	rcupdate.rcu_cpu_stall_timeout=60 watchdog_thresh=30 net.ifnames=0
	softlockup_panic=1 softlockup_all_cpu_backtrace=1
)
readonly status_sick=97 status_timeout=98

# The settings of boot() with their defaults. find_kernel sets vm_version, vm_base and
# vm_vmlinuz; the caller sets vm_timeout.
vm_cpus=2 vm_mem='' vm_accel='' vm_append='' vm_plugin='' vm_virtual='' vm_base=''
vm_shell='' vm_stty='' vm_command='' vm_machines=1 vm_number=1 vm_join=''
vm_out=$build/out vm_runs=$build/runs vm_runs_in=''

# find_kernel NAME: sets vm_version, vm_base (the directory that has lib/modules of
# this kernel) and vm_vmlinuz. NAME is the start of a kernel version, such as 6.1: a
# version in the image, or one newer than these. NAME can also be "newest", or a
# directory with vmlinuz and lib/modules/VERSION.
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
		die "kernel $name: not in the image; one of $(image_versions | grep -oE '^[0-9]+\.[0-9]+' | paste -sd ' '), newest, or a directory with vmlinuz and lib/modules"
	vm_vmlinuz=$(image_root)/boot/vmlinuz-$vm_version
	[ -r "$vm_vmlinuz" ] || vm_vmlinuz=$(image_root)/usr/lib/modules/$vm_version/vmlinuz
}

# find_newest_kernel NAME: like find_kernel, for the newest kernel, which is fetched if it
# is missing
find_newest_kernel() {
	newest_ensure
	# The root of the newest kernel must not be replaced while a machine runs from it.
	with_lock -s "$build/image/$newest_suite.lock"
	vm_base=$(newest_root)
	vm_version=$(newest_version)
	[ "$1" = newest ] || [[ $vm_version =~ ^"$1"([^0-9]|$) ]] ||
		die "kernel $1: no such kernel; the newest one is $(grep -oE '^[0-9]+\.[0-9]+' <<<"$vm_version")"
	vm_vmlinuz=$vm_base/boot/vmlinuz-$vm_version
}

find_own_kernel() {
	local versions source

	vm_base=$(realpath -e "$1" 2>/dev/null) || die "kernel $1: no such directory"
	vm_vmlinuz=$vm_base/vmlinuz
	versions=("$vm_base"/lib/modules/*)
	[ -r "$vm_vmlinuz" ] && [ -d "${versions[0]}" ] && [ ${#versions[@]} -eq 1 ] ||
		die "kernel $1: not a kernel's directory; it must have vmlinuz and one lib/modules/VERSION"
	vm_version=${versions[0]##*/}
	image_binds=("$vm_base")
	source=$(realpath -e "$vm_base/lib/modules/$vm_version/build" 2>/dev/null) ||
		die "kernel $vm_version: no headers; they must be in $vm_base/lib/modules/$vm_version/build"
	image_binds+=("$source")
}

# accelerator: prints kvm if the CPU supports it and a test boot has succeeded, otherwise
# tcg. The test boot is needed because KVM can fail although /dev/kvm can be opened. The
# result of the test boot is stored.
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

# qemu_arguments: sets $qemu from the vm_* settings
qemu_arguments() {
	local accel=$vm_accel
	# Disable cx16, the instruction CMPXCHG16B: after this instruction, QEMU 7.2
	# computes RFLAGS from stale values. An interrupt then saves a part of a pointer
	# as RFLAGS. The return from the interrupt can set trap or virtual-8086 mode,
	# which ends in an oops of the slab allocator. Disable erms: with it, the C
	# library and the kernel copy memory by REP MOVSB, which QEMU executes byte by
	# byte.
	local cpu=max,-cx16,-erms

	[ -n "$accel" ] || accel=$(accelerator)
	[ -z "$vm_virtual" ] || accel=virtual
	qemu=(qemu-system-x86_64 -name rdmafault -nodefaults -no-user-config -display none
		-no-reboot -m "${vm_mem:-${layer_memory:-2G}},maxmem=64G" -kernel "$vm_vmlinuz" -initrd "$run_dir/initrd")
	case $accel in
	kvm) qemu+=(-accel kvm -cpu host -smp "$vm_cpus") ;;
	virtual) qemu+=(-accel "tcg,thread=single" -icount "shift=0,sleep=off" -cpu "$cpu" -smp 1) ;;
	*)
		# One thread for all CPUs: with one thread per CPU, a CPU can continue to
		# execute its old translation of code that the kernel has patched on
		# another CPU, and hang in a temporary breakpoint (QEMU 7.2).
		qemu+=(-accel "tcg,thread=single" -cpu "$cpu" -smp "$vm_cpus") ;;
	esac
	[ -n "$vm_virtual" ] || without_acpi
	[ -z "$vm_plugin" ] || qemu+=(-plugin "$vm_plugin")
	qemu+=(-append "${kernel_arguments[*]} $vm_append")
	qemu_share root "$(machine_root)" readonly=on,
	qemu_disk "$(machine_programs)"
	qemu_share project "$top" readonly=on,
	qemu_share out "$vm_out" ""
	qemu_share runs "${vm_runs_in:-$vm_runs}" ""
	[ -z "$vm_base$layer" ] ||
		qemu_share modules "${vm_base:-$(image_root)}/lib/modules/$vm_version" readonly=on,
	qemu_ports
	[ "$vm_machines" -eq 1 ] || cluster_cards
}

# machine_root, machine_programs: print the machine's root and its disk of programs, which
# are those of the layer, if there is one, or of the image
machine_root() {
	[ -n "$layer" ] && echo "$(layer_dir)/root" || image_root
}

machine_programs() {
	[ -n "$layer" ] && echo "$(layer_dir)/programs.squashfs" || image_programs
}

# without_acpi: a kernel without ACPI finds only one CPU per socket, and has no clock to
# calibrate the TSC with. QEMU's TSC runs at the frequency of the host's TSC, so pass this
# frequency to the kernel.
without_acpi() {
	local khz

	grep -qs '^# CONFIG_ACPI is not set' "$vm_base/config" || return 0
	khz=$(awk '/^cpu MHz/ { print int($4 * 1000); exit }' /proc/cpuinfo)
	qemu+=(-smp "$vm_cpus,sockets=$vm_cpus")
	[ -z "$khz" ] || vm_append+=" tsc_early_khz=$khz tsc=reliable"
}

# qemu_share TAG DIR OPTION,: share the directory DIR of the host with the machine, which
# mounts it by the name TAG. OPTION is an option of QEMU with a comma at its end, or
# empty.
qemu_share() {
	qemu+=(-fsdev "local,id=$1,$3multidevs=remap,security_model=none,path=$2"
		-device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}

# qemu_disk FILE: add FILE as a read-only disk in memory (pmem), which all machines
# share. Add it again as a virtio disk for kernels without a pmem driver. pmem is
# preferred, because virtual time advances while the machine waits for a virtio disk.
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
	# guest/run uses these numbers
	qemu+=(-device "virtserialport,nr=1,chardev=out,name=out"
		-device "virtserialport,nr=2,chardev=err,name=err"
		-device "virtserialport,nr=3,chardev=status,name=status"
		-device "virtserialport,nr=4,chardev=dmesg,name=dmesg")
}

# write_initrd: write the initramfs of this kernel, followed by a second archive with
# the settings and the command of this run.
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
	vm_kernel=$([ -z "$vm_base$layer" ] || echo "$vm_version")
	vm_shell=$vm_shell
	vm_machines=$vm_machines
	vm_number=$vm_number
	vm_virtual=$vm_virtual
	vm_term=$(printf %q "${TERM:-dumb}")
	vm_size='$([ -z "$vm_shell" ] || stty size)'
	vm_loglevel=5
	CONF
	printf '%s\n' "$vm_command" >"$extra/vm.command"
	{ cat "$cache"; cpio_of "$extra"; } >"$run_dir/initrd"
	rm -r "$extra"
}

# boot: boot and run the machine once; returns the exit status
boot() {
	local readers=() port status=0

	run_dir=$(mktemp -d "$build/vm/$(date +%H%M%S)-XXXX")
	trap boot_cleanup EXIT
	trap 'exit $status_aborted' INT TERM HUP
	ln -sfn "${run_dir##*/}" "$build/vm/last"
	# The script of the first machine finds the logs of the others through these symbolic
	# links.
	[ -z "$vm_join" ] || ln -sfn "$run_dir" "$vm_join.run"
	mkfifo "$run_dir"/{out,err}.{in,out}
	write_initrd
	qemu_arguments
	note "booting $vm_version$([ -z "$vm_virtual" ] || echo ", in virtual time")"
	[ "$vm_machines" -eq 1 ] || [ -n "$vm_join" ] || cluster_start
	if [ -n "$vm_shell" ]; then
		# QEMU must be in the foreground to read the terminal.
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
	# Open each pipe once for writing. Otherwise the readers would wait for ever if QEMU
	# ended before it opened the pipes.
	for port in out err; do
		: <>"$run_dir/$port.out"
	done
	[ ${#readers[@]} -eq 0 ] || wait "${readers[@]}" || true
	cluster_verdict "$status"
}

boot_cleanup() {
	cluster_kill
	# The program "timeout" (qemu_pid) forwards the signal to QEMU. If QEMU does not end within
	# 3 s, "timeout" kills it.
	[ -z "${qemu_pid:-}" ] || kill "$qemu_pid" 2>/dev/null || true
	[ -z "$vm_stty" ] || stty "$vm_stty"
	rm -f "$run_dir"/{out,err}.{in,out} "$run_dir/initrd"
	find "$build/vm" -mindepth 1 -maxdepth 1 -type d -mmin +1440 -exec rm -r {} + 2>/dev/null || true
}

# verdict QEMU-STATUS: returns $status_sick if the kernel log has errors, $status_timeout if
# the machine was killed by the timeout, otherwise the exit status of the command
verdict() {
	local sick

	sick=$(cat "$run_dir/console" "$run_dir/dmesg" 2>/dev/null | sick_lines || true)
	if [ -n "$sick" ]; then
		printf '%s\n' "$sick" >&2
		cat "$run_dir/console" "$run_dir/dmesg" 2>/dev/null |
			sick_context >&2
		say "the guest's kernel logged the warnings or errors above; see ${run_dir#"$top"/}/console"
		return "$status_sick"
	fi
	if [ "$1" -eq 124 ] || [ "$1" -eq 137 ]; then
		tail -n 15 "$run_dir/console" >&2
		say "the machine was killed after $vm_timeout s (--timeout); the last lines of its console are above, all lines are in ${run_dir#"$top"/}/console"
		return "$status_timeout"
	fi
	if ! grep -q '^exit [0-9]' "$run_dir/status" 2>/dev/null; then
		cat "$run_dir/qemu.err" >&2
		tail -n 15 "$run_dir/console" >&2
		say "the machine ended without an exit status; see ${run_dir#"$top"/}"
		return "$status_sick"
	fi
	return "$(sed -n 's/^exit //p' "$run_dir/status")"
}
