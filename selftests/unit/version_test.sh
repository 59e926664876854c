#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that all files that contain the version have the version of the Makefile.
. "$(dirname "$0")/../lib/lib.sh"

top=$(cd "$selftests/.." && pwd)
version=$(sed -n 's/^VERSION := //p' "$top/Makefile")

ok "the Makefile has a version" [ -n "$version" ]
is "the version of DKMS" "$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$top/dkms.conf")" "$version"
is "the version of the module" "$(sed -n 's/^MODULE_VERSION("\(.*\)");/\1/p' "$top/kmod/main.c")" "$version"
is "the version of the Debian packages" "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top/debian/changelog")" "$version"
is "the latest version in CHANGES.rst" "$(grep -m 1 -xE '[0-9]+(\.[0-9]+)+' "$top/CHANGES.rst")" "$version"
is "the version in other documents" "$(grep -rnoE 'rdmafault[-_ ][0-9]+\.[0-9]+(\.[0-9]+)*' "$top"/README.rst \
	"$top"/Documentation/*.rst "$top"/Documentation/man | grep -vF "$version")" ""
