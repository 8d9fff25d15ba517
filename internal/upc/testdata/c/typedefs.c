#include <stdio.h>
typedef int T, *PT, AT[3], FT(int);
typedef struct T { T T; } ST;
static FT twice;
static int twice(int x) { return 2 * x; }
int main(void) {
	T a = 1;
	PT p = &a;
	AT b = { 1, 2, 3 };
	FT *f = twice;
	ST s = { 4 };
	{ int T = 5; printf("%d ", T * a); }
	const PT q = p;
	*q = 8;
	printf("%d %d %d %d %zu\n", *p, b[2], f(s.T), a, sizeof(AT));
	T: if (a++ < 10) goto T;
	printf("%d\n", a);
	return 0;
}
