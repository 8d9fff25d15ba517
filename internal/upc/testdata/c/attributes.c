#include <stdio.h>
static int order[8], n;
__attribute__((constructor)) static void first(void) { order[n++] = 1; }
__attribute__((constructor(200))) static void early(void) { order[n++] = 2; }
__attribute__((destructor)) static void last(void) { printf("end\n"); }
static void clean(int *p) { printf("clean %d ", *p); }
__attribute__((noinline, noclone)) static int f(int x) { return x; }
__attribute__((weak)) int weak(void) { return 1; }
extern int absent(void) __attribute__((weak));
int alias(void) __attribute__((alias("weak")));
__attribute__((unused)) static int unused;
__attribute__((format(printf, 1, 2))) static int say(const char *s, ...) { return s[0]; }
int main(void) {
	{ int a __attribute__((cleanup(clean))) = 5, b __attribute__((cleanup(clean), unused)) = 6; a++; }
	printf("%d %d %d %d %d %d\n", order[0], order[1], f(3), weak() + alias(), absent == 0, say("a%d", 1));
	return 0;
}
