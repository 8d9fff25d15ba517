#include <stdio.h>
int main(void) {
	int s = 0, a[100];
#pragma omp parallel for
	for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 100; i++) s += a[i];
#pragma omp critical
	{ s++; }
	printf("%d\n", s);
	return 0;
}
