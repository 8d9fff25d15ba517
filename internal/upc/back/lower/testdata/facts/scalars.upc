/* Shared scalars of every arithmetic type are written by one thread and read by all. */
#include "check.h"
shared char c; shared signed char sc; shared unsigned char uc; shared short s; shared unsigned short us;
shared int i; shared unsigned u; shared long l; shared unsigned long ul; shared long long ll; shared unsigned long long ull;
shared float f; shared double d; shared long double ld; shared _Bool b; shared __int128 big;
shared float _Complex fc; shared double _Complex dc;
enum colour { RED, GREEN = 7 };
shared enum colour e;
void test_scalars(void)
{
	upc_barrier;
	if (MYTHREAD == THREADS - 1) {
		c = 'x'; sc = -3; uc = 200; s = -30000; us = 60000; i = -2000000000; u = 4000000000u; l = -1L << 40; ul = ~0UL;
		ll = -5; ull = 1ULL << 63; f = 1.5f; d = 2.25; ld = 3.125L; b = 5; big = (__int128)1 << 100;
		fc = 1.0f + 2.0if; dc = 3.0 - 4.0i; e = GREEN;
	}
	upc_barrier;
	CHECK(c == 'x'); CHECK(sc == -3); CHECK(uc == 200); CHECK(s == -30000); CHECK(us == 60000); CHECK(i == -2000000000);
	CHECK(u == 4000000000u); CHECK(l == -1L << 40); CHECK(ul == ~0UL); CHECK(ll == -5); CHECK(ull == 1ULL << 63);
	CHECK(f == 1.5f); CHECK(d == 2.25); CHECK(ld == 3.125L); CHECK(b == 1); CHECK(big == (__int128)1 << 100);
	CHECK(fc == 1.0f + 2.0if); CHECK(dc == 3.0 - 4.0i); CHECK(e == GREEN);
	CHECK(upc_threadof(&i) == 0); CHECK(upc_phaseof(&d) == 0);
	upc_barrier;
}
