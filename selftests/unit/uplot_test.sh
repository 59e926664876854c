#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# uPlot gets into the image by version and checksum or not at all, and what
# keeps it out is said in one line. The npm here is one of the test's own, which
# packs what the test wants; no network is asked.
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

# npm_that SCRIPT: what "npm pack NAME" does from now on
npm_that()
{
	printf '#!/bin/sh\n[ "$1" = pack ] || exit 9\n%s\n' "$1" >"$tmp/bin/npm"
	chmod +x "$tmp/bin/npm"
}

# install: as the image's maker does it, into a directory of its own
install_it()
{
	rm -rf "$tmp/to"
	PATH=$tmp/bin:$PATH uplot_install "$tmp/to" 2>&1
}

npm_that "cp '$tmp/packed' uplot-1.6.32.tgz"
said=$(install_it)
is "another checksum is refused" "$said" "want SHA-256 $uplot_sha256, got $true_sum"
is "and nothing is unpacked" "$(ls "$tmp/to" 2>/dev/null)" ""

uplot_sha256=$true_sum
said=$(install_it)
is "what the checksum names is installed without a word" "$said" ""
is "script, style and licence" "$(cd "$tmp/to" && echo *)" \
	"LICENSE uPlot.iife.min.js uPlot.min.css"

npm_that 'echo "npm ERR! code E404" >&2; echo "npm ERR! 404 Not Found" >&2; exit 1'
said=$(install_it)
is "a package that isn't there is told" "$said" "npm could not fetch it: code E404"

rm "$tmp/bin/npm"
said=$(PATH=$tmp/bin:/nowhere uplot_install "$tmp/to" 2>&1)
is "so is a host without npm" "$said" "this host has no npm"
