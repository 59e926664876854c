# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Set how long a stress test runs, and its random seed. A test is short unless
# ABUSE=long, and has seed 1 unless ABUSE_SEED is set; the seed is printed. The random
# numbers repeat with the seed, the timing of concurrent processes does not.
#
#   $seed               the seed of the test
#   amount SHORT LONG   prints SHORT, or LONG with ABUSE=long
#   draw NUMBER         sets $drawn to a random number below NUMBER

seed=${ABUSE_SEED:-1}
echo "# seed $seed: ABUSE_SEED=$seed ABUSE=${ABUSE:-short} repeats it"
RANDOM=$seed

amount()
{
	case ${ABUSE:-short} in
	short) echo "$1" ;;
	long) echo "$2" ;;
	*) echo "Bail out! ABUSE=$ABUSE: short or long" >&2; kill $$ ;;
	esac
}

# Two values of RANDOM make a number of 30 bits. This function must not run in a subshell,
# because RANDOM would then not advance in the calling shell.
draw()
{
	drawn=$(((RANDOM << 15 | RANDOM) % $1))
}
