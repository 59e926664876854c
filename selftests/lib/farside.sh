# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Two netdevs back to back, a port at one, and at the other someone who sees
# which of the frames that were sent have arrived, and knows nothing of the
# module. Each frame bears a label: the last byte of its source MAC address.
#
#   sendframe - t1 (port) ======= t2 - tcpdump
. "$selftests/lib/veth.sh"
. "$selftests/lib/capture.sh"

# far_side COMMAND: set it up, until the end of the test. COMMAND prints the
# frames that the test is about.
far_side()
{
	far_frames=$(mktemp)
	defer rm -f "$far_frames"
	"$1" >"$far_frames"
	far_labels=$(cut -c 23-24 "$far_frames" | tr '\n' ' ' | sed 's/ $//')
	# The marker; an EtherType for experiments is no business of the module.
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

# label LABEL FRAME: the frame, with that label.
label()
{
	echo "${2:0:22}$1${2:24}"
}

# A moment's wait without a program being started
far_wait()
{
	read -rt 0.02 <&"$far_never"
}

# arrived: send all frames; the labels of those that have arrived when the
# marker behind them has.
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
	echo "the marker is lost"
}

# without LABEL...: all labels but these
without()
{
	local left=" $far_labels " l

	for l; do
		left=${left/ $l / }
	done
	left=${left# }
	echo "${left% }"
}

# drops WORDS LABEL...: a rule of these words drops these frames alone.
drops()
{
	local words=$1

	shift
	# shellcheck disable=SC2086 # words are several
	if ! rdmafault rule add t1 tx $words drop >/dev/null; then
		report "not ok" "$words: is taken"
		return
	fi
	is "$words: $*" "$(arrived)" "$(without "$@")"
	rdmafault rule flush t1
}

control_ok()
{
	is "control: without a rule all arrive" "$(arrived)" "$far_labels"
	rdmafault rule add t1 tx observe >/dev/null
	is "control: with a rule that observes, too" "$(arrived)" "$far_labels"
	rdmafault rule flush t1
}
