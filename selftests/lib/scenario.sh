# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Run the scenario $tmp/file.yaml. The files of the run are in $tmp/out, its output in $tmp/said.

# runs STATUS TITLE: run the scenario, which must end with this exit status
runs()
{
	rm -rf "$tmp/out"
	rdmafault run -o "$tmp/out" "$tmp/file.yaml" >"$tmp/said" 2>&1
	is "$2" $? "$1"
}
