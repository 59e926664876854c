# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
#   target.sh up ADDRESS | down
#
# Make an NVMe-oF target of the kernel at ADDRESS, with a disk of 16 MiB in memory (brd), or remove it.
# The NQN is rdmafault.
set -e

target=/sys/kernel/config/nvmet
subsystem=$target/subsystems/rdmafault
port=$target/ports/1

case $1 in
up)
	modprobe nvme_core io_timeout=4         # seconds; the default is 30
	modprobe brd rd_nr=1 rd_size=16384
	modprobe -a nvmet_rdma nvme_rdma
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	mkdir "$subsystem" "$subsystem/namespaces/1" "$port"
	echo 1 >"$subsystem/attr_allow_any_host"
	echo /dev/ram0 >"$subsystem/namespaces/1/device_path"
	echo 1 >"$subsystem/namespaces/1/enable"
	echo rdma >"$port/addr_trtype"
	echo ipv4 >"$port/addr_adrfam"
	echo "$2" >"$port/addr_traddr"
	echo 4420 >"$port/addr_trsvcid"
	ln -s "$subsystem" "$port/subsystems/" ;;
down)
	rm "$port/subsystems/rdmafault"
	rmdir "$subsystem/namespaces/1" "$subsystem" "$port"
	modprobe -r nvme_rdma nvmet_rdma brd nvme_core || true ;;
esac
