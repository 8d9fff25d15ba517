#include <stdio.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(4 * sizeof(float))));
int main(void) {
	v4 a = { 1, 2, 3, 4 }, b = a * 3 - (v4){ 1, 1, 1, 1 }, c = a > 2;
	f4 f = { 1.5f, 2, 3, 4 }, g = f + 1;
	b[1] = 100;
	a += b;
	printf("%d %d %d %d | %d %d | %g %g\n", a[0], a[1], b[2], b[3], c[0], c[3], g[0], g[3]);
	v4 s = __builtin_shuffle(a, (v4){ 3, 2, 1, 0 });
	printf("%d %d %zu\n", s[0], s[3], sizeof s);
	return 0;
}
