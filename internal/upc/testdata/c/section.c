#include <stdio.h>
struct item { const char *name; int v; };
#define ITEM(n, x) static const struct item item_##n __attribute__((section("items"), used, aligned(sizeof(void *)))) = { #n, x }
ITEM(one, 1);
ITEM(two, 2);
ITEM(three, 3);
extern const struct item __start_items[], __stop_items[];
int main(void) {
	int s = 0;
	for (const struct item *i = __start_items; i < __stop_items; i++) s += i->v + i->name[0];
	printf("%d %td\n", s, __stop_items - __start_items);
	return 0;
}
