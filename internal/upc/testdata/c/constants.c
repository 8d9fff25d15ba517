#include <stdio.h>
int main(void) {
	printf("%zu %zu %zu %zu\n", sizeof(2147483647), sizeof(2147483648), sizeof(0x80000000), sizeof(0xffffffffffffffff));
	printf("%d %d %d\n", 0b1011, 017, 0x1F);
	printf("%d %d %d %d\n", 'a', '\x41', '\101', '\n');
	printf("%d\n", 'ab' == 0x6162);
	printf("%g %g %g %a\n", 1e3, .5f, 0x1p-2, 1.5);
	printf("%zu %zu %zu\n", sizeof 1.f, sizeof 1., sizeof 1.L);
	return 0;
}
