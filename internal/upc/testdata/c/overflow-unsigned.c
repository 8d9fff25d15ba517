#include <stdio.h>
int main(void) {
	unsigned a = 0xffffffff;
	unsigned char c = 0;
	unsigned short s = 65535;
	unsigned long l = 0;
	a++; c--; s += 2; l -= 1;
	printf("%u %d %d %lx\n", a, c, s, l);
	printf("%u %u %d\n", 3u - 5, 65536u * 65537u, (unsigned char)~c);
	return 0;
}
