/* A upc_forall within a controlling one runs all its iterations, also in a function that is called. */
#include "check.h"
static shared int count[10 * THREADS];
static int inner(void)
{
	int i, n = 0;
	upc_forall (i = 0; i < 8; i++; i)
		n++;
	return n;
}
static int own(int n) { return n / THREADS + (MYTHREAD < n % THREADS); }
void test_nested(void)
{
	int i, j, n, outer = 0;
	CHECK(inner() == own(8));
	upc_forall (i = 0; i < 10 * THREADS; i++; &count[i]) {
		n = 0;
		upc_forall (j = 0; j < 6; j++; j) {
			n++;
			if (j == 2)
				continue;
		}
		CHECK(n == 6);
		CHECK(inner() == 8);
		if (i % 2)
			continue;
		outer++;
	}
	CHECK(outer == (THREADS % 2 ? 5 : MYTHREAD % 2 ? 0 : 10));
	CHECK(inner() == own(8));
	n = 0;
	upc_forall (i = 0; i < 3; i++; continue)
		upc_forall (j = 0; j < 8; j++; j)
			n++;
	CHECK(n == 3 * own(8));
	n = 0;
	upc_forall (i = 0; i < 3; i++; continue)
		n += inner();
	CHECK(n == 3 * own(8));
	n = 0;
	upc_forall (i = inner() * 0; i < THREADS + 0 * inner(); i++; i + 0 * inner())
		n += inner();
	CHECK(n == 8 && inner() == own(8));
	upc_barrier;
}
