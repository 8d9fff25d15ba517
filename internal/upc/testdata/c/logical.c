#include <stdio.h>
static int n;
static int t(int x) { n++; return x; }
int main(void) {
	int a = t(0) && t(1), b = t(1) || t(0), c = !t(5), d = t(1) && t(0) || t(3);
	printf("%d %d %d %d, %d calls\n", a, b, c, d, n);
	double z = 0.0, y = 0.1;
	char *p = 0;
	printf("%d %d %d\n", z && 1, y && !p, !p || *p);
	return 0;
}
