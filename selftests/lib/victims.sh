# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Capture which packets of sendroce arrive at the far side. A packet of sendroce has its
# BTH at byte 42.
#
#   sendroce - NEAR ======= FAR - tcpdump
. "$selftests/lib/veth.sh"
. "$selftests/lib/capture.sh"

# captured FAR FILE COMMAND...: run COMMAND, and capture the packets from 192.0.2.1 that arrive
# at the netdev FAR. The capture ends when the last packet has arrived.
captured()
{
	local far=$1 file=$2

	shift 2
	capture_begin "$file.log" -i "$far" -Q in -U -s 54 \
		-w "$file" 'ip src 192.0.2.1 and udp port 4791'
	"$@"
	# The packet to QP 0xffffff is sent last. When this packet has been captured, the
	# capture is complete.
	wait_until 20 has_last "${NEAR:?}" "$file"
	capture_end
}

has_last()
{
	sendroce "$1" qp 0xffffff
	tail -c 7 "$2" | od -An -tx1 | grep -q 'ff ff ff'
}

# packets FILE: prints one line "QP PSN" per packet, except for the packet that marks the end
# of the capture
packets()
{
	od -An -v -tu1 -w70 -j24 "$1" | awk '{
		qp = ($64 * 256 + $65) * 256 + $66
		psn = ($68 * 256 + $69) * 256 + $70
		if (qp != 16777215) print qp, psn
	}'
}
