/* Conversions keep or reset the phase as UPC 1.3, 6.4.3 says; null is null everywhere. */
#include "check.h"
static shared [4] int a[16 * THREADS];
static shared int b[16 * THREADS];
static int is_null(shared void *p) { return p == NULL; }
static shared void *through(shared void *p) { return p; }
void test_convert(void)
{
	shared [4] int *p = &a[3], *q;
	shared int *r;
	shared [] int *s;
	shared void *v = p;
	CHECK(upc_phaseof(p) == 3 && upc_phaseof(v) == 3);
	q = v; CHECK(upc_phaseof(q) == 3 && q == p && q + 1 == &a[4]);
	r = (shared int *)p; CHECK(upc_phaseof(r) == 0 && r == p);
	r = v; CHECK(upc_phaseof(r) == 0 && upc_threadof(r + 1) == (upc_threadof(p) + 1) % THREADS);
	s = v; CHECK(upc_phaseof(s) == 0 && upc_threadof(s + 1) == upc_threadof(p));
	s = (shared [] int *)&a[2]; CHECK(upc_phaseof(s) == 0 && s == &a[2]);
	q = (shared [4] int *)(shared [4] unsigned *)&a[2]; CHECK(upc_phaseof(q) == 2);
	CHECK(upc_phaseof((shared [4] char *)&a[2]) == 0);
	CHECK(upc_phaseof((shared [2] int *)&a[3]) == 0);
	q = (shared [4] int *)(shared [2] int *)p; CHECK(upc_phaseof(q) == 0);
	CHECK(upc_phaseof(through(p)) == 3);
	q = through(&a[2]); CHECK(upc_phaseof(q) == 2);
	q = 0; CHECK(!q && q == 0 && q == NULL && is_null(q));
	r = NULL; CHECK(!r && NULL == r && 0 == r && r == (shared int *)q);
	v = (void *)0; CHECK(!v && is_null(0) && is_null(NULL) && !is_null(a) && v == q);
	CHECK((int *)r == NULL && (shared void *)NULL == v);
	CHECK(p && (p != 0) && (p ? 1 : 0));
	if (v) CHECK(0);
	CHECK((p ? p : NULL) == p && (r ? r : 0) == NULL);
	r = b; CHECK(r == &b[0] && (r = b + 2) == &b[2]);
	CHECK(&a[1] != (shared [4] int *)&a[2]);
	upc_barrier;
}
