# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How much abuse, and which. A test does little unless ABUSE=long, and the same
# each time unless ABUSE_SEED is another one; the seed is told. What is drawn is
# repeatable, though not how processes that run at once meet.
#
#   $seed               of the test
#   amount SHORT LONG   prints one of them
#   draw NUMBER         prints a number below it
#   seeded              a subshell that draws on its own begins with this

seed=${ABUSE_SEED:-1}
echo "# seed $seed: ABUSE_SEED=$seed ABUSE=${ABUSE:-short} repeats it"
RANDOM=$seed

amount()
{
	case ${ABUSE:-short} in
	short) echo "$1" ;;
	long) echo "$2" ;;
	*) echo "Bail out! ABUSE: want short or long, got \"$ABUSE\"" >&2; kill $$ ;;
	esac
}

# 30 bits, without a subshell: what it draws would not be drawn here
draw()
{
	drawn=$(((RANDOM << 15 | RANDOM) % $1))
}
