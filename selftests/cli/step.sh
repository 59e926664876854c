#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how jobs of users announce their steps: with "rdmafault step", and with the library
# librdmafault-step.
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/python.sh"

need_python
fabric 2
ports v1
tmp=$(mktemp -d)
defer rm -r "$tmp"
chmod 755 "$tmp"
cp "$selftests/../build/lib/librdmafault-step.so.0" "$tmp/"

step_of()
{
	rdmafault --json port show "$1" | jq '.[0].step'
}

is "step prints the port and the step" "$(rdmafault step rxe1 5)" "v1: step 5"
is "step announces the step" "$(step_of v1)" 5
refused "a step backwards is refused" \
	"^rdmafault: v1: step 4 announced backwards, the port is in step 5; 5 or greater, or 0 first to restart$" \
	rdmafault step v1 4
is "the port keeps its step" "$(step_of v1)" 5
ok "the same step can be announced again" rdmafault -q step v1 5
is "step 0 ends the steps" "$(rdmafault step v1 0)" "v1: no step"
ok "after step 0 the steps can begin again" rdmafault -q step v1 1
refused "a step of a netdev that is no port is refused" "^rdmafault: v2: not a port; " \
	rdmafault step v2 1
refused "a step that is no number is refused" "^rdmafault: step x: invalid; 0 to 4294967295$" \
	rdmafault step v1 x

cat >"$tmp/announce.py" <<'PYTHON'
"""Announce each step of the arguments, "fork" in a child process; print what is returned."""
import ctypes, os, sys
library = ctypes.CDLL(sys.argv[1])
for word in sys.argv[2:]:
    if word == "fork":
        if os.fork():
            sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
    else:
        print(library.rf_step_announce(int(word)), flush=True)
PYTHON

# announces VARIABLE=VALUE STEP...: announce the steps in one process with this environment;
# prints the results, and what the library prints
announces()
{
	env "$1" python3 "$tmp/announce.py" "$tmp/librdmafault-step.so.0" "${@:2}" 2>&1 |
		paste -sd' '
}

is "the library announces for RF_NETDEV" "$(announces RF_NETDEV=v1 0 7) $(step_of v1)" "0 0 7"
is "the library announces for RF_DEVICE" "$(announces RF_DEVICE=rxe1 8) $(step_of v1)" "0 8"
is "the library announces for UCX_NET_DEVICES" \
	"$(announces UCX_NET_DEVICES=rxe1:1,rxe2:1 9) $(step_of v1)" "0 9"
is "the library announces for NCCL_IB_HCA" "$(announces NCCL_IB_HCA==rxe1:1 10) $(step_of v1)" "0 10"
is "the library refuses steps backwards, with one message" \
	"$(announces RF_NETDEV=v1 5 4 3) $(step_of v1)" \
	"0 rdmafault-step: step 4 announced backwards after step 5; 5 or greater, or 0 first to restart -22 -22 5"
is "after step 0 the library announces smaller steps" "$(announces RF_NETDEV=v1 5 0 3)" "0 0 0"
is "a child process announces with its own socket" "$(announces RF_NETDEV=v1 2 fork 1) $(step_of v1)" \
	"0 0 1"
is "without a device the library prints one message" "$(announces RF_NETDEV= 1 2)" \
	"rdmafault-step: steps are not announced: no device; set RF_NETDEV to the netdev of the process, for example v1, or RF_DEVICE to its RDMA device -19 -19"
is "for a device that does not exist the library prints one message" \
	"$(announces UCX_NET_DEVICES=mlx5_0:1 1 2)" \
	"rdmafault-step: steps are not announced: mlx5_0: no RDMA device with a netdev (from UCX_NET_DEVICES); \"rdma link\" lists them -19 -19"
is "for a netdev that is no port the library prints one message" "$(announces RF_DEVICE=rxe2 1 2)" \
	"rdmafault-step: steps are not announced: v2: not a port; \"rdmafault port add v2\" makes it one -19 -19"

unprivileged()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
		env RF_NETDEV=v1 python3 "$tmp/announce.py" "$tmp/librdmafault-step.so.0" 1 2 2>&1 |
		paste -sd' '
}

is "without privilege the library prints one message" "$(unprivileged)" \
	"rdmafault-step: steps are not announced: v1: needs CAP_NET_ADMIN -1 -1"
