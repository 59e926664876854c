# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Install rdmafault in a root file system of Debian, boot a virtual machine from this root,
# and compare the root's files. The script sets $suite, $dir (for logs), $suite_root and
# $vm_version; $tests and $failed count the results.

# The machine needs these packages to boot, in addition to those that the script installs.
# shellcheck disable=SC2034 # for the scripts
boot_packages=(busybox-static bash mount procps util-linux)
source_dir=/root/rdmafault
tests=0 failed=0

# try TITLE COMMAND...: run COMMAND with its output in a log, and print the result as a TAP line
# and how long it took
try() {
	local words="$suite: $1" log=$dir/$1.log status=0 start=$SECONDS cpu_seconds cpu_start

	shift
	cpu_seconds
	cpu_start=$cpu_seconds
	log=${log// /-}
	tests=$((tests + 1))
	with_progress "$words" "$log" "$@" || status=$?
	if [ $status = 0 ]; then
		echo "ok $tests - $words"
	else
		echo "not ok $tests - $words"
		tail -n 20 "$log" | sed 's/^/# /'
		failed=$((failed + 1))
	fi
	cpu_seconds
	echo "# $((SECONDS - start)) s, $((cpu_seconds - cpu_start)) s of CPU"
}

# in_source COMMAND...: run the command in the unpacked sources, as a user would
in_source() {
	in_root "$suite_root" env -C "$source_dir" "$@"
}

unpack() {
	rm -rf "$suite_root$source_dir"
	mkdir -p "$suite_root$source_dir"
	tar -C "$top" --exclude=./build --exclude=./.git -c . | tar -x -C "$suite_root$source_dir"
}

# files: prints all files of the root except sources and logs, and how often the
# module is registered with DKMS. The directory of DKMS's signing key is
# excluded, because DKMS keeps the key, and the cache that ldconfig makes when a package
# has libraries.
files() {
	find "$suite_root" -xdev \( -path "$suite_root$source_dir" -o -path "$suite_root/var/log" \
		-o -path "$suite_root/var/lib/dkms" -o -path "$suite_root/var/cache/ldconfig" \
		-o -path "$suite_root$top" -o -path "$suite_root/root/.*" \) \
		-prune -o -printf '%P\n' | sort
	echo "in modules.dep: $(cat "$suite_root"/lib/modules/*/modules.dep | grep -c rdmafault)"
	echo "known to DKMS: $(find "$suite_root/var/lib/dkms" -name '*rdmafault*' 2>/dev/null | wc -l)"
}

nothing_is_left() {
	files | diff "$dir/files" -
}

# Replace the image by the root of this test, and its disk of programs by an empty
# one, so that the machine runs the installed programs.
image_root() {
	echo "$suite_root"
}

image_programs() {
	truncate -s 2M "$dir/no-programs"
	echo "$dir/no-programs"
}

# boots COMMAND [SECONDS [VIRTUAL]]: boot the root, run COMMAND, and end the machine after
# SECONDS. If VIRTUAL is empty, the machine has the clock of the host.
boots() {
	local vm_cpus=1 vm_virtual=${3-1} vm_timeout=${2:-600} vm_command=$1
	local vm_vmlinuz=$suite_root/boot/vmlinuz-$vm_version
	local vm_out=$dir/out vm_runs=$dir/runs build=$dir

	mkdir -p "$vm_out" "$vm_runs" "$build/vm"
	(boot)
}

installed_lab='export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; cd /tmp
	modinfo rdmafault && modprobe rdmafault && rdmafault --version &&
	rdmafault run -o /tmp/one-drop /usr/share/rdmafault/labs/01-one-drop.yaml'
