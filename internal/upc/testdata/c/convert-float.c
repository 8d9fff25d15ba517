#include <stdio.h>
int main(void) {
	float f = 16777217;
	double d = 16777217;
	int i = 2.9, j = -2.9;
	unsigned char c = (unsigned char)300;
	printf("%.1f %.1f %d %d %d\n", f, d, i, j, c);
	printf("%zu %zu %zu\n", sizeof(f + 1), sizeof(f + 1.0), sizeof(f + 1.0L));
	printf("%d\n", (int)(float)0.1 == (int)0.1);
	return 0;
}
