#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run the tests that need the module, on this host. "make -C selftests install" installs this
# file as run_selftests.sh beside the tests.
#
#   run_selftests.sh [--junit FILE] [-v] [AREA | TEST]...
#
# AREA is a directory of tests, for example kmod; without one, all tests are run. The exit
# status is 0 if no test failed, 1 if a test failed, and 4 if the host cannot run the tests;
# the TAP plan "1..0" then gives the reason. The tests create and delete netdevs, load and
# unload the module, and change settings of the host.
set -uo pipefail

here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
[ -e "$here/selftests/run.sh" ] && top=$here || top=$(cd "$here/../.." && pwd)
PATH=$top/build/bin:$top/build/selftests/bin:$PATH:/usr/sbin:/sbin
export LC_ALL=C.UTF-8

skip_all() {
	echo "TAP version 13"
	echo "1..0 # SKIP $*"
	exit 4
}

[ "$(id -u)" -eq 0 ] || skip_all "needs root"
command -v rdmafault >/dev/null || skip_all "rdmafault is not installed: make install"
[ -e /sys/module/rdmafault ] || skip_all "module rdmafault is not loaded; run modprobe rdmafault"
command -v jq >/dev/null || skip_all "needs jq"

args=()
for word; do
	case $word in
	-*) args+=("$word") ;;
	*) [ -d "$top/selftests/$word" ] && args+=("/selftests/$word/") || args+=("$word") ;;
	esac
done
exec "$top/selftests/run.sh" "${args[@]}"
