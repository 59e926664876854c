#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how jobs of users announce their steps with "rdmafault step".
#
#   rxe1 - v1 (port) - p1 - bridge - p2 - v2 - rxe2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1

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
