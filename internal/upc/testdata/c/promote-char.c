#include <stdio.h>
int main(void) {
	signed char a = 127, b = 1;
	unsigned char c = 200, d = 100;
	char e = (char)(a + b);
	printf("%d %d %d %d\n", a + b, e, c + d, (unsigned char)(c + d));
	printf("%zu %zu %zu\n", sizeof(a + b), sizeof(+c), sizeof(c << 1));
	return 0;
}
