#include <stdio.h>
typedef int A[2];
static const A a = { 1, 2 };
static int sum(const int *restrict p, int *restrict q) { return *p + (*q)++; }
int main(void) {
	const int *p = a;
	int b = 5, *const q = &b;
	const char *const *s = (const char *const[]){ "x", "y", 0 };
	int n = 0;
	while (*s) n += **s++;
	int total = sum(p + 1, q);
	printf("%d %d %d %d\n", total, *q, n, (int)sizeof(const volatile long));
	*(int *)(const int *)q = 9;
	printf("%d\n", b);
	return 0;
}
