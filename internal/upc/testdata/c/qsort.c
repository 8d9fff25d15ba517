#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct r { char name[8]; int k; };
static int by_key(const void *a, const void *b) { const struct r *x = a, *y = b; return (x->k > y->k) - (x->k < y->k); }
static int by_name(const void *a, const void *b) { return strcmp(((const struct r *)a)->name, ((const struct r *)b)->name); }
int main(void) {
	struct r v[] = { { "pear", 3 }, { "apple", 9 }, { "fig", 1 }, { "date", 5 } };
	int n = sizeof v / sizeof v[0];
	qsort(v, n, sizeof *v, by_key);
	for (int i = 0; i < n; i++) printf("%s ", v[i].name);
	qsort(v, n, sizeof *v, by_name);
	struct r key = { "fig" }, *f = bsearch(&key, v, n, sizeof *v, by_name);
	printf("%s %d\n", v[0].name, f ? f->k : -1);
	return 0;
}
