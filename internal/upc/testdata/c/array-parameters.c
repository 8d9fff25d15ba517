#include <stdio.h>
static int sum(int n, const int a[static 2]) { int s = 0; while (n--) s += a[n]; return s; }
static int trace(int n, int a[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i][i]; return s; }
static int last(int a[const], int n) { return a[n - 1]; }
int main(void) {
	int a[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
	printf("%d %d %d\n", sum(3, a[1]), trace(3, a), last(a[1], 3));
	return 0;
}
