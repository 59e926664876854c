# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Run the all-reduce of allreduce.cc with collperf as one rank of mpirun, with the path MTU and the
# timer of gloo, and print the time of rank 0 and the number of wrong elements in the same form.
set -o pipefail

collperf all_reduce --algo ring -b 256K -n 10 -w 0 -z 1 -a 0 --place out --mtu 1024 --timeout 14 |
	awk '$3 == "float" { printf "mean %.0f us\nrank 0: wrong %d\n", $6, $9 }'
