#include <stdio.h>
struct s { int a[2]; struct { int x, y; } p[2]; };
static struct s v[] = { 1, 2, 3, 4, 5, 6, { { 7 }, { { 8, 9 } } }, { .p[1] = { 10 } } };
static char text[][6] = { "one", { "two" }, { 't', 'h' } };
static int grid[2][3] = { 1, 2, 3, 4 };
int main(void) {
	printf("%zu %d %d %d %d %d\n", sizeof v / sizeof *v, v[0].p[1].y, v[1].a[0], v[1].p[0].y, v[2].p[1].x, v[2].a[1]);
	printf("%s %s %s %zu\n", text[0], text[1], text[2], sizeof text);
	printf("%d %d %d\n", grid[0][2], grid[1][0], grid[1][2]);
	int n = 3, m = 8, a[] = { n, n * 2, m++ }, b = { 4 };
	printf("%d %d %d %d %d\n", a[0], a[1], a[2], m, b);
	return 0;
}
