#include <stdio.h>
struct in { int a[2]; }; struct out { struct in x, y; const char *s; };
int main(void) {
	struct out o = { { { 1, 2 } }, { { 3, 4 } }, "s" }, p, *q = &p;
	p = o;
	q->x = o.y;
	o.y.a[0] = 9;
	(*q).y = (struct in){ { 7 } };
	printf("%d %d %d %d %s\n", p.x.a[0], p.x.a[1], p.y.a[0], p.y.a[1], p.s);
	p = *q = o;
	printf("%d\n", p.y.a[0]);
	return 0;
}
