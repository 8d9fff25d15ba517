#include <stdio.h>
struct small { char c; short s; };
struct medium { double d; int i; };
struct large { int v[10]; char name[8]; };
static struct small f(struct small a, int k) { a.c += k; a.s *= k; return a; }
static struct medium g(struct medium a, struct medium b) { a.d += b.d; a.i -= b.i; return a; }
static struct large h(struct large a) { for (int i = 0; i < 10; i++) a.v[i] *= i; a.name[0] = 'X'; return a; }
int main(void) {
	struct small s = f((struct small){ 'a', 5 }, 2);
	struct medium m = g((struct medium){ 1.5, 3 }, (struct medium){ .i = 1, .d = 2 });
	struct large l = { .v = { [3] = 7, [9] = 2 }, .name = "abc" }, k = h(l);
	printf("%c %d %g %d\n", s.c, s.s, m.d, m.i);
	printf("%d %d %s %s\n", k.v[3], k.v[9], k.name, l.name);
	printf("%d\n", h(l).v[9]);
	return 0;
}
