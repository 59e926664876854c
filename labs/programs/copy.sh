# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
#   copy.sh SOURCE TARGET BACK
#
# Write the file SOURCE to TARGET, read it back to BACK, print the times, and compare the data. Direct
# I/O does not use the page cache, so all data passes the network. Step 1 is the writing, step 2 the
# reading.
set -eo pipefail

# step N: announce the step on both nodes
step() {
	rdmafault -q step v1 "$1"
	rdmafault -q step v2 "$1"
}

# copy VERB DD-ARGUMENT...: copy with dd, and print VERB and the time
copy() {
	LC_ALL=C dd bs=256k "${@:2}" 2>&1 | sed -n "s/.* copied, /$1 /p; /error/p"
}

trap 'step 0' EXIT
step 1
copy write if="$1" of="$2" oflag=direct conv=notrunc
step 2
copy read if="$2" of="$3" iflag=direct count=$(($(stat -c %s "$1") / 262144))
cmp "$1" "$3"
