# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# bash guest.sh MODE ROUNDS [WORD...]: the part of scripts/bench that runs in the VM. It
# writes the figures below $OUT, one line of JSON each.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
mode=$1
shift
. /run/vm/vm.conf
mkdir -p "$vm_out/bench"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# about: prints the versions of the kernel and the tools, as JSON
about() {
	jq -n -c --arg kernel "$(uname -v | sed 's/.*Debian \([^ ]*\).*/\1/')" \
		--arg release "$(uname -r)" --arg tc "$(tc -V)" \
		--arg nft "$(nft --version)" --arg cpus "$(nproc)" \
		'{about: {kernel: $kernel, release: $release, tc: $tc, nft: $nft, cpus: $cpus}}'
}

insmod "$top/build/bench/$(uname -r)/rfbench.ko" || exit
case $mode in
count)
	. "$here/count.sh"
	{ about; count "$@"; } >"$vm_out/bench/count.jsonl" ;;
gate)
	. "$here/count.sh"
	peers=
	{ about; count "$@"; } >"$vm_out/bench/gate.jsonl" ;;
account)
	. "$here/count.sh"
	{ about; count "$@"; } >"$vm_out/bench/account.jsonl"
	status=$?
	cat /proc/kallsyms >"$vm_out/bench/kallsyms"
	exit $status ;;
collectives)
	. "$top/selftests/lib/wait.sh"
	. "$top/selftests/lib/rdma.sh"
	. "$top/selftests/lib/mpi.sh"
	. "$here/live.sh"
	. "$here/collectives.sh"
	# Virtual time advances while the machine waits for a file, so the time limit of mpirun
	# must be long.
	export mpi_patience=100000
	{ about; collectives "$@"; } >"$vm_out/bench/collectives.jsonl" ;;
bridge)
	. "$top/selftests/lib/wait.sh"
	. "$here/live.sh"
	. "$here/bridge.sh"
	{ about; bridge "$@"; } >"$vm_out/bench/bridge.jsonl" ;;
end_to_end)
	PATH=$PATH:$top/build/selftests/bin
	. "$top/selftests/lib/wait.sh"
	. "$top/selftests/lib/rdma.sh"
	. "$here/live.sh"
	. "$here/end_to_end.sh"
	{ about; end_to_end; } >"$vm_out/bench/end_to_end.jsonl"
	status=$?
	cat /proc/kallsyms >"$vm_out/bench/kallsyms"
	exit $status ;;
live | virtual)
	PATH=$PATH:$top/build/selftests/bin
	. "$top/selftests/lib/wait.sh"
	. "$top/selftests/lib/rdma.sh"
	. "$here/live.sh"
	{ about; live "$@"; } >"$vm_out/bench/$mode.jsonl" ;;
esac
