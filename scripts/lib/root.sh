# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Folders below build/ that take minutes to make: root file systems, by
# mmdebstrap out of the Debian mirror that the host's own apt names, and what is
# built in them. Each is made beside its place and moved there when whole, under
# a lock, and made again only when what it is made from changes.

# What no root is read for
root_leaves_out=(
	--dpkgopt=path-exclude='/usr/share/man/*'
	--dpkgopt=path-exclude='/usr/share/info/*'
	--dpkgopt=path-exclude='/usr/share/locale/*'
	--dpkgopt=path-exclude='/usr/share/doc/*'
	--dpkgopt=path-include='/usr/share/doc/*/copyright'
)

# Hardware that this machine never has: leaving its drivers out halves the time
# that unpacking a kernel takes.
root_no_drivers=(
	drivers/{gpu,media,staging,iio,hwmon,isdn,usb,scsi,ata,mmc,mtd,input}
	drivers/{bluetooth,comedi,platform,video,infiniband/hw,hid,leds,nfc}
	drivers/net/{wireless,ethernet,usb,can} sound
)

# One "deb" line for the suite, and one for its security updates. The mirror is
# MIRROR, or else the one in the host's own apt configuration.
root_sources() {
	local suite=$1 mirror=${MIRROR:-} security

	if [ -n "$mirror" ]; then
		security=${mirror%/}-security
	else
		mirror=$(root_mirror Debian)
		# A host that has never fetched its lists doesn't know whose they are
		[ -n "$mirror" ] || apt-get update >&2 || true
		mirror=$(root_mirror Debian)
		security=$(root_mirror Debian-Security)
	fi
	[ -n "$mirror" ] ||
		die "this host's apt configuration names no Debian mirror: give one with MIRROR=URL"
	echo "deb $mirror $suite main"
	[ -z "$security" ] || echo "deb $security $suite-security main"
}

root_mirror() {
	# shellcheck disable=SC2016 # the fields are apt's, not the shell's
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)|$(COMPONENT)' \
		'Created-By: Packages' 2>/dev/null |
		awk -F'|' -v label="$1" '$1 == "Debian" && $2 == label && $4 == "main" { print $3; exit }'
}

# The host's apt options that decide whether a mirror can be reached and is
# believed: proxies, and the checks of dates.
root_apt_options() {
	apt-config dump |
		grep -E '^Acquire::(https?|ftp|Check-Valid-Until|Check-Date|Retries|ForceIPv4)(::[^ ]*)? "[^"]' || true
}

# root_debian NEW SUITE PACKAGES [OPTION...]: a root file system in NEW/root, of
# packages with commas between them, from NEW/sources.list; OPTIONs are
# mmdebstrap's
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

# root_bootable NEW SUITE PACKAGES [OPTION...]: likewise, with kernels in it.
# update-initramfs is diverted: our initramfs is made on the host, per kernel, and
# Debian's would cost a minute.
# shellcheck disable=SC2016 # $1 is mmdebstrap's
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

# root_way: what stamps have of how roots are made
root_way() {
	declare -p root_leaves_out root_no_drivers
	declare -f root_debian root_bootable
}

root_is_fresh() {
	[ "$(cat "$1/stamp" 2>/dev/null)" = "$2" ]
}

# root_ensure DIR STAMP WORDS COMMAND...: have DIR, made by COMMAND... NEW unless
# it is there with this stamp. WORDS say what is made, and how long it takes.
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
		die "no ${dir#"$top"/}: $(root_why "$dir.log") (${dir#"$top"/}.log)"
	echo "$stamp" >"$new/stamp"
	rm -rf --one-file-system "$dir"
	mv "$new" "$dir"
	note "made in $((SECONDS - start)) s: ${dir#"$top"/}, $(du -sh "$dir" | cut -f1)"
}

# root_why LOG: the first complaint, in one line
root_why() {
	grep -m 1 -E '^E: |error:|Error ' "$1" || tail -n 1 "$1"
}
