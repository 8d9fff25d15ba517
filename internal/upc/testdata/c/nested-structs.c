#include <stdio.h>
struct outer { struct inner { int a; enum kind { ONE = 1, TWO } k; } in[2]; union { long l; char c[8]; } u; };
static struct inner make(int a) { struct inner i = { a, TWO }; return i; }
int main(void) {
	struct outer o = { .in = { [1] = make(0) }, .u.c = "abc" };
	o.in[0] = make(4);
	struct inner *p = &o.in[0];
	p++;
	p->k = ONE;
	printf("%d %d %d %s\n", o.in[0].a, o.in[0].k, o.in[1].k, o.u.c);
	return 0;
}
