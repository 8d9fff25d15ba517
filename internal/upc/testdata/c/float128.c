#include <stdio.h>
int main(void) {
	__float128 a = 1.0q / 3;
	_Float128 b = a * 3 - 1.0f128;
	_Float64 c = 2.5f64;
	_Float32 d = 1.25f32;
	printf("%d %d %g %g %zu\n", (int)(a * 1e6), b < 1e-30 && b > -1e-30, (double)c, (double)d, sizeof a);
	a += 1;
	printf("%.15g\n", (double)a);
	return 0;
}
