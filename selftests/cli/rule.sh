#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test rules from the command line. The words in which a rule is listed must add the
# same rule again. If several rules are deleted by number, all or none must be
# deleted. A leased rule must be deleted when its command ends.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1 v2

# rules [DEV]: prints all rules, in words
rules()
{
	rdmafault --json rule show "$@" | jq -r '.[] | "\(.netdev) \(.direction) \(.rule)"'
}

ids()
{
	rdmafault --json rule show "$1" | jq -r '[.[].id] | sort | join(" ")'
}

is "rule add prints the rule with its number" \
	"$(rdmafault rule add v1 tx class write position last attempt 1 nth 3 observe)" \
	"v1 tx rule 1: class write position last attempt 1 nth 3 persist observe"
is "drop adds a rule with the action drop" "$(rdmafault drop rxe1 rx qp 0x11 psn +5 count 1)" \
	"v1 rx rule 2: qp 17 psn +5 count 1 persist drop"
is "drop --json prints the number of the rule" 3 \
	"$(rdmafault --json drop v1 tx opcode 0x11 step 20 | jq .id)"
# note WORD...: prints the note of a command that adds a rule, and deletes the rule
note()
{
	rdmafault -q "$@" 2>&1 >/dev/null | sed 's/^rdmafault: //'
	rdmafault -q rule flush v2
}

is "a rule with step says that no job announces steps" "$(note drop v2 tx class send step 20)" \
	"v2: no job announces steps on this port now; rules with step, or with messages counted from the end, hit nothing until a job does, for example collperf or train"
is "a rule for steps from 0 says nothing" "$(note drop v2 tx class send step 0-5)" ""
announce v2 7 3 5
is "a rule with step says nothing while a job announces steps" \
	"$(note drop v2 tx class send step 20)" ""
announce v2 0 0 0
ok "drop accepts many words of a match at once" rdmafault drop v1 tx qp 0xffffff psn 0xffffff \
	class send,nak position first,only attempt 2+ count 9 all
is "rule show prints rules in the words that add them" "$(rules v1 | sort)" \
"v1 rx qp 17 psn +5 count 1 persist drop
v1 tx class write position last attempt 1 nth 3 persist observe
v1 tx opcode rc-acknowledge step 20 persist drop
v1 tx qp 16777215 psn 16777215 class send,nak position first,only attempt 2+ count 9 all persist drop"

# The printed words, used on another port, must add the same rules.
while read -r _ dir words; do
	# shellcheck disable=SC2086
	rdmafault rule add v2 "$dir" $words >/dev/null
done < <(rules v1)
is "the printed words add the same rules on another port" \
	"$(rules v2 | cut -d' ' -f2-)" "$(rules v1 | cut -d' ' -f2-)"

is "rule show --json has each field of the rule" \
	"$(rdmafault --json rule show v1 | jq -c '.[] | select(.id == 2) |
		[.match.qp[0], .match.psn_rel, .trigger.count, .actions[0].type, .persist, .all, .matched, .hits, .owner]')" \
	'[17,5,1,"drop",true,false,0,0,null]'
is "rule show --json has several classes as a list" \
	"$(rdmafault --json rule show v1 | jq -c '.[] | select(.id == 4) | .match.class')" \
	'["send","nak"]'

refused "rule del of three numbers, one of them unknown, is refused" \
	"^rdmafault: v1: rule 99: no such rule; the port has [1-4](, [1-4]){3}, \"rdmafault rule show v1\" prints them$" \
	rdmafault rule del v1 1 2 99
is "a refused rule del deletes no rule" "$(ids v1)" "1 2 3 4"
ok "rule del accepts two numbers" rdmafault rule del v1 1 3
is "rule del deletes the two rules alone" "$(ids v1)" "2 4"
ok "rule flush accepts a direction" rdmafault rule flush v1 rx
is "rule flush of rx leaves the rules of tx" "$(ids v1)" "4"
rdmafault drop v1 tx qp 99 >/dev/null
is "a new rule does not get the number of a deleted one" "$(ids v1)" "4 5"
ok "rule flush accepts an RDMA device" rdmafault rule flush rxe1
is "rule flush of a port leaves the rules of other ports" "$(rules | wc -l)" 4
# again WORD...: adds a rule twice and prints what the second command says
again()
{
	rdmafault -q "$@" >/dev/null 2>&1
	rdmafault -q "$@" 2>&1 >/dev/null | sed 's/^rdmafault: //'
}

