#include <stdio.h>
static int f(void) { return 3; }
int main(void) {
	int a[4] = { 1, 2, 3, 4 };
	void *p = a;
	p += sizeof(int);
	printf("%d ", *(int *)p);
	p++; p--;
	printf("%d %td\n", *(int *)(p + 4), p - (void *)a);
	int (*g)(void) = f;
	printf("%d\n", g() + (*g)() + (&f)());
	return 0;
}
