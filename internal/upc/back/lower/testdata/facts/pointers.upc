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
/* The head of a loop may declare several; the names are the loop's. */
static void heads(void)
{
	int n = 0, *p = &n;
	upc_barrier;
	for (shared int *p = a, *end = a + N * THREADS; p < end; p++)
		n += upc_threadof(p) == MYTHREAD;
	CHECK(n == N && p == &n);
	for (shared [3] int *const first = b, *last = b + 5, **at = &last; *at >= first; --*at)
		if (last == b + 2)
			continue;
		else
			n++;
	CHECK(n == N + 5);
	upc_forall (shared int *p = a, *end = a + N * THREADS; p < end; p++; p)
		n--;
	CHECK(n == 5);
	upc_forall (shared int *p = a, *end = a + N * THREADS; p < end; p++; continue)
		n++;
	CHECK(n == 5 + N * THREADS && p == &n);
}
void test_pointers(void)
{
	heads();
	WALK(a, N * THREADS, shared int *);
	WALK(b, N * THREADS, shared [3] int *);
	WALK(c, N, shared [] int *);
	WALK(d, N * THREADS, shared [4] char *);
	upc_barrier;
}
