#include <stdio.h>
static int f(unsigned long x) { switch (x) { case 1UL << 40: return 1; case ~0UL: return 2; case 0x80000000: return 3; } return 0; }
static int g(signed char c) { switch (c) { case -1: return 1; case 127: return 2; case 'A': return 3; } return 0; }
int main(void) {
	printf("%d %d %d %d\n", f(1UL << 40), f(-1L), f(0x80000000), f(5));
	printf("%d %d %d %d\n", g(255), g(127), g(65), g(0));
	return 0;
}
