#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test rdmafault doctor: break something, test what doctor reports, run the fix that
# doctor proposes, and test that the new result is "ok".
#
#	rxe1           rxe2
#	 v1             v2
#	 |              |
#	 p1 -- rfbr0 -- p2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

release=$(uname -r)
tmp=$(mktemp -d)
defer rm -r "$tmp"

# as_nobody COMMAND...: run the command without any capability
as_nobody()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all "$@"
}

# examine [COMMAND...]: run rdmafault doctor, through COMMAND if one is given. Writes the
# results of doctor to a file and prints its exit status.
examine()
{
	"$@" rdmafault --json doctor >"$tmp/results"
	echo $?
}

# result MEMBER CHECK [OBJECT]: prints a member of the result of a check of an object;
# "none" if there is no such result
result()
{
	jq -r --arg member "$1" --arg check "$2" --arg object "${3:-}" \
		'[.checks[] | select(.check == $check and (.object // "") == $object)[$member]] |
		if length == 0 then "none" else .[] end' "$tmp/results"
}

# bad CHECK: prints how many results of this check are not "ok"
bad()
{
	jq --arg check "$1" '[.checks[] | select(.check == $check and .status != "ok")] | length' \
		"$tmp/results"
}

# fixed STATUS CHECK OBJECT TITLE: run the test TITLE: doctor must report STATUS for the
# broken object, and the fix that it proposes must repair the object
fixed()
{
	local status=$1 check=$2 object=$3 words=$4 exit=0

	[ "$status" != error ] || exit=1
	is "$words: exit status $exit" "$(examine)" $exit
	is "$words: $status" "$(result status "$check" "$object")" "$status"
	ok "$words: the fix can be run" bash -c "$(result fix "$check" "$object")"
	is "$words: no error after the fix" "$(examine)" 0
	is "$words: ok after the fix" "$(bad "$check")" 0
}

# shows STATUS CHECK OBJECT TITLE: run the test TITLE: doctor must report STATUS for the
# broken object; its fix is not run
shows()
{
	examine >/dev/null
	is "$4" "$(result status "$2" "$3")" "$1"
}

modprobe rdma_rxe
modprobe rdmafault

is "an unbroken host has no error" "$(examine)" 0
is "the kernel is supported" "$(result status kernel)" ok
is "its options are complete" "$(result status options)" ok
is "the module is loaded" "$(result found module rdmafault)" "version 0.1 is loaded"
is "there is no fabric" "$(result found fabric)" none
is "lines of text are as many as results" "$(rdmafault doctor | grep -cE '^(ok|warning|error|unknown) ')" \
	"$(jq '.checks | length' "$tmp/results")"
refused "doctor takes no words" 'doctor: unexpected "now"' rdmafault doctor now

# The module
modprobe -r rdmafault
fixed warning module rdmafault "module not loaded"
ok "then it is loaded" test -e /sys/module/rdmafault
echo 0.0 >"$tmp/version"
mount --bind "$tmp/version" /sys/module/rdmafault/version
shows warning module rdmafault "a module of another version is a warning"
ok "its fix is to load the version of the tools" grep -q "^install version $(rdmafault --version | grep -oE '[0-9.]+$') .* modprobe -r rdmafault" \
	<<<"$(result fix module rdmafault)"
umount /sys/module/rdmafault/version
modprobe -r rdmafault
examine >/dev/null
ok "doctor loads no module" test ! -e /sys/module/rdmafault
modules=/lib/modules/$release
sed '/rdmafault\.ko/d' "$modules/modules.dep" >"$tmp/no.dep"
sed 's/^[^:]*rdmafault\.ko/updates\/nothing.ko/' "$modules/modules.dep" >"$tmp/other.dep"
mount --bind "$tmp/no.dep" "$modules/modules.dep"
is "a module that modprobe does not find is an error" "$(examine)" 1
is "its fix is depmod" "$(result status module rdmafault) $(result fix module rdmafault)" \
	"error depmod -a"
umount "$modules/modules.dep"
mkdir "$tmp/none"
mount --bind "$tmp/other.dep" "$modules/modules.dep"
mount --bind "$tmp/none" "$modules/updates"
examine >/dev/null
ok "a module that is not installed is built" grep -q "rdmafault-dkms, or make && make install" <<<"$(result fix module rdmafault)"
umount "$modules/updates"
umount "$modules/modules.dep"
mount --bind "$tmp/none" /lib/modules
examine >/dev/null
is "a kernel without modules is reported" "$(result found module rdmafault)" \
	"there is no $modules; not loaded"
