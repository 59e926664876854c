#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test tc without our plugin: tc adds, shows and removes the port qdisc like any other qdisc.
#
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/victims.sh"

export TC_LIB_DIR=/nonexistent
veth_pair t1 t2

# installed: succeeds if the plugin is in tc's default directory
installed()
{
	find /usr/lib -path '*/tc/q_rdmafault.so' | grep -q .
}

ok "control: the plugin is installed in tc's default directory" installed
ok "tc without the plugin adds a port" tc qdisc add dev t1 root rdmafault
is "the module has a port added by tc without the plugin" "$(rdmafault --json port show | jq -r '.[0].netdev')" t1
is "tc without the plugin shows the qdisc" "$(tc qdisc show dev t1 root | grep -c '^qdisc rdmafault')" 1
is "tc without the plugin prints no \"unknown\" for the qdisc" "$(tc -s -d qdisc show dev t1 root | grep -i unknown)" ""
is "tc without the plugin shows the qdisc in JSON with statistics" \
	"$(tc -s -j qdisc show dev t1 root | jq -r '.[0].kind')" rdmafault
refused "tc without the plugin refuses options of the qdisc" 'Unknown qdisc "rdmafault"' \
	tc qdisc change dev t1 root rdmafault rate 1gbit
ok "tc without the plugin removes a port" tc qdisc del dev t1 root
is "the module has no port after tc removed it" "$(rdmafault --json port show | jq length)" 0
