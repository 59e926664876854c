# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel newer than those of the image: the newest that Debian has backported
# to its next release. It lies in a root of that release, which is small, for it
# only builds the module: the programs that its kbuild brings want a newer C
# library than the image has. The machine boots that kernel with its modules and
# everything else out of the image, as with a kernel of one's own. Made when it
# is first asked for; no other kernel needs it.

newest_suite=trixie

# The kernel, and what builds a module for it
newest_packages=(gcc make libc6-dev kmod)
newest_kernel=(linux-image-amd64 linux-headers-amd64)

newest_root() {
	echo "$build/image/$newest_suite/root"
}

newest_version() {
	find "$(newest_root)/lib/modules/" -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null |
		sort -V | tail -n 1
}

# newest_is NAME: it asks for this kernel: by that word, or by the start of a
# version above all of the image
newest_is() {
	local above

	[ "$1" != newest ] || return 0
	[[ $1 =~ ^[0-9]+(\.[0-9]+)* ]] || return 1
	above=$(image_versions | tail -n 1)
	[[ $above != "$1"* ]] && [ "$(printf '%s\n' "$above" "$1" | sort -V | tail -n 1)" = "$1" ]
}

newest_stamp() {
	{
		declare -p newest_suite newest_packages newest_kernel image_no_drivers
		declare -f newest_make newest_sources
	} | sha256sum | cut -c1-16
}

newest_is_fresh() {
	[ "$(cat "$build/image/$newest_suite/stamp" 2>/dev/null)" = "$(newest_stamp)" ]
}

# newest_ensure: have the root, made or remade if need be
newest_ensure() {
	local dir=$build/image/$newest_suite

	newest_is_fresh && return
	with_lock -x "$dir.lock"
	newest_is_fresh || newest_refresh "$dir"
	unlock
}

newest_refresh() {
	local dir=$1 new=$1.new start=$SECONDS

	say "fetching the newest kernel, of $newest_suite-backports (about a minute)"
	rm -rf --one-file-system "$new"
	mkdir -p "$new"
	newest_make "$new" >"$dir.log" 2>&1 ||
		die "no kernel of $newest_suite-backports: $(newest_why "$dir.log") (${dir#"$top"/}.log)"
	newest_stamp >"$new/stamp"
	rm -rf --one-file-system "$dir"
	mv "$new" "$dir"
	say "kernel $(newest_version) fetched in $((SECONDS - start)) s: ${dir#"$top"/}/root, $(du -sh "$dir/root" | cut -f1)"
}

# newest_why LOG: the first complaint of apt, in one line
newest_why() {
	grep -m 1 -E '^E: ' "$1" || tail -n 1 "$1"
}

# The sources of the suite, its backports beside them
newest_sources() {
	local sources

	# As the image's; in a shell of its own, where die ends no more than it
	sources=$(image_suite=$newest_suite && image_sources) || return
	echo "$sources"
	awk 'NR == 1 { print $1, $2, $3 "-backports", $4 }' <<<"$sources"
}

# shellcheck disable=SC2016 # $1 is mmdebstrap's
newest_make() {
	local new=$1 packages opts=() drop

	packages=$(printf '%s,' "${newest_packages[@]}" "${newest_kernel[@]/%//$newest_suite-backports}")
	host_apt_options >"$new/apt.conf"
	newest_sources >"$new/sources.list" || return
	for drop in "${image_no_drivers[@]}"; do
		opts+=("--dpkgopt=path-exclude=/usr/lib/modules/*/kernel/$drop/*")
	done
	TMPDIR=$new mmdebstrap --mode=root --variant=apt --format=directory \
		--aptopt="$new/apt.conf" \
		--dpkgopt=path-exclude='/usr/share/man/*' \
		--dpkgopt=path-exclude='/usr/share/info/*' \
		--dpkgopt=path-exclude='/usr/share/locale/*' \
		--dpkgopt=path-exclude='/usr/share/doc/*' \
		"${opts[@]}" \
		--essential-hook='chroot "$1" dpkg-divert --quiet --local --rename --add /usr/sbin/update-initramfs' \
		--essential-hook='ln -s /bin/true "$1/usr/sbin/update-initramfs"' \
		--include="${packages%,}" "$newest_suite" "$new/root" "$new/sources.list" || return
	rm -rf "$new/root/var/cache/apt" "$new/root/var/lib/apt/lists"
	mkdir -p "$new/root$top"
}
