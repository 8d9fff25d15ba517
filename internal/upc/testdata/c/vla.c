#include <stdio.h>
static int f(int n) {
	int a[n], b[n][n + 1];
	for (int i = 0; i < n; i++) { a[i] = i; for (int j = 0; j <= n; j++) b[i][j] = i * j; }
	printf("%zu %zu %zu\n", sizeof a, sizeof b, sizeof b[0]);
	typedef int row[n];
	row c;
	n += 5;
	printf("%zu\n", sizeof c);
	return a[2] + b[2][3];
}
int main(void) {
	int k = 0;
	int three = f(3), six = f(6);
	printf("%d %d\n", three, six);
	for (int n = 1; n < 4; n++) { char s[n * 10]; sprintf(s, "%d", n); k += sizeof s + s[0]; }
	size_t before = sizeof(char[k++]);
	printf("%d %zu\n", k, before);
	return 0;
}
