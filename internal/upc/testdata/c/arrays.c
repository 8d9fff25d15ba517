#include <stdio.h>
int main(void) {
	int a[3][4] = { { 1 }, { [2] = 5 }, { 7, 8, 9, 10 } }, (*p)[4] = a + 1, *q = a[2] + 3;
	printf("%d %d %d %d\n", a[0][0], p[0][2], p[1][3], q[-2]);
	printf("%d %d %ld\n", 2[a][1], *(*(a + 1) + 2), (long)(&a[2][3] - &a[2][0]));
	int (*r)[3][4] = &a;
	printf("%d %zu\n", (*r)[2][2], sizeof *r);
	char s[] = "abc", t[3] = "abc", u[6] = "abc";
	printf("%zu %c %d\n", sizeof s, t[2], u[4]);
	return 0;
}
