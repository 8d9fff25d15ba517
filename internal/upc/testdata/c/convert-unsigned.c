#include <stdio.h>
int main(void) {
	unsigned u = 1;
	int i = -2;
	long l = -2;
	printf("%d %d %u\n", i < (int)u, i < u, i + u);
	printf("%d %ld\n", l < u, l + u);
	unsigned long ul = 1;
	printf("%d %lu\n", l < ul, l * ul);
	return 0;
}
