#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct f { int n; short v[]; };
struct z { int n; char v[0]; };
int main(void) {
	struct f *p = malloc(sizeof *p + 3 * sizeof p->v[0]);
	p->n = 3;
	for (int i = 0; i < p->n; i++) p->v[i] = i * i;
	printf("%zu %d %zu\n", sizeof(struct f), p->v[2], sizeof(struct z));
	struct z *q = malloc(sizeof *q + 6);
	strcpy(q->v, "hello");
	printf("%s\n", q->v);
	static struct f s = { 2, { 5, 6 } };
	printf("%d\n", s.v[1]);
	free(p); free(q);
	return 0;
}
