#include <stdio.h>
typedef void visitor(void *context, int value);
struct tree { int v; const struct tree *l, *r; };
static void visit(const struct tree *t, visitor *f, void *c) { if (!t) return; visit(t->l, f, c); f(c, t->v); visit(t->r, f, c); }
static void sum(void *c, int v) { *(int *)c += v; }
struct most { int n; double mean; };
static void mean(void *c, int v) { struct most *m = c; m->mean += (v - m->mean) / ++m->n; }
int main(void) {
	const struct tree a = { 1, 0, 0 }, b = { 3, 0, 0 }, r = { 2, &a, &b };
	int s = 0;
	struct most m = { 0 };
	visit(&r, sum, &s);
	visit(&r, mean, &m);
	printf("%d %g\n", s, m.mean);
	return 0;
}
