# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# The root file system of the machine, made by mmdebstrap in
# build/image/SUITE/root: kernels, their headers, a compiler and the RDMA tools.
# It is made beside its place and moved there when whole, and made again only
# when the list of packages changes.

image_suite=bookworm

image_packages=(
	# the machine
	busybox-static bash kmod mount procps util-linux iproute2 ethtool strace jq
	man-db less ca-certificates
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

# Hardware that this machine never has: leaving its drivers out halves the time
# that unpacking a kernel takes.
image_no_drivers=(
	drivers/{gpu,media,staging,iio,hwmon,isdn,usb,scsi,ata,mmc,mtd,input}
	drivers/{bluetooth,comedi,platform,video,infiniband/hw,hid,leds,nfc}
	drivers/net/{wireless,ethernet,usb,can} sound
)

image_dir() {
	echo "$build/image/$image_suite"
}

image_root() {
	echo "$(image_dir)/root"
}

image_kernels() {
	case $1 in
	bookworm)
		echo linux-{image,headers}-amd64 linux-{image,headers}-6.12-amd64 ;;
	*)
		echo linux-{image,headers}-amd64 ;;
	esac
}

# One "deb" line for the suite, and one for its security updates. The mirror is
# MIRROR, or else the one in the host's own apt configuration.
image_sources() {
	local mirror=${MIRROR:-} security

	if [ -n "$mirror" ]; then
		security=${mirror%/}-security
	else
		mirror=$(host_mirror Debian)
		# A host that has never fetched its lists doesn't know whose they are
		[ -n "$mirror" ] || apt-get update >&2 || true
		mirror=$(host_mirror Debian)
		security=$(host_mirror Debian-Security)
	fi
	[ -n "$mirror" ] ||
		die "this host's apt configuration names no Debian mirror: give one with MIRROR=URL"
	echo "deb $mirror $image_suite main"
	[ -z "$security" ] || echo "deb $security $image_suite-security main"
}

host_mirror() {
	# shellcheck disable=SC2016 # the fields are apt's, not the shell's
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)|$(COMPONENT)' \
		'Created-By: Packages' 2>/dev/null |
		awk -F'|' -v label="$1" '$1 == "Debian" && $2 == label && $4 == "main" { print $3; exit }'
}

# The host's apt options that decide whether a mirror can be reached and is
# believed: proxies, and the checks of dates.
host_apt_options() {
	apt-config dump |
		grep -E '^Acquire::(https?|ftp|Check-Valid-Until|Check-Date|Retries|ForceIPv4)(::[^ ]*)? "[^"]' || true
}

image_stamp() {
	{
		declare -p image_suite image_packages image_no_drivers \
			image_digits image_digits_files
		image_kernels "$image_suite"
		declare -f image_make image_kernels image_digits_take
	} | sha256sum | cut -c1-16
}

image_is_fresh() {
	[ "$(cat "$(image_dir)/stamp" 2>/dev/null)" = "$(image_stamp)" ]
}

# image_ensure: have it, made or remade if need be
image_ensure() {
	local dir

	image_is_fresh && return
	dir=$(image_dir)
	with_lock -x "$dir.lock"
	image_is_fresh || image_refresh "$dir"
	unlock
}

image_refresh() {
	local dir=$1 new start=$SECONDS

	new=$dir.new
	say "making the $image_suite image (about a minute and a half)"
	rm -rf --one-file-system "$new"
	mkdir -p "$new"
	image_make "$new" >"$dir.log" 2>&1 || {
		grep -E '^(E|W|error):' "$dir.log" | tail -n 5 >&2
		die "the image could not be made: see ${dir#"$top"/}.log"
	}
	image_stamp >"$new/stamp"
	rm -rf --one-file-system "$dir"
	mv "$new" "$dir"
	say "image made in $((SECONDS - start)) s: ${dir#"$top"/}/root, $(du -sh "$dir/root" | cut -f1)"
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

# update-initramfs is diverted: our initramfs is made on the host, per kernel,
# and Debian's would cost a minute.
# shellcheck disable=SC2016 # $1 is mmdebstrap's
image_make() {
	local new=$1 packages opts=() drop

	packages=$(printf '%s,' "${image_packages[@]}")
	packages+=$(image_kernels "$image_suite" | tr ' ' ,)
	host_apt_options >"$new/apt.conf"
	image_sources >"$new/sources.list"
	{
		declare -p image_digits image_digits_files
		declare -f image_digits_take
		echo 'set -e; image_digits_take "$1"'
	} >"$new/digits.sh"
	for drop in "${image_no_drivers[@]}"; do
		opts+=("--dpkgopt=path-exclude=/lib/modules/*/kernel/$drop/*"
			"--dpkgopt=path-exclude=/usr/lib/modules/*/kernel/$drop/*")
	done
	TMPDIR=$new mmdebstrap --mode=root --variant=apt --format=directory \
		--aptopt="$new/apt.conf" \
		--dpkgopt=path-exclude='/usr/share/man/*' \
		--dpkgopt=path-exclude='/usr/share/info/*' \
		--dpkgopt=path-exclude='/usr/share/locale/*' \
		--dpkgopt=path-exclude='/usr/share/doc/*' \
		--dpkgopt=path-include='/usr/share/doc/*/copyright' \
		"${opts[@]}" \
		--essential-hook='chroot "$1" dpkg-divert --quiet --local --rename --add /usr/sbin/update-initramfs' \
		--essential-hook='ln -s /bin/true "$1/usr/sbin/update-initramfs"' \
		--customize-hook="bash $new/digits.sh \"\$1\"" \
		--include="$packages" "$image_suite" "$new/root" "$new/sources.list"
	rm -rf "$new/root/var/cache/apt" "$new/root/var/lib/apt/lists"
	mkdir -p "$new/root$top"
}
