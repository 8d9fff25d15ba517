#include <stdio.h>
static int n, a[10];
static int next(void) { return n++; }
static int *slot(void) { return &a[next()]; }
int main(void) {
	*slot() = 5;
	*slot() += 3;
	(*slot())++;
	a[next()] |= 8;
	int v = a[next()]--;
	struct { int x[3]; } s = { { 1, 2, 3 } };
	int i = 0;
	s.x[i++] += 10;
	printf("%d %d %d %d %d %d %d %d\n", n, a[0], a[1], a[2], a[3], a[4], v, s.x[0]);
	return 0;
}
