/* Writes an access down in the file of its thread: r or w, variable, thread that it belongs to, offset, value. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void upcr_traced(int me, char what, const char *expression, int thread, unsigned long offset, const void *value, unsigned long bytes);

void upcr_traced(int me, char what, const char *expression, int thread, unsigned long offset, const void *value, unsigned long bytes)
{
	static const char *const names[] = {"upck_count", "upck_blocked", "upck_ahead", "upck_moves", "upck_want", "upck_held", "upck_valued", "upck_tries"};
	static int fd = -1;
	const char *dir = getenv("UPCK_TRACES");
	unsigned long v = 0;
	char text[256];
	if (!dir || bytes > sizeof v)
		return;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *at = strstr(expression, names[i]);
		if (!at || at[strlen(names[i])] == '_') /* upck_held_sites */
			continue;
		if (fd < 0) {
			snprintf(text, sizeof text, "%s/%d", dir, me);
			fd = open(text, O_WRONLY | O_CREAT | O_APPEND, 0600);
		}
		memcpy(&v, value, bytes);
		int n = snprintf(text, sizeof text, "%c %s %d %lu %lu\n", what, names[i], thread, offset, v);
		if (write(fd, text, (size_t)n) != n)
			abort();
		return;
	}
}
