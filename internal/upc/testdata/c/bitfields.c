#include <stdio.h>
struct b { unsigned a : 3; int b : 5; unsigned c : 1; unsigned : 0; unsigned d : 31; signed e : 1; };
int main(void) {
	struct b x = { 9 & 7, -16, 1, 0x7fffffff, -1 };
	printf("%d %d %d %u %d %zu\n", x.a, x.b, x.c, x.d, x.e, sizeof x);
	x.a += 7; x.b--; x.c++; x.d = 2 * (unsigned)x.d; x.a ^= 2;
	printf("%d %d %d %u\n", x.a, x.b, x.c, x.d);
	printf("%d %d\n", x.a - 5 < 0, x.d - 1 < 0);
	printf("%d\n", (x.b = 17));
	return 0;
}
