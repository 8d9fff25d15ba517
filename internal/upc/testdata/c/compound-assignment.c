#include <stdio.h>
static int n;
static int *at(int *p) { n++; return p; }
int main(void) {
	int a = 10;
	*at(&a) += 5; *at(&a) -= 2; *at(&a) *= 3; *at(&a) /= 2; *at(&a) %= 13; *at(&a) <<= 3; *at(&a) >>= 1; *at(&a) |= 3; *at(&a) &= 14; *at(&a) ^= 5;
	printf("%d after %d\n", a, n);
	unsigned char c = 250;
	c += 10;
	short s = 10;
	s *= 1.55;
	float f = 3;
	f /= 2;
	int i = 7;
	i += 0.9;
	printf("%d %d %g %d\n", c, s, f, i);
	return 0;
}
