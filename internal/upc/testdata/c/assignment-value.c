#include <stdio.h>
int main(void) {
	unsigned char c;
	int i = c = 300, j;
	float f;
	double d = f = 0.1;
	j = i += c -= 4;
	struct s { int a; } x, y = { 5 };
	int k = (x = y).a;
	printf("%d %d %d %d %d %d\n", i, c, j, d == 0.1, d == f, k);
	if ((j = 0)) printf("never\n");
	while ((c = c / 2) > 3) printf("%d ", c);
	printf("\n");
	return 0;
}
