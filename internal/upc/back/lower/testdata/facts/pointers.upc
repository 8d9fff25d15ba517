/* Arithmetic on pointers-to-shared moves by elements, with phase, in both directions. */
#include "check.h"
#define N 40
static shared int a[N * THREADS];
static shared [3] int b[N * THREADS];
static shared [] int c[N];
static shared [4] char d[N * THREADS];
#define WALK(array, count, P) \
	do { \
		P p = &array[0]; \
		P q; \
		int i, j; \
		for (i = 0; i < (count); i++, p++) { \
			CHECK(p == &array[i]); \
			CHECK(upc_threadof(p) == upc_threadof(&array[i])); \
			CHECK(upc_phaseof(p) == upc_phaseof(&array[i])); \
			CHECK(p - &array[0] == i); \
		} \
		for (i = (count) - 1, --p; i >= 0; i--) { \
			CHECK(p == &array[i] && upc_phaseof(p) == upc_phaseof(&array[i])); \
			if (i) \
				p--; \
		} \
		for (i = 0; i < (count); i += 7) \
			for (j = 0; j < (count); j += 5) { \
				q = &array[i]; \
				q += j - i; \
				CHECK(q == &array[j] && upc_phaseof(q) == upc_phaseof(&array[j])); \
				CHECK(&array[j] - &array[i] == j - i); \
				CHECK((&array[i] < &array[j]) == (i < j) && (&array[i] <= &array[j]) == (i <= j)); \
				CHECK((&array[i] > &array[j]) == (i > j) && (&array[i] >= &array[j]) == (i >= j)); \
				CHECK((&array[i] == &array[j]) == (i == j) && (&array[i] != &array[j]) == (i != j)); \
				q -= j; \
				CHECK(q == array && q + j == &array[j] && j + q == &array[j] && q - -j == &array[j]); \
				CHECK(&q[j] == &array[j] && &j[q] == &array[j]); \
			} \
	} while (0)
void test_pointers(void)
{
	WALK(a, N * THREADS, shared int *);
	WALK(b, N * THREADS, shared [3] int *);
	WALK(c, N, shared [] int *);
	WALK(d, N * THREADS, shared [4] char *);
	upc_barrier;
}
