#include <stddef.h>
#include <stdio.h>
#define container_of(p, T, m) ((T *)((char *)(1 ? (p) : &((T *)0)->m) - offsetof(T, m)))
struct link { struct link *next; };
struct item { int v; struct link l; struct { char c; short s[3]; } in[2]; };
int main(void) {
	struct item a = { 1, { 0 } }, b = { 2, { &a.l } };
	int s = 0;
	for (struct link *l = &b.l; l; l = l->next) s = s * 10 + container_of(l, struct item, l)->v;
	printf("%d %zu %zu\n", s, offsetof(struct item, in[1].s[2]), __builtin_offsetof(struct item, in[1]));
	enum { HERE = offsetof(struct item, l) };
	char at[HERE];
	printf("%zu\n", sizeof at);
	return 0;
}
