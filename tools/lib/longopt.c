// SPDX-License-Identifier: GPL-2.0
/*
 * getopt_long(3) without abbreviations: a new option can make an abbreviation
 * ambiguous, and a mistyped option must be an error.
 */
#include <string.h>

#include "longopt.h"

/* Index of the argument that holds the option; the value can follow in the next one */
static int place_of(char **argv, const struct option *option)
{
	if (option->has_arg == no_argument || optarg != argv[optind - 1])
		return optind - 1;
	return optind - 2;
}

/**
 * rf_getopt - the next option
 * @argc: as of main()
 * @argv: as of main()
 * @letters: as of getopt_long(3)
 * @longs: likewise
 *
 * Return: as getopt_long(3); '?' also for an abbreviation. As for any unknown
 * option, argv[optind - 1] is then the argument that was refused.
 */
int rf_getopt(int argc, char **argv, const char *letters,
	      const struct option *longs)
{
	int index = -1, place;
	int c = getopt_long(argc, argv, letters, longs, &index);
	size_t len;

	if (c == -1 || c == '?' || c == ':' || index < 0)
		return c;
	place = place_of(argv, &longs[index]);
	len = strcspn(argv[place] + 2, "=");
	if (len == strlen(longs[index].name))
		return c;
	optind = place + 1;
	return '?';
}
