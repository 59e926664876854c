#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test the help of each program and command, and the errors for invalid command lines,
# with golden files. All command lines are invalid or ask for help, because a valid one
# would change the host.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/golden.sh"

bin=${BIN:-$selftests/../build/bin}
odd=$(mktemp)
defer rm -f "$odd"

# said STATUS PROGRAM ARGUMENT...: run PROGRAM with these arguments and print its output.
# The exit status must be STATUS.
said()
{
	local wanted=$1 program=$2 status=0

	shift 2
	echo "== $program $*"
	"$bin/$program" "$@" 2>&1 || status=$?
	[ "$status" = "$wanted" ] ||
		echo "$program $*: exit status $status instead of $wanted" >>"$odd"
	echo
}

# commands: print the names of the commands that "rdmafault --help" lists
commands()
{
	"$bin/rdmafault" --help | sed -nE 's/^.{15}([a-z]+) +[a-z].*/\1/p'
}

# verbs: print "COMMAND VERB" for each verb in the help of a command
verbs()
{
	local command

	for command in $(commands); do
		"$bin/rdmafault" "$command" --help |
			sed -nE "s/^(Usage:|      ) rdmafault $command ([a-z]+)( .*)?\$/$command \2/p"
		"$bin/rdmafault" "$command" --help | sed '/^Words/,$d' |
			sed -nE "s/^  ([a-z]+) .*/$command \1/p"
	done | sort -u
}

# command_helps: print the help of each command
command_helps()
{
	local command

	for command in $(commands); do
		said 0 rdmafault "$command" --help
	done
	said 0 rdmafault help pause storm
	said 2 rdmafault help nonsense
}

# helps: print the output of "COMMAND VERB -h" for each command and verb. Then print the
# difference, if any, between the outputs of "COMMAND VERB --help" and "help COMMAND VERB".
helps()
{
	local -a words

	"$bin/rdmafault" --help
	{
		commands
		verbs
	} | while read -ra words; do
		"$bin/rdmafault" "${words[@]}" -h
		"$bin/rdmafault" help "${words[@]}" | diff - <("$bin/rdmafault" "${words[@]}" --help)
	done
}

rdmafault_usage()
{
	said 0 rdmafault --help
	said 0 rdmafault --version
	said 0 rdmafault rule help
	command_helps
	said 2 rdmafault
	said 2 rdmafault nonsense
	for object in port rule link prio ecn pause path fabric; do
		said 2 rdmafault $object
		said 2 rdmafault $object nonsense
	done
	for verb in "port add" "port del" "port set" "rule add" "rule replace" \
		"rule del" "rule save" "rule flush" drop observe delay reorder duplicate \
		corrupt truncate mark rewrite nak rnr blackhole trim "link set" "prio set" \
		"ecn set" "path set" "path link" "path del" step "step v1 x" "pause v1 prio 3 storm"; do
		# shellcheck disable=SC2086 # several words
		said 2 rdmafault $verb
	done
	for many in "port show a b" "rule show a b c" "link show a b" "prio show a b" \
		"ecn show a b" "pause show a b" "pause deadlock v1" "pause deadlock longer 1us" \
		"pause deadlock longer" "pause v1 deadlock" \
		"path show a b" "path set v1 nonsense" "path set v1 ecmp" \
		"path set v1 flowlet 0 links a" "path link v1 a off" "reset a b" "fabric show a" \
		"fabric down a" "doctor a" "run" "run a b" "report" "report a b c" "report /" "report /none" \
		"validate" "ecn set v1 kmin 10" "ecn set v1 prio 3" "ecn set prio 3 kmin 10" \
		"pause prio 3 storm for 1s" "pause watchdog prio 3" "drop v1 tx write"; do
		# shellcheck disable=SC2086 # several words
		said 2 rdmafault $many
	done
	for command in monitor record run report validate cost; do
		said 2 rdmafault $command --nonsense
	done
	for options in "--params 7X" "--stall 1s --stall-every 1us" "--nic-rate 400" "--nic-rate 0bit" "--stall 10" \
		"--nics 0" "--ranks 1" "--params 7B --gradient 1MiB" "--slower 10%" \
		"--stall 1s --slower 10% --for 1s" 7B; do
		# shellcheck disable=SC2086 # several words
		said 2 rdmafault cost $options
	done
}