ok "its fix is to install them" grep -q "^install the modules of this kernel" <<<"$(result fix module rdmafault)"
umount /lib/modules
modprobe rdmafault

# A kernel can refuse modules for several reasons. Files of the kernel show these
# reasons; the test replaces the files.
mount -t tmpfs tmpfs /sys/firmware
mkdir -p /sys/firmware/efi/efivars
printf '\6\0\0\0\1' >/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
shows ok secure-boot "" "secure boot does not matter once the module is loaded"
ok "it is reported" grep -q '^on;' <<<"$(result found secure-boot)"
modprobe -r rdmafault
shows warning secure-boot "" "before, it is a warning"
umount /sys/firmware
echo Y >"$tmp/enforce"
mount --bind "$tmp/enforce" /sys/module/module/parameters/sig_enforce
shows warning signatures "" "enforced signatures are a warning"
umount /sys/module/module/parameters/sig_enforce
shows unknown lockdown "" "without securityfs, lockdown is unknown"
ok "its fix can be run" bash -c "$(result fix lockdown)"
shows ok lockdown "" "then it is known"
umount /sys/kernel/security
mount -t tmpfs tmpfs /sys/kernel/security
echo "none [integrity] confidentiality" >/sys/kernel/security/lockdown
shows warning lockdown "" "lockdown integrity is a warning"
echo "none integrity [confidentiality]" >/sys/kernel/security/lockdown
shows error lockdown "" "lockdown confidentiality is an error"
umount /sys/kernel/security
modprobe rdmafault

# The process
is "for a user without privileges there is no error" "$(examine as_nobody)" 0
is "for a user without privileges there is a warning" "$(result status privilege)" warning
is "for a user without privileges tracefs is unknown" "$(result status tracefs)" unknown
is "another user namespace is an error" "$(examine unshare --user --map-root-user)" 1
is "its line says so" "$(result status privilege)" error
ulimit -S -l 64
examine as_nobody >/dev/null
is "little locked memory is a warning" "$(result status memlock)" warning
ulimit -S -l "$(ulimit -H -l)"
umount /sys/kernel/tracing
umount /sys/kernel/debug/tracing 2>/dev/null
umount /sys/kernel/debug
fixed warning tracefs "" "tracefs not mounted"
mount -t debugfs debugfs /sys/kernel/debug

# The network
fabric 2
examine >/dev/null
for check in fabric device mtu rps sysctl backlog port; do
	is "a fabric has no fault in $check" "$(bad $check)" 0
done
sysctl -qw net.core.netdev_max_backlog=1000
fixed warning backlog "" "small backlog"
ip link set v1 mtu 1500
fixed warning mtu v1 "small MTU of a node"
ip link set p2 mtu 1500
fixed error mtu p2 "small MTU of a switch port"
if [ "$(nproc)" -gt 1 ]; then
	echo 0 >/sys/class/net/p1/queues/rx-0/rps_cpus
	fixed warning rps p1 "no RPS on one CPU of two"
fi
ip link set v2 down
fixed error device rxe2 "a node that is down"
ip addr flush dev v1
examine >/dev/null
is "a node without an address is a warning" "$(result status device rxe1)" warning
ip addr add 10.77.0.1/24 dev v1
ok "its GID comes back" wait_until "$soon" grep -q :ffff: /sys/class/infiniband/rxe1/ports/1/gids/1
for setting in accept_local:0 rp_filter:1 arp_ignore:0 arp_announce:0; do
	sysctl -qw "net.ipv4.conf.v2.${setting%:*}=${setting#*:}"
	case $setting in
	arp_*) fixed warning sysctl v2 "${setting%:*}" ;;
	*) fixed error sysctl v2 "${setting%:*}" ;;
	esac
done
sysctl -qw net.ipv4.conf.all.rp_filter=1 net.ipv4.conf.v1.rp_filter=2
fixed error sysctl v2 "strict rp_filter of all netdevs"
sysctl -qw net.ipv4.conf.all.rp_filter=0
tc qdisc add dev v1 root pfifo
fixed warning qdisc v1 "another root qdisc"
if modprobe br_netfilter 2>/dev/null; then
	sysctl -qw net.bridge.bridge-nf-call-iptables=1
	fixed warning bridge-nf "" "bridged packets pass iptables"
fi
rdma link del rxe2
is "a fabric with a missing rxe device is an error" "$(examine)" 1
is "its line says so" "$(result status fabric)" error
rdma link add rxe2 type rxe netdev v2

