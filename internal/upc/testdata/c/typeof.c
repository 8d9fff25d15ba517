#include <stdio.h>
int main(void) {
	int a[3] = { 1, 2, 3 };
	typeof(a) b = { 4, 5, 6 };
	typeof(a[0]) *p = b;
	__typeof__(int (*)(int)) f = 0;
	const typeof(p) q = a;
	typeof(1 ? 1L : 1) l = -1;
	int n = 0;
	typeof(n++) m = 7;
	printf("%zu %d %d %zu %d %d %d\n", sizeof b, p[1], q[2], sizeof l, n, m, f == 0);
	return 0;
}
