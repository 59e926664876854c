# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the initramfs of the machine: busybox, the modules for the shared directories
# and the disk, and guest/init. There is one per kernel, of a few megabytes.

initramfs_modules=(
	virtio_pci virtio_console 9pnet_virtio 9p overlay squashfs
	virtio_blk virtio_pmem nd_pmem
)

# initramfs_make VERSION BASE FILE: make the initramfs of the kernel VERSION, and write
# it to FILE. BASE is the image's root, or the directory given by scripts/vm -k. Two
# processes can make the same FILE at the same time: each process writes a temporary
# file and renames it to FILE, and both results are equal.
initramfs_make() {
	local version=$1 base=$2 file=$3 dir path new

	dir=$(mktemp -d)
	new=$(mktemp "$file.XXXX")
	mkdir -p "$dir"/{bin,dev,proc,sys,mnt,modules}
	cp "$(image_root)/bin/busybox" "$dir/bin/busybox"
	install -m 755 "$top/scripts/lib/guest/init" "$dir/init"
	while read -r path; do
		initramfs_add "$path" "$dir"
	done < <(initramfs_insmods "$version" "$base")
	cpio_of "$dir" >"$new"
	mv -f "$new" "$file"
	rm -rf "$dir"
}

# initramfs_insmods: prints the modules that the initramfs must load, in this order, without
# modules that are built into the kernel
initramfs_insmods() {
	local module

	for module in "${initramfs_modules[@]}"; do
		in_image modprobe -d "$2" -S "$1" --show-depends "$module" 2>/dev/null || true
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

initramfs_add() {
	local name=${1##*/} root

	root=$(image_root)
	[ -e "$root$1" ] || root=
	case $name in
	*.xz) name=${name%.xz}; xz -dc "$root$1" >"$2/modules/$name" ;;
	*.zst) name=${name%.zst}; zstd -qdc "$root$1" >"$2/modules/$name" ;;
	*) cp "$root$1" "$2/modules/$name" ;;
	esac
	echo "$name" >>"$2/modules/order"
}

# cpio_of DIR: write a cpio archive of DIR to stdout, with busybox of the image,
# so that the host needs no cpio.
cpio_of() {
	(cd "$1" && find . | "$(image_root)/bin/busybox" cpio -o -H newc 2>/dev/null)
}
