# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Build RoCEv2 frames in hexadecimal, header by header, for sendframe. The addresses are
# those of RFC 5737 and RFC 3849. A frame is the concatenation of
#
#   eth [TAGS] ETHERTYPE   ip4 LENGTH | ip6 LENGTH   udp LENGTH   bth ... tail

# eth TAGS ETHERTYPE: prints an Ethernet header. TAGS are VLAN tags in hexadecimal, or
# nothing.
eth()
{
	printf '020000000002020000000001%s%s' "$1" "$2"
}

# ip4 PAYLOAD-BYTES [FLAGS-AND-OFFSET [OPTIONS]]: prints an IPv4 header for UDP from
# 192.0.2.1 to 192.0.2.2. OPTIONS are in hexadecimal.
ip4()
{
	local options=${3:-}
	local words=$((5 + ${#options} / 8))

	printf '4%x00%04x0000%s40110000' "$words" $((words * 4 + $1)) \
		"${2:-4000}"
	printf 'c0000201c0000202%s' "$options"
}

# ip6 PAYLOAD-BYTES: prints an IPv6 header for UDP from 2001:db8::1 to 2001:db8::2.
ip6()
{
	printf '60000000%04x1140' "$1"
	printf '20010db8000000000000000000000001'
	printf '20010db8000000000000000000000002'
}

# udp PAYLOAD-BYTES [PORT]: prints a UDP header. The default of the destination port is
# 4791, RoCEv2.
udp()
{
	printf 'c000%04x%04x0000' "${2:-4791}" $((8 + $1))
}

# bth OPCODE QP PSN [BYTE]: prints a BTH. BYTE (default 0) is the second byte of the BTH, with SE,
# M, PadCnt and TVer. The arguments can be any numbers that shell arithmetic accepts.
bth()
{
	printf '%02x%02xffff00%06x00%06x' "$1" "${4:-0}" "$2" "$3"
}

# zeros BYTES: prints this many bytes of 0
zeros()
{
	printf '%0*d' $(($1 * 2)) 0
}

# roce4 OPCODE QP PSN [EXTRA-BYTES]: prints a RoCEv2 packet in an IPv4 frame. EXTRA-BYTES
# (default 4) is the length of the extended headers and the payload. These bytes are 0, and so
# are the 4 bytes of the ICRC, which follow.
roce4()
{
	local extra=${4:-4}
	local len=$((12 + extra + 4))

	eth "" 0800
	ip4 $((8 + len))
	udp $len
	bth "$1" "$2" "$3"
	zeros $((extra + 4))
	echo
}

# roce6 OPCODE QP PSN [EXTRA-BYTES]: like roce4, in an IPv6 frame
roce6()
{
	local extra=${4:-4}
	local len=$((12 + extra + 4))

	eth "" 86dd
	ip6 $((8 + len))
	udp $len
	bth "$1" "$2" "$3"
	zeros $((extra + 4))
	echo
}

# aeth OPCODE QP PSN SYNDROME: prints an ACK or NAK, in an IPv4 frame
aeth()
{
	eth "" 0800
	ip4 28
	udp 20
	bth "$1" "$2" "$3"
	printf '%02x000000' "$4"
	zeros 4
	echo
}

# read4 QP PSN ADDRESS LENGTH: prints a READ request, in an IPv4 frame
read4()
{
	eth "" 0800
	ip4 40
	udp 32
	bth 0x0c "$1" "$2"
	printf '%016x00000001%08x' "$3" "$4"
	zeros 4
	echo
}

# ud4 QP PSN SENDER: prints a UD packet from the queue pair SENDER, in an IPv4 frame
ud4()
{
	eth "" 0800
	ip4 36
	udp 28
	bth 0x64 "$1" "$2"
	printf '0000000100%06x' "$3"
	zeros 8
	echo
}

# tagged PRIO: read frames from stdin, and add a tag of VLAN 1 with the priority PRIO to each
tagged()
{
	sed "s/^\(.\{24\}\)/\18100$(printf '%x' $(($1 << 1)))001/"
}
