# SPDX-License-Identifier: GPL-2.0
#
# Compute from samples how senders share a link: Jain's index and the others that shares.sh lists. Each
# line has the time in seconds, the bytes in the queue, and for each of n senders the bytes that it has
# sent. mbit is the rate of the link.

{
	at[NR] = $1
	queue[NR] = $2
	queued += $2
	for (i = 1; i <= n; i++)
		sent[NR, i] = $(i + 2)
}

# Return: whether each sender has its fair share between two samples
function is_fair(from, to, i, share) {
	for (i = 1; i <= n; i++) {
		share = (sent[to, i] - sent[from, i]) * 8 * n / (mbit * 1e6 * (at[to] - at[from]))
		if (share < 0.9 || share > 1.1)
			return 0
	}
	return 1
}

function settled(from, to) {
	for (from = to = 1; to <= NR; to++) {
		while (at[to] - at[from] > 5)
			from++
		if (at[to] - at[1] >= 5 && is_fair(from, to))
			return at[from] - at[1]
	}
	return "never"
}

# Return: the smallest value that is not less than 99 % of the values
function p99(values, i, j, v) {
	for (i = 2; i <= NR; i++) {
		v = values[i]
		for (j = i - 1; j && values[j] > v; j--)
			values[j + 1] = values[j]
		values[j + 1] = v
	}
	return values[int((NR * 99 + 99) / 100)]
}

END {
	for (i = 1; i <= n; i++) {
		bytes = sent[NR, i] - sent[1, i]
		sum += bytes
		squares += bytes * bytes
		most = i == 1 || bytes > most ? bytes : most
		fewest = i == 1 || bytes < fewest ? bytes : fewest
	}
	print "jain", sum * sum / (n * squares)
	print "spread", (most - fewest) / most
	print "sum", sum * 8 / (mbit * 1e6 * (at[NR] - at[1]))
	print "settled", settled()
	print "queue_mean", queued / NR
	print "queue_p99", p99(queue)
}
