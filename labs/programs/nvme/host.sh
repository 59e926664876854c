# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
#   host.sh ADDRESS CTRL-LOSS-TMO SOURCE BACK
#
# Connect to the NVMe-oF target at ADDRESS, write the file SOURCE to its disk and read it back to BACK
# (copy.sh), print what the kernel has logged meanwhile, and disconnect. The numbers of its lines about
# completion statuses, reconnections and failed I/O are also printed. CTRL-LOSS-TMO is
# the number of seconds after which the host stops to reconnect.

nqn=rdmafault

queue_pairs() {
	rdma resource show qp | grep -cE 'link rxe[12]/.* type RC' || true
}

logged=$(dmesg | wc -l)
nvme connect --transport=rdma --traddr="$1" --trsvcid=4420 --nqn=$nqn --hostnqn=nqn.2026-01.host:rdmafault \
	--nr-io-queues=1 --reconnect-delay=1 --ctrl-loss-tmo="$2" || exit
subsystem=$(dirname "$(grep -lx $nqn /sys/class/nvme-subsystem/*/subsysnqn)")
device=/dev/$(cd "$subsystem" && echo nvme*n1)
until [ -b "$device" ]; do
	sleep 0.1
done
bash "${0%/*}/../copy.sh" "$3" "$device" "$4"
status=$?
log=$(dmesg | tail -n +$((logged + 1)) | grep nvme)
echo "$log"
echo "statuses $(grep -c 'failed with status' <<<"$log")"
echo "reconnects $(grep -c 'Successfully reconnected' <<<"$log")"
echo "failures $(grep -c 'failing I/O' <<<"$log")"
nvme disconnect --nqn=$nqn
until [ "$(queue_pairs)" = 0 ]; do
	sleep 0.1
done
exit $status
