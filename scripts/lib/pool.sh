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
# several jobs don't mix. No awk: some read a pipe in large blocks, and a verdict
# is to be seen when it comes.
pool_show() {
	local line held=

	while IFS= read -r line; do
		case $line in
		"TAP version"* | 1..[0-9]*) ;;
		"ok "* | "not ok "*)
			printf '%s%s\n' "$held" "${line/ - / - $1: }"
			held= ;;
		" "*) held+=$line$'\n' ;;
		*) [[ $line =~ ^#\ [0-9]+\ passed ]] || printf '%s\n' "$line" ;;
		esac
	done
	printf '%s' "$held"
}

# pool_work NAME COMMAND: one job, and the three numbers
pool_work() {
	local start=$SECONDS name=$1

	shift
	passed=0 failed=0 skipped=0
	"$@"
	echo "$passed $failed $skipped" >"$pool_dir/$name.counts"
	echo "# $name: $passed passed, $failed failed, $skipped skipped, $((SECONDS - start)) s"
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

	read -r number <&"$pool_ends"
	wait "${pool_pids[$number]}" || true
	unset "pool_pids[$number]"
	name=${pool_names[$number]}
	add_counts "$pool_dir/$name.counts" "$name comes to its end"
	pool_free=$((pool_free + $(pool_weight "$number")))
}

# pool_has_room NUMBER: there are processors for it, and who comes before has ended
pool_has_room() {
	local number

	[ "$pool_free" -ge "$(pool_weight "$1")" ] || return
	for number in "${!pool_pids[@]}"; do
		[ "${pool_names[number]}" != "${pool_before[$1]:-}" ] || return
	done
}

pool_weight() {
	local weight=${pool_weights[$1]}

	echo $((weight < pool_all ? weight : pool_all))
}

# pool_run: all that were added, in that order
pool_run() {
	local number

	mkdir -p "$pool_dir"
	pool_all=$(pool_width)
	pool_free=$pool_all
	pool_open
	for number in "${!pool_names[@]}"; do
		until pool_has_room "$number"; do
			pool_reap
		done
		pool_free=$((pool_free - $(pool_weight "$number")))
		pool_start "$number"
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
