#include <stdio.h>
static int f(void) { struct t { char c[3]; }; return sizeof(struct t); }
static int g(void) { struct t { long l[3]; }; enum { K = 5 }; return sizeof(struct t) + K; }
int main(void) {
	struct t;
	struct t *p = 0;
	struct t { int v; } x = { 3 };
	p = &x;
	{ struct t { double d; } y = { 2.5 }; printf("%g %zu ", y.d, sizeof(struct t)); }
	printf("%d %d %d\n", f(), g(), p->v);
	return 0;
}
