#include <stdio.h>
static const int days[] = { 31, 28, 31 };
static const char hex[16] = "0123456789abcdef";
static const struct { const char *k; int v[2]; } map[] = { { "a", { 1, 2 } }, { "b", { 3 } } };
enum { COUNT = sizeof map / sizeof map[0] };
int main(void) {
	int s = 0;
	for (size_t i = 0; i < sizeof days / sizeof *days; i++) s += days[i];
	printf("%d %c %d %s %d\n", s, hex[11], COUNT, map[1].k, map[0].v[1]);
	return 0;
}
