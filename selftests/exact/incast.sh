#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test which senders lose packets in an incast. Eight senders send 64 KiB each to one receiver, whose
# queue has room for 16 packets. With a start that is drawn for each sender and burst, within eight packet times,
# each sender is equally often the one that loses most (chi-squared test).
#
#   ranks 1 to 8   v2 ── p2 ┐
#                    ...    ├ switch ── p1 ── v1   rank 0
#                  v9 ── p9 ┘
#
# A packet is lost if the port of its sender has counted it, and v1 has not. Filters of tc count. The
# test runs only with --full.
. "$(dirname "$0")/../lib/lib.sh"
. "$selftests/lib/rdma.sh"

virtual_only
[ "${FAULT_RUNS:-0}" -ge 50 ] || skip_all "takes minutes; runs with --full"

bursts=64
senders=8

# The critical value of the chi-squared distribution with 7 degrees of freedom, for a chance of 0.001
critical=24.3

tmp=$(mktemp -d)
defer rm -r "$tmp"
defer rdmafault fabric down --force

rdmafault fabric up $((senders + 1)) >/dev/null ||
	{ echo "Bail out! the fabric cannot be made"; exit 1; }
for port in p1 $(seq -f v%g $((senders + 1))); do
	rdmafault -q port add "$port"
	rdmafault -q link set "$port" rate 20mbit
done
rdmafault -q prio set p1 prio-limit 0:66KiB

# count_on DEV SENDER: let tc count the packets of a sender that arrive at DEV
count_on()
{
	tc filter add dev "$1" ingress protocol ip pref "$2" \
		flower src_ip "10.77.0.$(($2 + 1))" ip_proto udp action continue
}

tc qdisc add dev v1 clsact
for ((k = 1; k <= senders; k++)); do
	tc qdisc add dev p$((k + 1)) clsact
	count_on p$((k + 1)) $k
	count_on v1 $k
done

# counted DEV: prints lines "SENDER PACKETS"
counted()
{
	tc -s -j filter show dev "$1" ingress |
		jq -r '.[] | select(.options.actions) | "\(.pref) \(.options.actions[0].stats.packets)"'
}

# lost: prints the packets that each sender has lost so far, in the order of the senders
lost()
{
	local -A arrived
	local sender n

	while read -r sender n; do
		arrived[$sender]=$n
	done < <(counted v1)
	for ((sender = 1; sender <= senders; sender++)); do
		read -r _ n < <(counted p$((sender + 1)))
		echo $((n - arrived[$sender]))
	done
}

# burst SEED: let all senders send once, and print what each of them has lost
burst()
{
	local before after

	mapfile -t before < <(lost)
	collperf reduce -N $((senders + 1)) --algo direct -b 64K -n 1 -w 0 --timeout 15 \
		--stagger 13400us --seed "$1" >"$tmp/collperf" 2>&1 || diagnose <"$tmp/collperf"
	mapfile -t after < <(lost)
	for ((k = 0; k < senders; k++)); do
		printf '%d ' $((after[k] - before[k]))
	done
	echo
}

# bursts N: print what the senders lost in N bursts, one burst per line
bursts()
{
	local seed

	for ((seed = 1; seed <= $1; seed++)); do
		burst $seed
	done
}

# statistic FILE: prints how often each sender lost most, and the chi-squared statistic of these
# counts. A burst with several such senders counts in parts.
statistic()
{
	awk -v n=$senders '{
		most = 0; ties = 0
		for (i = 1; i <= n; i++) most = $i > most ? $i : most
		if (!most) next
		for (i = 1; i <= n; i++) ties += $i == most
		for (i = 1; i <= n; i++) if ($i == most) times[i] += 1 / ties
		all++
	} END {
		for (i = 1; i <= n; i++) {
			chi += (times[i] - all / n) ^ 2 / (all / n)
			printf "%.1f ", times[i]
		}
		printf "%d %.2f\n", all, chi
	}' "$1"
}

# below VALUE FILE: succeeds if the statistic is below VALUE, and packets were lost in each burst
below()
{
	statistic "$2" | awk -v limit="$1" -v all="$(wc -l <"$2")" '{ exit !($NF < limit && $(NF - 1) == all) }'
}

bursts $bursts >"$tmp/equal"
statistic "$tmp/equal" | diagnose
ok "each sender is equally often the one that loses most" below $critical "$tmp/equal"

above()
{
	! below "$@"
}

rdmafault -q port add p2
rdmafault -q drop p2 rx class write probability 50%
bursts 20 >"$tmp/unfair"
statistic "$tmp/unfair" | diagnose
ok "control: a sender that a rule takes packets from loses most" above $critical "$tmp/unfair"
