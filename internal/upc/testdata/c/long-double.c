#include <math.h>
#include <stdio.h>
static long double poly(long double x) { return ((x * 2.5L - 1) * x + 1e-3L) * x; }
int main(void) {
	long double x = 1.0L / 3, y = x * 3 - 1;
	printf("%.20Lf %d %.10Lf\n", x, y == 0, poly(x));
	long double v[] = { 1, 2.5, -3 };
	v[1] += v[0]++;
	printf("%Lg %Lg %zu %d\n", v[0], v[1], sizeof v, (int)v[2]);
	printf("%.15Lf %g\n", sqrtl(2), (double)(1e20L + 1 - 1e20L));
	return 0;
}
