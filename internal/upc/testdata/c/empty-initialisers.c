#include <stdio.h>
struct s { int a; struct { int b[2]; } c; };
static struct s g = {};
int main(void) {
	struct s l = {}, m[2] = { {}, { 1, {} } };
	int a[3] = {};
	printf("%d %d %d %d %d\n", g.a, l.c.b[1], m[1].a, m[1].c.b[0], a[2]);
	return 0;
}
