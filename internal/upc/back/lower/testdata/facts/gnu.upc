/* GNU C around shared things: statement expressions, typeof, conditional without middle, labels as values, _Generic. */
#include "check.h"
static shared [2] int a[6 * THREADS];
static shared int b[6 * THREADS];
static char sized[sizeof(b[0] + 1L) + sizeof *(&a[1] + 1)];
static __typeof__(b[1] + 1.5) real = 2;
typedef struct { int n; } view;
static int later(void)
{
	extern shared int defined_below;
	return defined_below;
}
shared int defined_below = 6;
#define kind(x) _Generic((x), shared int *: 1, shared [2] int *: 2, shared void *: 3, int *: 4, int: 5, default: 6)
void test_gnu(void)
{
	int i = 0, mine;
	shared [2] int *p = a;
	__typeof__(&a[1]) q = &a[1];
	__typeof__(a[0]) *r = a;
	__auto_type s = &b[2];
	upc_barrier;
	if (MYTHREAD == 0)
		for (i = 0; i < 6; i++)
			a[i] = b[i] = i;
	upc_barrier;
	CHECK(({ int t = a[1] + b[2]; t * 2; }) == 6);
	CHECK(({ shared [2] int *t = p; t++; *t++; t; }) == p + 2);
	CHECK(({ p++; }) == a && p == a + 1);
	CHECK(*q == 1 && *r == 0 && *s == 2 && r + 1 == q);
	CHECK((b[3] ?: 7) == 3 && (b[0] ?: 7) == 7);
	mine = a[({ i++; b[1]; })] + 1;
	CHECK(mine == 2);
	CHECK(kind(b) == 1 && kind(&b[1]) == 1 && kind(p) == 2 && kind((shared void *)p) == 3 && kind(&i) == 4 && kind(b[0]) == 5);
	CHECK(__builtin_types_compatible_p(shared int *, shared [2] int *) == 0);
	CHECK(__builtin_types_compatible_p(__typeof__(p), shared [2] int *) == 1);
	{
		void *to = b[1] ? &&yes : &&no;
		goto *to;
	no:
		CHECK(0);
	yes:;
	}
	CHECK(sizeof sized == 12 && sizeof real == sizeof(double) && real == 2 && later() == 6);
	CHECK(MYTHREAD || ((view *)&b[0])->n == 0);
	CHECK((__extension__ b[4]) == 4 && -b[4] == -4 && ~b[4] == ~4 && !b[0] && !!b[1]);
	CHECK(b[1] && b[2] || b[0]);
	switch (b[2]) { case 2: break; default: CHECK(0); }
	for (i = b[0]; i < b[5]; i += b[1])
		;
	CHECK(i == 5);
	upc_barrier;
}
