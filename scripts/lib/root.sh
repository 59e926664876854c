# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the directories below build/ that take minutes to make. They are root file systems, or
# results of builds in these. mmdebstrap makes the root file systems from the Debian mirror of
# the host's apt configuration. A directory DIR is made under a lock as DIR.new, and renamed
# when it is complete. It is made again only when its inputs change.

# Files that no root needs
root_leaves_out=(
	--dpkgopt=path-exclude='/usr/share/man/*'
	--dpkgopt=path-exclude='/usr/share/info/*'
	--dpkgopt=path-exclude='/usr/share/locale/*'
	--dpkgopt=path-exclude='/usr/share/doc/*'
	--dpkgopt=path-include='/usr/share/doc/*/copyright'
)

# Drivers for hardware that this machine never has. Without them, unpacking a kernel
# takes half the time.
root_no_drivers=(
	drivers/{gpu,media,staging,iio,hwmon,isdn,usb,scsi,ata,mmc,mtd,input}
	drivers/{bluetooth,comedi,platform,video,infiniband/hw,hid,leds,nfc}
	drivers/net/{wireless,ethernet,usb,can} sound
)

# root_sources SUITE: prints a "deb" line for the suite, and one for its security
# updates. The mirror is MIRROR, or that of the host's apt configuration.
root_sources() {
	local suite=$1 mirror=${MIRROR:-} security

	if [ -n "$mirror" ]; then
		security=${mirror%/}-security
	else
		mirror=$(root_mirror Debian)
		# Before the first "apt-get update", apt does not know the origin of its mirrors
		[ -n "$mirror" ] || apt-get update >&2 || true
		mirror=$(root_mirror Debian)
		security=$(root_mirror Debian-Security)
	fi
	[ -n "$mirror" ] ||
		die "this host's apt configuration has no Debian mirror; set MIRROR=URL"
	echo "deb $mirror $suite main"
	[ -z "$security" ] || echo "deb $security $suite-security main"
}

root_mirror() {
	# shellcheck disable=SC2016 # apt expands the fields, not the shell
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)|$(COMPONENT)' \
		'Created-By: Packages' 2>/dev/null |
		awk -F'|' -v label="$1" '$1 == "Debian" && $2 == label && $4 == "main" { print $3; exit }'
}

# root_apt_options: prints the host's apt options for proxies and for checks of
# dates, without which a mirror may not be reached or accepted
root_apt_options() {
	apt-config dump |
		grep -E '^Acquire::(https?|ftp|Check-Valid-Until|Check-Date|Retries|ForceIPv4)(::[^ ]*)? "[^"]' || true
}

# root_debian NEW SUITE PACKAGES [OPTION...]: make a root file system in NEW/root from
# NEW/sources.list. PACKAGES are separated by commas, OPTIONs are those of mmdebstrap.
root_debian() {
	local new=$1 suite=$2 packages=$3

	shift 3
	root_apt_options >"$new/apt.conf"
	TMPDIR=$new mmdebstrap --mode=root --variant=apt --format=directory \
		--aptopt="$new/apt.conf" "${root_leaves_out[@]}" "$@" \
		--include="${packages%,}" "$suite" "$new/root" "$new/sources.list" || return
	rm -rf "$new/root/var/cache/apt" "$new/root/var/lib/apt/lists"
	mkdir -p "$new/root$top"
}

# root_bootable NEW SUITE PACKAGES [OPTION...]: like root_debian, for PACKAGES with
# kernels. update-initramfs is diverted, because it would take a minute, and the host
# makes the initramfs.
# shellcheck disable=SC2016 # mmdebstrap sets $1
root_bootable() {
	local drop options=()

	for drop in "${root_no_drivers[@]}"; do
		options+=("--dpkgopt=path-exclude=/lib/modules/*/kernel/$drop/*"
			"--dpkgopt=path-exclude=/usr/lib/modules/*/kernel/$drop/*")
	done
	root_debian "$@" "${options[@]}" \
		--essential-hook='chroot "$1" dpkg-divert --quiet --local --rename --add /usr/sbin/update-initramfs' \
		--essential-hook='ln -s /bin/true "$1/usr/sbin/update-initramfs"'
}

# root_way: prints the source code and the settings with which roots are made. They are
# part of every stamp, so a root is made again when they change.
root_way() {
	declare -p root_leaves_out root_no_drivers
	declare -f root_debian root_bootable
}

root_is_fresh() {
	[ "$(cat "$1/stamp" 2>/dev/null)" = "$2" ]
}

# root_ensure DIR STAMP MESSAGE COMMAND...: unless DIR exists with this stamp, make DIR by
# the command "COMMAND... NEW", where NEW is a temporary directory. MESSAGE is a progress
# message: what is made and how long it takes.
root_ensure() {
	local dir=$1 stamp=$2

	! root_is_fresh "$dir" "$stamp" || return 0
	with_lock -x "$dir.lock"
	root_is_fresh "$dir" "$stamp" || root_refresh "$@"
	unlock
}

root_refresh() {
	local dir=$1 stamp=$2 words=$3 new=$1.new start=$SECONDS

	shift 3
	rm -rf --one-file-system "$new"
	mkdir -p "$new"
	with_progress "$words" "$dir.log" "$@" "$new" ||
		die "${dir#"$top"/}: could not be made: $(root_why "$dir.log"); see ${dir#"$top"/}.log"
	echo "$stamp" >"$new/stamp"
	rm -rf --one-file-system "$dir"
	mv "$new" "$dir"
	note "made ${dir#"$top"/} ($(du -sh "$dir" | cut -f1)) in $((SECONDS - start)) s"
}

# root_why LOG: prints the first error in LOG
root_why() {
	grep -m 1 -E '^E: |error:|Error ' "$1" || tail -n 1 "$1"
}
