#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test that "rdmafault watch" names the cause of a failure. Each cause is planted, and has a
# control: the same fault, but the program recovers from it, or another fault next to it.
#
#   rxe1 - v1 (port) - p1 (port) - bridge - p2 (port) - v2 (port) - rxe2
#   t1 (port) ======= t2
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"
. "$selftests/lib/veth.sh"

tmp=$(mktemp -d)
defer rm -rf "$tmp"
fabric 2
ports v1 p1 p2 v2
veth_pair t1 t2
veth_port t1

# The timer is 67 ms, and rcprobe retransmits six times by default.
cat >"$tmp/probe" <<-'END'
	#!/bin/bash
	rcprobe rxe1 rxe2 "$@" | grep -q "status=0$"
END
chmod +x "$tmp/probe"
probe="$tmp/probe"

# watched COMMAND...: run a command and watch it. The result is in $tmp/result.
watched()
{
	rdmafault --json watch -o "$tmp/x.pcapng" -- "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	sed -n '/^{/,$p' "$tmp/out" >"$tmp/result"
}

# result KEY: prints a member of the result
result()
{
	jq -r ".$1" "$tmp/result"
}

# fails TITLE CAUSE WORDS COMMAND...: the command must fail, with this cause and a sentence that
# has WORDS
fails()
{
	local title=$1 cause=$2 words=$3

	shift 3
	watched "$@"
	is "$title" "$(result cause)" "$cause"
	like "$title: the sentence" "$(result sentence)" "$words"
}

# recovers TITLE COMMAND...: the command must succeed, and nothing is reported
recovers()
{
	watched "${@:2}"
	is "control, $1" "$status $(result cause) $(result reported)" "0 none false"
}

# like TITLE TEXT PATTERN
like()
{
	ok "$1" grep -q "$3" <<<"$2"
}

losses_ok()
{
	rule p1 rx psn +2 class write drop
	fails "a packet is dropped and not retransmitted" lost \
		"PSN 2 from 10.77.0.1 .* dropped by a rule at p1 rx, and not retransmitted" \
		"$probe" write 4 1024 0 14 0
	rdmafault -q rule flush p1
	rule p1 rx psn +2 class write attempt 1 drop
	recovers "a packet is dropped and retransmitted" "$probe" write 4 1024 0 14
	rdmafault -q rule flush p1
	# A bridge does not forward between isolated ports.
	bridge link set dev p1 isolated on
	bridge link set dev p2 isolated on
	fails "the bridge does not forward any packet" lost-again \
		"all 7 transmissions .* lost between p1 rx and " "$probe" write 4 1024 0 14
	bridge link set dev p1 isolated off
	bridge link set dev p2 isolated off
	rule p2 rx psn +2 class ack drop
	fails "the ACKs are dropped" ack-lost "rc-acknowledge to .* dropped by a rule at p2 rx" \
		"$probe" write 4 1024 0 14
	rdmafault -q rule flush p2
	rule p2 rx psn +2 class ack count 1 drop
	recovers "one ACK is dropped" "$probe" write 4 1024 0 14
	rdmafault -q rule flush p2
}

rule()
{
	rdmafault -q rule add "$@"
}

times_ok()
{
	rule p2 tx psn +2 class write delay 800ms
	fails "a packet is delayed for longer than all retransmissions" timer \
		"timer is shorter than the round trip" "$probe" write 4 1024 0 14
	rdmafault -q rule flush p2
	rule p2 tx psn +2 class write delay 100ms
	recovers "a packet is delayed for one retransmission" "$probe" write 4 1024 0 14
	rdmafault -q rule flush p2
	rdmafault pause p2 prio 0 storm for 2s persist >/dev/null
	fails "a pause is longer than all retransmissions" pause "a pause of p2 " \
		"$probe" write 4 1024 0 14
	rdmafault pause p2 prio 0 storm for 150ms persist >/dev/null
	recovers "a pause is longer than one retransmission" "$probe" write 4 1024 0 14
}

receiver_ok()
{
	fails "there is no receive request" receiver-not-ready "7 RNR NAKs" \
		"$probe" unready 3 1024 0 14
	recovers "there are receive requests" "$probe" send 3 1024 0 14
	fails "the rkey is wrong" remote-error "remote access error" \
		"$probe" wrong-rkey 3 1024 0 14
	fails "the lkey is wrong" local "QP [0-9]* of rxe1 (rcprobe, PID [0-9]*) failed" \
		"$probe" wrong-lkey 3 1024 0 14
}

