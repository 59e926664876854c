# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Jobs of scripts/check that go on side by side: as many at a time as the host
# has processors, for an emulated machine keeps about one of them busy. A job is
# a function in a shell of its own; what it found comes back as three numbers in
# a file, and its output test by test as it comes, with the job's name in each
# verdict. All of it is in build/pool/NAME.log, too.

pool_dir=$build/pool
pool_names=() pool_commands=() pool_weights=() pool_before=()
pool_clear=''	# on a terminal: clears the line of pool_paint
pool_mib=3072	# memory for each of those that run at a time
declare -A pool_pids=()

# pool_add WEIGHT NAME COMMAND...: to be run in its turn; who needs more than one
# processor has that weight
pool_add() {
	pool_weights+=("$1")
	pool_names+=("$2")
	shift 2
	pool_commands+=("$(printf '%q ' "$@")")
}

# pool_after NAME: what was added last waits for the end of that job
pool_after() {
	pool_before[${#pool_names[@]} - 1]=$1
}

# pool_width: how many at a time
pool_width() {
	local width most

	width=$(nproc)
	most=$(awk -v each=$pool_mib '/^MemAvailable:/ { print int($2 / 1024 / each) }' /proc/meminfo)
	[ "$width" -le "$most" ] || width=$most
	echo $((width > 1 ? width : 1))
}

# pool_show NAME: lines of tests are held until their verdict, so that those of
# several jobs don't mix. NAME.now has the test that runs. No awk: some read a pipe in
# large blocks, and a verdict is to be seen when it comes.
pool_show() {
	local line held='' planned='' now=$pool_dir/$1.now

	echo "$1" >"$now"
	while IFS= read -r line; do
		case $line in
		1..[0-9]*) planned=${line#1..} ;;
		"TAP version"*) ;;
		"# running "*)
			line=${line#\# running }
			echo "$1: ${line%%:*}${planned:+ of $planned}: ${line#*: }" >"$now" ;;
		"ok "* | "not ok "*)
			printf '%s%s%s\n' "$pool_clear" "$held" "${line/ - / - $1: }"
			held= ;;
		" "*) held+=$line$'\n' ;;
		*) [[ $line =~ ^#\ [0-9]+\ passed ]] || printf '%s%s\n' "$pool_clear" "$line" ;;
		esac
	done
	printf '%s' "$held"
	rm -f "$now"
}

# pool_paint: on a terminal, a line with the jobs that run and their tests
pool_paint() {
	local line name words

	line="[$((SECONDS / 60)):$(printf %02d $((SECONDS % 60)))] $pool_done of ${#pool_names[@]} jobs"
	for name in "$pool_dir"/*.now; do
		{ read -r words <"$name"; } 2>/dev/null && line+=" | $words"
	done
	printf '\r\033[K%s' "${line:0:pool_columns - 1}" >&2
}

# pool_work NAME COMMAND: one job, and the three numbers
pool_work() {
	local start=$SECONDS name=$1 cpu_seconds

	shift
	passed=0 failed=0 skipped=0
	"$@"
	cpu_seconds
	echo "$passed $failed $skipped" >"$pool_dir/$name.counts"
	echo "# $name: $passed passed, $failed failed, $skipped skipped, $((SECONDS - start)) s, $cpu_seconds s of CPU"
}

# pool_start NUMBER: with a process group of its own, so that all of it can go
# together; its end is told to the pipe, whatever comes of it
pool_start() {
	local name=${pool_names[$1]} command

	eval "command=(${pool_commands[$1]})"
	rm -f "$pool_dir/$name.counts"
	set -m
	{
		set +e
		(set -e; pool_work "$name" "${command[@]}") 2>&1 </dev/null |
			tee "$pool_dir/$name.log" | pool_show "$name"
		echo "$1" >&"$pool_ends"
	} &
	pool_pids[$1]=$!
	set +m
}

# pool_reap: wait for one, and add what it found
pool_reap() {
	local number name

	if [ -n "$pool_clear" ]; then
		until read -t 1 -r number <&"$pool_ends"; do
			pool_paint
		done
		printf '%s' "$pool_clear" >&2
	else
		read -r number <&"$pool_ends"
	fi
	wait "${pool_pids[$number]}" || true
	unset "pool_pids[$number]"
	name=${pool_names[$number]}
	add_counts "$pool_dir/$name.counts" "$name comes to its end"
	pool_free=$((pool_free + $(pool_weight "$number")))
	pool_done=$((pool_done + 1))
	pool_ended+=" $name "
}

# pool_has_room NUMBER: there are processors for it, and the job before it has ended
pool_has_room() {
	local before=${pool_before[$1]:-}

	[ "$pool_free" -ge "$(pool_weight "$1")" ] || return
	[ -z "$before" ] || [[ $pool_ended == *" $before "* ]]
}

pool_weight() {
	local weight=${pool_weights[$1]}

	echo $((weight < pool_all ? weight : pool_all))
}

# pool_next: sets $number to the first job that waits and can run now
pool_next() {
	for number in "${!pool_waiting[@]}"; do
		! pool_has_room "$number" || return 0
	done
	return 1
}

# pool_run: all that were added, in that order as far as there is room for them
pool_run() {
	local number pool_waiting=("${pool_names[@]}")

	mkdir -p "$pool_dir"
	rm -f "$pool_dir"/*.now
	if [ -t 2 ]; then
		pool_clear=$'\r\033[K'
		read -r _ pool_columns < <(stty size <&2)
		[ "${pool_columns:-0}" -gt 1 ] || pool_columns=80
	fi
	pool_all=$(pool_width)
	pool_free=$pool_all pool_done=0 pool_ended=''
	pool_open
	while [ ${#pool_waiting[@]} -gt 0 ]; do
		if pool_next; then
			unset "pool_waiting[$number]"
			pool_free=$((pool_free - $(pool_weight "$number")))
			pool_start "$number"
		else
			pool_reap
		fi
	done
	while [ ${#pool_pids[@]} -gt 0 ]; do
		pool_reap
	done
	exec {pool_ends}>&-
	pool_names=() pool_commands=() pool_weights=() pool_before=()
}

# pool_open: the pipe, of which nobody but us knows the name
pool_open() {
	local pipe

	pipe=$(mktemp -u "$pool_dir/ends.XXXXXX")
	mkfifo "$pipe"
	exec {pool_ends}<>"$pipe"
	rm "$pipe"
}

# pool_kill: those that still run, when this script is ended
pool_kill() {
	local number

	for number in "${!pool_pids[@]}"; do
		kill -- "-${pool_pids[$number]}" 2>/dev/null || true
	done
}
