// SPDX-License-Identifier: GPL-2.0
/*
 * main() of a target without libFuzzer, for any compiler: run the inputs in the corpus,
 * or the given files, and print the result as TAP. If an input fails, its name is the
 * last thing printed.
 */
#include <dirent.h>
#include <limits.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <unistd.h>

#include "fuzz.h"

static char running[PATH_MAX];

/*
 * Print the failing input, only with write(): the heap can be corrupt, and a signal handler
 * calls this function.
 */
static void print_failing(void)
{
	static const char words[] = "failing input: ";

	if (write(STDERR_FILENO, words, sizeof(words) - 1) < 0 ||
	    write(STDERR_FILENO, running, strlen(running)) < 0 ||
	    write(STDERR_FILENO, "\n", 1) < 0)
		_exit(1);
}

static void on_abort(int sig)
{
	print_failing();
	signal(sig, SIG_DFL);
	raise(sig);
}

static size_t length(FILE *f)
{
	long end;

	fseek(f, 0, SEEK_END);
	end = ftell(f);
	rewind(f);
	return end < 0 ? 0 : end;
}

/* Run an input in memory of exactly its length. */
static bool run_input(const char *path)
{
	FILE *f = fopen(path, "r");
	uint8_t *data = NULL;
	size_t size = 0;

	snprintf(running, sizeof(running), "%s", path);
	if (f) {
		size = length(f);
		data = malloc(size ? size : 1);
	}
	if (!data || fread(data, 1, size, f) != size) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return false;
	}
	fclose(f);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return true;
}

static int play_all(const char *dir)
{
	char path[PATH_MAX];
	struct dirent *e;
	DIR *d = opendir(dir);
	int n = 0;

	while (d && (e = readdir(d))) {
		if (snprintf(path, sizeof(path), "%s/%s", dir,
			     e->d_name) >= PATH_MAX)
			return -1;
		if (e->d_name[0] != '.' && !run_input(path))
			return -1;
		n += e->d_name[0] != '.';
	}
	if (d)
		closedir(d);
	return n;
}

int main(int argc, char **argv)
{
	char dir[PATH_MAX];
	int i, n = 0;

	__sanitizer_set_death_callback(print_failing);
	signal(SIGABRT, on_abort);
	for (i = 1; i < argc; i++)
		n = n < 0 || !run_input(argv[i]) ? -1 : n + 1;
	if (argc == 1) {
		snprintf(dir, sizeof(dir), "selftests/fuzz/corpus/%s",
			 basename(argv[0]));
		n = play_all(dir);
	}
	printf("%sok 1 - %d inputs of the corpus pass all checks of the target\n1..1\n",
	       n > 0 ? "" : "not ", n);
	return n > 0 ? 0 : 1;
}