is "a rule that is added twice is noted, with its number" \
	"$(again drop v1 rx class write probability 1%)" \
	'v1 rx: rule 7 is the same as rule 6; "rdmafault rule del v1 7" deletes it'
is "a rule that is the same in the other direction is not noted" \
	"$(rdmafault -q drop v1 tx class write probability 1% 2>&1)" ""
is "a rule with another value is not noted" \
	"$(rdmafault -q drop v1 rx class write probability 2% 2>&1)" ""
is "a rule with another seed is not noted, because it hits other packets" \
	"$(for seed in 1 2; do
		rdmafault -q drop v1 rx class read-request probability 1% seed $seed 2>&1
	done)" ""
is "a rule with the same seed is noted" \
	"$(rdmafault -q drop v1 rx class read-request probability 1% seed 2 2>&1 | grep -c 'is the same as')" 1
rdmafault -q rule flush v1
refused "rule del on a port without rules is refused" \
	"^rdmafault: v1: rule 6: no such rule; the port has none$" rdmafault rule del v1 6
ok "reset of all ports succeeds" rdmafault reset
is "reset deletes the rules of all ports" "$(rdmafault --json rule show | jq length)" 0
is "reset leaves the ports" "$(rdmafault --json port show | jq length)" 2

# Leases
note=$(rdmafault drop v1 tx qp 17 -- true 2>&1)
is "the end of a leased rule prints its counters" "$note" "rdmafault: v1 rule 13: matched 0, hits 0"
is "a leased rule is deleted when its command ends" "$(rules)" ""
is "drop -- COMMAND exits with the status of the command" 7 \
	"$(rdmafault drop v1 tx qp 17 -- sh -c 'exit 7' 2>/dev/null; echo $?)"
is "drop -- COMMAND exits with 128 + the signal that ended the command" 143 \
	"$(rdmafault drop v1 tx qp 17 -- sh -c 'kill -TERM $$' 2>/dev/null; echo $?)"
is "drop -- COMMAND exits with 127 if the command does not exist" 127 \
	"$(rdmafault drop v1 tx qp 17 -- /nonexistent 2>/dev/null; echo $?)"
is "a leased rule shows its owner and is not persistent" true \
	"$(rdmafault drop v1 tx qp 17 -- sh -c \
		'rdmafault --json rule show v1 | jq ".[0].owner > 0 and (.[0].persist | not)"' 2>/dev/null)"
is "an option after -- is passed to the command" "--json" \
	"$(rdmafault drop v1 tx qp 17 -- echo --json 2>/dev/null)"

rdmafault drop v1 tx qp 17 -- sleep 60 2>/dev/null &
tool=$!
defer pkill -P $tool
ok "a leased rule exists while its command runs" \
	wait_until "$soon" sh -c 'rdmafault rule show v1 | grep -q "qp 17"'
sleeper=$(pgrep -P $tool)
kill -9 $tool
wait $tool 2>/dev/null
kill "$sleeper"
ok "a leased rule is deleted when rdmafault is killed" \
	wait_until "$soon" sh -c '! rdmafault rule show v1 | grep -q "qp 17"'

rdmafault drop v1 tx qp 18 persist -- true 2>/dev/null
is "a rule with persist stays when its command ends" "$(rules v1)" "v1 tx qp 18 persist drop"

# A leased rule (one that is deleted when its command ends) drops the first packet of an RDMA
# write; the write must still succeed.
rdmafault reset
ok "perftest as the command of a leased rule succeeds" rdmafault drop v1 tx class write count 1 -- \
	bash -c ". $selftests/lib/lib.sh; trap - EXIT; . $selftests/lib/rdma.sh;
		 write_bw 2 1 -n 20 -s 16384"
is "the leased rule drops one packet of perftest" "$(port_stat v1 tx dropped)" 1
is "the sender counts no local error with the leased rule" "$(hw rxe1 send_err)" 0