# The manual has rules of policy routing with which rdma_cm works on one host. Test these
# rules.
is "one node has no other that rdma_cm could reach by loopback" "$(result status rdma-cm)" none
examine >/dev/null
is "two nodes have" "$(result status rdma-cm)" warning
sed -n '/^ip rule add pref 1 iif v1/,/^\.Ed/p' "$selftests/../Documentation/man/rdmafault-doctor.8" |
	grep '^ip ' >"$tmp/rules"
ok "the manual has policy routing" test -s "$tmp/rules"
ok "its commands can be run" bash -e "$tmp/rules"
examine >/dev/null
is "then no route is loopback" "$(result status rdma-cm)" ok
# Ports
ports v1 v2
rdmafault drop v1 tx qp 17 >/dev/null
fixed warning port v1 "a rule of an earlier command"
rdmafault link set v2 rate 1gbit
fixed warning port v2 "a slow link of an earlier command"
rdmafault port set v1 max-hold 1s
fixed warning port v1 "another max-hold"
rdmafault pause v1 prio 3 storm forever persist >/dev/null
fixed warning port v1 "a storm of an earlier command"
rdmafault drop v1 tx qp 17 >/dev/null
rdmafault link set v1 rate 1gbit
rdmafault port set v1 max-hold 1s
fixed warning port v1 "a port with a rule, a max-hold and a slow link has one result"

# A machine that is only a bridge has no RDMA device. It drops packets that are larger than the
# MTU of its netdevs, and counts them nowhere.
rdmafault fabric down --force >/dev/null
ip link add b1 mtu 4200 type veth peer name b2 mtu 4200
ip link add br9 type bridge
ip link set b1 master br9 up
ip link set b2 up
ip link set br9 up
ip link add b3 mtu 4200 master br9 type dummy
ip link set b3 up
rdmafault port add b1 >/dev/null
# Attach an XDP program that passes each packet, until the process ends.
python3 - <<-END >"$tmp/xdp" &
	import ctypes, os, socket, struct, time
	BPF, PROG_LOAD, LINK_CREATE, XDP_PROG, BPF_XDP, SKB_MODE = 321, 5, 28, 6, 37, 2

	def bpf(cmd, attr):
	    fd = ctypes.CDLL(None, use_errno=True).syscall(BPF, cmd, attr, len(attr))
	    if fd < 0:
	        raise OSError(ctypes.get_errno(), "bpf")
	    return fd

	insns = ctypes.create_string_buffer(struct.pack("<BBhiBBhi", 0xb7, 0, 0, 2, 0x95, 0, 0, 0))
	license = ctypes.create_string_buffer(b"GPL")
	prog = bpf(PROG_LOAD, struct.pack("<IIQQ", XDP_PROG, 2, ctypes.addressof(insns),
	                                  ctypes.addressof(license)) + bytes(48))
	bpf(LINK_CREATE, struct.pack("<IIII", prog, socket.if_nametoindex("b1"), BPF_XDP, SKB_MODE))
	print("attached", flush=True)
	time.sleep(600)
END
xdp=$!
wait_until "$soon" grep -q attached "$tmp/xdp"
shows warning xdp b1 "a generic XDP program on a port"
kill $xdp
wait $xdp 2>/dev/null
shows none xdp b1 "no XDP program on a port"
examine >/dev/null
is "a bridge machine with large MTUs has no fault in mtu" "$(result status mtu)" ok
ip link set b1 mtu 1500
fixed warning mtu b1 "small MTU of a port on a bridge machine"
ip link set b3 mtu 1500
fixed warning mtu b3 "small MTU of another bridge port"

# What else a bridge can do to the packets
is "a bridge that forwards all packets is ok" "$(result status bridge)" ok
ip link set br9 type bridge stp_state 1
fixed warning stp br9 "STP on a bridge"
bridge link set dev b1 state 0
fixed warning bridge-port b1 "a disabled bridge port"
ip link set b2 down
shows warning bridge-port b1 "a bridge port without carrier is a warning"
ip link set b2 up
ethtool -K b1 rx-udp-gro-forwarding on
fixed warning gro b1 "GRO of forwarded UDP packets"
echo 0102 >"$tmp/switch"
mount --bind "$tmp/switch" /sys/class/net/b1/phys_switch_id
shows none switchdev b3 "one bridge port of a switch chip is ok"
mount --bind "$tmp/switch" /sys/class/net/b3/phys_switch_id
shows warning switchdev b3 "two bridge ports of one switch chip are a warning"
umount /sys/class/net/b1/phys_switch_id
umount /sys/class/net/b3/phys_switch_id
rdmafault port del b1
ip link del b1
ip link del b3
ip link del br9
