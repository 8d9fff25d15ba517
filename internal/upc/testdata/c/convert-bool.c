#include <stdbool.h>
#include <stdio.h>
int main(void) {
	bool a = 2, b = 0.5, c = 0, d = (bool)&a;
	a += 3;
	c -= 1;
	printf("%d %d %d %d %zu\n", a, b, c, d, sizeof(a));
	printf("%d %d\n", !a + !c, a & 2);
	return 0;
}
