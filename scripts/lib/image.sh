# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the root file system of the machine, build/image/SUITE/root: kernels, their
# headers, a compiler and the RDMA tools.
#
# The programs are also in build/image/SUITE/programs.squashfs. The machine mounts this
# file as a disk over the shared directory. Opening a file of a shared directory needs a
# message to the host and a reply, and each command opens several files.

image_suite=bookworm

image_packages=(
	# the machine
	busybox-static bash kmod mount procps util-linux iproute2 ethtool strace jq gojq
	man-db less ca-certificates
	# packages that make programs.squashfs
	squashfs-tools
	# packages needed to build the module and the tools
	gcc make libc6-dev pkg-config bc
	libnl-3-dev libnl-genl-3-dev libibverbs-dev libjson-c-dev libyaml-dev
	libtracefs-dev libtraceevent-dev
	# package needed to read the netlink specification
	python3-yaml
	# packages of programs that check output in standard formats (JSON Schema, Prometheus)
	python3-jsonschema python3-prometheus-client
	# RDMA, and packet captures
	rdma-core ibverbs-utils ibverbs-providers rdmacm-utils perftest tcpdump tshark
	# packages of MPI, to start ranks on several machines and to compare collperf with MPI's
	# collectives
	libpmix-dev openmpi-bin libopenmpi-dev
	# nftables, which the benchmark compares with rdmafault
	nftables
)

image_dir() {
	echo "$build/image/$image_suite"
}

image_root() {
	echo "$(image_dir)/root"
}

image_programs() {
	echo "$(image_dir)/programs.squashfs"
}

image_kernels() {
	case $1 in
	bookworm)
		echo linux-{image,headers}-amd64 linux-{image,headers}-6.12-amd64 ;;
	*)
		echo linux-{image,headers}-amd64 ;;
	esac
}

image_stamp() {
	{
		declare -p image_suite image_packages image_no_programs \
			image_digits image_digits_files
		image_kernels "$image_suite"
		declare -f image_make image_pack image_digits_take
		root_way
	} | sha256sum | cut -c1-16
}

# image_ensure: make the image if it is missing or out of date
image_ensure() {
	root_ensure "$(image_dir)" "$(image_stamp)" \
		"making the root file system of the machine, Debian $image_suite (about two minutes)" image_make
}

# Directories that are not in programs.squashfs, because they are large or change later.
# The machine takes them from the shared root.
image_no_programs=(
	boot dev proc run sys tmp usr/include usr/lib/gcc usr/lib/modules usr/src var
)

# image_pack NEW: make programs.squashfs from the root NEW/root. The file is not compressed,
# because the emulated processor takes longer to decompress data than a disk takes to read
# it. The file's size is a multiple of 2 MiB, as QEMU requires for a file that is part of the
# machine's memory.
image_pack() {
	# Put the locale into an archive, so that each command opens one locale file instead of
	# twelve
	chroot "$1/root" localedef --add-to-archive /usr/lib/locale/C.utf8 &&
		chroot "$1/root" mksquashfs / /programs.squashfs -quiet -no-progress \
			-noI -noD -noF -noX -no-duplicates \
			-e "${image_no_programs[@]}" programs.squashfs &&
		truncate -s %2M "$1/root/programs.squashfs" &&
		mv "$1/root/programs.squashfs" "$1/"
}

# The images of handwritten digits with which the program "train" trains its neural network.
# Only three files of this large package are used: the images, their origin and their
# licence. apt in the image fetches the package and checks its signature.
image_digits=python3-sklearn
image_digits_files=(
	usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz
	usr/lib/python3/dist-packages/sklearn/datasets/descr/digits.rst
	usr/share/doc/python3-sklearn/copyright
)

# image_digits_take ROOT: put the images of handwritten digits into the root. mmdebstrap
# calls this function in a separate shell.
image_digits_take() {
	local to=$1/usr/share/rdmafault work

	work=$(mktemp -d)
	mkdir -p "$to"
	(cd "$work" && APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get download "$image_digits")
	dpkg-deb --fsys-tarfile "$work/$image_digits"_*.deb |
		tar -x -C "$work" "${image_digits_files[@]/#/.\/}"
	gzip -dc "$work/${image_digits_files[0]}" >"$to/digits.csv"
	cp "$work/${image_digits_files[1]}" "$to/digits.rst"
	cp "$work/${image_digits_files[2]}" "$to/digits.copyright"
	rm -rf "$work"
}

# image_make NEW: make the root and programs.squashfs in NEW
# shellcheck disable=SC2016 # mmdebstrap sets $1
image_make() {
	local new=$1 packages

	packages=$(printf '%s,' "${image_packages[@]}")
	packages+=$(image_kernels "$image_suite" | tr ' ' ,)
	root_sources "$image_suite" >"$new/sources.list" || return
	{
		declare -p image_digits image_digits_files
		declare -f image_digits_take
		echo 'set -e; image_digits_take "$1"'
	} >"$new/digits.sh"
	root_bootable "$new" "$image_suite" "$packages" \
		--customize-hook="bash $new/digits.sh \"\$1\"" &&
		image_pack "$new"
}