# foreign_words: print the answers to words of ip(8), tc(8), tc-netem(8) and ethtool(8)
foreign_words()
{
	local words

	while read -r words; do
		# shellcheck disable=SC2086 # several words
		said 2 rdmafault $words
	done <<-'END'
		-s stat
		stat -s v1
		-S v1
		-j port show
		port show -j
		stats
		show
		list
		add v1
		delete v1
		qdisc show dev v1
		link set dev v1 rate 10gbit
		pause dev v1 prio 3 storm for 1s
		rule delete v1 1
		fabric delete
		fabric create 4
		ecn change v1 prio 3 kmax 1k
		loss v1 1%
		latency v1 10ms
		netem v1 loss 1%
		rule add v1 loss 1%
		rule add v1 tx all loss 1%
		rule add v1 tx all latency 10ms
		rule add v1 tx all limit 100
		rule add v1 tx all delay 10ms 2ms
		rule add v1 tx all drop 1%
		rule add v1 tx all drop probability 1% 25%
		rule add v1 tx all corrupt 1%
		rule add v1 tx all duplicate 1%
		rule add v1 tx all reorder 25% 50%
		rule add v1 tx all mark 5%
		link set v1 loss 1%
		link set v1 latency 5us
	END
}

# ranks_usage PROGRAM ARGUMENT...: print the help of PROGRAM (collperf or train), and its
# errors for invalid options. ARGUMENTs are the mandatory arguments of PROGRAM.
ranks_usage()
{
	local program=$1 option

	shift
	said 0 "$program" --help
	said 0 "$program" --version
	for option in --nonsense "--ranks" "--ranks 0" "--ranks many" "--chunk 1X" \
		"--deadline 5" "--psn 0x1000000" "--protocol nonsense" "--mtu 5" \
		"--timeout 32" "--straggler 1" "--algo nonsense" "nonsense"; do
		# shellcheck disable=SC2086 # several words
		said 2 "$program" "$@" $option
	done
}

golden usage-rdmafault.txt rdmafault_usage
golden foreign-words.txt foreign_words
golden usage-collperf.txt ranks_usage collperf all_reduce
golden usage-train.txt ranks_usage train
ok "rdmafault --help fits a screen" test "$("$bin/rdmafault" --help | wc -l)" -le 40
ok "at least 20 verbs are found" test "$(verbs | wc -l)" -ge 20
is "help COMMAND prints the same as COMMAND --help" "$(helps | grep '^[<>]')" ""
is "each help ends with its manual page" \
	"$(helps | grep -c '^See rdmafault')" "$({ commands; verbs; } | wc -l)"
is "no line of a help is longer than 80 columns" "$(helps | grep -E '^.{81}')" ""
is "--help after -- belongs to the command there" \
	"$("$bin/rdmafault" drop v99 tx all -- echo --help 2>&1 | grep -c ^Usage)" 0
# shows NAME: print the help of the verb NAME of each object that has the verb show
shows()
{
	local object

	for object in port rule link prio ecn pause path fabric; do
		"$bin/rdmafault" "$object" "$1" --help
	done
}

for name in list ls; do
	is "$name is another name of show" "$(shows $name)" "$(shows show)"
	is "there is no command $name" \
		"$("$bin/rdmafault" $name 2>&1 | grep -c 'unknown command')" 1
done

# too_wide PROGRAM: print the lines of the program's help that have more than 80 columns
too_wide()
{
	"$bin/$1" --help | awk -v program="$1" 'length($0) > 80 { print program ": " $0 }'
}

is "the help of collperf and train has at most 80 columns" \
	"$(too_wide collperf; too_wide train)" ""
is "--help exits with 0 and each invalid command line with 2" "$(cat "$odd")" ""
