#include <stdio.h>
struct b { int v; struct b *(*add)(struct b *, int); };
static struct b *add(struct b *b, int n) { b->v += n; return b; }
static struct b make(int v) { return (struct b){ v, add }; }
static struct b *(*get(void))(struct b *, int) { return add; }
int main(void) {
	struct b x = make(1);
	printf("%d\n", x.add(x.add(&x, 2), 3)->add(&x, 4)->v);
	printf("%d %d\n", make(7).v, get()(&x, 10)->v);
	return 0;
}
