#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tc as the distribution has it, without our plugin: it makes ports and takes
# them away, and shows them as any qdisc.
#
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/victims.sh"

export TC_LIB_DIR=/nonexistent
veth_pair t1 t2

# where tc would look, if it were not for TC_LIB_DIR
installed()
{
	find /usr/lib -path '*/tc/q_rdmafault.so' | grep -q .
}

ok "the plugin is there for others" installed
ok "a port is made without it" tc qdisc add dev t1 root rdmafault
is "the module knows it" "$(rdmafault --json port show | jq -r '.[0].netdev')" t1
is "it is shown" "$(tc qdisc show dev t1 root | grep -c '^qdisc rdmafault')" 1
is "with nothing unknown" "$(tc -s -d qdisc show dev t1 root | grep -i unknown)" ""
is "in JSON, too, with statistics" \
	"$(tc -s -j qdisc show dev t1 root | jq -r '.[0].kind')" rdmafault
refused "options need the plugin" 'Unknown qdisc "rdmafault"' \
	tc qdisc change dev t1 root rdmafault rate 1gbit
ok "a port is taken away without it" tc qdisc del dev t1 root
is "the module knows that" "$(rdmafault --json port show | jq length)" 0
