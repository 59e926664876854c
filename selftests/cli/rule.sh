#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rules from the command line: added, listed in the words that make them again,
# deleted by number, all or none, and leased to a command.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

fabric 2
ports v1 v2

# rules [DEV]: all, in words
rules()
{
	rdmafault --json rule show "$@" | jq -r '.[] | "\(.netdev) \(.direction) \(.rule)"'
}

ids()
{
	rdmafault --json rule show "$1" | jq -r '[.[].id] | sort | join(" ")'
}

is "a rule is printed with its number" \
	"$(rdmafault rule add v1 tx class write position last attempt 1 nth 3 observe)" \
	"v1 tx rule 1: class write position last attempt 1 nth 3 persist observe"
is "drop is the short form" "$(rdmafault drop rxe1 rx qp 0x11 psn +5 count 1)" \
	"v1 rx rule 2: qp 17 psn +5 count 1 persist drop"
is "its number is in JSON, too" 3 \
	"$(rdmafault --json drop v1 tx opcode 0x11 step 20 | jq .id)"
ok "everything at once" rdmafault drop v1 tx qp 0xffffff psn 0xffffff \
	class send,nak position first,only attempt 2+ count 9 all
is "rules are listed in the words that make them" "$(rules v1 | sort)" \
"v1 rx qp 17 psn +5 count 1 persist drop
v1 tx class write position last attempt 1 nth 3 persist observe
v1 tx opcode rc-acknowledge step 20 persist drop
v1 tx qp 16777215 psn 16777215 class send,nak position first,only attempt 2+ count 9 all persist drop"

# Typed in again on another port, they make the same rules.
while read -r _ dir words; do
	# shellcheck disable=SC2086
	rdmafault rule add v2 "$dir" $words >/dev/null
done < <(rules v1)
is "and do so" "$(rules v2 | cut -d' ' -f2-)" "$(rules v1 | cut -d' ' -f2-)"

is "fields are there one by one" \
	"$(rdmafault --json rule show v1 | jq -c '.[] | select(.id == 2) |
		[.match.qp[0], .match.psn_rel, .trigger.count, .actions[0].type, .persist, .all, .matched, .hits, .owner]')" \
	'[17,5,1,"drop",true,false,0,0,null]'
is "names are a list" \
	"$(rdmafault --json rule show v1 | jq -c '.[] | select(.id == 4) | .match.class')" \
	'["send","nak"]'

refused "of several numbers, one is wrong" "^rdmafault: v1: id: no such rule$" \
	rdmafault rule del v1 1 2 99
is "and none is deleted" "$(ids v1)" "1 2 3 4"
ok "two are deleted" rdmafault rule del v1 1 3
is "and no others" "$(ids v1)" "2 4"
ok "one direction is flushed" rdmafault rule flush v1 rx
is "and not the other" "$(ids v1)" "4"
rdmafault drop v1 tx qp 99 >/dev/null
is "numbers aren't given twice" "$(ids v1)" "4 5"
ok "a port is flushed" rdmafault rule flush rxe1
is "and no other port" "$(rules | wc -l)" 4
ok "reset leaves no rule" rdmafault reset
is "on any port" "$(rdmafault --json rule show | jq length)" 0
is "but the ports" "$(rdmafault --json port show | jq length)" 2

# Leases
note=$(rdmafault drop v1 tx qp 17 -- true 2>&1)
is "the end of a lease is told" "$note" "rdmafault: v1 rule 6: matched 0, hits 0"
is "the rule has gone" "$(rules)" ""
is "the command's status is passed on" 7 \
	"$(rdmafault drop v1 tx qp 17 -- sh -c 'exit 7' 2>/dev/null; echo $?)"
is "its signal is" 143 \
	"$(rdmafault drop v1 tx qp 17 -- sh -c 'kill -TERM $$' 2>/dev/null; echo $?)"
is "a command that isn't there is 127" 127 \
	"$(rdmafault drop v1 tx qp 17 -- /nonexistent 2>/dev/null; echo $?)"
is "during the lease the rule has an owner" true \
	"$(rdmafault drop v1 tx qp 17 -- sh -c \
		'rdmafault --json rule show v1 | jq ".[0].owner > 0 and (.[0].persist | not)"' 2>/dev/null)"
is "an option behind -- is the command's" "--json" \
	"$(rdmafault drop v1 tx qp 17 -- echo --json 2>/dev/null)"

rdmafault drop v1 tx qp 17 -- sleep 60 2>/dev/null &
tool=$!
defer pkill -P $tool
ok "a lease begins" wait_until "$soon" sh -c 'rdmafault rule show v1 | grep -q "qp 17"'
sleeper=$(pgrep -P $tool)
kill -9 $tool
wait $tool 2>/dev/null
kill "$sleeper"
ok "when the tool is killed, the rule goes" \
	wait_until "$soon" sh -c '! rdmafault rule show v1 | grep -q "qp 17"'

rdmafault drop v1 tx qp 18 persist -- true 2>/dev/null
is "persist outlives the command" "$(rules v1)" "v1 tx qp 18 persist drop"

# A lease over traffic: the write loses its first packet, and is done.
rdmafault reset
ok "under a lease traffic goes on" rdmafault drop v1 tx class write count 1 -- \
	bash -c ". $selftests/lib/lib.sh; trap - EXIT; . $selftests/lib/rdma.sh;
		 write_bw 2 1 -n 20 -s 16384"
is "one packet was dropped" "$(port_stat v1 tx dropped)" 1
is "rxe saw no error" "$(hw rxe1 send_err)" 0
