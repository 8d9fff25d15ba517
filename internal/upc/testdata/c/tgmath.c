#include <stdio.h>
#include <tgmath.h>
int main(void) {
	float f = 2;
	long double l = 2;
	double complex z = -1;
	printf("%zu %zu %zu %g %g\n", sizeof sqrt(f), sizeof sqrt(2), sizeof sqrt(l), creal(sqrt(z)), cimag(sqrt(z)));
	printf("%.3f %.3f\n", (double)pow(f, 3), (double)fabs(-2.5f));
	return 0;
}