# A server that is killed while its client sends; the client has no limit of retransmissions.
peer_ok()
{
	cat >"$tmp/killed" <<-END
		#!/bin/bash
		. $selftests/lib/lib.sh
		trap - EXIT
		. $selftests/lib/rdma.sh
		ib_write_bw -d rxe2 -x 1 -F -D 60 -p 18511 >/dev/null 2>&1 &
		server=\$!
		wait_until 60 listens_or_ended 18511 \$server
		ib_write_bw -d rxe1 -x 1 -F -D 60 -p 18511 127.0.0.1 >/dev/null 2>&1 &
		client=\$!
		# seen PORT DIRECTION N: succeeds if the port has seen N packets since the reset
		seen() { [ "\$(port_stat \$1 \$2 roce)" -ge \$3 ]; }
		wait_until 60 seen v1 tx 200
		if [ "\$1" = server ]; then
			kill -9 \$server
			wait \$server 2>/dev/null
			wait_until 60 seen v2 rx \$((\$(port_stat v2 rx roce) + 5))
		fi
		kill -9 \$client \$server 2>/dev/null
		exit 1
	END
	chmod +x "$tmp/killed"
	rdmafault stat --reset >/dev/null
	fails "the peer is killed" peer-gone "QP [0-9]* of rxe2 (ib_write_bw, PID [0-9]*) ended" \
		"$tmp/killed" server
	rdmafault stat --reset >/dev/null
	watched "$tmp/killed" client
	ok "control, both are killed at once" [ "$(result cause)" != peer-gone ]
}

links_ok()
{
	cat >"$tmp/down" <<-END
		#!/bin/bash
		$probe write 100000 4096 0 14 &
		ip link set \$1 down
		wait \$!
	END
	chmod +x "$tmp/down"
	fails "the link of the bridge port goes down" link-down "the link of [pv]2 is down" \
		"$tmp/down" p2
	ip link set p2 up
	rule p1 rx psn +2 class write drop
	ip link set t1 down
	fails "control, another link goes down" lost-again "dropped by a rule at p1 rx" \
		"$probe" write 4 1024 0 14
	ip link set t1 up
	rdmafault -q rule flush p1
}

mtu_ok()
{
	cat >"$tmp/sizes" <<-END
		#!/bin/bash
		$probe write 1 64 0 14 && $probe write 1 \$1 0 14
	END
	chmod +x "$tmp/sizes"
	ip link set p2 mtu 1000
	fails "the MTU of the bridge port is too small" mtu "the MTU of p2 is 1000, too small" \
		"$tmp/sizes" 1024
	recovers "the packets fit" "$tmp/sizes" 512
	ip link set p2 mtu 4200
}

# rdma_cm over the wire, with the policy routing of the manual and a route for a program that
# does not bind its source address
rejected_ok()
{
	sed -n '/^ip rule add pref 1 iif v1/,/^\.Ed/p' "$selftests/../Documentation/man/rdmafault-doctor.8" |
		grep '^ip ' >"$tmp/rules"
	bash -e "$tmp/rules"
	ip rule add pref 1 iif lo to 10.77.0.2 lookup 101
	fails "no program listens" rejected "10.77.0.2 rejected the connection .* reason 8" \
		ib_write_bw -R -d rxe1 -x 1 -F -n 10 -p 18522 10.77.0.2
	cat >"$tmp/connect" <<-END
		#!/bin/bash
		. $selftests/lib/lib.sh
		trap - EXIT
		ib_write_bw -R -d rxe2 -x 1 -F -n 10 -p 18522 >/dev/null 2>&1 &
		client() { ib_write_bw -R -d rxe1 -x 1 -F -n 10 -p 18522 10.77.0.2 >/dev/null 2>&1; }
		wait_until 60 client && wait
	END
	chmod +x "$tmp/connect"
	watched "$tmp/connect"
	is "control, a program listens" "$status $(result cause)" "0 none"
}

losses_ok
times_ok
receiver_ok
peer_ok
links_ok
mtu_ok
rejected_ok
