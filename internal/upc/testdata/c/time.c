#include <stdio.h>
#include <time.h>
int main(void) {
	time_t t = 86400 * 365;
	struct tm *g = gmtime(&t), c = *g;
	char b[40];
	strftime(b, sizeof b, "%Y-%m-%d %H:%M", &c);
	c.tm_mday += 40;
	printf("%s %d %d\n", b, g->tm_yday, clock() >= 0);
	struct timespec ts = { .tv_nsec = 5 };
	printf("%ld\n", ts.tv_sec * 1000000000L + ts.tv_nsec);
	return 0;
}
