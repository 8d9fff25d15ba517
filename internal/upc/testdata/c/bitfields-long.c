#include <stdio.h>
struct w { unsigned long a : 40, b : 20; long c : 33; _Bool f : 1; unsigned char g : 4; };
int main(void) {
	struct w x = { 0xffffffffffUL, 0xfffff, -1, 2, 15 };
	printf("%lx %lx %ld %d %d %zu\n", (unsigned long)x.a, (unsigned long)x.b, (long)x.c, x.f, x.g, sizeof x);
	x.a++; x.b = x.a - 1; x.c = 1L << 32; x.g = 20;
	printf("%lx %lx %ld %d\n", (unsigned long)x.a, (unsigned long)x.b, (long)x.c, x.g);
	return 0;
}
