#include <complex.h>
#include <stdio.h>
int main(void) {
	double complex a = 1 + 2 * I, b = conj(a) * (3 - 1i), c = a / b;
	float _Complex f = 2.0f;
	f *= I;
	__real__ a = 5;
	__imag__ a += 1;
	printf("%g %g %g %g\n", creal(b), cimag(b), creal(c) * 10, cimag(c) * 10);
	printf("%g %g %g %g %zu\n", __real__ a, __imag__ a, crealf(f), cimagf(f), sizeof a);
	printf("%d %d %g %g\n", a == a, a != b, cabs(3 + 4 * I), __imag__ ~a);
	a++;
	printf("%g %d\n", creal(a), !a);
	return 0;
}
