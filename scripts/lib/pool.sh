# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Run jobs of scripts/check in parallel: as many as the host has processors, because an
# emulated machine keeps about one processor busy. A job is a function in a subshell. It
# writes three numbers (passed, failed, skipped) to a file. The output of the job NAME is
# printed test by test, with NAME in each result, and is also written to
# build/pool/NAME.log.

pool_dir=$build/pool
pool_names=() pool_commands=() pool_weights=() pool_before=()
pool_clear=''	# on a terminal: characters that clear the progress line
pool_mib=3072	# memory for each running job, in MiB
pool_limit=''	# start no job after this number of seconds of the script; empty: no limit
declare -A pool_pids=()

# pool_add WEIGHT NAME COMMAND...: add a job that keeps WEIGHT processors busy
pool_add() {
	pool_weights+=("$1")
	pool_names+=("$2")
	shift 2
	pool_commands+=("$(printf '%q ' "$@")")
}

# pool_after NAME: start the job that was added last only after the end of the job NAME
pool_after() {
	pool_before[${#pool_names[@]} - 1]=$1
}

# pool_width: prints the number of jobs that run at a time
pool_width() {
	local width most

	width=$(nproc)
	most=$(awk -v each=$pool_mib '/^MemAvailable:/ { print int($2 / 1024 / each) }' /proc/meminfo)
	[ "$width" -le "$most" ] || width=$most
	echo $((width > 1 ? width : 1))
}

# pool_show NAME: print a job's output. The lines of a test are held until its result, so
# that the lines of several jobs don't mix. The name of the running test is written to
# NAME.now. This function is not an awk program, because some awks read a pipe in large
# blocks, and results must be printed at once.
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

# pool_paint: print the progress line: the running jobs and their tests
pool_paint() {
	local line name words

	line="[$((SECONDS / 60)):$(printf %02d $((SECONDS % 60)))] $pool_done of ${#pool_names[@]} jobs"
	for name in "$pool_dir"/*.now; do
		{ read -r words <"$name"; } 2>/dev/null && line+=" | $words"
	done
	printf '\r\033[K%s' "${line:0:pool_columns - 1}" >&2
}

# pool_work NAME COMMAND: run one job, and write the numbers of passed, failed and skipped
# tests
pool_work() {
	local start=$SECONDS name=$1 cpu_seconds

	shift
	passed=0 failed=0 skipped=0
	"$@"
	cpu_seconds
	echo "$passed $failed $skipped" >"$pool_dir/$name.counts"
	echo "# $name: $passed passed, $failed failed, $skipped skipped, $((SECONDS - start)) s, $cpu_seconds s of CPU"
}

# pool_start NUMBER: start a job in a new process group, so that all its processes can be
# killed together. When it ends, it writes its number to the pipe, also after an error.
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

# pool_reap: wait for the end of one job, and add its numbers of passed, failed and skipped
# tests
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
	add_counts "$pool_dir/$name.counts" "the job $name runs to its end"
	pool_free=$((pool_free + $(pool_weight "$number")))
	pool_done=$((pool_done + 1))
	pool_ended+=" $name "
}

# pool_has_room NUMBER: succeeds if the job NUMBER can start: enough processors are free, and
# the job after which it must run (see pool_after) has ended
pool_has_room() {
	local before=${pool_before[$1]:-}

	[ "$pool_free" -ge "$(pool_weight "$1")" ] || return
	[ -z "$before" ] || [[ $pool_ended == *" $before "* ]]
}

# pool_share: prints how many processes a job should run at a time: one, or if it is the only
# job, one per processor
pool_share() {
	if [ ${#pool_names[@]} -gt 1 ]; then
		echo 1
	else
		nproc
	fi
}

pool_weight() {
	local weight=${pool_weights[$1]}

	echo $((weight < pool_all ? weight : pool_all))
}

# pool_next: sets $number to the first waiting job that can start now
pool_next() {
	for number in "${!pool_waiting[@]}"; do
		! pool_has_room "$number" || return 0
	done
	return 1
}

# pool_is_late: succeeds if the limit has passed
pool_is_late() {
	[ -n "$pool_limit" ] && [ "$SECONDS" -gt "$pool_limit" ]
}

# pool_skip: report the waiting jobs as skipped, and forget them
pool_skip() {
	local name

	for name in "${pool_waiting[@]}"; do
		result skip "the job $name runs" "$((pool_limit / 60)) minutes have passed"
	done
	pool_waiting=()
}

# pool_run: run all jobs, in the order in which they were added. While a job cannot start,
# jobs that were added later can start before it. After the limit, the waiting jobs are skipped.
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
		if pool_is_late; then
			pool_skip
		elif pool_next; then
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

# pool_open: make the pipe to which jobs write that they have ended, and unlink it, so that
# no other process can open it
pool_open() {
	local pipe

	pipe=$(mktemp -u "$pool_dir/ends.XXXXXX")
	mkfifo "$pipe"
	exec {pool_ends}<>"$pipe"
	rm "$pipe"
}

# pool_kill: kill the running jobs
pool_kill() {
	local number

	for number in "${!pool_pids[@]}"; do
		kill -- "-${pool_pids[$number]}" 2>/dev/null || true
	done
}
