// SPDX-License-Identifier: GPL-2.0
/*
 * A target without libFuzzer, for any compiler: runs the kept inputs, or
 * the files that are named, and says in TAP how that went. When one of them
 * breaks something, its name is the last thing that is said.
 */
#include <dirent.h>
#include <limits.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <unistd.h>

#include "fuzz.h"

static char running[PATH_MAX];

/* Neither a broken heap nor a signal is a reason to be silent. */
static void tell(void)
{
	static const char words[] = "broken by ";

	if (write(STDERR_FILENO, words, sizeof(words) - 1) < 0 ||
	    write(STDERR_FILENO, running, strlen(running)) < 0 ||
	    write(STDERR_FILENO, "\n", 1) < 0)
		_exit(1);
}

static void on_abort(int sig)
{
	tell();
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

/* In memory that ends where the file does */
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
		fprintf(stderr, "%s: can't be read\n", path);
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

	__sanitizer_set_death_callback(tell);
	signal(SIGABRT, on_abort);
	for (i = 1; i < argc; i++)
		n = n < 0 || !run_input(argv[i]) ? -1 : n + 1;
	if (argc == 1) {
		snprintf(dir, sizeof(dir), "selftests/fuzz/corpus/%s",
			 basename(argv[0]));
		n = play_all(dir);
	}
	printf("%sok 1 - %d inputs are what they must be\n1..1\n",
	       n > 0 ? "" : "not ", n);
	return n > 0 ? 0 : 1;
}
