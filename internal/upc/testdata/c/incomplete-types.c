#include <stdio.h>
struct list;
static int length(const struct list *l);
struct list { const struct list *next; };
extern int table[];
static int length(const struct list *l) { return l ? 1 + length(l->next) : 0; }
int table[] = { 1, 2, 3 };
union opaque *nothing;
int main(void) {
	struct list a = { 0 }, b = { &a }, c = { &b };
	printf("%d %zu %d\n", length(&c), sizeof table, nothing == 0);
	return 0;
}
