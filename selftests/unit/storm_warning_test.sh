#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that rdmafault validate and run warn about a storm that cannot do what it seems to do: the
# job sends in another priority, the link partner ignores the frames, or the retransmission timers
# of the job expire before the storm ends. A storm without these defects is the control.
. "$(dirname "$0")/../lib/lib.sh"

bin=${BIN:-$selftests/../build/bin}
tmp=$(mktemp -d)
defer rm -r "$tmp"

# warning STORM [LINE...]: print the warning about "pause v2 STORM" in a scenario with these
# further lines
warning()
{
	local storm=$1

	shift
	{
		cat <<-END
			name: x
			title: X
			fabric: {nodes: 2}
			cases:
			  - name: clean
			  - {name: storm, faults: [{do: "pause v2 $storm", at: 10ms}]}
			  - {name: again, faults: [{do: "pause v2 $storm", at: 10ms}]}
		END
		case $* in
		*workload:*) ;;
		*) echo 'workload: {collective: all_reduce, ranks: 2, size: 64KiB, steps: 8}' ;;
		esac
		printf '%s\n' "$@"
	} >"$tmp/x.yaml"
	"$bin/rdmafault" -q validate "$tmp/x.yaml" 2>&1 | sed "s|.*/x.yaml: case storm: pause v2 $storm: ||"
}

job='workload: {collective: all_reduce, ranks: 2, size: 64KiB, steps: 8'
other="so no packet of it waits; prio"
ignored="which ignores the frames; ports: {port: p2, prio: prio-pfc"

is "a storm in the priority of the job, shorter than its timers, is not warned about" \
	"$(warning "prio 0 storm for 400ms")" ""
is "a storm in another priority is warned about once" "$(warning "prio 3,4 storm for 400ms")" \
	"the job sends in priority 0, $other 0, or options: --tclass 96"
is "the priority of the job follows from --tclass" \
	"$(warning "prio 3 storm for 400ms" "$job, options: --chunk 4KiB --tclass 96}")" ""
is "the priority of the job follows from dscp-prio of the port" \
	"$(warning "prio 3 storm for 400ms" "ports: [{port: v2, prio: dscp-prio 0:3}]")" ""
is "the priority of a command is not known" \
	"$(warning "prio 3 storm for 400ms" "workload: {command: 'true', ranks: 2}")" ""
is "a storm with frames that the link partner ignores is warned about" \
	"$(warning "prio 0,3 storm for 400ms frames" "ports: [{port: p2, prio: prio-pfc 0:on}]")" \
	"PFC is off at p2, $ignored 3:on}"
is "a storm with frames that the link partner obeys is not warned about" \
	"$(warning "prio 0 storm for 400ms frames" "ports: [{port: p2, prio: prio-pfc 0:on}]")" ""
is "a storm longer than the timers is warned about" "$(warning "prio 0 storm for 500ms")" \
	"the storm of 500 ms is longer than the retransmission timer 67.1 ms x 7 tries = 470 ms, so the job will fail; qp: timeout 15 is long enough"
is "a longer timer is long enough" "$(warning "prio 0 storm for 500ms" "qp: {timeout: 15}")" ""
is "the pauses of a storm with a duty cycle are shorter than the timers" \
	"$(warning "prio 0 storm for 500ms duty 100ms/10ms")" ""
is "a storm without an end is warned about" "$(warning "prio 0 storm forever")" \
	"the storm of unlimited time is longer than the retransmission timer 67.1 ms x 7 tries = 470 ms, so the job will fail"
is "a storm that a watchdog ends is not warned about" \
	"$(warning "prio 0 storm for 500ms" "ports: [{port: v2, watchdog: prio 0}]")" ""
warning "prio 3 storm for 400ms" >/dev/null
is "run prints the warning before the run" \
	"$("$bin/rdmafault" run --dry-run "$tmp/x.yaml" 2>&1 >/dev/null | grep -c "$other")" 1
is "no lab is warned about" "$("$bin/rdmafault" -q validate "$selftests"/../labs/*.yaml "$selftests"/../labs/programs/*.yaml 2>&1)" ""
