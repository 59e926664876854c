# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Build pause frames of IEEE 802.3 (annexes 31B and 31D) in hexadecimal, for sendframe,
# independently of the module.
#
#   pfc VECTOR QUANTA...     opcode 0x0101; up to eight timers, starting with class 0
#   global_pause QUANTA      opcode 0x0001
#   prio_frame PRIO [PSN]    a RoCEv2 packet with DSCP PRIO * 8; default PSN: PRIO
#
# A neighbour sends these frames and records which packets arrive, and when:
#
#   t1 (port) ======= t2 - sendframe, tcpdump
#
#   neighbour                set it up; the link has 10 Mbit/s
#   send_frames PAUSES FRAMES
#                            send PAUSES from t2, and at once FRAMES from t1
#   moments [FROM]           prints the frames that t2 has captured, from line FROM:
#                            microseconds since the first, and "pause" or a PSN
#   there COUNT              succeeds if COUNT frames were captured since send_frames
#   held PSN                 prints the microseconds from the last pause before the packet
#                            PSN to this packet
#   held_for TITLE PSN MS    test that packet PSN was held for MS ms or a little longer;
#                            TITLE begins the name of the test
#   during US                prints the PSNs captured within US of the first pause
#   in_order                 prints all captured frames in the order of arrival: "pause" or PSN
. "$selftests/lib/frames.sh"
. "$selftests/lib/victims.sh"
. "$selftests/lib/rdma.sh"

# Tolerance of measured times, in microseconds. It is large, because a busy host can stop the
# emulated machine for a moment.
late=150000
[ -z "${vm_virtual:-}" ] || late=2000

# bridge_up NAME: make a bridge that exists until the end of the test
bridge_up()
{
	defer ip link del "$1"
	ip link add "$1" type bridge
	sysctl -q -w "net.ipv6.conf.$1.disable_ipv6=1"
	ip link set "$1" up
}

pfc_head()
{
	printf '0180c20000010200000000018808%s' "$1"
}

pfc()
{
	local vector=$1

	shift
	pfc_head 0101
	printf '%04x' "$vector" "$@"
	printf '%0*d\n' $((84 - 4 * $#)) 0
}

global_pause()
{
	pfc_head 0001
	printf '%04x%084d\n' "$1" 0
}

prio_frame()
{
	roce4 0x0a 0x20 "${2:-$1}" |
		sed "s/^\(.\{30\}\)00/\1$(printf '%02x' $(($1 << 5)))/"
}

neighbour()
{
	veth_pair t1 t2
	defer tc qdisc del dev t1 root
	tc qdisc add dev t1 root rdmafault
	rdmafault link set t1 rate 10mbit
	rdmafault prio set t1 prio-pfc all:on
	neighbour_log=$(mktemp)
	defer rm -f "$neighbour_log" "$neighbour_log.err"
	tcpdump --immediate-mode -i t2 -U -n -B 32768 -w "$neighbour_log" \
		2>"$neighbour_log.err" &
	defer kill $!
	wait_until 20 grep -q listening "$neighbour_log.err"
}

# Without a VLAN tag, the EtherType of a frame is at byte 12 and the PSN at byte 51. A VLAN tag
# moves both by four bytes.
moments()
{
	tcpdump -r "$neighbour_log" -tt -n -xx 2>/dev/null | awk '
		/^[0-9]/ {
			split($1, time, ".")
			if (!base)
				base = time[1]
			now = (time[1] - base) * 1000000 + time[2]
		}
		$1 == "0x0000:" { type = $8 }
		$1 == "0x0010:" && type == "8100" && $2 != "0800" { type = "" }
		$1 == "0x0000:" && type == "8808" { printf "%.0f pause\n", now }
		$1 == "0x0030:" && type == "0800" {
			printf "%.0f %s%s\n", now, substr($3, 3), $4
		}
		$1 == "0x0030:" && type == "8100" {
			printf "%.0f %s%s\n", now, substr($5, 3), $6
		}' | tail -n "+${1:-1}"
}

# quanta MS: prints MS milliseconds in quanta of a 10 Mbit/s link, which are 51.2 us each.
quanta()
{
	echo $(($1 * 10000 / 512))
}

send_frames()
{
	from=$(($(moments | wc -l) + 1))
	printf '%s\n>t1\n%s\n' "$1" "$2" | sendframe t2
}

there()
{
	[ "$(moments "$from" | wc -l)" -ge "$1" ]
}

held()
{
	moments "$from" | awk -v psn="$(printf %06x "$1")" '
		$2 == "pause" { pause = $1 }
		$2 == psn { print $1 - pause; exit }'
}

during()
{
	moments "$from" | awk -v us="$1" '
		$2 == "pause" && !begin { begin = $1 }
		$2 != "pause" && $1 - begin < us { print substr($2, 6) }' |
		sort | xargs
}

in_order()
{
	moments "$from" | cut -d' ' -f2 | xargs
}

held_for()
{
	local us

	us=$(held "$2")
	ok "$1 is held for $3 ms, measured $us us" \
		[ "${us:-0}" -ge $(($3 * 1000)) -a "${us:-0}" -le $(($3 * 1000 + late)) ]
}

every_priority()
{
	local p

	for p in 0 1 2 3 4 5 6 7; do
		prio_frame $p
	done
}
