#include <stdio.h>
int main(void) {
	int a = -16;
	unsigned b = 0x80000000u;
	long c = 1L << 40;
	unsigned char d = 0x81;
	printf("%d %u %ld %d %d\n", a >> 2, b >> 3, c >> 35, d << 1, (unsigned char)(d << 1));
	printf("%zu %zu\n", sizeof(1 << 1L), sizeof('a' << 1));
	a >>= 1; b <<= 1; c >>= 3; d >>= 1;
	printf("%d %u %ld %d\n", a, b, c, d);
	return 0;
}
