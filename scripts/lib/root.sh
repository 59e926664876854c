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

# root_debian NEW SUITE PACKAGES [OPTION...]: a root file system in NEW/root, of
# packages with commas between them, from NEW/sources.list; OPTIONs are
# mmdebstrap's
root_debian() {
	local new=$1 suite=$2 packages=$3

	shift 3
	host_apt_options >"$new/apt.conf"
	TMPDIR=$new mmdebstrap --mode=root --variant=apt --format=directory \
		--aptopt="$new/apt.conf" "${root_leaves_out[@]}" "$@" \
		--include="${packages%,}" "$suite" "$new/root" "$new/sources.list" || return
	rm -rf "$new/root/var/cache/apt" "$new/root/var/lib/apt/lists"
	mkdir -p "$new/root$top"
}

# root_way: what stamps have of how roots are made
root_way() {
	declare -p root_leaves_out
	declare -f root_debian
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
	say "$words"
	rm -rf --one-file-system "$new"
	mkdir -p "$new"
	("$@" "$new") >"$dir.log" 2>&1 ||
		die "no ${dir#"$top"/}: $(root_why "$dir.log") (${dir#"$top"/}.log)"
	echo "$stamp" >"$new/stamp"
	rm -rf --one-file-system "$dir"
	mv "$new" "$dir"
	say "made in $((SECONDS - start)) s: ${dir#"$top"/}, $(du -sh "$dir" | cut -f1)"
}

# root_why LOG: the first complaint, in one line
root_why() {
	grep -m 1 -E '^E: |error:|Error ' "$1" || tail -n 1 "$1"
}
