#include <stdio.h>
int main(void) {
	unsigned short a = 0xffff, b = 0xfff0;
	short c = -1;
	printf("%d %d %u\n", a - b, b - a, (unsigned)a * 2u);
	printf("%d %d\n", c < a, (unsigned short)c == a);
	printf("%d\n", ~a);
	return 0;
}
