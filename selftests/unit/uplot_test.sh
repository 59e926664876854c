#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that uplot_install installs uPlot only with the right checksum, and prints one
# line if it cannot. npm is replaced by a script, so that no network is used.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/../scripts/lib/uplot.sh"

tmp=$(mktemp -d)
defer rm -rf "$tmp"
mkdir -p "$tmp/bin" "$tmp/package/dist"
echo 'var uPlot = 1;' >"$tmp/package/dist/uPlot.iife.min.js"
echo '.uplot {}' >"$tmp/package/dist/uPlot.min.css"
echo 'free to use' >"$tmp/package/LICENSE"
tar -C "$tmp" -czf "$tmp/packed" package
true_sum=$(sha256sum "$tmp/packed" | cut -d' ' -f1)

# npm_that SCRIPT: replace npm, so that "npm pack NAME" runs the shell commands SCRIPT
npm_that()
{
	printf '#!/bin/sh\n[ "$1" = pack ] || exit 9\n%s\n' "$1" >"$tmp/bin/npm"
	chmod +x "$tmp/bin/npm"
}

# install_it: call uplot_install for an empty directory
install_it()
{
	rm -rf "$tmp/to"
	PATH=$tmp/bin:$PATH uplot_install "$tmp/to" 2>&1
}

npm_that "cp '$tmp/packed' uplot-1.6.32.tgz"
said=$(install_it)
is "uplot_install refuses a package with another checksum" "$said" "expected SHA-256 $uplot_sha256, got $true_sum"
is "uplot_install unpacks nothing of a package with another checksum" "$(ls "$tmp/to" 2>/dev/null)" ""

uplot_sha256=$true_sum
said=$(install_it)
is "uplot_install prints nothing if the package has the right checksum" "$said" ""
is "uplot_install installs the script, the style and the licence" "$(cd "$tmp/to" && echo *)" \
	"LICENSE uPlot.iife.min.js uPlot.min.css"

npm_that 'echo "npm ERR! code E404" >&2; echo "npm ERR! 404 Not Found" >&2; exit 1'
said=$(install_it)
is "uplot_install prints npm's error if the package does not exist" "$said" "npm could not fetch it: code E404"

rm "$tmp/bin/npm"
said=$(PATH=$tmp/bin:/nowhere uplot_install "$tmp/to" 2>&1)
is "uplot_install reports a host without npm" "$said" "this host has no npm"
