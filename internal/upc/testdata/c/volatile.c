#include <stdio.h>
static volatile int v = 1;
struct s { volatile int a; const volatile char *p; };
int main(void) {
	volatile int *p = &v;
	*p += 2; v++; (void)v;
	struct s s = { 3, "x" };
	s.a <<= 2;
	int *volatile q = (int *)p;
	printf("%d ", v);
	printf("%d ", s.a);
	printf("%c ", *s.p);
	printf("%d\n", *q);
	return 0;
}
