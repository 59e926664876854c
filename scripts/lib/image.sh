# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# The root file system of the machine, in build/image/SUITE/root: kernels, their
# headers, a compiler and the RDMA tools.
#
# Beside it lies programs.squashfs, the part of it that programs are run from. The
# machine has that as a disk on top of the shared folder, for to open a file of a
# shared folder is a message to the host and back, several of them for each command.

image_suite=bookworm

image_packages=(
	# the machine
	busybox-static bash kmod mount procps util-linux iproute2 ethtool strace jq gojq
	man-db less ca-certificates
	# what makes programs.squashfs
	squashfs-tools
	# building module and tools
	gcc make libc6-dev pkg-config bc
	libnl-3-dev libnl-genl-3-dev libibverbs-dev libjson-c-dev libyaml-dev
	libtracefs-dev libtraceevent-dev
	# netlink from the specification
	python3-yaml
	# what of ours is in the formats of others, by their own programs
	python3-jsonschema python3-prometheus-client
	# RDMA, and looking at it
	rdma-core ibverbs-utils ibverbs-providers perftest tcpdump tshark
	# launching ranks on several machines, and the collectives of others
	libpmix-dev openmpi-bin libopenmpi-dev
	# a peer that the benchmark measures beside us
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

# image_ensure: have it, made or remade if need be
image_ensure() {
	root_ensure "$(image_dir)" "$(image_stamp)" \
		"making the $image_suite image (about two minutes)" image_make
}

# What is not in programs.squashfs: large, or changed once the root is made. The
# machine has it from the root itself.
image_no_programs=(
	boot dev proc run sys tmp usr/include usr/lib/gcc usr/lib/modules
	usr/share/rdmafault/uplot usr/src var
)

# image_pack NEW: programs.squashfs of its root, not compressed, for the machine's
# processor is slower than a disk; of whole pages of 2 MiB, as memory has to be
image_pack() {
	# One file to open instead of twelve, for each command
	chroot "$1/root" localedef --add-to-archive /usr/lib/locale/C.utf8 &&
		chroot "$1/root" mksquashfs / /programs.squashfs -quiet -no-progress \
			-noI -noD -noF -noX -no-duplicates \
			-e "${image_no_programs[@]}" programs.squashfs &&
		truncate -s %2M "$1/root/programs.squashfs" &&
		mv "$1/root/programs.squashfs" "$1/"
}

# The images of handwritten digits that "train" learns, and what is said of
# their origin and licence: three files out of a package of many, fetched
# (and its signature checked) by the image's own apt.
image_digits=python3-sklearn
image_digits_files=(
	usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz
	usr/lib/python3/dist-packages/sklearn/datasets/descr/digits.rst
	usr/share/doc/python3-sklearn/copyright
)

# image_digits_take ROOT: by mmdebstrap, in a shell of its own
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

# image_make NEW: its root and programs.squashfs, in NEW
# shellcheck disable=SC2016 # $1 is mmdebstrap's
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
