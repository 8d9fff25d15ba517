#include <float.h>
#include <math.h>
#include <stdio.h>
int main(void) {
	printf("%.6f %.6f %.6f\n", sin(1), pow(2, 0.5), atan2(1, -1));
	printf("%d %d %d %d\n", isnan(NAN), isinf(-INFINITY) != 0, signbit(-0.0) != 0, fpclassify(1.0) == FP_NORMAL);
	printf("%g %g %d %d\n", fmod(7.5, 2), floor(-1.5), NAN == NAN, isless(1.0, 2));
	printf("%d %d %.0f\n", FLT_EPSILON < 1e-6, DBL_MAX > 1e300, ldexp(1, 40));
	int e;
	double m = frexp(40, &e);
	printf("%g %d\n", m, e);
	return 0;
}
