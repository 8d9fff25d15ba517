#include <stdio.h>
struct point { int x; } point = { 1 };
enum point2 { p2 } point2;
static int f(struct point *point) { return point->x; }
int main(void) {
	struct point other = { 2 };
	int f_ = f(&other);
	union f { int f; } u = { 3 };
	goto point;
point:
	printf("%d %d %d %d\n", point.x, f_, u.f, f(&point));
	return 0;
}
