#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Test how labs/programs/shares.awk computes the shares of senders, with samples of known rates.
. "$(dirname "$0")/../lib/lib.sh"

# shares N RATES...: print the shares of N senders on a link of 8 Mbit/s, 1 MB/s. A RATES is a list of
# bytes that the senders send in each second, with commas, and applies for 10 s. The queue has 1000
# bytes, and 9000 in one of 100 samples.
shares()
{
	local n=$1

	shift
	printf '%s\n' "$@" | awk -F, '
		function line(i) {
			printf "%.1f %d", t, ++samples % 100 == 50 ? 9000 : 1000
			for (i = 1; i <= NF; i++)
				printf " %.0f", sent[i]
			print ""
		}
		NR == 1 { line() }
		{
			for (k = 0; k < 100; k++) {
				t += 0.1
				for (i = 1; i <= NF; i++)
					sent[i] += $i / 10
				line()
			}
		}' | awk -v mbit=8 -v n="$n" -f "$selftests/../labs/programs/shares.awk"
}

# value NAME N RATES...: print one value of shares
value()
{
	shares "${@:2}" | sed -n "s/^$1 //p"
}

is "equal rates have the index 1" "$(value jain 2 500000,500000)" 1
is "the index of one sender of two is 0.5" "$(value jain 2 1000000,0)" 0.5
is "the index of the rates 1 and 3 is 16 / 20" "$(value jain 2 250000,750000)" 0.8
is "the spread of the rates 1 and 3 is 2 / 3" "$(value spread 2 250000,750000)" 0.666667
is "the sum is the part of the link that is used" "$(value sum 2 300000,300000)" 0.6
is "one long queue of 100 is above the 99th percentile" "$(value queue_p99 2 1,1)" 1000
is "equal rates are settled at once" "$(value settled 2 500000,500000)" 0
is "rates that differ by 8 % from the fair share are settled" "$(value settled 2 460000,540000)" 0
is "rates that differ by 12 % are not" "$(value settled 2 440000,560000)" never
is "equal rates that leave half of the link unused are not" "$(value settled 2 250000,250000)" never
# From 10 s on the rates are fair. In a window of 5 s with x s before that, the mean of the first sender
# is 1 - 0.8 x / 5 of its share: 0.9 for x = 0.625.
is "rates are settled when the mean of 5 s is" "$(value settled 2 100000,900000 500000,500000)" 9.4
