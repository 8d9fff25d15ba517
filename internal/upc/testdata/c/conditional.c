#include <stdio.h>
static int calls;
static int f(int x) { calls++; return x; }
int main(void) {
	int a = 5;
	const char *s = a > 3 ? "big" : 0;
	printf("%s %d %d\n", s, f(4) ?: 9, f(0) ?: 9);
	printf("%d %zu\n", calls, sizeof(a ? 1 : 2.0));
	printf("%d\n", a > 1 ? a > 2 ? 1 : 2 : 3);
	(a ? &calls : &a)[0] = 42;
	printf("%d %d\n", calls, (a < 0 ? 1 : -1) < 0u);
	return 0;
}
