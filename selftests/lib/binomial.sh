# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Compare a number of hits with the binomial distribution.

# binomial_good HITS N P [LEAST]: succeeds if the p-value of HITS hits in N packets is more
# than LEAST, by default 0.001. The p-value is twice the smaller tail of the binomial
# distribution, summed term by term.
binomial_good()
{
	awk -v hits="$1" -v n="$2" -v p="$3" -v least="${4:-0.001}" 'BEGIN {
		# term is the logarithm of the probability of k hits, first for k = 0.
		term = n * log(1 - p)
		for (k = 0; k <= n && (k < hits || k < n * p * 2); k++) {
			if (k <= hits) below += exp(term)
			if (k == hits) equal = exp(term)
			term += log((n - k) / (k + 1) * p / (1 - p))
		}
		above = 1 - below + equal
		tail = 2 * (below < above ? below : above)
		printf "%d of %d at %g: p-value %.4f\n", hits, n, p, tail
		exit !(tail > least)
	}'
}
