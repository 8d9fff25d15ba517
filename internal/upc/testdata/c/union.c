#include <stdio.h>
#include <string.h>
union u { float f; unsigned i; unsigned char b[4]; };
typedef union { double d; unsigned long l; } both;
int main(void) {
	union u x = { 1.0f }, y = { .i = 0x40490fdb };
	printf("%08x %.4f %02x\n", x.i, y.f, y.b[0]);
	both d = { .l = 0x3ff0000000000000 };
	printf("%g %zu\n", d.d, sizeof(both));
	x.b[3] = 0;
	printf("%08x\n", x.i);
	return 0;
}
