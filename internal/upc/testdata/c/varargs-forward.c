#include <stdarg.h>
#include <stdio.h>
static int format(char *to, size_t n, const char *f, ...) { va_list ap; va_start(ap, f); int r = vsnprintf(to, n, f, ap); va_end(ap); return r; }
static int count(int first, ...) { va_list ap; int n = 0; va_start(ap, first); for (int v = first; v >= 0; v = va_arg(ap, int)) n++; va_end(ap); return n; }
static void many(int n, ...) { va_list ap; va_start(ap, n); while (n-- > 0) { int i = va_arg(ap, int); printf("%d/%g ", i, va_arg(ap, double)); } va_end(ap); printf("\n"); }
int main(void) {
	char b[40];
	printf("%d %s %d\n", format(b, sizeof b, "%d-%s-%c", 5, "x", 'y'), b, count(1, 2, 3, -1));
	many(10, 1, 1., 2, 2., 3, 3., 4, 4., 5, 5., 6, 6., 7, 7., 8, 8., 9, 9., 10, 10.);
	return 0;
}
