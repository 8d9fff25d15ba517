#include <stdio.h>
struct s { int a, b[4]; struct { char c; double d; } e; const char *f; };
int main(void) {
	struct s x = { .b = { 1, [2] = 3 }, .e.d = 2.5, .e.c = 'c', .f = "f", .a = 7 };
	struct s y = { 1, { 2, 3, 4, 5 }, { 'x', 6 }, .b[1] = 30, .a = 10 };
	int m[] = { [5] = 1, 2, [1] = 3, 4, [8] = 5 }, r[] = { [0 ... 3] = 7, [2] = 8 };
	struct s z = { a: 4, f: "old" };
	printf("%d %d %d %d %c %g %s\n", x.a, x.b[0], x.b[1], x.b[2], x.e.c, x.e.d, x.f);
	printf("%d %d %d %d %g %d %s\n", y.a, y.b[0], y.b[1], y.b[3], y.e.d, z.a, z.f);
	printf("%zu %d %d %d %d %zu %d %d\n", sizeof m / sizeof *m, m[1], m[2], m[6], m[8], sizeof r / sizeof *r, r[2], r[3]);
	return 0;
}
