# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Install uPlot, which draws the figures of report.html, in the machine's root file
# system. uPlot is an npm package. The host's npm fetches it from npm's configured
# registry, and the script accepts it only with the right checksum. Without npm or the
# package, reports have only SVG figures.

uplot_package=uplot@1.6.32
uplot_sha256=4b8a8191e425658e3ea8c8c1314b0fc679c861ee3a1af2b20c7b16ba50b5133d
uplot_files=(package/dist/uPlot.iife.min.js package/dist/uPlot.min.css package/LICENSE)

# uplot_ensure: install uPlot if possible; this is tried once for each image
uplot_ensure() {
	local stamp why

	stamp=$(image_dir)/uplot
	[ ! -e "$stamp" ] || return 0
	why=$(uplot_install "$(image_root)/usr/share/rdmafault/uplot" 2>&1) &&
		why="$uplot_package" || say "$uplot_package could not be installed, so reports will have only SVG figures: $why"
	echo "$why" >"$stamp"
}

# uplot_install DIR: fetch and check uPlot, and unpack it to DIR; prints one line if this
# fails
uplot_install() {
	local tmp

	command -v npm >/dev/null || { echo "this host has no npm"; return 1; }
	tmp=$(mktemp -d)
	uplot_fetch "$tmp" && uplot_unpack "$tmp" "$1" || { rm -rf "$tmp"; return 1; }
	rm -rf "$tmp"
}

uplot_fetch() {
	local log=$1/log status=0

	(cd "$1" && timeout 60 npm pack --loglevel=error --ignore-scripts "$uplot_package") \
		>"$log" 2>&1 || status=$?
	case $status in
	0) return ;;
	124) echo "npm got no response within a minute" ;;
	*) echo "npm could not fetch it: $(sed -n 's/^npm \(ERR!\|error\) //p' "$log" | head -n 1)" ;;
	esac
	return 1
}

uplot_unpack() {
	local got tarball=("$1"/*.tgz)

	got=$(sha256sum "${tarball[0]}" | cut -d' ' -f1)
	[ "$got" = "$uplot_sha256" ] ||
		{ echo "expected SHA-256 $uplot_sha256, got $got"; return 1; }
	tar -C "$1" -xzf "${tarball[0]}" "${uplot_files[@]}" || return
	mkdir -p "$2"
	(cd "$1" && install -m 644 "${uplot_files[@]}" "$2")
}
