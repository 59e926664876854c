// SPDX-License-Identifier: GPL-2.0
/*
 * The same as getopt_long(3), but abbreviations of option names are refused. An abbreviation
 * in a script would become ambiguous when a program gets another option with the same first
 * letters. A mistyped option could be mistaken for an abbreviation.
 */
#include <string.h>

#include "longopt.h"

/* Return: the index in @argv of the last parsed option; its value can be the next argument. */
static int place_of(char **argv, const struct option *option)
{
	if (option->has_arg == no_argument || optarg != argv[optind - 1])
		return optind - 1;
	return optind - 2;
}

/**
 * rf_getopt - parse the next option
 * @argc: argc of main()
 * @argv: argv of main()
 * @letters: the short options, as for getopt_long(3)
 * @longs: the long options, as for getopt_long(3)
 *
 * Return: the same as getopt_long(3), but '?' for an abbreviation. After '?',
 * argv[optind - 1] is the refused argument.
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
