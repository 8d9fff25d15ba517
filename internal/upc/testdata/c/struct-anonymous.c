#include <stdio.h>
struct v { union { struct { float x, y; }; float at[2]; }; struct in { int z; } n; };
int main(void) {
	struct v a = { { { 1, 2 } }, { 3 } };
	a.y += 5;
	struct v *p = &a;
	p->at[0] = 4;
	printf("%g %g %g %d %zu\n", a.x, a.at[1], p->y, p->n.z, sizeof a);
	struct in i = { 8 };
	printf("%d\n", i.z);
	return 0;
}
