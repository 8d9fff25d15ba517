#include <stdio.h>
int x = 1;
static int f(int x) { { int x = 30; x++; } return x; }
int main(void) {
	printf("%d ", x);
	long x = sizeof x;
	printf("%ld ", x);
	for (int x = 5; x < 6; x++) { int x = 7; printf("%d ", x); }
	{ extern int x; printf("%d ", x); }
	if (x) { struct x { int x; } x = { 9 }; printf("%d ", x.x); }
	printf("%ld %d\n", x, f(20));
	return 0;
}
