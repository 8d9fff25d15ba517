#include <stdio.h>
int main(void) {
	int a = (1, 2, 3), b;
	b = (a++, a * 2);
	for (int i = 0, j = 10; i < j; i += 3, j--)
		printf("%d %d\n", i, j);
	printf("%d %d\n", a, (b, a - 4)[&(int){ 7 }] + b);
	return 0;
}
