# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Send frames over a port, and capture at the other end which of them arrive,
# independently of the module. Each frame has a label: the last byte of its source MAC
# address.
#
#   sendframe - t1 (port) ======= t2 - tcpdump
. "$selftests/lib/veth.sh"
. "$selftests/lib/capture.sh"

# far_side COMMAND: make the two netdevs and start the capture, which lasts until the end of
# the test. COMMAND prints the frames to send.
far_side()
{
	far_frames=$(mktemp)
	defer rm -f "$far_frames"
	"$1" >"$far_frames"
	far_labels=$(cut -c 23-24 "$far_frames" | tr '\n' ' ' | sed 's/ $//')
	# Append the marker, a frame that is sent last: when it arrives, all other frames have
	# been sent. The marker has an experimental EtherType, which the module ignores.
	printf '0200000000020200000000ff88b5%064d\n' 0 >>"$far_frames"
	exec {far_never}<> <(:)
	far_log=$(mktemp)
	defer rm -f "$far_log"
	veth_pair t1 t2 4200
	veth_port t1
	defer rm -f "$far_log.err"
	capture_begin "$far_log.err" -i t2 -Q in -e -l -t -s 64 \
		'ether[6:4] = 0x02000000' >"$far_log"
	defer kill "$capture_pid"
}

# label LABEL FRAME: prints the frame with this label in its source address
label()
{
	echo "${2:0:22}$1${2:24}"
}

# far_wait: wait 20 ms without starting a program
far_wait()
{
	read -rt 0.02 <&"$far_never"
}

# arrived: send all frames and the marker; prints the labels of the frames that arrive
# before the marker
arrived()
{
	local lines line from labels i

	mapfile -t lines <"$far_log"
	from=${#lines[@]}
	sendframe t1 <"$far_frames"
	for ((i = 0; i < 1000; i++)); do
		labels=
		mapfile -t -s "$from" lines <"$far_log"
		for line in "${lines[@]}"; do
			case $line in
			*:ff\ \>*) echo "${labels% }"; return ;;
			02:*) labels+="${line:15:2} " ;;
			esac
		done
		far_wait
	done
	echo "the marker did not arrive"
}

# without LABEL...: prints all labels except these
without()
{
	local left=" $far_labels " l

	for l; do
		left=${left/ $l / }
	done
	left=${left# }
	echo "${left% }"
}

# drops WORDS LABEL...: add the rule "WORDS drop", and test that it drops the frames with these
# labels and no other frame
drops()
{
	local words=$1

	shift
	# shellcheck disable=SC2086 # words are several
	if ! rdmafault rule add t1 tx $words drop >/dev/null; then
		report "not ok" "the rule \"$words drop\" is accepted"
		return
	fi
	is "the rule \"$words drop\" drops the frames \"$*\" and no other" "$(arrived)" "$(without "$@")"
	rdmafault rule flush t1
}

control_ok()
{
	is "control: without a rule, all frames arrive" "$(arrived)" "$far_labels"
	rdmafault rule add t1 tx observe >/dev/null
	is "control: with a rule that only observes, all frames arrive" "$(arrived)" "$far_labels"
	rdmafault rule flush t1
}
