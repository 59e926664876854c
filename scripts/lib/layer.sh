# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Layers: root file systems with programs of others that are too large for the image. A
# machine that boots with a layer has the layer's root instead of the image's; kernel,
# module and the project's programs are those of the image. A layer has its own Debian suite,
# with the same versions of the libraries that the project's programs need. A layer is made
# when it is used for the first time.

layer='' layer_memory=''

# What every layer has: the machine, and the libraries and programs of the project's tests
layer_packages=(
	busybox-static bash kmod mount procps util-linux iproute2 jq python3-minimal
	libnl-3-200 libnl-genl-3-200 libjson-c5 libyaml-0-2 libtracefs1 libtraceevent1
	ibverbs-providers rdma-core rdmacm-utils openmpi-bin squashfs-tools
	libc-bin tshark
)

# layer_parts NAME: sets layer_suite, layer_more (packages of the layer NAME) and
# layer_memory (the memory that a machine with this layer needs)
layer_parts() {
	case $1 in
	torch)
		layer_suite=trixie layer_memory=4G
		layer_more=(libpmix2t64 python3-torch ucx-utils) ;;
	programs)
		layer_suite=bookworm
		layer_more=(libpmix2 fio nfs-kernel-server nfs-common rpcbind nvme-cli libgloo-dev
			libibverbs-dev g++) ;;
	slurm)
		layer_suite=bookworm
		# the plugin for PMIx opens libpmix.so, which is in libpmix-dev
		layer_more=(libpmix-dev slurmd slurmctld slurm-client munge) ;;
	*) die "layer $1: no such layer; torch, programs or slurm" ;;
	esac
}

layer_dir() {
	echo "$build/image/layer-$layer"
}

layer_stamp() {
	{
		declare -p layer_packages layer_more layer_suite image_no_programs
		declare -f layer_make image_pack
		root_way
	} | sha256sum | cut -c1-16
}

# layer_ensure: make the layer if it is missing or out of date
layer_ensure() {
	layer_parts "$layer"
	root_ensure "$(layer_dir)" "$(layer_stamp)" \
		"making the layer $layer, Debian $layer_suite (about three minutes)" layer_make
	# The layer must not be replaced while a machine runs from it.
	with_lock -s "$(layer_dir).lock"
}

# layer_make NEW: make the root and programs.squashfs in NEW
layer_make() {
	root_sources "$layer_suite" >"$1/sources.list" &&
		root_debian "$1" "$layer_suite" \
			"$(printf '%s,' "${layer_packages[@]}" "${layer_more[@]}")" &&
		cp -r "$(image_root)/usr/share/rdmafault" "$1/root/usr/share/" &&
		image_pack "$1"
}
