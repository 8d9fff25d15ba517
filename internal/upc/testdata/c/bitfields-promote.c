#include <stdio.h>
enum color { RED, GREEN, BLUE };
struct b { unsigned a : 4; unsigned full : 32; enum color c : 2; };
int main(void) {
	struct b x = { 1, 1, BLUE };
	printf("%d %d\n", x.a - 2 < 0, x.full - 2 < 0);
	printf("%d %d\n", x.c, -x.a);
	struct b *p = &x;
	p->a = p->c + p->full;
	printf("%d %zu\n", p->a, sizeof(+x.a));
	return 0;
}
