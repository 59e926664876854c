// SPDX-License-Identifier: GPL-2.0
/*
 * Execute magic NOPs of account.c from a script.
 *
 *   mark begin    a series begins, with one measurement
 *   mark end      both end
 */
#include <string.h>

#define MARK(n) __asm__ volatile("nopl %c0(%%rax)" : : "i"(0x52460000 + (n)))

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "begin")) {
		MARK(4);
		MARK(1);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "end")) {
		MARK(2);
		MARK(5);
		return 0;
	}
	return 2;
}
